import type { Catalog } from '../../catalog/catalog.ts'
import {
  type ChangeListId,
  compareChanges,
  instantSortKey,
  type StoredChange,
} from '../../catalog/changes/stored-change.ts'
import { RoaringBitmap32 } from '../../catalog/index/doc-set.ts'
import { term } from '../../catalog/index/terms.ts'
import { findService } from '../../catalog/storage/reference.ts'
import { mergeSorted } from '../../lib/merge-sorted.ts'
import { isFutureChangeType } from '../../model/change.ts'
import { type ChangesPosition, decodeChangesCursor, encodeChangesCursor } from '../page-cursor.ts'
import type { CatalogSelector, ChangesQuery, FeedQuery } from '../queries.ts'

/** The count of changes on a page. */
export const CHANGES_PAGE_SIZE = 25

/** A page of changes, each with the document of its show. */
export interface ChangesPage {
  readonly changes: readonly StoredChange[]
  readonly nextCursor?: string
}

/** The page of changes at the query's cursor. */
export function searchChanges(catalog: Catalog, query: ChangesQuery, version: number): ChangesPage {
  const from = query.cursor === undefined ? undefined : decodeChangesCursor(query.cursor, query)
  const matches = createChangeFilter(catalog, query)
  const page: StoredChange[] = []
  for (const change of scanLists(catalog, query, version, from)) {
    if (!matches(change)) continue
    if (page.length === CHANGES_PAGE_SIZE) {
      return { changes: page, nextCursor: encodeChangesCursor(change, change.list, query) }
    }
    page.push(change)
  }
  return { changes: page }
}

/** Changes that a feed reads at most to find those of its shows. */
const MAX_FEED_SCAN = 100_000

/** The changes of a feed; undefined if it is about a show that does not exist. */
export function searchFeedChanges(catalog: Catalog, query: FeedQuery, version: number): StoredChange[] | undefined {
  const { country, genres, showId, limit } = query
  const doc = showId === undefined ? undefined : catalog.findDoc(showId)
  if (showId !== undefined && (doc === undefined || catalog.facts(doc)?.deleted !== false)) return undefined
  const ofGenres =
    genres.length === 0
      ? undefined
      : RoaringBitmap32.orMany(genres.map((genre) => catalog.docsWithTerm(term.genre(genre), version)))
  const matches = createChangeFilter(catalog, query)
  const found: StoredChange[] = []
  const scanned = { ...query, countries: [country], includeUnknownDates: false }
  let count = 0
  for (const change of scanLists(catalog, scanned, version, undefined)) {
    if (found.length === limit || count++ === MAX_FEED_SCAN) break
    if (doc !== undefined && change.doc !== doc) continue
    if (ofGenres?.has(change.doc) === false) continue
    if (matches(change)) found.push(change)
  }
  return found
}

/** What lists are scanned by. */
type ScanQuery = Omit<ChangesQuery, 'kind' | 'language' | 'cursor'>

/** The changes of all lists of the query in one order; of those with the same key, in the order of the lists. */
function scanLists(
  catalog: Catalog,
  query: ScanQuery,
  version: number,
  from: ChangesPosition | undefined,
): Iterable<StoredChange> {
  const lists: ChangeListId[] = query.changeTypes.flatMap((changeType) =>
    query.itemTypes.flatMap((itemType) => query.countries.map((country) => ({ country, changeType, itemType }))),
  )
  const scans = lists.map((list) => {
    const scan = scanList(catalog, query, list, version, from)
    return from !== undefined && precedesList(list, from, query) ? skipKey(scan, from) : scan
  })
  const sign = query.direction === 'asc' ? 1 : -1
  // Changes of one instant are in ascending order in both directions.
  return mergeSorted(scans, (a, b) => (a.timestamp - b.timestamp) * sign || compareChanges(a, b))
}

/** Whether a list comes before that of a position. The country of a position may be gone since. */
function precedesList(list: ChangeListId, from: ChangesPosition, { changeTypes, itemTypes }: ScanQuery): boolean {
  const difference =
    changeTypes.indexOf(list.changeType) - changeTypes.indexOf(from.changeType) ||
    itemTypes.indexOf(list.itemType) - itemTypes.indexOf(from.itemType)
  return difference < 0 || (difference === 0 && list.country < from.country)
}

/** Skips the change with a position's key: lists before that of the position have passed it already. */
function* skipKey(scan: Iterable<StoredChange>, { key }: ChangesPosition): Iterable<StoredChange> {
  for (const change of scan) if (compareChanges(change, key) !== 0) yield change
}

/** The changes of a list in the query's span and order. Those without a date have timestamp 0, before all others. */
function* scanList(
  catalog: Catalog,
  query: ScanQuery,
  list: ChangeListId,
  version: number,
  position: ChangesPosition | undefined,
): Iterable<StoredChange> {
  const isFuture = isFutureChangeType(list.changeType)
  const log = isFuture ? catalog.windows : catalog.changes
  const from = position?.key
  const dated = { start: instantSortKey(Math.max(query.from, 1)), end: instantSortKey(query.to + 1) }
  const undated = { start: instantSortKey(0), end: instantSortKey(1) }
  const spans = isFuture && query.includeUnknownDates ? [undated, dated] : [dated]
  if (query.direction === 'asc') {
    for (const { start, end } of spans) {
      const first = from !== undefined && compareChanges(from, start) > 0 ? from : start
      if (compareChanges(first, end) < 0) yield* log.scanAscending(list, version, first, end)
    }
    return
  }
  for (const { start, end } of spans.reverse()) {
    if (from === undefined || compareChanges(from, end) >= 0) yield* log.scanDescending(list, version, start, end)
    else if (compareChanges(from, start) >= 0) yield* log.scanDescending(list, version, start, end, from)
  }
}

/** Whether a change matches the filters of a query. */
export function createChangeFilter(
  catalog: Catalog,
  { catalogs, showType }: Pick<ChangesQuery, 'catalogs' | 'showType'>,
): (change: StoredChange) => boolean {
  const reference = catalog.reference()
  return (change) =>
    (showType === undefined || change.showType === showType) &&
    (catalogs.length === 0 || catalogs.some((selector) => selects(selector, change))) &&
    // Upcoming offers are published for some services only.
    (change.list.changeType !== 'upcoming' || findService(reference, change.service)?.hasUpcoming === true)
}

function selects({ service, type, addon }: CatalogSelector, change: StoredChange): boolean {
  if (service !== change.service) return false
  return addon !== undefined ? change.addon === addon : type === undefined || change.offerType === type
}
