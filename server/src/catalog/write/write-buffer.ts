import type { Change } from '../../model/change.ts'
import type { Offer, OffersByCountry } from '../../model/offer.ts'
import { maxCountedId, type Show } from '../../model/show.ts'
import type { Catalog, CatalogCounts } from '../catalog.ts'
import { type ChangeSortKey, changeListName, compareChanges, StoredChange } from '../changes/stored-change.ts'
import { showWindows } from '../changes/windows.ts'
import { PostingDeltas } from '../index/posting-deltas.ts'
import type { Reference } from '../reference.ts'
import type { ColumnEntry, SortKey, SortValue } from '../sorted/column-store.ts'
import { showColumns } from '../sorted/show-columns.ts'
import type { Batch } from './batch.ts'

/** What the batches of a transaction come to, as far as it is written at its end. */
export class WriteBuffer {
  batches = 0
  flushCount = 0
  at = 0
  bumpsVersion = false
  changeCount = 0
  nextDoc: number
  highestId: number
  reference: Reference | undefined
  forgetChangesBefore: number | undefined
  readonly countsBuilder: CountsBuilder
  private terms = new PostingDeltas()
  private columns = new ListDeltas<SortKey, ColumnEntry>()
  private windows = new ListDeltas<ChangeSortKey, StoredChange>()
  private changes = new ListDeltas<never, StoredChange>()
  private readonly catalog: Catalog
  private readonly version: number
  private readonly docs = new Set<number>()

  constructor(catalog: Catalog) {
    this.catalog = catalog
    this.version = catalog.version()
    this.nextDoc = catalog.nextDoc()
    this.highestId = catalog.highestId()
    this.countsBuilder = new CountsBuilder(catalog.counts())
    catalog.uncommittedTerms = this.terms
  }

  /** Says that a document is about to be written. What is gathered holds what becomes of each only once. */
  beginDocument(doc: number): void {
    if (this.docs.has(doc)) {
      this.flush(this.version + 1)
      this.terms = new PostingDeltas()
      this.columns = new ListDeltas()
      this.windows = new ListDeltas()
      this.changes = new ListDeltas()
      this.docs.clear()
      this.catalog.uncommittedTerms = this.terms
      this.catalog.invalidate()
    }
    this.docs.add(doc)
  }

  /** Gathers what becomes of a document's terms, columns and windows. */
  replaceDocument(doc: number, old: Show | undefined, show: Show): void {
    this.countsBuilder.replace(old, show)
    this.terms.replaceDocument(doc, old, show)
    this.replaceColumns(doc, old, show)
    this.replaceWindows(doc, old, show)
  }

  addChange(doc: number, change: Change): void {
    this.changes.get(changeListName(change)).added.push(StoredChange.fromChange(doc, change))
  }

  /** Writes what was gathered. */
  flush(version: number): void {
    const { columns, windows, changes } = this.catalog
    this.terms.flush(this.catalog, version)
    for (const [name, { removed, added }] of this.columns) columns.update(name, removed, added, version)
    for (const [list, { removed, added }] of this.windows) windows.update(list, removed, added, version)
    for (const [list, { added }] of this.changes) changes.update(list, [], added, version)
    this.flushCount++
  }

  addBatch(batch: Batch): void {
    if (isLoggable(batch)) this.batches++
    this.at = batch.at
    this.bumpsVersion ||= bumpsVersion(batch)
    this.changeCount += batch.changes.length
    this.reference = batch.reference ?? this.reference
    this.forgetChangesBefore = batch.forgetChangesBefore ?? this.forgetChangesBefore
    for (const { id } of batch.shows) this.highestId = maxCountedId(this.highestId, id)
  }

  private replaceColumns(doc: number, old: Show | undefined, show: Show): void {
    const before = old === undefined ? NO_COLUMNS : showColumns(old)
    const after = showColumns(show)
    const id = Number(show.id)
    for (const [name, value] of before) {
      if (after.get(name) !== value) this.columns.get(name).removed.push({ value, id })
    }
    for (const [name, value] of after) {
      if (before.get(name) !== value) this.columns.get(name).added.push({ value, id, doc })
    }
  }

  private replaceWindows(doc: number, old: Show | undefined, show: Show): void {
    const before = old === undefined ? [] : showWindows(old).map((change) => StoredChange.fromChange(doc, change))
    for (const change of showWindows(show)) {
      const window = StoredChange.fromChange(doc, change)
      const same = before.findIndex(
        (one) => changeListName(one.list) === changeListName(change) && compareChanges(one, window) === 0,
      )
      const [kept] = same < 0 ? [] : before.splice(same, 1)
      if (kept === undefined || kept.link !== window.link || kept.showType !== window.showType) {
        this.windows.get(changeListName(change)).added.push(window)
      }
    }
    for (const gone of before) this.windows.get(changeListName(gone.list)).removed.push(gone)
  }
}

const NO_COLUMNS: ReadonlyMap<string, SortValue> = new Map()

/** What a batch does to one term or list, gathered so that each is written once. */
interface ListDelta<Out, In> {
  readonly removed: Out[]
  readonly added: In[]
}

/** What a batch comes to, by the names of lists. */
class ListDeltas<Out, In> {
  private readonly byName = new Map<string, ListDelta<Out, In>>()

  get(name: string): ListDelta<Out, In> {
    let one = this.byName.get(name)
    if (one === undefined) {
      one = { removed: [], added: [] }
      this.byName.set(name, one)
    }
    return one
  }

  [Symbol.iterator](): Iterator<[name: string, difference: ListDelta<Out, In>]> {
    return this.byName[Symbol.iterator]()
  }
}

/** Whether a batch holds more than what this copy of the catalog remembers for itself. */
export function isLoggable(batch: Batch): boolean {
  return bumpsVersion(batch) || batch.source !== undefined
}

function bumpsVersion({ shows, changes, reference, topLists = [], forgetChangesBefore }: Batch): boolean {
  return (
    shows.length > 0 ||
    changes.length > 0 ||
    reference !== undefined ||
    topLists.length > 0 ||
    forgetChangesBefore !== undefined
  )
}

/** Keeps count of shows and offers while a batch is applied. */
export class CountsBuilder {
  private shows: number
  private offers: number
  private readonly bySource: Map<string, number>

  constructor({ shows, offers, offersBySource }: CatalogCounts) {
    this.shows = shows
    this.offers = offers
    this.bySource = new Map(Object.entries(offersBySource))
  }

  replace(old: Show | undefined, show: Show): void {
    if (old !== undefined) this.count(old, -1)
    this.count(show, 1)
  }

  counts(): CatalogCounts {
    const sources = [...this.bySource].filter(([, count]) => count > 0).sort(([a], [b]) => (a < b ? -1 : 1))
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
        this.bySource.set(source, (this.bySource.get(source) ?? 0) + sign)
      }
    }
  }
}
