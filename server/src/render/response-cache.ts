import { CacheMeter } from '../lib/cache.ts'
import type { PooledBody } from './body-pool.ts'

/** Memory for rendered pages in each serving process. */
const MAX_CACHE_BYTES = 64 * 1024 * 1024

/** What an entry takes beside its buffer, about. */
const ENTRY_BYTES = 512

/** A rendered page. It counts its users: its buffer returns to the pool after eviction and the last release. */
export class CachedResponse {
  readonly validUntil: number
  /** The memory that it holds, which is more than its bytes. */
  readonly size: number
  /** Undefined once the buffer is back in the pool: a result that still refers to the page must not retain it. */
  private body: PooledBody | undefined
  private users = 0
  private isCached = true

  constructor(body: PooledBody, validUntil: number) {
    this.body = body
    this.size = body.bytes.buffer.byteLength + ENTRY_BYTES
    this.validUntil = validUntil
  }

  isFresh(now: number): boolean {
    return this.isCached && now < this.validUntil
  }

  /** The body for one more response. Only the first of several concurrent users gets the headroom. */
  acquire(): PooledBody {
    const { bytes, headroom } = this.body as PooledBody
    this.users++
    return { bytes, headroom: this.users === 1 ? headroom : 0, release: this.release }
  }

  evict(): void {
    this.isCached = false
    if (this.users === 0) this.freeBody()
  }

  private readonly release = (): void => {
    this.users--
    if (!this.isCached && this.users === 0) this.freeBody()
  }

  private freeBody(): void {
    this.body?.release()
    this.body = undefined
  }
}

/**
 * Rendered pages of one catalog version, evicted first in, first out. Pages are reached through the result that they
 * were rendered from, so this only bounds them. It has its own storage, because eviction must wait for users.
 */
export class ResponseCache {
  readonly meter = new CacheMeter('pages', MAX_CACHE_BYTES)
  private readonly responses: CachedResponse[] = []
  private version = -1

  /** Counts a look-up; returns the response if it is still fresh. */
  check(response: CachedResponse | undefined, now: number): CachedResponse | undefined {
    if (response?.isFresh(now) === true) {
      this.meter.hits++
      return response
    }
    this.meter.misses++
    return undefined
  }

  put(body: PooledBody, validUntil: number, version: number): CachedResponse {
    if (this.version !== version) {
      while (this.responses.length > 0) this.evictFirst()
      this.version = version
    }
    const response = new CachedResponse(body, validUntil)
    this.responses.push(response)
    this.meter.entries++
    this.meter.bytes += response.size
    while (this.meter.bytes > MAX_CACHE_BYTES) {
      this.evictFirst()
      this.meter.evictions++
    }
    return response
  }

  private evictFirst(): void {
    const response = this.responses.shift() as CachedResponse
    this.meter.entries--
    this.meter.bytes -= response.size
    response.evict()
  }
}
