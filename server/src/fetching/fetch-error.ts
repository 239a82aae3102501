/** Thrown when something cannot be fetched, or must not be: the message says why, and what would be right. */
export class FetchError extends Error {
  override readonly name = 'FetchError'
}
