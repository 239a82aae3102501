/* What callers set: for a client, for a call, for a list of pages. */

/** A response in the cache. */
export interface CachedAnswer {
  readonly etag: string
  /** The body as text. */
  readonly body: string
}

/**
 * Stores responses by URL. The client revalidates a stored one with `If-None-Match`; a 304 costs nothing of the quota. A
 * `Map` will do; long-running programs should use an LRU cache. Errors of the cache, such as a full storage, fail no call.
 */
export interface AnswerCache {
  get(url: string): CachedAnswer | undefined | Promise<CachedAnswer | undefined>
  set(url: string, answer: CachedAnswer): unknown
}

/** Options of a client. */
export interface MarqueeOptions {
  /**
   * The API key. Its prefix decides whether it is a direct or a marketplace key. Pages of the service itself need none:
   * they set `baseUrl` instead.
   */
  apiKey?: string | undefined
  /** Base URL for direct keys. It may be relative in a browser (`/v4`). By default `http://127.0.0.1:8080/v4`. */
  baseUrl?: string | undefined
  /** Base URL for marketplace keys. By default `baseUrl` without a `/v4` at its end. */
  marketplaceBaseUrl?: string | undefined
  /** Prefix of direct keys. By default `mq-key-`. */
  keyPrefix?: string | undefined
  /** Name of the marketplace, as in its header `X-<name>-API-Key`. By default `Market`. */
  marketplace?: string | undefined
  /** Sends the requests. By default the global `fetch`. */
  fetch?: typeof fetch | undefined
  /** Timeout of a call in milliseconds, with all retries and pauses. By default 30 seconds. */
  timeout?: number | undefined
  /** Maximum number of retries. By default 2. */
  retries?: number | undefined
  /** Stores responses for revalidation by ETag. A `Map` will do. By default none. */
  cache?: AnswerCache | undefined
  /** Waits before a retry. For tests; by default a timer. */
  sleep?: ((milliseconds: number, signal: AbortSignal) => Promise<unknown>) | undefined
}

/** Options of one call. */
export interface CallOptions {
  /** Aborts the call, which then fails with the reason of the signal. */
  signal?: AbortSignal | undefined
  /** Overrides the timeout of the client. In an iteration it holds for each page. */
  timeout?: number | undefined
  /** Overrides the retries of the client. */
  retries?: number | undefined
}

/** Options of an iteration over pages. */
export interface WalkOptions extends CallOptions {
  /** Maximum number of pages to fetch. By default all. */
  maxPages?: number | undefined
  /** Maximum number of items to yield. By default all. */
  maxItems?: number | undefined
}
