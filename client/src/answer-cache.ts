/** An answer as it is kept. */
export interface CachedAnswer {
  readonly etag: string
  /** The body, as the text that came. */
  readonly body: string
}

/**
 * Where answers are kept, by the address that was asked for. The service is still asked each time, but says only that
 * nothing changed, which costs nothing of the quota. A `Map` will do; one that forgets what was not used for long is
 * better for programs that run for long. A cache that fails, such as a storage that is full, fails no call.
 */
export interface AnswerCache {
  get(url: string): CachedAnswer | undefined | Promise<CachedAnswer | undefined>
  set(url: string, answer: CachedAnswer): unknown
}
