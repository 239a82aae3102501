import type { Ledger } from '../../ledger/ledger.ts'
import { backoffMs } from '../../lib/backoff.ts'
import type { Clock } from '../../lib/clock.ts'
import { SECONDS_PER_DAY, startOfDay } from '../../model/time.ts'
import { commitDueWindows, findNextDueInstant } from './due-windows.ts'
import { commitTrimmedHistory } from './trim-history.ts'

/** The default retention of the change log: twice as long as `/changes` reaches back. */
export const DEFAULT_RETENTION_DAYS = 62

interface WindowSchedulerOptions {
  readonly retentionDays?: number
  /** Days for which history is kept; all of it if absent. */
  readonly historyDays?: number
  readonly onError?: (error: unknown) => void
  /** Called after each run, with the number of shows that had a due window. */
  readonly onRun?: (shows: number) => void
}

/** The delay of the first check, so that a service that has just started can respond first. */
const FIRST_CHECK_MS = 500

/** How often it checks whether a window is due, or an import has brought an earlier one. */
const CHECK_INTERVAL_MS = 250

/** Delay after a failure, such as a full disk. */
const FAILURE_BACKOFF = { firstMs: CHECK_INTERVAL_MS, maxMs: 15_000 }

/** A run follows after this time even if nothing seems due. */
const MAX_IDLE_SECONDS = 30

/**
 * Applies the windows of offers when they are due: makes announced offers live, removes ended ones, and truncates the
 * change log.
 *
 * The next due instant is read once for each catalog version; every other check is one comparison with the clock. A run
 * takes all shows with a due window and applies the instants of each in order (`due-windows.ts`). An import does the same
 * between its commits, so that it does not delay them.
 *
 * One scheduler runs for each ledger. With a local ledger it runs in the primary process. With several nodes it runs on
 * the leader, which is the node that holds the task `keep`; when that node is lost, another one acquires the task.
 */
export class WindowScheduler {
  private readonly ledger: Ledger
  private readonly clock: Clock
  private readonly retentionDays: number
  private readonly historyDays: number
  private readonly onError: (error: unknown) => void
  private readonly onRun: (shows: number) => void
  private timer: NodeJS.Timeout | undefined
  private running: Promise<unknown> = Promise.resolve()
  private truncatedBefore = 0
  private trimmedBefore = 0
  private appliedAt = 0
  /** The next due instant, and the catalog version that it was read from. */
  private nextDue = { version: -1, at: 0 }

  constructor(ledger: Ledger, clock: Clock, options: WindowSchedulerOptions = {}) {
    this.ledger = ledger
    this.clock = clock
    this.retentionDays = options.retentionDays ?? DEFAULT_RETENTION_DAYS
    this.historyDays = options.historyDays ?? Number.POSITIVE_INFINITY
    this.onError = options.onError ?? (() => {})
    this.onRun = options.onRun ?? (() => {})
  }

  /** Checks at intervals until it is stopped. A failed check does not end that. */
  start(): void {
    let failures = 0
    const tick = () => {
      this.running = this.check()
        .then(
          () => {
            failures = 0
          },
          (error: unknown) => {
            failures++
            this.onError(error)
          },
        )
        .then(() => {
          const delayMs = failures === 0 ? CHECK_INTERVAL_MS : backoffMs(failures, FAILURE_BACKOFF)
          if (this.timer !== undefined) this.timer = setTimeout(tick, delayMs)
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
    const shows = await commitDueWindows(this.ledger, now)
    await this.truncateChangeLog(now)
    await this.trimHistory(now)
    this.onRun(shows)
    return shows
  }

  /** The next instant at which a window starts or ends; Infinity if there is none. */
  nextDueInstant(): number {
    return findNextDueInstant(this.ledger.catalog)
  }

  /** Deletes changes beyond the retention, once a day. */
  private async truncateChangeLog(now: number): Promise<void> {
    const before = startOfDay(now) - this.retentionDays * SECONDS_PER_DAY
    if (before <= this.truncatedBefore || this.ledger.catalog.version() === 0) return
    this.truncatedBefore = before
    const { catalog } = this.ledger
    if (!catalog.hasChangesBefore(before) && !catalog.journal.hasBefore(before)) return
    await this.ledger.commit(() => [{ at: now, shows: [], changes: [], forgetChangesBefore: before }])
  }

  /** Deletes history beyond its retention, once a day. */
  private async trimHistory(now: number): Promise<void> {
    const before = startOfDay(now) - this.historyDays * SECONDS_PER_DAY
    if (before <= this.trimmedBefore) return
    this.trimmedBefore = before
    await commitTrimmedHistory(this.ledger, before, now)
  }
}
