import type { Catalog } from '../../catalog/catalog.ts'
import type { SortField } from '../../catalog/documents/facts-codec.ts'
import { column } from '../../catalog/show-columns.ts'
import {
  type ColumnEntry,
  compareInDirection,
  type SortKey,
  type SortValue,
} from '../../catalog/sorted/column-store.ts'
import { countBits, hasBit, listBits } from '../../lib/bitset/bitset.ts'
import { decodeShowCursor, encodeShowCursor } from '../page-cursor.ts'
import { type FilterQuery, isComputedOrder, popularityWindow } from '../queries.ts'
import { selectFirst, selectPassing, selectTested } from './column-selection.ts'
import type { FilterExecutor } from './filter-executor.ts'
import type { ColumnOrder } from './sorted-column.ts'
import { FACTS_COST, type SortedColumns } from './sorted-columns.ts'

/** The average count of entries in a block of a column, about. */
const ENTRIES_PER_BLOCK = 360

/** Testing the options of a document takes as long as scanning those of so many for the ones that pass. */
const DOCS_PER_OPTION_TEST = 300

/** The options of so many documents are tested before all are scanned, in the smallest catalog, too. */
const MIN_OPTION_TESTS = 64

/** No document of a column is at or after a key. */
const NO_PLACE = -1

/** A page of a filter search: documents in order, and the cursor of the next page, if there is one. */
export interface FilterPage {
  readonly docs: readonly number[]
  readonly nextCursor?: string
}

/** Finds the pages of filter searches. */
export class FilterSearcher {
  private readonly catalog: Catalog
  private readonly executor: FilterExecutor
  private readonly columns: SortedColumns

  constructor(catalog: Catalog, executor: FilterExecutor, columns: SortedColumns) {
    this.catalog = catalog
    this.executor = executor
    this.columns = columns
  }

  /** The page of a filter search at the query's cursor. */
  search(query: FilterQuery, version: number): FilterPage {
    const cursorKey = query.cursor === undefined ? undefined : decodeShowCursor(query.cursor, query)
    const from = laterKey(query, cursorKey, rangeStart(query))
    const pageLength = query.limit ?? pageSize(query)
    // One show more than the page holds: the next cursor.
    const limit = pageLength + 1
    const sorted = isComputedOrder(query.order) ? undefined : this.sortedColumn(query, version)
    if (sorted !== undefined) {
      const docs = this.findInMemory(sorted, query, from, limit, version)
      const next = docs.length < limit ? undefined : this.catalog.sortValue(docs.pop() as number, sortField(query))
      return { docs, ...(next !== undefined && { nextCursor: encodeShowCursor(next, query) }) }
    }
    const entries = isComputedOrder(query.order)
      ? this.compute(query, from, limit, version)
      : this.findOnDisk(query, from, limit, version)
    const next = entries[pageLength]
    return {
      docs: entries.slice(0, pageLength).map(({ doc }) => doc),
      ...(next !== undefined && { nextCursor: encodeShowCursor(next, query) }),
    }
  }

  /** The first matches from a key on, in an order without a column. */
  private compute(query: FilterQuery, from: SortKey | undefined, limit: number, version: number): ColumnEntry[] {
    const docs = this.executor.execute(query, version).set.toUint32Array()
    if (query.order === 'random') return selectShuffled(this.catalog, query, docs, from, limit)
    const options = this.executor.matchOptions(query, version)
    const sortKey = (doc: number) => (query.order === 'leaving' ? options.earliestEnd(doc) : options.latestStart(doc))
    return firstByKey(docs, sortKey, query.direction, from, limit)
  }

  /** The column of the order, if it is in memory. The popularity in several countries has several columns. */
  private sortedColumn(query: FilterQuery, version: number): ColumnOrder | undefined {
    const [name, ...others] = columnNames(query)
    return others.length > 0 ? undefined : this.columns.get(name as string, query.direction, version)
  }

  /** The first matches from a key on, by a column in memory. */
  private findInMemory(
    sorted: ColumnOrder,
    query: FilterQuery,
    from: SortKey | undefined,
    limit: number,
    version: number,
  ): number[] {
    const start = from === undefined ? undefined : this.firstPlace(sorted, query, from, version)
    if (start === NO_PLACE) return []
    const filter = this.executor.compile(query, version)
    if (query.options === undefined) return selectFirst(sorted, filter, { start, limit })
    const options = this.executor.matchOptions(query, version)
    const passing = filter.toBits(this.catalog.nextDoc())
    const docs = selectTested(sorted, passing, { start, limit, options, maxTests: this.maxOptionTests() })
    if (docs !== undefined) return docs
    options.retain(passing)
    return selectPassing(sorted, passing, { start, limit })
  }

  /** The place of the first document that is not before a key. */
  private firstPlace(sorted: ColumnOrder, query: FilterQuery, key: SortKey, version: number): number {
    const cursor = this.catalog.openCursor(columnNames(query)[0] as string, version, query.direction, key)
    return cursor.next() ? sorted.placeOf(cursor.doc) : NO_PLACE
  }

  /** The first matches from a key on, by scanning the column on disk or by sorting all matches. */
  private findOnDisk(query: FilterQuery, from: SortKey | undefined, limit: number, version: number): ColumnEntry[] {
    const { executor } = this
    const maxSorted = Math.max(limit, this.maxSortedMatches(query, version))
    const passing = executor.compile(query, version).toBits(this.catalog.nextDoc())
    if (query.options !== undefined) {
      const options = executor.matchOptions(query, version)
      if (countBits(passing) > maxSorted) {
        let testsLeft = this.maxOptionTests()
        const passes = (doc: number) => hasBit(passing, doc) && testsLeft-- > 0 && options.matches(doc)
        const entries = this.scanColumns(query, version, passes, from, limit, () => testsLeft < 0)
        if (testsLeft >= 0) return entries
      }
      options.retain(passing)
    }
    const count = countBits(passing)
    return count <= maxSorted
      ? this.sortMatches(query, version, listBits(passing, count), from).slice(0, limit)
      : this.scanColumns(query, version, (doc) => hasBit(passing, doc), from, limit)
  }

  /** How many documents have their options tested at most; beyond that a scan of all options is faster. */
  private maxOptionTests(): number {
    return Math.max(MIN_OPTION_TESTS, Math.round(this.catalog.nextDoc() / DOCS_PER_OPTION_TEST))
  }

  /**
   * Up to this many matches, sorting them is faster than scanning the column. Reading the sort value of a match costs as
   * much as about fifty steps of a scan, and the fewer matches there are, the more steps a page takes.
   */
  private maxSortedMatches(query: FilterQuery, version: number): number {
    const { blocks } = this.catalog.columns.directory(columnNames(query)[0] as string, version)
    return Math.sqrt((blocks.length * ENTRIES_PER_BLOCK) / 2)
  }

  /** The first documents that pass, in the order of the columns. */
  private scanColumns(
    query: FilterQuery,
    version: number,
    passes: (doc: number) => boolean,
    from: SortKey | undefined,
    limit: number,
    stops?: () => boolean,
  ): ColumnEntry[] {
    const entries: ColumnEntry[] = []
    const cursor = this.openCursor(query, version, from)
    let scanned = 0
    while (entries.length < limit && cursor.next()) {
      scanned++
      if (passes(cursor.doc)) {
        if (cursor.isHighest?.() !== false) entries.push({ value: cursor.value, id: cursor.id, doc: cursor.doc })
      } else if (stops?.() === true) break
    }
    this.addWork(query, version, scanned)
    return entries
  }

  private openCursor(query: FilterQuery, version: number, from: SortKey | undefined): ShowCursor {
    const { catalog } = this
    const [name, ...others] = columnNames(query) as [string, ...string[]]
    const { direction } = query
    if (others.length === 0) return catalog.openCursor(name, version, direction, from)
    const cursors = [name, ...others].map((column) => catalog.openCursor(column, version, direction, from))
    const field = sortField(query)
    return new HighestValueCursor(cursors, direction, (doc) => catalog.sortValue(doc, field).value)
  }

  /** The documents, sorted by their values in the column. */
  private sortMatches(
    query: FilterQuery,
    version: number,
    docs: Uint32Array,
    from: SortKey | undefined,
  ): ColumnEntry[] {
    const field = sortField(query)
    const compare = compareInDirection(query.direction)
    this.addWork(query, version, docs.length * FACTS_COST)
    return Array.from(docs, (doc): ColumnEntry => {
      const { id, value } = this.catalog.sortValue(doc, field)
      return { value, id, doc }
    })
      .filter((entry) => from === undefined || compare(entry, from) >= 0)
      .sort(compare)
  }

  /** Counts work that a column in memory would save. */
  private addWork(query: FilterQuery, version: number, entries: number): void {
    const [name, ...others] = columnNames(query)
    if (others.length === 0) this.columns.addWork(name as string, version, entries)
  }
}

/** The count of shows on a page of a filter search. */
export function pageSize({ showType, granularity }: Pick<FilterQuery, 'showType' | 'granularity'>): number {
  if (showType === 'movie' || granularity === 'show') return 20
  return showType === 'series' && granularity === 'episode' ? 10 : 15
}

/** The column of the order; for popularity that of each country. */
function columnNames({ order, countries }: FilterQuery): readonly string[] {
  const window = popularityWindow(order)
  if (window !== undefined) return countries.map((country) => column.popularity(window, country))
  if (order === 'rating' || order === 'runtime') return [column[order]]
  return [order === 'release_date' ? column.releaseDate : column.originalTitle]
}

function sortField({ order, countries }: FilterQuery): SortField | 'runtime' {
  const window = popularityWindow(order)
  if (window !== undefined) {
    return countries.length === 1 ? { window, country: countries[0] as string } : { window, countries }
  }
  if (order === 'rating' || order === 'runtime') return order
  return order === 'release_date' ? 'year' : 'originalTitle'
}

/** The first key that a show can have that passes the filters, where these bound the values that shows are ordered by. */
function rangeStart(query: FilterQuery): SortKey | undefined {
  const isAscending = query.direction === 'asc'
  const bounds = {
    rating: isAscending ? query.ratingMin : query.ratingMax,
    runtime: isAscending ? query.runtimeMin : query.runtimeMax,
    release_date: isAscending ? query.yearMin : query.yearMax,
  }
  const value = query.order in bounds ? bounds[query.order as keyof typeof bounds] : undefined
  return value === undefined ? undefined : { value, id: 0 }
}

/** The key that comes later in the order of a query, of those that there are. */
function laterKey({ direction }: FilterQuery, a: SortKey | undefined, b: SortKey | undefined): SortKey | undefined {
  if (a === undefined || b === undefined) return a ?? b
  return compareInDirection(direction)(a, b) < 0 ? b : a
}

/** The first documents from a key on, in the random order of the query's seed. */
function selectShuffled(
  catalog: Catalog,
  { direction, seed = 0 }: FilterQuery,
  docs: Uint32Array,
  from: SortKey | undefined,
  limit: number,
): ColumnEntry[] {
  const key = mix(seed)
  // No two documents have the same value, so the ids are read only of those that are taken.
  const start = from === undefined ? undefined : { value: from.value, id: 0 }
  const entries = firstByKey(docs, (doc) => ({ value: mix(key ^ doc), id: 0 }), direction, start, limit)
  return entries.map((entry) => ({ ...entry, id: catalog.sortValue(entry.doc, 'rating').id }))
}

/** The first documents by value and id, from a key on. */
function firstByKey(
  docs: Uint32Array,
  sortKey: (doc: number) => SortKey,
  direction: 'asc' | 'desc',
  from: SortKey | undefined,
  limit: number,
): ColumnEntry[] {
  const compare = compareInDirection(direction)
  const first: ColumnEntry[] = []
  for (const doc of docs) {
    const key = sortKey(doc)
    if (from !== undefined && compare(key, from) < 0) continue
    if (first.length === limit && compare(key, first[limit - 1] as ColumnEntry) >= 0) continue
    let at = first.length
    while (at > 0 && compare(key, first[at - 1] as ColumnEntry) < 0) at--
    first.splice(at, 0, { ...key, doc })
    if (first.length > limit) first.pop()
  }
  return first
}

/** Scrambles 32 bits (the finalizer of MurmurHash3). Different numbers stay different. */
function mix(number: number): number {
  let bits = number | 0
  bits = Math.imul(bits ^ (bits >>> 16), 0x85eb_ca6b)
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2_ae35)
  return (bits ^ (bits >>> 16)) >>> 0
}

/** Scans shows in an order. Its fields are those of the show that `next` moved to. */
export interface ShowCursor extends ColumnEntry {
  /** Moves to the next show, and returns whether there is one. */
  next(): boolean
  /** Whether the value is the highest of the show's; a show that has several comes once for each. */
  isHighest?(): boolean
}

/**
 * Merges the columns of several countries. A show has a value in each of them, and its place in the order is that of the
 * highest, so whoever takes a show asks `isHighest` first. That reads the facts of the show, and is left to the caller,
 * who knows whether it wants the show at all.
 */
class HighestValueCursor implements ShowCursor {
  value: SortValue = 0
  id = 0
  doc = -1
  /** Cursors that stand at an entry that was not taken yet. */
  private readonly cursors: ShowCursor[]
  private readonly compare: (a: ColumnEntry, b: ColumnEntry) => number
  private readonly highest: (doc: number) => SortValue

  constructor(cursors: readonly ShowCursor[], direction: 'asc' | 'desc', highest: (doc: number) => SortValue) {
    this.cursors = cursors.filter((cursor) => cursor.next())
    this.compare = compareInDirection(direction)
    this.highest = highest
  }

  next(): boolean {
    for (;;) {
      let first: ShowCursor | undefined
      for (const cursor of this.cursors) {
        if (first === undefined || this.compare(cursor, first) < 0) first = cursor
      }
      if (first === undefined) return false
      // Equal values of a show in several columns come one after the other.
      const isRepeated = first.doc === this.doc && first.value === this.value
      this.value = first.value
      this.id = first.id
      this.doc = first.doc
      if (!first.next()) this.cursors.splice(this.cursors.indexOf(first), 1)
      if (!isRepeated) return true
    }
  }

  isHighest(): boolean {
    return this.highest(this.doc) === this.value
  }
}
