import type { Catalog } from '../../catalog/catalog.ts'
import type { ChangeTest } from '../../catalog/changes/change-log.ts'
import type { JournaledChange } from '../../catalog/changes/commit-journal.ts'
import {
  type ChangeListId,
  compareChanges,
  instantSortKey,
  type StoredChange,
} from '../../catalog/changes/stored-change.ts'
import { RoaringBitmap32 } from '../../catalog/index/doc-set.ts'
import { term } from '../../catalog/index/terms.ts'
import { findService } from '../../catalog/storage/reference.ts'
import { isFutureChangeType } from '../../model/change.ts'
import { type ChangesPosition, decodeChangesCursor, encodeChangesCursor } from '../page-cursor.ts'
import type { CatalogSelector, ChangesQuery, ChangesSinceQuery, FeedQuery } from '../queries.ts'
import {
  CHANGES_CURSOR,
  CHANGES_SINCE,
  currentToken,
  encodeToken,
  type JournalPlace,
  parseToken,
  resolveCountryToken,
  resolveToken,
  toInvalidTokenError,
} from './journal-token.ts'

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
  const page: StoredChange[] = []
  for (const change of scanLists(catalog, query, version, from, createChangeFilter(catalog, query))) {
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

/** The changes of all lists of the query that pass a test, in one order; of those with the same key, in the order of the lists. */
function scanLists(
  catalog: Catalog,
  query: ScanQuery,
  version: number,
  from: ChangesPosition | undefined,
  passes?: ChangeTest,
): Iterable<StoredChange> {
  const lists: ChangeListId[] = query.changeTypes.flatMap((changeType) =>
    query.itemTypes.flatMap((itemType) => query.countries.map((country) => ({ country, changeType, itemType }))),
  )
  const scans = lists.map((list) => {
    const scan = scanList(catalog, query, list, version, from, passes)
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

/** The changes of a list in the query's span and order that pass a test. Those without a date have timestamp 0, before all others. */
function* scanList(
  catalog: Catalog,
  query: ScanQuery,
  list: ChangeListId,
  version: number,
  position: ChangesPosition | undefined,
  passes: ChangeTest | undefined,
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
      if (compareChanges(first, end) < 0) yield* log.scanAscending(list, version, first, end, passes)
    }
    return
  }
  for (const { start, end } of spans.reverse()) {
    const first = from === undefined || compareChanges(from, end) >= 0 ? undefined : from
    if (first !== undefined && compareChanges(first, start) < 0) continue
    yield* log.scanDescending(list, version, start, end, first, passes)
  }
}

/** Whether a change matches the filters of a query. */
function createChangeFilter(
  catalog: Catalog,
  { catalogs, showType }: Pick<ChangesQuery, 'catalogs' | 'showType'>,
): ChangeTest {
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

/** `since` for the token of this moment. */
export const SINCE_NOW = 'now'

/** A page of changes in the order of commits, with the token behind its last one. */
export interface ChangesSincePage extends ChangesPage {
  readonly since: string
}

/** The page of changes behind the query's token, or at its cursor. */
export function searchChangesSince(catalog: Catalog, query: ChangesSinceQuery): ChangesSincePage {
  const end = currentToken(catalog)
  const { since, cursor } = query
  if (since === SINCE_NOW && cursor === undefined) return { changes: [], since: end }
  // The walk goes on from its cursor, also when the token that it began with has expired meanwhile.
  if (since !== SINCE_NOW && cursor !== undefined) parseToken(since, CHANGES_SINCE)
  const matches = createJournalFilter(catalog, query)
  const page: StoredChange[] = []
  for (const { change, country, ...place } of scanJournal(catalog, query)) {
    if (change === undefined || !matches(change)) continue
    if (page.length === CHANGES_PAGE_SIZE) {
      const since = encodeToken(catalog, query.namesCountries === true ? { ...place, country } : place)
      return { changes: page, since, nextCursor: since }
    }
    page.push(change)
  }
  return { changes: page, since: end }
}

/** The first change of the page of a query. */
function findStart(catalog: Catalog, { since, cursor, namesCountries }: ChangesSinceQuery): JournalPlace {
  // A cursor is a token, too.
  const [token, parameter] = cursor === undefined ? [since, CHANGES_SINCE] : [cursor, CHANGES_CURSOR]
  if (namesCountries !== true) return resolveCountryToken(catalog, token, parameter)
  const place = resolveToken(catalog, token, parameter)
  if (place.country !== undefined || place.offset === 0) return place
  throw toInvalidTokenError(parameter, 'is from between two pages of one country; send the same country with it')
}

/** The changes of all countries of the query from its start: version by version, in each country by country. */
function scanJournal(catalog: Catalog, query: ChangesSinceQuery): Iterable<JournaledChange> {
  const { version, offset, country: first } = findStart(catalog, query)
  const { countries } = query
  const scans = countries.map((country) => {
    const start =
      first === undefined || country === first
        ? { version, offset }
        : { version: country < first ? version + 1 : version, offset: 0 }
    return catalog.journal.changesFrom(start, country, catalog.version())
  })
  return mergeSorted(scans, (a, b) => a.version - b.version)
}

/** Whether a change of the journal matches the types and filters of a query. */
export function createJournalFilter(
  catalog: Catalog,
  query: Pick<ChangesQuery, 'changeTypes' | 'itemTypes' | 'catalogs' | 'showType'>,
): ChangeTest {
  const changeTypes: ReadonlySet<string> = new Set(query.changeTypes)
  const itemTypes: ReadonlySet<string> = new Set(query.itemTypes)
  const matches = createChangeFilter(catalog, query)
  return (change) => changeTypes.has(change.list.changeType) && itemTypes.has(change.list.itemType) && matches(change)
}

/**
 * Merges sorted sequences into one. Of equal items, those of earlier sequences come first. A binary heap of the heads, so
 * that hundreds of sequences cost little more than a few.
 */
export function mergeSorted<T>(sequences: readonly Iterable<T>[], compare: (a: T, b: T) => number): Iterable<T> {
  return sequences.length === 1 ? (sequences[0] as Iterable<T>) : mergeSeveral(sequences, compare)
}

function* mergeSeveral<T>(sequences: readonly Iterable<T>[], compare: (a: T, b: T) => number): Iterable<T> {
  const heap: Head<T>[] = []
  const precedes = (a: Head<T>, b: Head<T>) => (compare(a.item, b.item) || a.index - b.index) < 0
  for (const [index, sequence] of sequences.entries()) {
    const iterator = sequence[Symbol.iterator]()
    const { done, value } = iterator.next()
    if (done !== true) heap.push({ item: value, index, iterator })
  }
  for (let i = (heap.length >> 1) - 1; i >= 0; i--) siftDown(heap, i, precedes)
  try {
    for (;;) {
      const head = heap[0]
      if (head === undefined) return
      yield head.item
      const { done, value } = head.iterator.next()
      if (done !== true) head.item = value
      else {
        const last = heap.pop() as Head<T>
        if (heap.length > 0) heap[0] = last
      }
      siftDown(heap, 0, precedes)
    }
  } finally {
    // A reader that stops early closes the sequences, which may hold a cursor of the database.
    for (const { iterator } of heap) iterator.return?.()
  }
}

/** The next item of a sequence. */
interface Head<T> {
  item: T
  readonly index: number
  readonly iterator: Iterator<T>
}

function siftDown<T>(heap: Head<T>[], start: number, precedes: (a: Head<T>, b: Head<T>) => boolean): void {
  for (let at = start; ; ) {
    let first = at
    for (const child of [2 * at + 1, 2 * at + 2]) {
      if (child < heap.length && precedes(heap[child] as Head<T>, heap[first] as Head<T>)) first = child
    }
    if (first === at) return
    const moved = heap[at] as Head<T>
    heap[at] = heap[first] as Head<T>
    heap[first] = moved
    at = first
  }
}
