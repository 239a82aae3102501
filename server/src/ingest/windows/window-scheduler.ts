import { setTimeout as rest } from 'node:timers/promises'
import type { Catalog } from '../../catalog/catalog.ts'
import { instantSortKey } from '../../catalog/changes/stored-change.ts'
import { findServiceInCountry } from '../../catalog/reference.ts'
import type { Batch } from '../../catalog/write/batch.ts'
import type { Ledger } from '../../ledger/ledger.ts'
import type { Clock } from '../../lib/clock.ts'
import type { Change } from '../../model/change.ts'
import type { Show } from '../../model/show.ts'
import { SECONDS_PER_DAY, startOfDay } from '../../model/time.ts'
import { diff } from '../apply/diff.ts'
import { applyWindows, dueInstants, type HomePage } from './offer-windows.ts'

/** Past changes are kept for twice the window in which they can be asked for, unless said otherwise. */
export const DEFAULT_RETENTION_DAYS = 62

export interface WindowSchedulerOptions {
  readonly retentionDays?: number
  readonly onError?: (error: unknown) => void
  /** Told after each time that the windows were looked through, with how many shows that concerned. */
  readonly onSettled?: (shows: number) => void
}

/** The first look comes when a service that has just started has begun to answer. */
const FIRST_CHECK_MS = 500

/** How often it is looked whether a window is due, or an import has brought a nearer one. */
const CHECK_INTERVAL_MS = 1_000

/** However quiet the catalog, the windows are looked through after so long. */
const MAX_IDLE_SECONDS = 30

/** Offers without a date have no place in the order of time: they are looked through now and then. */
const UNDATED_INTERVAL_SECONDS = 3_600

/** How long the keeper looks at shows at a time, and then leaves the process and the machine to others. */
const SCAN_SLICE_MS = 5
const SCAN_PAUSE_MS = 20

/** Shows that are settled in one batch. */
const SHOWS_PER_COMMIT = 1_000

/** Opens and closes the windows of offers as time passes, and lets go of old changes. */
export class WindowScheduler {
  private readonly ledger: Ledger
  private readonly clock: Clock
  private readonly retentionDays: number
  private readonly onError: (error: unknown) => void
  private readonly onSettled: (shows: number) => void
  private timer: NodeJS.Timeout | undefined
  private running: Promise<unknown> = Promise.resolve()
  private truncatedBefore = 0
  private undatedScannedAt = 0
  private isStopping = false
  private appliedAt = 0
  /** The next instant at which something is due, and the version of the catalog that it was read from. */
  private nextDue = { version: -1, at: 0 }

  constructor(ledger: Ledger, clock: Clock, options: WindowSchedulerOptions = {}) {
    this.ledger = ledger
    this.clock = clock
    this.retentionDays = options.retentionDays ?? DEFAULT_RETENTION_DAYS
    this.onError = options.onError ?? (() => {})
    this.onSettled = options.onSettled ?? (() => {})
  }

  /** Wakes whenever a window is due, until stopped. */
  start(): void {
    const wake = () => {
      this.running = this.check()
        .catch(this.onError)
        .then(() => {
          if (this.timer !== undefined) this.timer = setTimeout(wake, CHECK_INTERVAL_MS)
        })
    }
    this.timer = setTimeout(wake, FIRST_CHECK_MS)
  }

  /** However the look at what comes next ends, the keeper wakes again. */

  async stop(): Promise<void> {
    this.isStopping = true
    clearTimeout(this.timer)
    this.timer = undefined
    await this.running
  }

  /** Settles if it is time to. Most looks find the catalog as it was and nothing due, and cost next to nothing. */
  private async check(): Promise<void> {
    const now = this.clock()
    const version = this.ledger.catalog.version()
    if (version !== this.nextDue.version) this.nextDue = { version, at: this.nextDueInstant() }
    if (now < this.nextDue.at && now < this.appliedAt + MAX_IDLE_SECONDS && now >= this.appliedAt) return
    this.appliedAt = now
    await this.applyDueWindows()
  }

  /** Makes live what has started, removes what has ended, and returns how many shows that concerned. */
  async applyDueWindows(): Promise<number> {
    const now = this.clock()
    const docs = [...new Set([...this.dueDocs(now), ...(await this.findExpiredUndated(now))])]
    for (let start = 0; start < docs.length; start += SHOWS_PER_COMMIT) {
      await this.ledger.commit(() => [this.buildBatch(docs.slice(start, start + SHOWS_PER_COMMIT), now)])
    }
    await this.truncateChangeLog(now)
    this.onSettled(docs.length)
    return docs.length
  }

  private buildBatch(docs: readonly number[], now: number): Batch {
    const { catalog } = this.ledger
    const reference = catalog.reference()
    const homePage: HomePage = (service, country) => findServiceInCountry(reference, service, country)?.homePage ?? ''
    const shows: Show[] = []
    const changes: Change[] = []
    for (const doc of docs) {
      let show = catalog.show(doc) as Show
      // Each change bears the instant at which it came true, however late the keeper notices.
      for (const instant of dueInstants(show, now)) {
        const after = applyWindows(show, instant, homePage)
        changes.push(...diff(show, after, instant))
        show = after
      }
      shows.push(show)
    }
    return { at: now, shows, changes }
  }

  /** The next instant at which a window opens or closes; Infinity where there is none. */
  nextDueInstant(): number {
    return findNextDueInstant(this.ledger.catalog)
  }

  /** Shows with a window that has opened or closed. */
  private *dueDocs(now: number): Iterable<number> {
    const { catalog } = this.ledger
    const version = catalog.version()
    for (const range of catalog.windows.listIds()) {
      const due = catalog.windows.scanAscending(range, version, instantSortKey(1), instantSortKey(now + 1))
      for (const { doc } of due) yield doc
    }
  }

  /**
   * Shows with an offer that was announced without a date, and whose end has passed meanwhile. In a large catalog there
   * are tens of thousands to look at.
   */
  private async findExpiredUndated(now: number): Promise<number[]> {
    if (now < this.undatedScannedAt + UNDATED_INTERVAL_SECONDS) return []
    this.undatedScannedAt = now
    const { catalog } = this.ledger
    const ended: number[] = []
    let lookUntil = performance.now() + SCAN_SLICE_MS
    for (const doc of this.undatedDocs()) {
      if (performance.now() >= lookUntil) {
        await rest(SCAN_PAUSE_MS)
        if (this.isStopping) break
        lookUntil = performance.now() + SCAN_SLICE_MS
      }
      const show = catalog.show(doc)
      if (show !== undefined && dueInstants(show, now).length > 0) ended.push(doc)
    }
    return ended
  }

  private undatedDocs(): Set<number> {
    const { catalog } = this.ledger
    const version = catalog.version()
    const docs = new Set<number>()
    for (const range of catalog.windows.listIds()) {
      if (range.changeType !== 'upcoming') continue
      const undated = catalog.windows.scanAscending(range, version, instantSortKey(0), instantSortKey(1))
      for (const { doc } of undated) docs.add(doc)
    }
    return docs
  }

  private async truncateChangeLog(now: number): Promise<void> {
    const before = startOfDay(now) - this.retentionDays * SECONDS_PER_DAY
    if (before <= this.truncatedBefore || this.ledger.catalog.version() === 0) return
    this.truncatedBefore = before
    if (!this.ledger.catalog.hasChangesBefore(before)) return
    await this.ledger.commit(() => [{ at: now, shows: [], changes: [], forgetChangesBefore: before }])
  }
}

/** The next instant at which a window of the catalog opens or closes; Infinity where there is none. */
export function findNextDueInstant(catalog: Catalog): number {
  const version = catalog.version()
  let next = Number.POSITIVE_INFINITY
  for (const range of catalog.windows.listIds()) {
    for (const { timestamp } of catalog.windows.scanAscending(range, version, instantSortKey(1))) {
      next = Math.min(next, timestamp)
      break
    }
  }
  return next
}
