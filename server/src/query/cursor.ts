import type { Position, SortValue } from '../catalog/sorted-column.ts'
import { InvalidCursor } from './invalid-cursor.ts'
import type { Direction, ShowOrder } from './queries.ts'

/*
 * A cursor names the first show of the next page by its place in the order: `<id>:<sort value>`, then the order that
 * the place is in. A place stays meaningful when the show that stood there is gone.
 */

/** A cursor that names a place in an order of shows. */
export function writeShowCursor({ id, value }: Position, order: ShowOrder, direction: Direction): string {
  return `${id}:${value}:${order}.${direction}`
}

export function readShowCursor(cursor: string, order: ShowOrder, direction: Direction): Position {
  const match = /^(\d{1,15}):(.*):([a-z_0-9]+\.(?:asc|desc))$/s.exec(cursor)
  if (match === null) throw new InvalidCursor('The cursor cannot be read; send the nextCursor of the previous page')
  const [, id, value, madeFor] = match as unknown as [string, string, string, string]
  if (madeFor !== `${order}.${direction}`) {
    throw new InvalidCursor(
      `The cursor belongs to the order ${madeFor}, not to ${order}.${direction}; ` +
        'send the same order_by and order_direction for every page',
    )
  }
  return { id: Number(id), value: order === 'original_title' ? value : readNumber(value) }
}

function readNumber(text: string): SortValue {
  const number = Number(text)
  // Whatever else can be read as a number was not written here.
  if (!Number.isFinite(number) || String(number) !== text)
    throw new InvalidCursor('The cursor cannot be read: its value is no number')
  return number
}
