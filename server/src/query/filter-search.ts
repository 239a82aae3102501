import type { Catalog } from '../catalog/catalog.ts'
import type { SortField } from '../catalog/documents/facts-codec.ts'
import { column } from '../catalog/show-columns.ts'
import { type ColumnEntry, compareInDirection, type SortKey } from '../catalog/sorted/column-store.ts'
import { isComputedOrder, selectComputed } from './computed-order.ts'
import type { FilterExecutor } from './filter-executor.ts'
import { HighestValueCursor, type ShowCursor } from './highest-value-cursor.ts'
import { decodeShowCursor, encodeShowCursor } from './page-cursor.ts'
import { type FilterQuery, popularityWindow } from './queries.ts'

/** The average count of entries in a block of a column, about. */
const ENTRIES_PER_BLOCK = 360

/** A scan that tests options goes on for this many tests; then finding all matches first is faster. */
const MAX_OPTION_TESTS = 2_000

/** A page of a filter search: documents in order, and the cursor of the next page, if there is one. */
interface FilterPage {
  readonly docs: readonly number[]
  readonly nextCursor?: string
}

/** The page of a filter search at the query's cursor. */
export function searchByFilters(catalog: Catalog, executor: FilterExecutor, query: FilterQuery): FilterPage {
  const from = query.cursor === undefined ? undefined : decodeShowCursor(query.cursor, query)
  // One entry more than the page holds: the next cursor.
  const limit = (query.limit ?? pageSize(query)) + 1
  const entries = findEntries(catalog, executor, query, from, limit)
  const next = entries.length === limit ? (entries.pop() as ColumnEntry) : undefined
  return {
    docs: entries.map(({ doc }) => doc),
    ...(next !== undefined && { nextCursor: encodeShowCursor(next, query) }),
  }
}

/** The count of shows on a page of a filter search. */
export function pageSize({ showType, granularity }: Pick<FilterQuery, 'showType' | 'granularity'>): number {
  if (showType === 'movie' || granularity === 'show') return 20
  return showType === 'series' && granularity === 'episode' ? 10 : 15
}

/** The first matches from a key on, in the query's order. */
function findEntries(
  catalog: Catalog,
  executor: FilterExecutor,
  query: FilterQuery,
  from: SortKey | undefined,
  limit: number,
): ColumnEntry[] {
  const version = catalog.version()
  if (isComputedOrder(query.order)) {
    const docs = executor.execute(query, version).set.toUint32Array()
    return selectComputed(catalog, executor.matchOptions(query, version), query, docs, from, limit)
  }
  const maxSorted = Math.max(limit, maxSortedMatches(catalog, query, version))
  const candidates = executor.findCandidates(query, version)
  if (query.options !== undefined && candidates.size > maxSorted) {
    const options = executor.matchOptions(query, version)
    let testsLeft = MAX_OPTION_TESTS
    const passes = (doc: number) => candidates.has(doc) && testsLeft-- > 0 && options.matches(doc)
    const entries = scanColumn(catalog, query, version, passes, from, limit, () => testsLeft < 0)
    if (testsLeft >= 0) return entries
  }
  const matches = executor.execute(query, version)
  return matches.size <= maxSorted
    ? sortMatches(catalog, query, matches.set.toArray(), from).slice(0, limit)
    : scanColumn(catalog, query, version, (doc) => matches.has(doc), from, limit)
}

/**
 * Up to this many matches, sorting them is faster than scanning the column. Reading the sort value of a match costs as
 * much as about fifty steps of a scan, and the fewer matches there are, the more steps a page takes.
 */
function maxSortedMatches(catalog: Catalog, query: FilterQuery, version: number): number {
  const entries = catalog.columns.directory(columnNames(query)[0] as string, version).blocks.length * ENTRIES_PER_BLOCK
  return Math.sqrt(entries / 2)
}

/** The first documents that pass, in the order of the column. */
function scanColumn(
  catalog: Catalog,
  query: FilterQuery,
  version: number,
  passes: (doc: number) => boolean,
  from: SortKey | undefined,
  limit: number,
  stops?: () => boolean,
): ColumnEntry[] {
  const entries: ColumnEntry[] = []
  const cursor = openCursor(catalog, query, version, from)
  while (entries.length < limit && cursor.next()) {
    if (passes(cursor.doc)) {
      if (cursor.isHighest?.() !== false) entries.push({ value: cursor.value, id: cursor.id, doc: cursor.doc })
    } else if (stops?.() === true) break
  }
  return entries
}

function openCursor(catalog: Catalog, query: FilterQuery, version: number, from: SortKey | undefined): ShowCursor {
  const [name, ...others] = columnNames(query) as [string, ...string[]]
  const { direction } = query
  if (others.length === 0) return catalog.openCursor(name, version, direction, from)
  const cursors = [name, ...others].map((column) => catalog.openCursor(column, version, direction, from))
  const field = sortField(query)
  return new HighestValueCursor(cursors, direction, (doc) => catalog.sortValue(doc, field).value)
}

/** The documents, sorted by their values in the column. */
function sortMatches(
  catalog: Catalog,
  query: FilterQuery,
  docs: readonly number[],
  from: SortKey | undefined,
): ColumnEntry[] {
  const field = sortField(query)
  const compare = compareInDirection(query.direction)
  return docs
    .map((doc): ColumnEntry => {
      const { id, value } = catalog.sortValue(doc, field)
      return { value, id, doc }
    })
    .filter((entry) => from === undefined || compare(entry, from) >= 0)
    .sort(compare)
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
