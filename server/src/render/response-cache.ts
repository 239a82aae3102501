import type { Query } from '../query/queries.ts'
import type { PooledBody } from './body-pool.ts'

/** Memory that each serving process spends on finished pages. */
const MAX_CACHE_BYTES = 64 * 1024 * 1024

/** A page that is kept, as long as there is room for it. */
export class CachedResponse {
  readonly validUntil: number
  private readonly body: PooledBody
  private users = 0
  private isCached = true

  constructor(body: PooledBody, validUntil: number) {
    this.body = body
    this.validUntil = validUntil
  }

  get size(): number {
    return this.body.bytes.length
  }

  isFresh(now: number): boolean {
    return this.isCached && now < this.validUntil
  }

  /** The page for one more answer. Only one at a time may write in front of it. */
  acquire(): PooledBody {
    const { bytes, headroom } = this.body
    this.users++
    return { bytes, headroom: this.users === 1 ? headroom : 0, release: this.release }
  }

  /** Keeps it no longer than those need it who have it. */
  evict(): void {
    this.isCached = false
    if (this.users === 0) this.body.release()
  }

  private readonly release = (): void => {
    this.users--
    if (!this.isCached && this.users === 0) this.body.release()
  }
}

/** Finished pages of one version of the catalog. When there are too many, those that were made first go. */
export class ResponseCache {
  readonly stats = new CacheStats()
  private readonly pages: CachedResponse[] = []
  private bytes = 0
  private version = -1

  put(body: PooledBody, validUntil: number, version: number): CachedResponse {
    if (this.version !== version) {
      while (this.pages.length > 0) this.evictFirst()
      this.version = version
    }
    const page = new CachedResponse(body, validUntil)
    this.pages.push(page)
    this.bytes += page.size
    while (this.bytes > MAX_CACHE_BYTES) this.evictFirst()
    return page
  }

  private evictFirst(): void {
    const page = this.pages.shift() as CachedResponse
    this.bytes -= page.size
    page.evict()
  }
}

/** How often a cache had what was asked for. */
export class CacheStats {
  hits = 0
  misses = 0
}

/** What a query found, and the page that was last made of it. */
export interface CachedResult<T> {
  readonly version: number
  readonly result: T
  response: CachedResponse | undefined
}

/**
 * What queries found, kept for as long as the query itself is and the catalog stays as it is. A request that comes
 * again brings the very same query, so nothing has to be compared.
 */
export class ResultCache {
  readonly stats = new CacheStats()
  private readonly results = new WeakMap<Query, CachedResult<unknown>>()

  get<T>(query: Query, version: number, find: () => T): CachedResult<T> {
    const known = this.results.get(query)
    if (known !== undefined && known.version === version) {
      this.stats.hits++
      return known as CachedResult<T>
    }
    this.stats.misses++
    const made: CachedResult<T> = { version, result: find(), response: undefined }
    this.results.set(query, made)
    return made
  }
}
