import type { Catalog } from '../catalog/catalog.ts'
import type { SortField } from '../catalog/documents/facts-codec.ts'
import { type ColumnEntry, compareSortValues, type SortKey } from '../catalog/sorted/column-store.ts'
import { column } from '../catalog/sorted/show-columns.ts'
import type { BitsetFilter } from './bitset-filter.ts'
import type { FilterExecutor } from './filter-executor.ts'
import { decodeShowCursor, encodeShowCursor, type Page, pageSize } from './page-cursor.ts'
import { type Direction, type FilterQuery, popularityWindow, type ShowOrder } from './queries.ts'

/** Roughly how many entries a block of a column holds. */
const ENTRIES_IN_A_BLOCK = 360

/** The page of a filter search that the query's cursor names. */
export function searchByFilters(catalog: Catalog, matching: FilterExecutor, query: FilterQuery): Page {
  const version = catalog.version()
  const { order, direction, country } = query
  const from = query.cursor === undefined ? undefined : decodeShowCursor(query.cursor, order, direction)
  const found = matching.execute(query, version)
  const wanted = pageSize(query) + 1
  const name = columnName(order, country)
  const entries =
    found.size <= Math.max(wanted, maxSortedMatches(catalog, name, version))
      ? sortMatches(catalog, found, order, direction, country, from).slice(0, wanted)
      : scanColumn(catalog, found, name, version, direction, from, wanted)
  const next = entries.length === wanted ? (entries.pop() as ColumnEntry) : undefined
  return {
    docs: entries.map(({ doc }) => doc),
    ...(next !== undefined && { nextCursor: encodeShowCursor(next, order, direction) }),
  }
}

/**
 * Up to how many matches it is quicker to sort them than to walk the order that is kept sorted. To read what a match is
 * sorted by takes as long as some fifty steps; and the fewer match, the more steps it takes to find a page of them.
 */
function maxSortedMatches(catalog: Catalog, name: string, version: number): number {
  const entries = catalog.columns.directory(name, version).blocks.length * ENTRIES_IN_A_BLOCK
  return Math.sqrt(entries / 2)
}

function scanColumn(
  catalog: Catalog,
  found: BitsetFilter,
  name: string,
  version: number,
  direction: Direction,
  from: SortKey | undefined,
  wanted: number,
): ColumnEntry[] {
  const entries: ColumnEntry[] = []
  const walk = catalog.openCursor(name, version, direction, from)
  while (entries.length < wanted && walk.next()) {
    if (found.has(walk.doc)) entries.push({ value: walk.value, id: walk.id, doc: walk.doc })
  }
  return entries
}

function sortMatches(
  catalog: Catalog,
  found: BitsetFilter,
  order: ShowOrder,
  direction: Direction,
  country: string,
  from: SortKey | undefined,
): ColumnEntry[] {
  const sign = direction === 'asc' ? 1 : -1
  const fact = sortField(order, country)
  // Equal values come by ascending id in both directions.
  const compare = (a: SortKey, b: SortKey) => sign * compareSortValues(a.value, b.value) || a.id - b.id
  return found.set
    .toArray()
    .map((doc): ColumnEntry => {
      const { id, value } = catalog.sortValue(doc, fact)
      return { value, id, doc }
    })
    .filter((entry) => from === undefined || compare(entry, from) >= 0)
    .sort(compare)
}

function columnName(order: ShowOrder, country: string): string {
  const window = popularityWindow(order)
  if (window !== undefined) return column.popularity(window, country)
  return order === 'rating' ? column.rating : order === 'release_date' ? column.releaseDate : column.originalTitle
}

function sortField(order: ShowOrder, country: string): SortField {
  const window = popularityWindow(order)
  if (window !== undefined) return { window, country }
  return order === 'rating' ? 'rating' : order === 'release_date' ? 'year' : 'originalTitle'
}
