import type { Catalog } from '../catalog/catalog.ts'
import {
  type ChangeSortKey,
  compareChanges,
  instantSortKey,
  type StoredChange,
} from '../catalog/changes/stored-change.ts'
import { findService } from '../catalog/storage/reference.ts'
import { isFutureChangeType } from '../model/change.ts'
import { decodeChangesCursor, encodeChangesCursor } from './page-cursor.ts'
import type { CatalogSelector, ChangesQuery } from './queries.ts'

/** The count of changes on a page. */
const CHANGES_PAGE_SIZE = 25

/** A page of changes, each with the document of its show. */
interface ChangesPage {
  readonly changes: readonly StoredChange[]
  readonly nextCursor?: string
}

/** The page of changes at the query's cursor. */
export function searchChanges(catalog: Catalog, query: ChangesQuery, version: number): ChangesPage {
  const from = query.cursor === undefined ? undefined : decodeChangesCursor(query.cursor, query)
  const matches = createFilter(catalog, query)
  const page: StoredChange[] = []
  for (const change of scanChanges(catalog, query, version, from)) {
    if (!matches(change)) continue
    if (page.length === CHANGES_PAGE_SIZE) return { changes: page, nextCursor: encodeChangesCursor(change, query) }
    page.push(change)
  }
  return { changes: page }
}

/** The changes of the query's span in its order. Those without a date have timestamp 0, and come before all others. */
function* scanChanges(
  catalog: Catalog,
  query: ChangesQuery,
  version: number,
  from: ChangeSortKey | undefined,
): Iterable<StoredChange> {
  const isFuture = isFutureChangeType(query.changeType)
  const log = isFuture ? catalog.windows : catalog.changes
  const dated = { start: instantSortKey(Math.max(query.from, 1)), end: instantSortKey(query.to + 1) }
  const undated = { start: instantSortKey(0), end: instantSortKey(1) }
  const spans = isFuture && query.includeUnknownDates ? [undated, dated] : [dated]
  if (query.direction === 'asc') {
    for (const { start, end } of spans) {
      const first = from !== undefined && compareChanges(from, start) > 0 ? from : start
      if (compareChanges(first, end) < 0) yield* log.scanAscending(query, version, first, end)
    }
    return
  }
  for (const { start, end } of spans.reverse()) {
    if (from === undefined || compareChanges(from, end) >= 0) yield* log.scanDescending(query, version, start, end)
    else if (compareChanges(from, start) >= 0) yield* log.scanDescending(query, version, start, end, from)
  }
}

function createFilter(catalog: Catalog, query: ChangesQuery): (change: StoredChange) => boolean {
  const reference = catalog.reference()
  const { catalogs, showType, changeType } = query
  return (change) =>
    (showType === undefined || change.showType === showType) &&
    (catalogs.length === 0 || catalogs.some((selector) => selects(selector, change))) &&
    // Upcoming offers are published for some services only.
    (changeType !== 'upcoming' || findService(reference, change.service)?.hasUpcoming === true)
}

function selects({ service, type, addon }: CatalogSelector, change: StoredChange): boolean {
  if (service !== change.service) return false
  return addon !== undefined ? change.addon === addon : type === undefined || change.offerType === type
}
