import { importFeed } from '../ingest/import-feed.ts'
import { WindowScheduler } from '../ingest/windows/window-scheduler.ts'
import type { Ledger } from '../ledger/ledger.ts'
import type { Clock } from '../lib/clock.ts'
import { demoHistory } from './history/demo-history.ts'

const DEMO = { seed: 1, countries: 20 }

export interface SeedOptions {
  readonly shows: number
  readonly clock: Clock
  /** The instant at which the month of feeds ends. */
  readonly at: number
  /** The address under which the service draws the demo's images and answers its links. */
  readonly baseUrl: string
  /** Feeds up to this instant have been imported before. */
  readonly after?: number | undefined
  readonly onProgress?: (day: string, shows: number) => void
}

/** Fills a catalog with the demo: a month of feeds, each imported as of its own day. */
export async function seedDemo(ledger: Ledger, options: SeedOptions): Promise<void> {
  const { shows, at, baseUrl, after = 0 } = options
  for (const feed of demoHistory({ ...DEMO, shows, at, baseUrl })) {
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
