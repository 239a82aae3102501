import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, it } from 'vitest'
import { type DemoService, startDemoService } from '../support/demo-service.ts'
import { marquee } from '../support/marquee-process.ts'
import { requiredProgram } from '../support/required-program.ts'

let service: DemoService
let env: Record<string, string>

beforeAll(async () => {
  service = await startDemoService()
  env = { ...service.env, MARQUEE_KEY: await service.createKey(), MARQUEE_URL: service.address }
})

const lines = (text: string) => text.trimEnd().split('\n')

describe('marquee search', () => {
  it('prints a table, without colours if standard output is no terminal', async () => {
    const { code, stdout } = await marquee(['search', 'the', 'godfather', '--country', 'US'], env)
    expect(code).toBe(0)
    const [head, first] = lines(stdout)
    expect(head).toMatch(/^title +year +type +rating +id +in us$/)
    expect(first).toMatch(/^The Godfather +1972 +movie +92 +tt0068646 +\S+.* \(.+\)$/)
    expect(stdout).not.toContain('\x1b')
  })

  it('prints the shows of the response with --json', async () => {
    const { stdout } = await marquee(['search', 'breaking bad', '--country', 'us', '--type', 'series', '--json'], env)
    expect(JSON.parse(stdout)[0]).toMatchObject({ title: 'Breaking Bad', showType: 'series', imdbId: 'tt0903747' })
  })

  it('prints a sentence when no show matches', async () => {
    const result = await marquee(['search', 'no such show at all', '--country', 'us'], env)
    expect(result).toMatchObject({ code: 0, stdout: 'No show matches "no such show at all".\n' })
  })

  it('accepts a marketplace key and an address that ends in /v4', async () => {
    const key = await service.createKey('--source', 'marketplace')
    const args = ['search', 'godfather', '--country', 'us', '--key', key, '--url', `${service.address}/v4/`]
    expect(await marquee(args, service.env)).toMatchObject({ code: 0, stdout: expect.stringContaining('tt0068646') })
  })
})

describe('marquee similar and marquee history', () => {
  it('print tables of shows and of spans', async () => {
    const { stdout: shows } = await marquee(['similar', 'tt0068646', '--country', 'us'], env)
    expect(lines(shows)[0]).toMatch(/^title +year +type +rating +id +in us$/)
    expect(shows).toContain('The Godfather Part II')
    const { stdout } = await marquee(['history', 'movie/238', '--country', 'us'], env)
    const [head, ...spans] = lines(stdout)
    expect(head).toMatch(/^service +type +from +until +price$/)
    for (const span of spans) expect(span).toMatch(/ \d{4}-\d\d-\d\d/)
    const { stdout: json } = await marquee(['history', 'tt0068646', '--country', 'us', '--json'], env)
    expect(JSON.parse(json).places.length).toBeGreaterThan(0)
  })
})

describe('marquee where', () => {
  it('prints every offer of every country', async () => {
    const { stdout } = await marquee(['where', 'movie/238'], env)
    const [title, empty, head, ...offers] = lines(stdout)
    expect([title, empty]).toEqual(['The Godfather (1972), movie', ''])
    expect(head).toMatch(/^country +service +type +price +quality +until +link$/)
    const { stdout: json } = await marquee(['where', 'tt0068646', '--json'], env)
    expect(offers).toHaveLength(Object.values(JSON.parse(json).streamingOptions).flat().length)
  })

  it('prints the offers of one country', async () => {
    const { stdout } = await marquee(['where', 'tt0903747', '--country', 'gb'], env)
    for (const offer of lines(stdout).slice(3)) expect(offer).toMatch(/^gb +\w/)
  })

  it('says where a show can be watched in several countries', async () => {
    const { stdout } = await marquee(['where', 'tt0903747', '--countries', 'us,gb', '--json'], env)
    expect(Object.keys(JSON.parse(stdout).streamingOptions)).toEqual(['gb', 'us'])
    const both = await marquee(['where', '1', '--country', 'us', '--countries', 'gb'], env)
    expect([both.code, both.stderr]).toEqual([1, expect.stringContaining('--country or --countries, not both')])
  })
})

describe('failures', () => {
  it.each<[string, string[], Record<string, string>, RegExp]>([
    ['no key', ['where', '1'], { MARQUEE_KEY: '' }, /--key or set MARQUEE_KEY; `marquee keys create`/],
    ['an unknown key', ['where', '1', '--key', 'mq-key-x'], {}, /not known.*--key or MARQUEE_KEY/],
    ['a show that does not exist', ['where', 'tt9999999'], {}, /no show with this id/],
    ['a country that does not exist', ['search', 'x', '--country', 'zz'], {}, /country/],
    ['a type that does not exist', ['search', 'x', '--country', 'us', '--type', 'film'], {}, /must be movie or series/],
    ['an id that is a path', ['where', '../genres'], {}, /is not the id of a show/],
    [
      'an invalid address',
      ['where', '1', '--url', 'nonsense'],
      {},
      /--url .* is "nonsense"; it must be an address such as/,
    ],
    [
      'a key with invalid characters',
      ['where', '1', '--key', 'mq-kéy\u2028'],
      {},
      /--key .* has characters that no key has/,
    ],
    [
      'no service at the address',
      ['where', '1', '--url', 'http://127.0.0.1:1'],
      {},
      /cannot be reached; start it with `marquee serve`/,
    ],
  ])('%s: one sentence on standard error, exit code 1', async (_, args, more, message) => {
    const { code, stdout, stderr } = await marquee(args, { ...env, ...more })
    expect(stderr).toMatch(message)
    expect(lines(stderr)).toHaveLength(1)
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  })
})

const script = requiredProgram(['script'], 'apt install bsdutils (util-linux)')

describe.skipIf(script === undefined)('on a terminal', () => {
  const program = fileURLToPath(new URL('../../bin/marquee.js', import.meta.url))

  /** The output of a command on a pseudo-terminal. */
  function runOnTerminal(args: string, more: Record<string, string> = {}): Promise<string> {
    const command = `${process.execPath} ${program} ${args}`
    // Inherit only the path: CI, NO_COLOR, FORCE_COLOR and others change the colours.
    const { PATH = '' } = process.env
    return new Promise((resolve) => {
      const options = { env: { PATH, TERM: 'xterm-256color', ...env, ...more } }
      const child = execFile(script as string, ['-qec', command, '/dev/null'], options, (_error, stdout) =>
        resolve(stdout),
      )
      child.stdin?.end()
    })
  }

  it('prints colours, unless NO_COLOR is set', async () => {
    const coloured = await runOnTerminal('where tt0068646 --country us')
    expect(coloured).toContain('\x1b[1mThe Godfather\x1b[22m')
    const plain = await runOnTerminal('where tt0068646 --country us', { NO_COLOR: '1' })
    expect(plain).not.toContain('\x1b')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the colours are what is taken away.
    expect(coloured.replace(/\x1b\[\d+m/g, '')).toBe(plain)
  })
})
