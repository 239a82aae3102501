import type { CacheStats, MeteredCache } from './versioned-cache.ts'

/** The counters of a cache that has its own storage for speed. Its owner counts; the metrics read. */
export class CacheMeter implements MeteredCache {
  hits = 0
  misses = 0
  evictions = 0
  entries = 0
  bytes = 0
  private readonly name: string
  private readonly maxBytes: number

  constructor(name: string, maxBytes: number) {
    this.name = name
    this.maxBytes = maxBytes
  }

  stats(): CacheStats {
    const { name, entries, bytes, maxBytes, hits, misses, evictions } = this
    return { name, entries, bytes, maxBytes, hits, misses, evictions }
  }
}
