import type { Catalog } from '../catalog/catalog.ts'
import { instantSortKey } from '../catalog/changes/stored-change.ts'
import { column } from '../catalog/show-columns.ts'
import { findDamage } from '../catalog/storage/environment.ts'
import { findServiceInCountry } from '../catalog/storage/reference.ts'
import type { Batch } from '../catalog/write/batch.ts'
import type { Ledger } from '../ledger/ledger.ts'
import { backoffMs } from '../lib/backoff.ts'
import type { Clock } from '../lib/clock.ts'
import { Turns } from '../lib/turns.ts'
import type { Change } from '../model/change.ts'
import type { ShowHistory } from '../model/history.ts'
import { endsBefore, SnapshotTimes, trimHistory } from '../model/place-segments.ts'
import type { Show } from '../model/show.ts'
import { SECONDS_PER_DAY, startOfDay } from '../model/time.ts'
import { applyDueWindows, type HomePage } from './rules/offer-windows.ts'
import { placeStates, withHistory } from './rules/record-history.ts'

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
 * takes all shows with a due window and applies the instants of each in order. An import does the same
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

/** Shows whose history is trimmed in one commit. */
const TRIMMED_SHOWS_PER_COMMIT = 1_000

/**
 * Deletes what ended before an instant from the history of all shows. The shows are written anew as by any other batch, so
 * the log of a ledger has what is deleted, and every replica deletes the same.
 */
async function commitTrimmedHistory(ledger: Ledger, before: number, now: number): Promise<void> {
  const { catalog } = ledger
  const turns = new Turns()
  let due: number[] = []
  const commit = async () => {
    const docs = due
    due = []
    if (docs.length > 0) await ledger.commit(() => [buildTrimmedBatch(catalog, docs, before, now)])
  }
  for (const doc of [...catalog.documents.docsWithHistory()]) {
    if (isHistoryDue(catalog, doc, before)) due.push(doc)
    if (due.length === TRIMMED_SHOWS_PER_COMMIT) await commit()
    if (turns.isOver) await turns.next()
  }
  await commit()
}

/** Whether something is to be deleted from the history of a document. */
function isHistoryDue(catalog: Catalog, doc: number, before: number): boolean {
  try {
    const times = snapshotTimes(catalog)
    // Which places are live is known from the whole show, which few have to be read for.
    if (!endsBefore(catalog.documents.history(doc) ?? [], before, times)) return false
    const show = catalog.show(doc)
    return show?.history !== undefined && trimShowHistory(show, before, times) !== show.history
  } catch (error) {
    // A verification reports damaged records.
    if (findDamage(error) === undefined) throw error
    return false
  }
}

function trimShowHistory(show: Show, before: number, times: SnapshotTimes): ShowHistory | undefined {
  return trimHistory(show.history ?? [], before, placeStates(show), times)
}

/** When the sources of a catalog were looked at, as of one turn of the event loop. */
function snapshotTimes(catalog: Catalog): SnapshotTimes {
  return new SnapshotTimes((source) => catalog.source(source))
}

function buildTrimmedBatch(catalog: Catalog, docs: readonly number[], before: number, now: number): Batch {
  const times = snapshotTimes(catalog)
  const shows = docs.flatMap((doc): Show[] => {
    const show = catalog.show(doc)
    return show?.history === undefined ? [] : [withHistory(show, trimShowHistory(show, before, times))]
  })
  return { at: now, shows, changes: [] }
}

/** Shows per commit. */
const DUE_SHOWS_PER_COMMIT = 1_000

/**
 * Commits all windows that have started or ended by now, and returns the number of shows that had one. The changes of an
 * instant have that instant as their timestamp, so a commit that comes late, after a night without a service for
 * instance, makes the same changes as one in time.
 */
export async function commitDueWindows(ledger: Ledger, now: number): Promise<number> {
  const docs = [...new Set(findDueDocs(ledger.catalog, now))]
  for (let start = 0; start < docs.length; start += DUE_SHOWS_PER_COMMIT) {
    const some = docs.slice(start, start + DUE_SHOWS_PER_COMMIT)
    await ledger.commit(() => [buildWindowBatch(ledger.catalog, some, now)])
  }
  return docs.length
}

/**
 * The next instant at which a window of the catalog starts or ends, the first one or the first after another; Infinity if
 * there is none. The column `due` has it of each show. Shows that were written before there was that column are found by
 * their windows.
 */
export function findNextDueInstant(catalog: Catalog, after = 0): number {
  const version = catalog.version()
  const cursor = catalog.openCursor(column.due, version, 'asc', { value: after + 1, id: -1 })
  let next = cursor.next() ? (cursor.value as number) : Number.POSITIVE_INFINITY
  for (const list of catalog.windows.listIds()) {
    for (const { timestamp } of catalog.windows.scanAscending(list, version, instantSortKey(after + 1))) {
      next = Math.min(next, timestamp)
      break
    }
  }
  return next
}

function* findDueDocs(catalog: Catalog, now: number): Iterable<number> {
  const version = catalog.version()
  const cursor = catalog.openCursor(column.due, version, 'asc')
  while (cursor.next() && (cursor.value as number) <= now) yield cursor.doc
  for (const list of catalog.windows.listIds()) {
    const due = catalog.windows.scanAscending(list, version, instantSortKey(1), instantSortKey(now + 1))
    for (const { doc } of due) yield doc
  }
}

function buildWindowBatch(catalog: Catalog, docs: readonly number[], now: number): Batch {
  const reference = catalog.reference()
  const homePage: HomePage = (service, country) => findServiceInCountry(reference, service, country)?.homePage ?? ''
  const shows: Show[] = []
  const changes: Change[] = []
  for (const doc of docs) {
    // Another writer may have written the show since the documents were found, and applied its windows.
    const before = catalog.show(doc)
    const after = before && applyDueWindows(before, now, homePage)
    if (after === undefined || after.show === before) continue
    shows.push(after.show)
    changes.push(...after.changes)
  }
  return { at: now, shows, changes }
}
