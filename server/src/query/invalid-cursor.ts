/** Thrown when a cursor cannot be read, or was made for another order than the one asked for. */
export class InvalidCursor extends Error {
  override readonly name = 'InvalidCursor'
}
