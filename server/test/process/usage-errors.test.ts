import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { aMovie, anOption, aSnapshot } from '../support/builders.ts'
import { onFileFinished } from '../support/file-cleanup.ts'
import { marquee } from '../support/marquee-process.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

let folder: string
let env: Record<string, string>
const at = (name: string) => join(folder, name)

beforeAll(() => {
  folder = temporaryFolder(onFileFinished)
  env = { MARQUEE_DATA: at('data') }
  mkdirSync(at('pages'))
  const columns = { Title: 'title', Country: 'country' }
  const defaults = { showType: 'movie', service: 'netflix', type: 'free', link: 'https://a.test' }
  writeFileSync(at('mapping.json'), JSON.stringify({ columns, defaults }))
  writeFileSync(at('table.csv'), 'Name;Country\nFirst;us\n')
  const source = { name: 'a', from: at('none.ndjson'), every: '1 hour' }
  writeFileSync(at('sources.json'), JSON.stringify([source]))
})

describe('usage errors', () => {
  it.each<[args: () => string[], message: RegExp, lines: number]>([
    [() => ['import', '--nonsense'], /^error: unknown option '--nonsense'\nSee `marquee import --help`\.\n$/, 2],
    [() => ['keys', 'plan', 'x'], /^error: missing required argument 'plan'\nSee `marquee keys plan --help`\.\n$/, 2],
    [
      () => ['help', 'impor'],
      /^error: unknown command 'impor'\n\(Did you mean import\?\)\nSee `marquee --help`\.\n$/,
      3,
    ],
    [() => ['plans', 'set', 'x', '--per', 'day'], /--requests too/, 1],
    [() => ['serve', '--port', '99999'], /PORT is "99999"; it must be a whole number from 0 to 65535/, 2],
    [() => ['status', '--data', at('nowhere')], /There is no catalog in .*nowhere/, 1],
    [() => ['keys', 'change', 'x'], /Say what to change: --name, --origin or --any-origin/, 1],
    [
      () => ['keys', 'change', 'x', '--any-origin', '--origin', 'https://a.test'],
      /--origin or --any-origin, not both/,
      1,
    ],
    [() => ['demo', '--import', '--episodes', '500'], /leave --episodes out; it takes --shows and --base-url/, 1],
    [() => ['demo', '--episodes', 'many'], /--episodes is "many"; it must be a whole number/, 1],
    [() => ['demo', '--base-url', 'nonsense'], /--base-url is "nonsense"; it must be an address/, 1],
    [
      () => ['import', at('table.csv'), '--mapping', at('mapping.json')],
      /table\.csv cannot be read: the table has no column "Title"/,
      1,
    ],
    [
      () => ['import', at('pages'), '--format', 'media-actions', '--service', 'x'],
      /holds no file whose name ends in/,
      1,
    ],
    [() => ['sources', 'run', 'a'], /a: \S+none\.ndjson cannot be read: it does not exist/, 1],
  ])('%#: a short message on standard error, exit code 1', async (args, message, lines) => {
    const { code, stdout, stderr } = await marquee(args(), { ...env, MARQUEE_SOURCES: at('sources.json') })
    expect(stderr).toMatch(message)
    expect(stderr.trimEnd().split('\n')).toHaveLength(lines)
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  })
})

describe('output', () => {
  it('is JSON for plans set and plans remove with --json', async () => {
    const set = await marquee(['plans', 'set', 'gold', '--requests', '5', '--per', 'day', '--json'], env)
    expect(JSON.parse(set.stdout)).toEqual({ name: 'gold', quota: { requests: 5, per: 'day' } })
    const removed = await marquee(['plans', 'remove', 'gold', '--json'], env)
    expect(JSON.parse(removed.stdout)).toEqual({ removed: 'gold' })
  })

  it('uses the singular for one, and tells a local catalog from a replica', async () => {
    const show = aMovie({ id: '1', streamingOptions: { us: [anOption()] } })
    const feed = aSnapshot(show)
      .map((record) => JSON.stringify(record))
      .join('\n')
    const imported = await marquee(['import', '-'], env, Buffer.from(feed))
    expect(imported.stdout).toContain('with 1 show and 1 offer\n')
    const sources = await marquee(['sources', 'check'], { ...env, MARQUEE_SOURCES: at('sources.json') })
    expect(sources.stdout).toContain('it has 1 source\n')
    const { stdout } = await marquee(['status'], { ...env, DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' })
    expect(stdout).toContain('1 show with 1 offer\n')
    expect(stdout).toContain('The folder has a catalog of its own')
    expect(stdout).not.toContain('replica of PostgreSQL')
  })
})
