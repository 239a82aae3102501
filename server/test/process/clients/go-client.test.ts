import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { marquee, startMarquee } from '../../support/marquee-process.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { isGoMissing, runGoTests, runIn } from './go-tests.ts'

/*
 * The Go client has tests of its own, in Go. Here they are run, with a service for those that need one.
 */
const folder = fileURLToPath(new URL('../../../../marquee', import.meta.url))

/** As long as the line of a series of five seasons, which the tests read. */
const MAX_LINE_LENGTH = 150_000

describe.skipIf(isGoMissing)('the Go client', () => {
  const data = temporaryFolder(afterAll)
  const env = { MARQUEE_DATA: join(data, 'data'), MARQUEE_WORKERS: '1' }
  const keys: Record<string, string> = {}

  beforeAll(async () => {
    const feed = join(data, 'feed.ndjson')
    // A second look at the same shows, with other options, makes updated and removed changes.
    for (const seed of ['1', '2']) {
      await marquee(['demo', '--shows', '200', '--countries', '2', '--seed', seed, '--out', feed], env)
      leaveOutLongSeries(feed)
      expect(await marquee(['import', feed, '--force'], env)).toMatchObject({ code: 0 })
    }
    for (const source of ['direct', 'marketplace']) {
      const made = await marquee(['keys', 'create', '--source', source, '--plan', 'unlimited', '--json'], env)
      keys[source] = JSON.parse(made.stdout).key
    }
  })

  /** Runs Go tests with a service, and returns the names of those that passed and were skipped. */
  async function goTest(settings: Record<string, string>, ...args: string[]) {
    const service = await startMarquee({ ...env, ...settings })
    const result = await runGoTests(
      folder,
      {
        MARQUEE_TEST_ADDRESS: service.address,
        MARQUEE_TEST_DIRECT_KEY: keys.direct as string,
        MARQUEE_TEST_MARKETPLACE_KEY: keys.marketplace as string,
      },
      ...args,
    )
    await service.stop()
    return result
  }

  it('is formatted as Go programs are', async () => {
    expect(await runIn(folder, 'gofmt', ['-l', '.'])).toBe('')
  })

  it('gives "go vet" nothing to say', async () => {
    await runIn(folder, 'go', ['vet', './...'])
  })

  it('passes its tests, none of them skipped', async () => {
    const { passed, skipped } = await goTest({})
    expect(passed).toEqual(expect.arrayContaining(['TestCases', 'TestCasesOfHelpers', 'TestEveryEndpointOfTheService']))
    expect(skipped).toEqual([])
  })

  it('works with a service that answers countries as a map', async () => {
    // All but the walk through all changes, which has nothing of countries and is the longest.
    const { passed } = await goTest({ MARQUEE_COUNTRIES: 'map' }, '-run', 'TestEveryEndpointOfTheService/.*/[^c]')
    expect(passed).toEqual(['TestEveryEndpointOfTheService'])
  })
})

/** Leaves the series with the most episodes out of a feed: a tenth of the shows, but two thirds of the changes that the client reads. */
function leaveOutLongSeries(feed: string): void {
  const lines = readFileSync(feed, 'utf8').split('\n')
  writeFileSync(feed, lines.filter((line) => line.length < MAX_LINE_LENGTH).join('\n'))
}
