import type { ChangeListId, ChangeSortKey } from '../catalog/changes/stored-change.ts'
import type { SortKey, SortValue } from '../catalog/sorted/column-store.ts'
import { OFFER_TYPES, type OfferType } from '../model/offer.ts'
import type { ChangesQuery, FilterQuery } from './queries.ts'

/*
 * The cursor of a page is the sort key of its first item, followed by the order that the key belongs to. A key keeps its
 * meaning when the item that had it is gone: paging goes on with the next one.
 *   shows    <id>:<sort value>:<order>.<direction>
 *   changes  <time>:<show>:<season>:<episode>:<service>:<option type>:<addon>:<change type>.<item type>.<direction>
 * With several types, those are joined by + and followed by the change type and the item type of the first change; with
 * several countries, by those and its country.
 */

/** Thrown for a cursor that cannot be parsed, or that belongs to another order than the query's. */
export class InvalidCursorError extends Error {
  override readonly name = 'InvalidCursorError'
}

const UNREADABLE = 'The cursor cannot be read; send the nextCursor of the previous page'

/** The highest season or episode number. */
const MAX_EPISODE = 65_535

/** What a cursor of shows belongs to. */
type ShowOrdering = Pick<FilterQuery, 'order' | 'direction' | 'seed'>

export function encodeShowCursor({ id, value }: SortKey, ordering: ShowOrdering): string {
  return `${id}:${value}:${orderingName(ordering)}`
}

/** An order with its direction; the seed is part of a random one. */
function orderingName({ order, direction, seed }: ShowOrdering): string {
  return `${order}${seed === undefined ? '' : `_${seed}`}.${direction}`
}

export function decodeShowCursor(cursor: string, ordering: ShowOrdering): SortKey {
  const match = /^(\d{1,15}):(.*):([a-z_0-9]+\.(?:asc|desc))$/s.exec(cursor)
  if (match === null) throw new InvalidCursorError(UNREADABLE)
  const [, id, value, cursorOrder] = match as unknown as [string, string, string, string]
  if (cursorOrder !== orderingName(ordering)) {
    throw new InvalidCursorError(
      `The cursor belongs to the order ${cursorOrder}, not to ${orderingName(ordering)}; ` +
        `send the same order_by${ordering.seed === undefined ? '' : ', seed'} and order_direction for every page`,
    )
  }
  return { id: Number(id), value: ordering.order === 'original_title' ? value : parseNumber(value) }
}

function parseNumber(text: string): SortValue {
  const number = Number(text)
  // Only the canonical form is ever written.
  if (!Number.isFinite(number) || String(number) !== text)
    throw new InvalidCursorError('The cursor cannot be read: its value is no number')
  return number
}

/** The sort key of a change, and the list that it is in: several lists can have the same key. */
export interface ChangesPosition extends ChangeListId {
  readonly key: ChangeSortKey
}

export function encodeChangesCursor(key: ChangeSortKey, list: ChangeListId, query: ChangesQuery): string {
  const { timestamp, showId, season, episode, service, offerType, addon } = key
  const parts = [timestamp, showId, season, episode, service, offerType, addon].join(':')
  const cursor = `${parts}:${changesOrder(query)}`
  if (query.namesCountries === true) return `${cursor}:${list.changeType}.${list.itemType}.${list.country}`
  return isOneList(query) ? cursor : `${cursor}:${list.changeType}.${list.itemType}`
}

export function decodeChangesCursor(cursor: string, query: ChangesQuery): ChangesPosition {
  const match =
    /^(\d{1,12}):(\d{1,15}):(\d{1,5}):(\d{1,5}):([^:]*):([^:]*):([^:]*):([a-z+]+\.[a-z+]+\.[a-z]+)(?::([a-z]+)\.([a-z]+)(?:\.([a-z]{2}))?)?$/.exec(
      cursor,
    )
  if (match === null || !OFFER_TYPES.includes(match[6] as OfferType)) throw new InvalidCursorError(UNREADABLE)
  const [timestamp, showId, season, episode] = match.slice(1, 5).map(Number) as [number, number, number, number]
  const [service, offerType, addon, cursorOrder] = match.slice(5) as [string, string, string, string]
  if (cursorOrder !== changesOrder(query)) {
    throw new InvalidCursorError(
      `The cursor belongs to ${cursorOrder}, not to ${changesOrder(query)}; ` +
        'send the same change_type, item_type and order_direction for every page',
    )
  }
  if ((match[11] !== undefined) !== (query.namesCountries === true)) {
    throw new InvalidCursorError(
      `The cursor belongs to ${match[11] === undefined ? 'one country' : 'several countries'}; ` +
        'send the same country for every page',
    )
  }
  if (season > MAX_EPISODE || episode > MAX_EPISODE)
    throw new InvalidCursorError('The cursor cannot be read: no such episode')
  const changeType = query.changeTypes.find((type) => type === (match[9] ?? query.changeTypes[0]))
  const itemType = query.itemTypes.find((type) => type === (match[10] ?? query.itemTypes[0]))
  if (changeType === undefined || itemType === undefined) throw new InvalidCursorError(UNREADABLE)
  const country = match[11] ?? (query.countries[0] as string)
  return { key: { timestamp, showId, season, episode, service, offerType, addon }, changeType, itemType, country }
}

function changesOrder({ changeTypes, itemTypes, direction }: ChangesQuery): string {
  return `${changeTypes.join('+')}.${itemTypes.join('+')}.${direction}`
}

function isOneList({ changeTypes, itemTypes }: ChangesQuery): boolean {
  return changeTypes.length === 1 && itemTypes.length === 1
}
