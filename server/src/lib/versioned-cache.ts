import { LRUCache } from 'lru-cache'

/** Use and size of a cache, as the metrics report it. */
export interface CacheStats {
  readonly name: string
  readonly entries: number
  readonly bytes: number
  readonly maxBytes: number
  readonly hits: number
  readonly misses: number
  readonly evictions: number
}

/** Anything that counts its look-ups: a `VersionedCache`, or a structure with its own storage that reports the same. */
export interface MeteredCache {
  stats(): CacheStats
}

export interface VersionedCacheOptions<K, V> {
  /** The name in the metrics. Caches of one name are added up. */
  readonly name: string
  /** What all entries together may take; the least recently used ones are evicted beyond it. */
  readonly maxBytes: number
  /** The size of an entry in bytes, about; it is at least 1. */
  readonly sizeOf: (value: V, key: K) => number
  /** How many entries there may be; undefined if only their sizes limit them. */
  readonly maxEntries?: number
}

interface Entry<V> {
  readonly value: V
  readonly version: unknown
}

/**
 * An LRU cache whose entries are valid for one version only: that of the catalog, of the accounts, or of the entry
 * itself. A look-up with another version misses and drops the entry, so a new version invalidates without a sweep.
 * Bounded by bytes and metered.
 */
export class VersionedCache<K extends {}, V> implements MeteredCache {
  private readonly name: string
  private readonly maxBytes: number
  private readonly entries: LRUCache<K, Entry<V>>
  private hits = 0
  private misses = 0
  private evictions = 0

  constructor({ name, maxBytes, sizeOf, maxEntries }: VersionedCacheOptions<K, V>) {
    this.name = name
    this.maxBytes = maxBytes
    this.entries = new LRUCache<K, Entry<V>>({
      maxSize: maxBytes,
      ...(maxEntries !== undefined && { max: maxEntries }),
      sizeCalculation: ({ value }, key) => Math.max(1, sizeOf(value, key)),
      dispose: (_entry, _key, reason) => {
        if (reason === 'evict') this.evictions++
      },
    })
  }

  /** The value under a key, if it was set for this version. */
  get(key: K, version?: unknown): V | undefined {
    const entry = this.entries.get(key)
    if (entry !== undefined && entry.version === version) {
      this.hits++
      return entry.value
    }
    this.misses++
    if (entry !== undefined) this.entries.delete(key)
    return undefined
  }

  /** Stores a value for a version. One that is larger than the whole cache is not kept. */
  set(key: K, value: V, version?: unknown): void {
    this.entries.set(key, { value, version })
  }

  /** The value under a key, computed and stored where there is none for this version. */
  getOrCompute(key: K, version: unknown, compute: () => V): V {
    const cached = this.get(key, version)
    if (cached !== undefined) return cached
    const value = compute()
    this.set(key, value, version)
    return value
  }

  delete(key: K): void {
    this.entries.delete(key)
  }

  clear(): void {
    this.entries.clear()
  }

  stats(): CacheStats {
    const { name, maxBytes, hits, misses, evictions } = this
    return { name, entries: this.entries.size, bytes: this.entries.calculatedSize, maxBytes, hits, misses, evictions }
  }
}

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
