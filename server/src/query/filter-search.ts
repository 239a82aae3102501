import type { Catalog } from '../catalog/catalog.ts'
import type { SortField } from '../catalog/documents/facts-codec.ts'
import { column } from '../catalog/show-columns.ts'
import { type ColumnEntry, compareInDirection, type SortKey } from '../catalog/sorted/column-store.ts'
import type { BitsetFilter } from './bitset-filter.ts'
import type { FilterExecutor } from './filter-executor.ts'
import { decodeShowCursor, encodeShowCursor } from './page-cursor.ts'
import { type FilterQuery, popularityWindow } from './queries.ts'

/** The average count of entries in a block of a column, about. */
const ENTRIES_PER_BLOCK = 360

/** A page of a filter search: documents in order, and the cursor of the next page, if there is one. */
interface FilterPage {
  readonly docs: readonly number[]
  readonly nextCursor?: string
}

/** The page of a filter search at the query's cursor. */
export function searchByFilters(catalog: Catalog, executor: FilterExecutor, query: FilterQuery): FilterPage {
  const version = catalog.version()
  const { order, direction } = query
  const from = query.cursor === undefined ? undefined : decodeShowCursor(query.cursor, order, direction)
  const matches = executor.execute(query, version)
  // One entry more than the page holds: the next cursor.
  const limit = pageSize(query) + 1
  const entries =
    matches.size <= Math.max(limit, maxSortedMatches(catalog, query, version))
      ? sortMatches(catalog, query, matches, from).slice(0, limit)
      : scanColumn(catalog, query, version, matches, from, limit)
  const next = entries.length === limit ? (entries.pop() as ColumnEntry) : undefined
  return {
    docs: entries.map(({ doc }) => doc),
    ...(next !== undefined && { nextCursor: encodeShowCursor(next, order, direction) }),
  }
}

/** The count of shows on a page of a filter search. */
function pageSize({ showType, granularity }: FilterQuery): number {
  if (showType === 'movie' || granularity === 'show') return 20
  return showType === 'series' && granularity === 'episode' ? 10 : 15
}

/**
 * Up to this many matches, sorting them is faster than scanning the column. Reading the sort value of a match costs as
 * much as about fifty steps of a scan, and the fewer matches there are, the more steps a page takes.
 */
function maxSortedMatches(catalog: Catalog, query: FilterQuery, version: number): number {
  const entries = catalog.columns.directory(columnName(query), version).blocks.length * ENTRIES_PER_BLOCK
  return Math.sqrt(entries / 2)
}

/** The first matches in the order of the column. */
function scanColumn(
  catalog: Catalog,
  query: FilterQuery,
  version: number,
  matches: BitsetFilter,
  from: SortKey | undefined,
  limit: number,
): ColumnEntry[] {
  const entries: ColumnEntry[] = []
  const cursor = catalog.openCursor(columnName(query), version, query.direction, from)
  while (entries.length < limit && cursor.next()) {
    if (matches.has(cursor.doc)) entries.push({ value: cursor.value, id: cursor.id, doc: cursor.doc })
  }
  return entries
}

/** All matches, sorted by their values in the column. */
function sortMatches(
  catalog: Catalog,
  query: FilterQuery,
  matches: BitsetFilter,
  from: SortKey | undefined,
): ColumnEntry[] {
  const field = sortField(query)
  const compare = compareInDirection(query.direction)
  return matches.set
    .toArray()
    .map((doc): ColumnEntry => {
      const { id, value } = catalog.sortValue(doc, field)
      return { value, id, doc }
    })
    .filter((entry) => from === undefined || compare(entry, from) >= 0)
    .sort(compare)
}

function columnName({ order, country }: FilterQuery): string {
  const window = popularityWindow(order)
  if (window !== undefined) return column.popularity(window, country)
  return order === 'rating' ? column.rating : order === 'release_date' ? column.releaseDate : column.originalTitle
}

function sortField({ order, country }: FilterQuery): SortField {
  const window = popularityWindow(order)
  if (window !== undefined) return { window, country }
  return order === 'rating' ? 'rating' : order === 'release_date' ? 'year' : 'originalTitle'
}
