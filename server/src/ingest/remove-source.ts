import type { Catalog } from '../catalog/catalog.ts'
import { topListKey } from '../catalog/storage/meta.ts'
import { findServiceInCountry } from '../catalog/storage/reference.ts'
import type { Batch } from '../catalog/write/batch.ts'
import type { Ledger } from '../ledger/ledger.ts'
import type { Clock } from '../lib/clock.ts'
import type { Change, PastChangeType } from '../model/change.ts'
import type { TopList } from '../model/service.ts'
import type { Show } from '../model/show.ts'
import { CommitPacer } from './apply/commit-pacer.ts'
import { stripSource } from './apply/strip-source.ts'
import { diff } from './rules/diff.ts'
import { applyDueWindows, ChangeTimes, type HomePage } from './rules/offer-windows.ts'
import { recordHistory } from './rules/record-history.ts'
import { commitDueWindows, findNextDueInstant } from './window-scheduler.ts'

/** What the removal of a source comes to. */
export interface SourceRemovalReport {
  readonly source: string
  /** Shows that the source has said anything about, and those of them that no other source knows: they are deleted. */
  readonly shows: number
  readonly deleted: number
  /** Shows that other sources know and that lose details until those state theirs again. */
  readonly details: number
  readonly offers: number
  readonly changes: Readonly<Record<PastChangeType, number>>
  readonly topLists: number
  /** The catalog version afterwards. */
  readonly version: number
}

export interface SourceRemovalOptions {
  readonly clock: Clock
  /** Counts, and changes nothing. */
  readonly dryRun?: boolean | undefined
  readonly onProgress?: ((phase: 'searched' | 'changed', done: number, total: number) => void) | undefined
  /** Called for every batch; what it throws ends the removal, and rolls back the commit in hand. */
  readonly checkpoint?: (() => void) | undefined
}

/** Shows per batch, and per commit. */
const BATCH_SHOWS = 64
const COMMIT_SHOWS = 20_000

/** Whether the catalog has a record or offers of a source. */
export function hasSource(catalog: Catalog, source: string): boolean {
  return catalog.source(source) !== undefined || Object.hasOwn(catalog.counts().offersBySource, source)
}

/**
 * Removes all that a source has said from the catalog. Every show is written as an import would write it, so the change log
 * and every replica have the removals, and windows that come due meanwhile are applied. A removal that was ended is
 * completed by another one: the source's record goes last.
 */
export async function removeSource(
  ledger: Ledger,
  source: string,
  options: SourceRemovalOptions,
): Promise<SourceRemovalReport> {
  const removal = new SourceRemoval(ledger, source, options)
  const docs = removal.findDocs()
  if (options.dryRun === true) removal.count(docs)
  else await removal.apply(docs)
  return removal.report()
}

class SourceRemoval {
  private readonly ledger: Ledger
  private readonly catalog: Catalog
  private readonly source: string
  private readonly options: SourceRemovalOptions
  private readonly homePage: HomePage
  private readonly tally = { shows: 0, deleted: 0, details: 0, offers: 0, topLists: 0 }
  private readonly changes: Record<PastChangeType, number> = { new: 0, updated: 0, removed: 0 }
  private readonly deletedIds = new Set<string>()

  constructor(ledger: Ledger, source: string, options: SourceRemovalOptions) {
    this.ledger = ledger
    this.catalog = ledger.catalog
    this.source = source
    this.options = options
    this.homePage = (service, country) =>
      findServiceInCountry(this.catalog.reference(), service, country)?.homePage ?? ''
  }

  /** All documents with something of the source. Records and details of it are in no index, so all shows are read. */
  findDocs(): number[] {
    const docs: number[] = []
    const total = this.catalog.nextDoc()
    for (let doc = 0; doc < total; doc++) {
      if (doc % BATCH_SHOWS === 0) this.options.checkpoint?.()
      const show = this.catalog.show(doc)
      if (show !== undefined && stripSource(show, this.source) !== undefined) docs.push(doc)
      this.options.onProgress?.('searched', doc + 1, total)
    }
    return docs
  }

  count(docs: readonly number[]): void {
    for (let start = 0; start < docs.length; start += BATCH_SHOWS) {
      this.options.checkpoint?.()
      this.buildBatch(docs.slice(start, start + BATCH_SHOWS))
    }
    this.tally.topLists = this.findTopLists().length
  }

  async apply(docs: readonly number[]): Promise<void> {
    const { ledger, catalog, options } = this
    const pacer = new CommitPacer(catalog, options.clock)
    const startedAt = options.clock()
    for (let next = 0; next < docs.length; ) {
      const end = Math.min(next + COMMIT_SHOWS, docs.length)
      const takeBatches = function* (this: SourceRemoval): Generator<Batch> {
        do {
          options.checkpoint?.()
          const batch = this.buildBatch(docs.slice(next, Math.min(next + BATCH_SHOWS, end)))
          next = Math.min(next + BATCH_SHOWS, end)
          pacer.add(batch)
          options.onProgress?.('changed', next, docs.length)
          yield batch
        } while (next < end && !pacer.shouldEnd())
      }
      pacer.begin()
      await ledger.commit(() => takeBatches.call(this))
      pacer.end()
      const now = options.clock()
      if (findNextDueInstant(catalog, startedAt) <= now) await commitDueWindows(ledger, now)
    }
    await ledger.commit(() => {
      const topLists = this.findTopLists()
      this.tally.topLists = topLists.length
      return [{ at: options.clock(), shows: [], changes: [], topLists, removedSources: [this.source] }]
    })
  }

  report(): SourceRemovalReport {
    return { source: this.source, ...this.tally, changes: this.changes, version: this.catalog.version() }
  }

  /** The batch of some shows without the source; shows are read anew, since others may have written them meanwhile. */
  private buildBatch(docs: readonly number[]): Batch {
    const now = this.options.clock()
    const times = new ChangeTimes(this.catalog)
    const shows: Show[] = []
    const changes: Change[] = []
    for (const doc of docs) {
      const before = this.catalog.show(doc)
      if (before === undefined) continue
      const current = applyDueWindows(before, now, this.homePage)
      const stripped = stripSource(current.show, this.source)
      if (stripped === undefined) continue
      const { show, offers, isGone, hasLostDetails } = stripped
      shows.push(recordHistory(current.show, show, now))
      this.tally.offers += offers
      if (show.mergedInto === undefined && before.deleted !== true) this.tally.shows++
      if (isGone) this.deletedIds.add(show.id)
      if (isGone) this.tally.deleted++
      if (hasLostDetails) this.tally.details++
      changes.push(...current.changes)
      if (show.mergedInto !== undefined) continue
      for (const change of diff(current.show, show, now)) {
        this.changes[change.changeType as PastChangeType]++
        changes.push(times.withFreeTime(change))
      }
    }
    return { at: now, shows, changes }
  }

  /** The top lists that change: those of the source are deleted, and others lose the shows that are gone. */
  private findTopLists(): TopList[] {
    const { catalog } = this
    const own = new Set(catalog.source(this.source)?.topLists ?? [])
    return catalog.topLists().flatMap((list) => {
      const shows = own.has(topListKey(list)) ? [] : list.shows.filter((id) => !this.isDeleted(id))
      return shows.length === list.shows.length ? [] : [{ ...list, shows }]
    })
  }

  private isDeleted(id: string): boolean {
    const doc = this.catalog.findDoc(id)
    return this.deletedIds.has(id) || (doc !== undefined && this.catalog.facts(doc)?.deleted === true)
  }
}
