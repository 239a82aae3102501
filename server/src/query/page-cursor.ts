import type { SortKey, SortValue } from '../catalog/sorted/column-store.ts'
import type { Direction, FilterQuery, ShowOrder } from './queries.ts'

/*
 * A cursor names the first show of the next page by its place in the order: `<id>:<sort value>`, then the order that
 * the place is in. A place stays meaningful when the show that stood there is gone.
 */

/** A cursor that names a place in an order of shows. */
export function encodeShowCursor({ id, value }: SortKey, order: ShowOrder, direction: Direction): string {
  return `${id}:${value}:${order}.${direction}`
}

export function decodeShowCursor(cursor: string, order: ShowOrder, direction: Direction): SortKey {
  const match = /^(\d{1,15}):(.*):([a-z_0-9]+\.(?:asc|desc))$/s.exec(cursor)
  if (match === null)
    throw new InvalidCursorError('The cursor cannot be read; send the nextCursor of the previous page')
  const [, id, value, madeFor] = match as unknown as [string, string, string, string]
  if (madeFor !== `${order}.${direction}`) {
    throw new InvalidCursorError(
      `The cursor belongs to the order ${madeFor}, not to ${order}.${direction}; ` +
        'send the same order_by and order_direction for every page',
    )
  }
  return { id: Number(id), value: order === 'original_title' ? value : parseNumber(value) }
}

function parseNumber(text: string): SortValue {
  const number = Number(text)
  // Whatever else can be read as a number was not written here.
  if (!Number.isFinite(number) || String(number) !== text)
    throw new InvalidCursorError('The cursor cannot be read: its value is no number')
  return number
}

/** Thrown when a cursor cannot be read, or was made for another order than the one asked for. */
export class InvalidCursorError extends Error {
  override readonly name = 'InvalidCursor'
}

/** A page of a search: documents in order, and where the next page starts, if there is one. */
export interface Page {
  readonly docs: readonly number[]
  readonly nextCursor?: string
}

/** How many shows a page of a filter search holds. */
export function pageSize({ showType, granularity }: Pick<FilterQuery, 'showType' | 'granularity'>): number {
  if (showType === 'movie' || granularity === 'show') return 20
  return showType === 'series' && granularity === 'episode' ? 10 : 15
}
