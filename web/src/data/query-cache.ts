import type { Marquee, Page } from 'marquee-client'

/** A request for data. Queries with the same key have the same result. */
export interface Query<T> {
  readonly key: string
  readonly fetch: (signal: AbortSignal | undefined, client: Marquee) => Promise<T>
}

/** A query for a list; as a plain query it fetches the first page. */
export interface PagedQuery<Item> extends Query<readonly Page<Item>[]> {
  readonly fetchPage: (
    cursor: string | undefined,
    signal: AbortSignal | undefined,
    client: Marquee,
  ) => Promise<Page<Item>>
}

/** The state of data that is being fetched. */
export type QueryState<T> =
  | { readonly state: 'loading' }
  | { readonly state: 'ready'; readonly value: T }
  | { readonly state: 'failed'; readonly error: unknown }

/** The server declares responses fresh for as long. */
const TTL_MS = 60_000
const MAX_ENTRIES = 60

/** How long the error of a prefetch is kept for the component that needs it. */
const ERROR_TTL_MS = 1000

/**
 * Results of queries, for a minute, so that going back is instant. It also joins requests for the same key and holds
 * prefetched results.
 */
export class QueryCache {
  readonly client: Marquee
  readonly #entries = new Map<string, { readonly value: unknown; readonly at: number }>()
  readonly #pending = new Map<string, Promise<unknown>>()
  /** Keys whose pending prefetch a component waits for: it sees the error itself. */
  readonly #taken = new Set<string>()
  readonly #failed = new Map<string, { readonly request: Promise<unknown>; readonly at: number }>()

  constructor(client: Marquee) {
    this.client = client
  }

  /** A fresh result, if there is one. */
  get<T>(key: string): T | undefined {
    const entry = this.#entries.get(key)
    return entry !== undefined && Date.now() - entry.at < TTL_MS ? (entry.value as T) : undefined
  }

  /** Stores a result, and evicts the oldest one if the cache is full. */
  set(key: string, value: unknown): void {
    this.#entries.delete(key)
    this.#entries.set(key, { value, at: Date.now() })
    if (this.#entries.size > MAX_ENTRIES) this.#entries.delete(this.#entries.keys().next().value as string)
  }

  /** Fetches a result, once for all that need it at the same time. */
  fetch<T>({ key, fetch }: Query<T>): Promise<T> {
    const pending = this.#pending.get(key)
    if (pending !== undefined) return pending as Promise<T>
    const cached = this.get<T>(key)
    if (cached !== undefined) return Promise.resolve(cached)
    const request = fetch(undefined, this.client)
      .then((value) => {
        this.set(key, value)
        return value
      })
      .finally(() => this.#pending.delete(key))
    this.#pending.set(key, request)
    return request
  }

  /** Fetches a result before any component needs it. */
  prefetch<T>(query: Query<T>): Promise<T> {
    const request = this.fetch(query)
    this.#failed.delete(query.key)
    this.#taken.delete(query.key)
    request.catch(() => {
      if (!this.#taken.delete(query.key)) this.#failed.set(query.key, { request, at: Date.now() })
    })
    return request
  }

  /**
   * The pending request for a key or, once, a prefetch that has just failed: the component shows its error instead of
   * sending the same request again. The next call retries.
   */
  takePending<T>(key: string): Promise<T> | undefined {
    const failed = this.#failed.get(key)
    this.#failed.delete(key)
    if (this.#pending.has(key)) this.#taken.add(key)
    const isRecent = failed !== undefined && Date.now() - failed.at < ERROR_TTL_MS
    return (this.#pending.get(key) ?? (isRecent ? failed.request : undefined)) as Promise<T> | undefined
  }
}
