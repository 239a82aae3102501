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

interface CacheOptions<K, V> {
  /** The name in the metrics. Caches of one name are added up. */
  readonly name: string
  /** What all entries together may take; the least recently used ones are evicted beyond it. */
  readonly maxBytes: number
  /** The size of an entry in bytes, about; it is at least 1. */
  readonly sizeOf: (value: V, key: K) => number
}

interface GenerationalCacheOptions<K, V> extends CacheOptions<K, V> {
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

  constructor({ name, maxBytes, sizeOf }: CacheOptions<K, V>) {
    this.name = name
    this.maxBytes = maxBytes
    this.entries = new LRUCache<K, Entry<V>>({
      maxSize: maxBytes,
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

  /** Whether there is a value under a key for this version. This is not counted as a look-up, nor as a use. */
  has(key: K, version?: unknown): boolean {
    const entry = this.entries.peek(key)
    return entry !== undefined && entry.version === version
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

/**
 * A cache of two generations: when the young one is full it becomes the old one, and what was in the old one and not used
 * since is evicted. A hit costs one map look-up; the list of an LRU cache costs several writes. Entries are valid for one
 * version: a look-up with another one empties the cache. Bounded by bytes and by number, and metered.
 */
export class GenerationalCache<K, V> implements MeteredCache {
  private readonly meter: CacheMeter
  private readonly maxYoungBytes: number
  private readonly maxYoungEntries: number
  private readonly sizeOf: (value: V, key: K) => number
  private version: unknown
  private young = new Map<K, V>()
  private old = new Map<K, V>()
  private youngBytes = 0

  constructor({ name, maxBytes, sizeOf, maxEntries = Number.POSITIVE_INFINITY }: GenerationalCacheOptions<K, V>) {
    this.meter = new CacheMeter(name, maxBytes)
    this.maxYoungBytes = maxBytes / 2
    this.maxYoungEntries = maxEntries / 2
    this.sizeOf = sizeOf
  }

  /** The value under a key, if it was set for this version. */
  get(key: K, version?: unknown): V | undefined {
    const { meter } = this
    if (version !== this.version) this.clear(version)
    const value = this.young.get(key)
    if (value !== undefined) {
      meter.hits++
      return value
    }
    const aged = this.old.get(key)
    if (aged === undefined) {
      meter.misses++
      return undefined
    }
    meter.hits++
    this.old.delete(key)
    meter.bytes -= this.sizeOf(aged, key)
    this.set(key, aged, version)
    return aged
  }

  /** Whether there is a value under a key for this version. This is not counted as a look-up, nor as a use. */
  has(key: K, version?: unknown): boolean {
    return version === this.version && (this.young.has(key) || this.old.has(key))
  }

  /** Stores a value for a version. One that is larger than a generation is not kept. */
  set(key: K, value: V, version?: unknown): void {
    if (version !== this.version) this.clear(version)
    const bytes = this.sizeOf(value, key)
    if (bytes > this.maxYoungBytes) return
    if (this.young.size >= this.maxYoungEntries || this.youngBytes + bytes > this.maxYoungBytes) this.age()
    const before = this.young.size
    this.young.set(key, value)
    if (this.young.size > before) {
      this.youngBytes += bytes
      this.meter.bytes += bytes
    }
    this.meter.entries = this.young.size + this.old.size
  }

  /** The value under a key, computed and stored where there is none for this version. */
  getOrCompute(key: K, version: unknown, compute: () => V): V {
    const cached = this.get(key, version)
    if (cached !== undefined) return cached
    const value = compute()
    this.set(key, value, version)
    return value
  }

  stats(): CacheStats {
    return this.meter.stats()
  }

  private age(): void {
    this.meter.evictions += this.old.size
    this.meter.bytes = this.youngBytes
    this.old = this.young
    this.young = new Map()
    this.youngBytes = 0
  }

  /** Drops all entries; those to come are for a version. */
  clear(version?: unknown): void {
    this.version = version
    this.young = new Map()
    this.old = new Map()
    this.youngBytes = 0
    this.meter.entries = 0
    this.meter.bytes = 0
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
