import { importFeed } from '../../src/ingest/import-feed.ts'
import type { ImportReport } from '../../src/ingest/import-report.ts'
import { WindowScheduler } from '../../src/ingest/window-scheduler.ts'
import { LocalLedger } from '../../src/ledger/local-ledger.ts'
import { NOW } from './builders.ts'
import { feedFromRecords } from './feed.ts'
import type { Step } from './feed-histories.ts'
import { temporaryFolder } from './temporary-folder.ts'

/** A catalog with a clock and a window scheduler, without a service. */
export class World {
  now = NOW
  readonly ledger: LocalLedger
  private readonly scheduler: WindowScheduler

  constructor(folder: string) {
    this.ledger = new LocalLedger(folder)
    this.scheduler = new WindowScheduler(this.ledger, () => this.now)
  }

  import(records: Iterable<object>): Promise<ImportReport> {
    return importFeed(feedFromRecords(records), this.ledger, { clock: () => this.now, force: true })
  }

  async advance(seconds: number): Promise<void> {
    this.now += seconds
    await this.scheduler.applyDueWindows()
  }

  /** Imports the feeds of a history, with their pauses. */
  async replay(steps: readonly Step[]): Promise<void> {
    for (const { feed, seconds } of steps) {
      await this.import(feed)
      await this.advance(seconds)
    }
  }

  close(): Promise<void> {
    return this.ledger.close()
  }
}

/** Runs a test with two empty catalogs. */
export async function withWorlds(work: (one: World, other: World) => Promise<void>): Promise<void> {
  const removals: (() => void)[] = []
  const make = () => new World(temporaryFolder((remove) => removals.push(remove)))
  const [one, other] = [make(), make()]
  try {
    await work(one, other)
  } finally {
    await one.close()
    await other.close()
    for (const remove of removals) remove()
  }
}
