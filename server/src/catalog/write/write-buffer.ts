import type { Change } from '../../model/change.ts'
import type { Offer, OffersByCountry } from '../../model/offer.ts'
import { maxCountedId, type Show } from '../../model/show.ts'
import type { Catalog } from '../catalog.ts'
import { alteredCountries } from '../changes/commit-journal.ts'
import { type ChangeSortKey, changeListName, StoredChange } from '../changes/stored-change.ts'
import { formerWindows, showWindows } from '../changes/windows.ts'
import { PostingDeltas } from '../index/posting-deltas.ts'
import type { TextIndexer } from '../index/text-indexer.ts'
import { column, showColumns } from '../show-columns.ts'
import type { ColumnEntry, SortKey, SortValue } from '../sorted/column-store.ts'
import { type CatalogCounts, updateBlockVersions } from '../storage/meta.ts'
import type { Reference } from '../storage/reference.ts'
import { type Batch, bumpsVersion, isLoggable } from './batch.ts'

/** Changes of a transaction that are written at its end: deltas of terms, columns and change lists, and counters. */
export class WriteBuffer {
  /** The count of batches other than those with seen records only. */
  batchCount = 0
  flushCount = 0
  /** The time of the last batch. */
  at = 0
  bumpsVersion = false
  altersSources = false
  showCount = 0
  changeCount = 0
  nextDoc: number
  highestId: number
  reference: Reference | undefined
  truncateChangesBefore: number | undefined
  /** Whether the identity index is kept up to date; one that is not built yet covers these documents when it is. */
  readonly maintainsIdentities: boolean
  private readonly countsBuilder: CountsBuilder
  private terms: PostingDeltas
  private columns = new ListDeltas<SortKey, ColumnEntry>()
  private windows = new ListDeltas<ChangeSortKey, StoredChange>()
  private changes = new ListDeltas<never, StoredChange>()
  /** For the journal: altered documents and changes of the whole transaction, by country. */
  readonly alteredDocs = new Map<string, Set<number>>()
  readonly loggedChanges = new Map<string, StoredChange[]>()
  private readonly catalog: Catalog
  private readonly version: number
  /** Documents with buffered deltas. */
  private readonly docs = new Set<number>()

  /** @param textIndexer updates the posting lists of text terms in another thread */
  constructor(catalog: Catalog, textIndexer?: TextIndexer) {
    this.catalog = catalog
    this.terms = new PostingDeltas(textIndexer)
    this.version = catalog.version()
    this.nextDoc = catalog.nextDoc()
    this.highestId = catalog.highestId()
    this.maintainsIdentities = catalog.hasIdentityIndex()
    this.countsBuilder = new CountsBuilder(catalog.counts())
  }

  addBatch(batch: Batch): void {
    if (isLoggable(batch)) this.batchCount++
    this.at = batch.at
    this.bumpsVersion ||= bumpsVersion(batch) || this.altersSnapshots(batch)
    this.altersSources ||= batch.source !== undefined || batch.removedSources !== undefined
    this.showCount += batch.shows.length
    this.changeCount += batch.changes.length
    this.reference = batch.reference ?? this.reference
    this.truncateChangesBefore = batch.forgetChangesBefore ?? this.truncateChangesBefore
    for (const { id } of batch.shows) this.addId(id)
  }

  /** Whether the old snapshots of a source become others: they say when something in the history of shows ended. */
  private altersSnapshots({ source }: Batch): boolean {
    if (source === undefined) return false
    const known = this.catalog.source(source.name)?.snapshots
    return JSON.stringify(known) !== JSON.stringify(source.snapshots)
  }

  /** Counts the id of a show among those that were assigned. */
  addId(id: string): void {
    this.highestId = maxCountedId(this.highestId, id)
  }

  /** To be called before a document is written. Deltas hold a document once, so a second write flushes the first. */
  beginDocument(doc: number): void {
    if (this.docs.has(doc)) {
      this.flush(this.version + 1)
      // The other thread does not see what this transaction has written.
      this.terms = new PostingDeltas()
      this.columns = new ListDeltas()
      this.windows = new ListDeltas()
      this.changes = new ListDeltas()
      this.docs.clear()
      this.catalog.invalidate()
    }
    this.docs.add(doc)
  }

  /** Buffers the deltas of a document's terms, columns and windows. */
  replaceDocument(doc: number, old: Show | undefined, show: Show): void {
    this.countsBuilder.replace(old, show)
    this.terms.replaceDocument(doc, old, show)
    this.replaceColumns(doc, old, show)
    this.replaceWindows(doc, old, show)
    for (const country of alteredCountries(old, show)) getOrCreate(this.alteredDocs, country, newSet).add(doc)
  }

  addChange(doc: number, change: Change): void {
    const stored = StoredChange.fromChange(doc, change)
    this.changes.get(changeListName(change)).added.push(stored)
    getOrCreate(this.loggedChanges, change.country, newList).push(stored)
  }

  /** Writes the deltas. */
  flush(version: number): void {
    const { columns, windows, changes, identities, environment } = this.catalog
    this.terms.startFlush(version)
    identities.flush()
    updateBlockVersions(this.catalog.meta, this.docs, version)
    for (const [name, { removed, added }] of this.columns) columns.update(name, removed, added, version)
    for (const [list, { removed, added }] of this.windows) windows.update(list, removed, added, version)
    for (const [list, { added }] of this.changes) changes.update(list, [], added, version)
    this.terms.flush(environment, version)
    this.flushCount++
  }

  counts(): CatalogCounts {
    return this.countsBuilder.counts()
  }

  private replaceColumns(doc: number, old: Show | undefined, show: Show): void {
    const before = old === undefined ? NO_COLUMNS : showColumns(old)
    const after = showColumns(show)
    const id = Number(show.id)
    for (const [name, value] of before) {
      if (after.get(name) !== value) this.columns.get(name).removed.push({ value, id })
    }
    for (const [name, value] of after) {
      if (before.get(name) !== value || (name === column.due && !this.hasDueEntry(value, id))) {
        this.columns.get(name).added.push({ value, id, doc })
      }
    }
  }

  /** Whether the column of due instants has the entry; a show that was written before there was one lacks it. */
  private hasDueEntry(value: SortValue, id: number): boolean {
    const cursor = this.catalog.openCursor(column.due, this.version, 'asc', { value, id })
    return cursor.next() && cursor.value === value && cursor.id === id
  }

  private replaceWindows(doc: number, old: Show | undefined, show: Show): void {
    const before = old === undefined ? NO_WINDOWS : windowsByKey(doc, showWindows(old))
    // The old show may have been written by a version that stored other windows of it.
    const former = old === undefined ? NO_WINDOWS : windowsByKey(doc, formerWindows(old))
    const after = windowsByKey(doc, showWindows(show))
    for (const [key, window] of after) {
      const kept = former.has(key) ? before.get(key) : undefined
      if (kept?.link === window.link && kept?.showType === window.showType) continue
      this.windows.get(changeListName(window.list)).added.push(window)
    }
    for (const [key, window] of new Map([...former, ...before])) {
      if (!after.has(key)) this.windows.get(changeListName(window.list)).removed.push(window)
    }
  }
}

const newSet = () => new Set<number>()
const newList = () => [] as StoredChange[]

function getOrCreate<V>(map: Map<string, V>, key: string, create: () => V): V {
  let value = map.get(key)
  if (value === undefined) {
    value = create()
    map.set(key, value)
  }
  return value
}

const NO_WINDOWS: ReadonlyMap<string, StoredChange> = new Map()

/** Windows as they are stored, by list and sort key. */
function windowsByKey(doc: number, windows: readonly Change[]): Map<string, StoredChange> {
  return new Map(
    windows.map((window) => {
      const { timestamp, season, episode, service, offerType, addon } = window
      const key = [changeListName(window), timestamp, season, episode, service, offerType, addon].join(' ')
      return [key, StoredChange.fromChange(doc, window)]
    }),
  )
}

const NO_COLUMNS: ReadonlyMap<string, SortValue> = new Map()

/** What a transaction removes from a sorted list, and what it adds. */
interface ListDelta<Key, Entry> {
  readonly removed: Key[]
  readonly added: Entry[]
}

/** Deltas of sorted lists by name. */
class ListDeltas<Key, Entry> {
  private readonly byName = new Map<string, ListDelta<Key, Entry>>()

  get(name: string): ListDelta<Key, Entry> {
    let delta = this.byName.get(name)
    if (delta === undefined) {
      delta = { removed: [], added: [] }
      this.byName.set(name, delta)
    }
    return delta
  }

  [Symbol.iterator](): Iterator<[name: string, delta: ListDelta<Key, Entry>]> {
    return this.byName[Symbol.iterator]()
  }
}

/** Updates the counts of shows and offers while documents are replaced. */
class CountsBuilder {
  private shows: number
  private offers: number
  private readonly offersBySource: Map<string, number>

  constructor({ shows, offers, offersBySource }: CatalogCounts) {
    this.shows = shows
    this.offers = offers
    this.offersBySource = new Map(Object.entries(offersBySource))
  }

  replace(old: Show | undefined, show: Show): void {
    if (old !== undefined) this.count(old, -1)
    this.count(show, 1)
  }

  counts(): CatalogCounts {
    const sources = [...this.offersBySource].filter(([, count]) => count > 0).sort(([a], [b]) => (a < b ? -1 : 1))
    return { shows: this.shows, offers: this.offers, offersBySource: Object.fromEntries(sources) }
  }

  private count(show: Show, sign: 1 | -1): void {
    if (show.deleted !== true) this.shows += sign
    this.countOffers(show.offers, sign)
    for (const { offers, episodes = [] } of show.seasons ?? []) {
      this.countOffers(offers, sign)
      for (const episode of episodes) this.countOffers(episode.offers, sign)
    }
  }

  private countOffers(offers: OffersByCountry, sign: 1 | -1): void {
    for (const country in offers) {
      for (const { source } of offers[country] as readonly Offer[]) {
        this.offers += sign
        this.offersBySource.set(source, (this.offersBySource.get(source) ?? 0) + sign)
      }
    }
  }
}
