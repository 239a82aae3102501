import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { marquee, startMarquee } from '../../support/marquee-process.ts'
import { requiredProgram } from '../../support/required-program.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

/*
 * The Go client has tests of its own, in Go. Here they are run, with a service for those that need one.
 */
const folder = fileURLToPath(new URL('../../../../marquee', import.meta.url))
// Nothing is downloaded.
const goSettings = { GOFLAGS: '-mod=mod', GOPROXY: 'off', GOTOOLCHAIN: 'local' }

/** Runs a program in the folder of the client; fails with all that it printed. */
async function run(program: string, args: readonly string[], env: Record<string, string> = {}): Promise<string> {
  const options = { cwd: folder, env: { ...process.env, ...goSettings, ...env }, maxBuffer: 1 << 26 }
  try {
    return (await promisify(execFile)(program, args, options)).stdout
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string }
    throw new Error(`${program} ${args.join(' ')} failed:\n${stdout}${stderr}`, { cause: error })
  }
}

describe.skipIf(requiredProgram(['go'], 'on Debian, apt-get install golang-go') === undefined)('the Go client', () => {
  const data = temporaryFolder(afterAll)
  const env = { MARQUEE_DATA: join(data, 'data'), MARQUEE_WORKERS: '1' }
  const keys: Record<string, string> = {}

  beforeAll(async () => {
    const feed = join(data, 'feed.ndjson')
    // A second look at the same shows, with other options, makes updated and removed changes.
    for (const seed of ['1', '2']) {
      await marquee(['demo', '--shows', '200', '--countries', '2', '--seed', seed, '--out', feed], env)
      expect(await marquee(['import', feed, '--force'], env)).toMatchObject({ code: 0 })
    }
    for (const source of ['direct', 'marketplace']) {
      const made = await marquee(['keys', 'create', '--source', source, '--plan', 'unlimited', '--json'], env)
      keys[source] = JSON.parse(made.stdout).key
    }
  }, 180_000)

  /** Runs Go tests with a service, and returns the names of those that passed and were skipped. */
  async function goTest(settings: Record<string, string>, ...args: string[]) {
    const service = await startMarquee({ ...env, ...settings })
    const output = await run('go', ['test', '-count=1', '-v', ...args, './...'], {
      MARQUEE_TEST_ADDRESS: service.address,
      MARQUEE_TEST_DIRECT_KEY: keys.direct as string,
      MARQUEE_TEST_MARKETPLACE_KEY: keys.marketplace as string,
    })
    await service.stop()
    const named = (result: string) =>
      [...output.matchAll(new RegExp(`^--- ${result}: (\\S+)`, 'gm'))].map(([, name]) => name)
    return { passed: named('PASS'), skipped: named('SKIP') }
  }

  it('is formatted as Go programs are', async () => {
    expect(await run('gofmt', ['-l', '.'])).toBe('')
  })

  it('gives "go vet" nothing to say', { timeout: 300_000 }, async () => {
    await run('go', ['vet', './...'])
  })

  it('passes its tests, none of them skipped', { timeout: 300_000 }, async () => {
    const { passed, skipped } = await goTest({})
    expect(passed).toEqual(expect.arrayContaining(['TestCases', 'TestCasesOfHelpers', 'TestEveryEndpointOfTheService']))
    expect(skipped).toEqual([])
  })

  it('works with a service that answers countries as a map', { timeout: 300_000 }, async () => {
    const { passed } = await goTest({ MARQUEE_COUNTRIES: 'map' }, '-run', 'TestEveryEndpointOfTheService')
    expect(passed).toEqual(['TestEveryEndpointOfTheService'])
  })
})
