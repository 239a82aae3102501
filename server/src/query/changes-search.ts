import type { Catalog } from '../catalog/catalog.ts'
import {
  type ChangeSortKey,
  compareChanges,
  instantSortKey,
  type StoredChange,
} from '../catalog/changes/stored-change.ts'
import { findService } from '../catalog/reference.ts'
import { isFutureChangeType } from '../model/change.ts'
import { OFFER_TYPES, type OfferType } from '../model/offer.ts'
import { InvalidCursorError } from './page-cursor.ts'
import type { CatalogSelector, ChangesQuery } from './queries.ts'

/** How many changes a page holds. */
export const CHANGES_PAGE_SIZE = 25

/** A page of changes, each with the document of its show. */
export interface ChangesPage {
  readonly changes: readonly StoredChange[]
  readonly nextCursor?: string
}

/** The page of changes that the query's cursor names. */
export function searchChanges(catalog: Catalog, query: ChangesQuery): ChangesPage {
  const from = query.cursor === undefined ? undefined : readCursor(query.cursor, query)
  const passes = changeFilter(catalog, query)
  const page: StoredChange[] = []
  for (const change of scanChanges(catalog, query, from)) {
    if (!passes(change)) continue
    if (page.length === CHANGES_PAGE_SIZE) return { changes: page, nextCursor: writeCursor(change, query) }
    page.push(change)
  }
  return { changes: page }
}

/** Changes in the order asked for; unknown dates count as the very first instant. */
function* scanChanges(catalog: Catalog, query: ChangesQuery, from: ChangeSortKey | undefined): Iterable<StoredChange> {
  const future = isFutureChangeType(query.changeType)
  const log = future ? catalog.windows : catalog.changes
  const version = catalog.version()
  const dated = { start: instantSortKey(Math.max(query.from, 1)), end: instantSortKey(query.to + 1) }
  const undated = { start: instantSortKey(0), end: instantSortKey(1) }
  const spans = future && query.includeUnknownDates ? [undated, dated] : [dated]
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

function changeFilter(catalog: Catalog, query: ChangesQuery): (change: StoredChange) => boolean {
  const reference = catalog.reference()
  const { catalogs, showType, changeType } = query
  return (change) =>
    (showType === undefined || change.showType === showType) &&
    (catalogs.length === 0 || catalogs.some((selector) => selects(selector, change))) &&
    // What is to come is known of some services only.
    (changeType !== 'upcoming' || findService(reference, change.service)?.hasUpcoming === true)
}

function selects({ service, type, addon }: CatalogSelector, change: StoredChange): boolean {
  if (service !== change.service) return false
  return addon !== undefined ? change.addon === addon : type === undefined || change.offerType === type
}

/** A change's place: time, show, season, episode, service, type and addon, then what it is a place among. */
function writeCursor(place: ChangeSortKey, { changeType, itemType, direction }: ChangesQuery): string {
  const { timestamp, showId, season, episode, service, offerType, addon } = place
  const parts = [timestamp, showId, season, episode, service, offerType, addon].join(':')
  return `${parts}:${changeType}.${itemType}.${direction}`
}

function readCursor(cursor: string, { changeType, itemType, direction }: ChangesQuery): ChangeSortKey {
  const match = /^(\d{1,12}):(\d{1,15}):(\d{1,5}):(\d{1,5}):([^:]*):([^:]*):([^:]*):([a-z]+\.[a-z]+\.[a-z]+)$/.exec(
    cursor,
  )
  if (match === null || !OFFER_TYPES.includes(match[6] as OfferType)) {
    throw new InvalidCursorError('The cursor cannot be read; send the nextCursor of the previous page')
  }
  const [, timestamp, showId, season, episode, service, offerType, addon, madeFor] = match as unknown as string[]
  const expected = `${changeType}.${itemType}.${direction}`
  if (madeFor !== expected) {
    throw new InvalidCursorError(
      `The cursor belongs to ${madeFor}, not to ${expected}; ` +
        'send the same change_type, item_type and order_direction for every page',
    )
  }
  const numbers = [timestamp, season, episode].map(Number) as [number, number, number]
  if (numbers[1] > 65_535 || numbers[2] > 65_535)
    throw new InvalidCursorError('The cursor cannot be read: no such episode')
  return {
    timestamp: numbers[0],
    showId: Number(showId),
    season: numbers[1],
    episode: numbers[2],
    service: service as string,
    offerType: offerType as string,
    addon: addon as string,
  }
}
