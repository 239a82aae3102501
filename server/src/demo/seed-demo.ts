import { importFeed } from '../ingest/import-feed.ts'
import { WindowScheduler } from '../ingest/window-scheduler.ts'
import type { Ledger } from '../ledger/ledger.ts'
import type { Clock } from '../lib/clock.ts'
import { demoHistory } from './demo-history.ts'
import { DEMO_COUNTRY_COUNT } from './feed-records.ts'

const SEED_OPTIONS = { seed: 1, countries: DEMO_COUNTRY_COUNT }

/** What the demo catalog is seeded with. */
interface SeedOptions {
  readonly shows: number
  readonly clock: Clock
  /** The time of the last feed, in Unix seconds. */
  readonly at: number
  /** The public address of the service, which all URLs of the demo start with. */
  readonly baseUrl: string
  /** Feeds up to this time are skipped: an earlier run has imported them. */
  readonly after?: number | undefined
  readonly onProgress?: (progress: SeedProgress) => void
}

/** How far a seeding is. Shows that change during the month are counted in each feed that has them. */
interface SeedProgress {
  readonly shows: number
  readonly totalShows: number
  /** The number of the feed, counted from 1, and its day. */
  readonly feed: number
  readonly totalFeeds: number
  readonly day: string
}

/** Seeds a catalog with the demo: imports a month of feeds, each with the clock set to the feed's own time. */
export async function seedDemo(ledger: Ledger, options: SeedOptions): Promise<void> {
  const { shows, at, baseUrl, after = 0 } = options
  const feeds = [...demoHistory({ ...SEED_OPTIONS, shows, at, baseUrl })]
  const totalShows = feeds.reduce((sum, feed) => sum + feed.maxShows, 0)
  let earlierShows = 0
  for (const [i, feed] of feeds.entries()) {
    if (feed.at <= after) {
      earlierShows += feed.maxShows
      continue
    }
    const day = new Date(feed.at * 1000).toISOString().slice(0, 10)
    const clock = () => feed.at
    await new WindowScheduler(ledger, clock).applyDueWindows()
    const lines = async function* () {
      let line = 0
      for (const record of feed.records) yield { line: ++line, text: JSON.stringify(record) }
    }
    const onProgress = (phase: string, shows: number) => {
      // A delta is checked before it is imported; its shows are counted once.
      if (phase !== 'importing') return
      options.onProgress?.({ shows: earlierShows + shows, totalShows, feed: i + 1, totalFeeds: feeds.length, day })
    }
    await importFeed(lines, ledger, { clock, force: true, onProgress })
    earlierShows += feed.maxShows
  }
  await new WindowScheduler(ledger, options.clock).applyDueWindows()
}
