import type { Catalog } from '../catalog/catalog.ts'
import type { SortFact } from '../catalog/codec/facts-codec.ts'
import { column } from '../catalog/columns-of.ts'
import { type ColumnEntry, compareValues, type Position } from '../catalog/sorted-column.ts'
import { readShowCursor, writeShowCursor } from './cursor.ts'
import type { DocFilter } from './doc-filter.ts'
import type { MatchingDocs } from './matching-docs.ts'
import { type Page, pageSize } from './page.ts'
import { type Direction, type FilterQuery, popularityWindow, type ShowOrder } from './queries.ts'

/** Roughly how many entries a block of a column holds. */
const ENTRIES_IN_A_BLOCK = 360

/** The page of a filter search that the query's cursor names. */
export function filterSearch(catalog: Catalog, matching: MatchingDocs, query: FilterQuery): Page {
  const version = catalog.version()
  const { order, direction, country } = query
  const from = query.cursor === undefined ? undefined : readShowCursor(query.cursor, order, direction)
  const found = matching.of(query, version)
  const wanted = pageSize(query) + 1
  const name = columnOf(order, country)
  const entries =
    found.size <= Math.max(wanted, fewIn(catalog, name, version))
      ? sorted(catalog, found, order, direction, country, from).slice(0, wanted)
      : walked(catalog, found, name, version, direction, from, wanted)
  const next = entries.length === wanted ? (entries.pop() as ColumnEntry) : undefined
  return {
    docs: entries.map(({ doc }) => doc),
    ...(next !== undefined && { nextCursor: writeShowCursor(next, order, direction) }),
  }
}

/**
 * Up to how many matches it is quicker to sort them than to walk the order that is kept sorted. To read what a match is
 * sorted by takes as long as some fifty steps; and the fewer match, the more steps it takes to find a page of them.
 */
function fewIn(catalog: Catalog, name: string, version: number): number {
  const entries = catalog.columns.directory(name, version).blocks.length * ENTRIES_IN_A_BLOCK
  return Math.sqrt(entries / 2)
}

function walked(
  catalog: Catalog,
  found: DocFilter,
  name: string,
  version: number,
  direction: Direction,
  from: Position | undefined,
  wanted: number,
): ColumnEntry[] {
  const entries: ColumnEntry[] = []
  const walk = catalog.walk(name, version, direction, from)
  while (entries.length < wanted && walk.next()) {
    if (found.has(walk.doc)) entries.push({ value: walk.value, id: walk.id, doc: walk.doc })
  }
  return entries
}

function sorted(
  catalog: Catalog,
  found: DocFilter,
  order: ShowOrder,
  direction: Direction,
  country: string,
  from: Position | undefined,
): ColumnEntry[] {
  const sign = direction === 'asc' ? 1 : -1
  const fact = sortFact(order, country)
  // Equal values come by ascending id in both directions.
  const compare = (a: Position, b: Position) => sign * compareValues(a.value, b.value) || a.id - b.id
  return found.set
    .toArray()
    .map((doc): ColumnEntry => {
      const { id, value } = catalog.sortFact(doc, fact)
      return { value, id, doc }
    })
    .filter((entry) => from === undefined || compare(entry, from) >= 0)
    .sort(compare)
}

function columnOf(order: ShowOrder, country: string): string {
  const window = popularityWindow(order)
  if (window !== undefined) return column.popularity(window, country)
  return order === 'rating' ? column.rating : order === 'release_date' ? column.releaseDate : column.originalTitle
}

function sortFact(order: ShowOrder, country: string): SortFact {
  const window = popularityWindow(order)
  if (window !== undefined) return { window, country }
  return order === 'rating' ? 'rating' : order === 'release_date' ? 'year' : 'originalTitle'
}
