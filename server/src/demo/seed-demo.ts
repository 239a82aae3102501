import { importFeed } from '../ingest/import-feed.ts'
import { WindowScheduler } from '../ingest/windows/window-scheduler.ts'
import type { Ledger } from '../ledger/ledger.ts'
import type { Clock } from '../lib/clock.ts'
import { demoHistory } from './history/demo-history.ts'

const SEED_OPTIONS = { seed: 1, countries: 20 }

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
  readonly onProgress?: (day: string, shows: number) => void
}

/** Seeds a catalog with the demo: imports a month of feeds, each with the clock set to the feed's own time. */
export async function seedDemo(ledger: Ledger, options: SeedOptions): Promise<void> {
  const { shows, at, baseUrl, after = 0 } = options
  for (const feed of demoHistory({ ...SEED_OPTIONS, shows, at, baseUrl })) {
    if (feed.at <= after) continue
    const day = new Date(feed.at * 1000).toISOString().slice(0, 10)
    const clock = () => feed.at
    await new WindowScheduler(ledger, clock).applyDueWindows()
    const lines = async function* () {
      let line = 0
      for (const record of feed.records) yield { line: ++line, text: JSON.stringify(record) }
    }
    const onProgress = (_phase: string, shows: number) => options.onProgress?.(day, shows)
    await importFeed(lines, ledger, { clock, force: true, onProgress })
  }
  await new WindowScheduler(ledger, options.clock).applyDueWindows()
}
