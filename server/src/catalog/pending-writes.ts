import type { Change } from '../model/change.ts'
import { maxCountedId, type Show } from '../model/show.ts'
import type { Batch } from './batch.ts'
import type { Catalog } from './catalog.ts'
import { CatalogTally } from './catalog-tally.ts'
import { columnsOf } from './columns-of.ts'
import type { Reference } from './reference.ts'
import type { ColumnEntry, Position, SortValue } from './sorted-column.ts'
import { type ChangePlace, compareChanges, listOf, StoredChange } from './stored-change.ts'
import { TermDifferences } from './term-differences.ts'
import { windowsOf } from './windows.ts'

/** What the batches of a transaction come to, as far as it is written at its end. */
export class PendingWrites {
  batches = 0
  written = 0
  at = 0
  altersAnswers = false
  changeCount = 0
  nextDoc: number
  highestId: number
  reference: Reference | undefined
  forgetChangesBefore: number | undefined
  readonly tally: CatalogTally
  private terms = new TermDifferences()
  private columns = new Differences<Position, ColumnEntry>()
  private windows = new Differences<ChangePlace, StoredChange>()
  private changes = new Differences<never, StoredChange>()
  private readonly catalog: Catalog
  private readonly version: number
  private readonly docs = new Set<number>()

  constructor(catalog: Catalog) {
    this.catalog = catalog
    this.version = catalog.version()
    this.nextDoc = catalog.nextDoc()
    this.highestId = catalog.highestId()
    this.tally = new CatalogTally(catalog.counts())
    catalog.pendingTerms = this.terms
  }

  /** Says that a document is about to be written. What is gathered holds what becomes of each only once. */
  begin(doc: number): void {
    if (this.docs.has(doc)) {
      this.write(this.version + 1)
      this.terms = new TermDifferences()
      this.columns = new Differences()
      this.windows = new Differences()
      this.changes = new Differences()
      this.docs.clear()
      this.catalog.pendingTerms = this.terms
      this.catalog.forget()
    }
    this.docs.add(doc)
  }

  /** Gathers what becomes of a document's terms, columns and windows. */
  replace(doc: number, old: Show | undefined, show: Show): void {
    this.tally.replace(old, show)
    this.terms.replace(doc, old, show)
    this.replaceColumns(doc, old, show)
    this.replaceWindows(doc, old, show)
  }

  addChange(doc: number, change: Change): void {
    this.changes.of(listOf(change)).added.push(StoredChange.of(doc, change))
  }

  /** Writes what was gathered. */
  write(version: number): void {
    const { columns, windows, changes } = this.catalog
    this.terms.write(this.catalog, version)
    for (const [name, { removed, added }] of this.columns) columns.update(name, removed, added, version)
    for (const [list, { removed, added }] of this.windows) windows.update(list, removed, added, version)
    for (const [list, { added }] of this.changes) changes.update(list, [], added, version)
    this.written++
  }

  take(batch: Batch): void {
    if (saysAnything(batch)) this.batches++
    this.at = batch.at
    this.altersAnswers ||= altersAnswers(batch)
    this.changeCount += batch.changes.length
    this.reference = batch.reference ?? this.reference
    this.forgetChangesBefore = batch.forgetChangesBefore ?? this.forgetChangesBefore
    for (const { id } of batch.shows) this.highestId = maxCountedId(this.highestId, id)
  }

  private replaceColumns(doc: number, old: Show | undefined, show: Show): void {
    const before = old === undefined ? NO_COLUMNS : columnsOf(old)
    const after = columnsOf(show)
    const id = Number(show.id)
    for (const [name, value] of before) {
      if (after.get(name) !== value) this.columns.of(name).removed.push({ value, id })
    }
    for (const [name, value] of after) {
      if (before.get(name) !== value) this.columns.of(name).added.push({ value, id, doc })
    }
  }

  private replaceWindows(doc: number, old: Show | undefined, show: Show): void {
    const before = old === undefined ? [] : windowsOf(old).map((change) => StoredChange.of(doc, change))
    for (const change of windowsOf(show)) {
      const window = StoredChange.of(doc, change)
      const same = before.findIndex((one) => listOf(one.range) === listOf(change) && compareChanges(one, window) === 0)
      const [kept] = same < 0 ? [] : before.splice(same, 1)
      if (kept === undefined || kept.link !== window.link || kept.showType !== window.showType) {
        this.windows.of(listOf(change)).added.push(window)
      }
    }
    for (const gone of before) this.windows.of(listOf(gone.range)).removed.push(gone)
  }
}

const NO_COLUMNS: ReadonlyMap<string, SortValue> = new Map()

/** What a batch does to one term or list, gathered so that each is written once. */
interface Difference<Out, In> {
  readonly removed: Out[]
  readonly added: In[]
}

/** What a batch comes to, by the names of lists. */
class Differences<Out, In> {
  private readonly byName = new Map<string, Difference<Out, In>>()

  of(name: string): Difference<Out, In> {
    let one = this.byName.get(name)
    if (one === undefined) {
      one = { removed: [], added: [] }
      this.byName.set(name, one)
    }
    return one
  }

  [Symbol.iterator](): Iterator<[name: string, difference: Difference<Out, In>]> {
    return this.byName[Symbol.iterator]()
  }
}

/** Whether a batch holds more than what this copy of the catalog remembers for itself. */
export function saysAnything(batch: Batch): boolean {
  return altersAnswers(batch) || batch.source !== undefined
}

function altersAnswers({ shows, changes, reference, topLists = [], forgetChangesBefore }: Batch): boolean {
  return (
    shows.length > 0 ||
    changes.length > 0 ||
    reference !== undefined ||
    topLists.length > 0 ||
    forgetChangesBefore !== undefined
  )
}
