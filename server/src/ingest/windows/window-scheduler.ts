import type { Catalog } from '../../catalog/catalog.ts'
import { instantSortKey } from '../../catalog/changes/stored-change.ts'
import { findServiceInCountry } from '../../catalog/reference.ts'
import { column } from '../../catalog/sorted/show-columns.ts'
import type { Batch } from '../../catalog/write/batch.ts'
import type { Ledger } from '../../ledger/ledger.ts'
import type { Clock } from '../../lib/clock.ts'
import type { Change } from '../../model/change.ts'
import type { Show } from '../../model/show.ts'
import { SECONDS_PER_DAY, startOfDay } from '../../model/time.ts'
import { applyDueWindows, type HomePage } from './offer-windows.ts'

/** The default retention of the change log: twice as long as `/changes` reaches back. */
export const DEFAULT_RETENTION_DAYS = 62

interface WindowSchedulerOptions {
  readonly retentionDays?: number
  readonly onError?: (error: unknown) => void
  /** Called after each run, with the number of shows that had a due window. */
  readonly onRun?: (shows: number) => void
}

/** The delay of the first check, so that a service that has just started can respond first. */
const FIRST_CHECK_MS = 500

/** How often it checks whether a window is due, or an import has brought an earlier one. */
const CHECK_INTERVAL_MS = 1_000

/** A run follows after this time even if nothing seems due. */
const MAX_IDLE_SECONDS = 30

/** Shows per commit. */
const SHOWS_PER_COMMIT = 1_000

/**
 * Applies the windows of offers when they are due: makes announced offers live, removes ended ones, and truncates the
 * change log.
 *
 * The column `due` of the catalog holds the next instant of each show, sorted, so its first entry is the next due instant.
 * That is read once for each catalog version; every other check is one comparison with the clock. A run takes all shows
 * with a due window and applies the instants of each in order. The changes of an instant have that instant as their
 * timestamp, so a run that comes late, after a night without a service for instance, commits the same changes as one in
 * time.
 *
 * One scheduler runs for each ledger. With a local ledger it runs in the primary process. With several nodes it runs on
 * the leader, which is the node that holds the task `keep`; when that node is lost, another one acquires the task.
 */
export class WindowScheduler {
  private readonly ledger: Ledger
  private readonly clock: Clock
  private readonly retentionDays: number
  private readonly onError: (error: unknown) => void
  private readonly onRun: (shows: number) => void
  private timer: NodeJS.Timeout | undefined
  private running: Promise<unknown> = Promise.resolve()
  private truncatedBefore = 0
  private appliedAt = 0
  /** The next due instant, and the catalog version that it was read from. */
  private nextDue = { version: -1, at: 0 }

  constructor(ledger: Ledger, clock: Clock, options: WindowSchedulerOptions = {}) {
    this.ledger = ledger
    this.clock = clock
    this.retentionDays = options.retentionDays ?? DEFAULT_RETENTION_DAYS
    this.onError = options.onError ?? (() => {})
    this.onRun = options.onRun ?? (() => {})
  }

  /** Checks at intervals until it is stopped. A failed check does not end that. */
  start(): void {
    const tick = () => {
      this.running = this.check()
        .catch(this.onError)
        .then(() => {
          if (this.timer !== undefined) this.timer = setTimeout(tick, CHECK_INTERVAL_MS)
        })
    }
    this.timer = setTimeout(tick, FIRST_CHECK_MS)
  }

  /** Stops after a running check. */
  async stop(): Promise<void> {
    clearTimeout(this.timer)
    this.timer = undefined
    await this.running
  }

  /** Starts a run if one is due. The clock may have been set back, too: then a run follows at once. */
  private async check(): Promise<void> {
    const now = this.clock()
    const version = this.ledger.catalog.version()
    if (version !== this.nextDue.version) this.nextDue = { version, at: this.nextDueInstant() }
    if (now < this.nextDue.at && now < this.appliedAt + MAX_IDLE_SECONDS && now >= this.appliedAt) return
    this.appliedAt = now
    await this.applyDueWindows()
  }

  /** One run: applies all due windows, and returns the number of shows that had one. */
  async applyDueWindows(): Promise<number> {
    const now = this.clock()
    const docs = [...new Set(this.dueDocs(now))]
    for (let start = 0; start < docs.length; start += SHOWS_PER_COMMIT) {
      await this.ledger.commit(() => [this.buildBatch(docs.slice(start, start + SHOWS_PER_COMMIT), now)])
    }
    await this.truncateChangeLog(now)
    this.onRun(docs.length)
    return docs.length
  }

  private buildBatch(docs: readonly number[], now: number): Batch {
    const { catalog } = this.ledger
    const reference = catalog.reference()
    const homePage: HomePage = (service, country) => findServiceInCountry(reference, service, country)?.homePage ?? ''
    const shows: Show[] = []
    const changes: Change[] = []
    for (const doc of docs) {
      // An import may have written the show since the documents were read, and applied its windows.
      const before = catalog.show(doc)
      const after = before && applyDueWindows(before, now, homePage)
      if (after === undefined || after.show === before) continue
      shows.push(after.show)
      changes.push(...after.changes)
    }
    return { at: now, shows, changes }
  }

  /** The next instant at which a window starts or ends; Infinity if there is none. */
  nextDueInstant(): number {
    return findNextDueInstant(this.ledger.catalog)
  }

  /** Documents with a window that has started or ended. */
  private *dueDocs(now: number): Iterable<number> {
    const { catalog } = this.ledger
    const version = catalog.version()
    const cursor = catalog.openCursor(column.due, version, 'asc')
    while (cursor.next() && (cursor.value as number) <= now) yield cursor.doc
    for (const list of catalog.windows.listIds()) {
      const due = catalog.windows.scanAscending(list, version, instantSortKey(1), instantSortKey(now + 1))
      for (const { doc } of due) yield doc
    }
  }

  /** Deletes changes beyond the retention, once a day. */
  private async truncateChangeLog(now: number): Promise<void> {
    const before = startOfDay(now) - this.retentionDays * SECONDS_PER_DAY
    if (before <= this.truncatedBefore || this.ledger.catalog.version() === 0) return
    this.truncatedBefore = before
    if (!this.ledger.catalog.hasChangesBefore(before)) return
    await this.ledger.commit(() => [{ at: now, shows: [], changes: [], forgetChangesBefore: before }])
  }
}

/**
 * The next instant at which a window of the catalog starts or ends; Infinity if there is none. The windows count beside
 * the column `due`: shows that were written before there was that column are only there.
 */
export function findNextDueInstant(catalog: Catalog): number {
  const version = catalog.version()
  const cursor = catalog.openCursor(column.due, version, 'asc')
  let next = cursor.next() ? (cursor.value as number) : Number.POSITIVE_INFINITY
  for (const list of catalog.windows.listIds()) {
    for (const { timestamp } of catalog.windows.scanAscending(list, version, instantSortKey(1))) {
      next = Math.min(next, timestamp)
      break
    }
  }
  return next
}
