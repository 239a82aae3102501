import type { AnswerCache } from './answer-cache.ts'

/** How a client is set up. */
export interface MarqueeOptions {
  /**
   * The API key. Whether it is a direct or a marketplace key is seen from how it starts. Pages that the service itself
   * serves need none: they give a `baseUrl` instead.
   */
  apiKey?: string | undefined
  /** Base address for direct keys. It may be relative in a browser (`/v4`). By default `http://127.0.0.1:8080/v4`. */
  baseUrl?: string | undefined
  /** Base address for marketplace keys. By default `baseUrl` without a `/v4` at its end. */
  marketplaceBaseUrl?: string | undefined
  /** What direct keys of this service start with. By default `mq-key-`. */
  keyPrefix?: string | undefined
  /** The marketplace's name, as it stands in its header `X-<name>-API-Key`. By default `Market`. */
  marketplace?: string | undefined
  /** What requests are sent with. By default the global `fetch`. */
  fetch?: typeof fetch | undefined
  /** The longest that a call may take, with all retries and pauses, in milliseconds. By default 30 seconds. */
  timeout?: number | undefined
  /** How often a request is repeated at most. By default 2. */
  retries?: number | undefined
  /** Keeps answers, so that those that are still the same need not be sent again. A `Map` will do. By default none. */
  cache?: AnswerCache | undefined
  /** Waits before a retry. For tests; by default a timer. */
  sleep?: ((milliseconds: number, signal: AbortSignal) => Promise<unknown>) | undefined
}

/** What can be set for one call. */
export interface CallOptions {
  /** Ends the call at once when it is aborted; the call then fails with the reason of the signal. */
  signal?: AbortSignal | undefined
  /** Instead of the client's timeout. In a walk over pages it holds for each of them. */
  timeout?: number | undefined
  /** Instead of the client's retries. */
  retries?: number | undefined
}

/** What can be set for a walk over pages. */
export interface WalkOptions extends CallOptions {
  /** The most pages that are fetched. By default all. */
  maxPages?: number | undefined
  /** The most items that are yielded. By default all. */
  maxItems?: number | undefined
}
