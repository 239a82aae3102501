import type { Catalog } from '../catalog/catalog.ts'
import { ByteWriter } from '../catalog/storage/byte-stream.ts'
import { DOCS_PER_BLOCK, readBlockVersions } from '../catalog/storage/meta.ts'
import { CacheMeter } from '../lib/cache.ts'
import { joinPieces } from './body-pool.ts'
import { HistoryRenderer } from './history-renderer.ts'
import type { ReferenceRenderer } from './reference-renderer.ts'
import { ShapedShowRenderer } from './shaped-show-renderer.ts'
import { type RenderOptions, ShowRenderer } from './show-renderer.ts'

/** Memory for rendered shows in each serving process. */
const MAX_CACHE_BYTES = 192 * 1024 * 1024

/** Document numbers fit into 32 bits, so a cache key is `variant * DOC_NUMBER_RANGE + doc`. */
const DOC_NUMBER_RANGE = 2 ** 32

/** Combinations of countries, language, granularity and shape between which the cache distinguishes. */
const MAX_VARIANTS = 10_000

const CHUNK_BYTES = 4 * 1024 * 1024

/**
 * So many chunks are emptied ahead of the one that is written: a page holds entries that it has found until it has all of
 * its shows, and may have 8 MB of them rendered meanwhile.
 */
const CHUNKS_AHEAD = 3

/** A series that is larger is not rendered at once, since other requests would wait, and not cached. */
const MAX_SHOW_BYTES = 1024 * 1024

/** The same for a show of a shape, which takes several times as long. */
const MAX_SHAPED_BYTES = 256 * 1024

/**
 * Rendered shows by document and variant, valid until `validUntil`. They outlive a catalog version: a show stays valid while no
 * document of its block is written, and while the names of services and genres are the same. One of a shape is valid for one
 * version, since it may tell when its sources were imported last.
 */
export class ShowCache {
  readonly meter: CacheMeter
  private readonly renderer: ShowRenderer
  private readonly shaped: ShapedShowRenderer
  private readonly out = new ByteWriter(256 * 1024)
  private readonly variants = new Map<string, number>()
  private last: { options: RenderOptions | undefined; variant: number } = { options: undefined, variant: -1 }
  private readonly catalog: Catalog
  private version = -1
  private blockVersions: readonly number[] = []
  private reference: ReferenceRenderer | undefined
  /** Series that are too large to be rendered at once, by key. */
  private readonly large = new Set<number>()
  private readonly ring: ByteRing

  constructor(catalog: Catalog, history = new HistoryRenderer(catalog), maxBytes = MAX_CACHE_BYTES) {
    this.catalog = catalog
    this.meter = new CacheMeter('shows', maxBytes)
    this.ring = new ByteRing(maxBytes, this.meter)
    this.renderer = new ShowRenderer(catalog)
    this.shaped = new ShapedShowRenderer(catalog, this.renderer, history)
  }

  /**
   * A rendered show behind a comma or, with `keyedBy`, behind a comma and that id as a JSON key. Skip the first byte
   * for the first show of a list.
   */
  get(doc: number, version: number, options: RenderOptions, keyedBy?: number): RingEntry {
    const key = this.key(doc, version, options, keyedBy)
    return (
      this.getCached(key, doc, options) ??
      (this.render(key, doc, options, keyedBy, Number.POSITIVE_INFINITY) as RingEntry)
    )
  }

  /** The same, but undefined for a series that is too large to be rendered at once. */
  getUnlessLarge(doc: number, version: number, options: RenderOptions, keyedBy?: number): RingEntry | undefined {
    const key = this.key(doc, version, options, keyedBy)
    const cached = this.getCached(key, doc, options)
    if (cached !== undefined || this.large.has(key)) return cached
    const maxBytes = options.shape === undefined ? MAX_SHOW_BYTES : MAX_SHAPED_BYTES
    const rendered = this.render(key, doc, options, keyedBy, maxBytes)
    if (rendered === undefined) this.large.add(key)
    return rendered
  }

  private key(doc: number, version: number, options: RenderOptions, keyedBy: number | undefined): number {
    if (this.version !== version) this.startVersion(version, options.reference)
    return (this.variant(options) * 2 + (keyedBy === undefined ? 0 : 1)) * DOC_NUMBER_RANGE + doc
  }

  private startVersion(version: number, reference: ReferenceRenderer): void {
    if (this.reference !== reference) this.ring.clear()
    this.large.clear()
    this.reference = reference
    this.blockVersions = readBlockVersions(this.catalog.meta)
    this.version = version
  }

  private getCached(key: number, doc: number, { now, shape }: RenderOptions): RingEntry | undefined {
    const cached = this.ring.get(key)
    if (cached === undefined || now >= cached.validUntil) return undefined
    if (cached.version !== this.version) {
      const writtenAt = this.blockVersions[Math.floor(doc / DOCS_PER_BLOCK)] ?? 0
      if (shape !== undefined || writtenAt > cached.version) return undefined
    }
    this.meter.hits++
    return cached
  }

  /** Renders and caches a show; undefined if it has more bytes. */
  private render(
    key: number,
    doc: number,
    options: RenderOptions,
    keyedBy: number | undefined,
    maxBytes: number,
  ): RingEntry | undefined {
    this.meter.misses++
    const { out } = this
    const prefix = showPrefix(keyedBy)
    if (options.shape === undefined) {
      const show = this.renderer.begin(out, doc, options, prefix)
      this.renderer.writeMore(out, show, show.start + maxBytes)
      return show.rest === undefined
        ? this.ring.put(key, out.view(show.start), this.version, show.validUntil)
        : undefined
    }
    const joined = joinPieces(this.shaped.render(out, doc, options, options.shape), maxBytes, prefix)
    return joined === undefined ? undefined : this.ring.put(key, joined.bytes, this.version, joined.validUntil)
  }

  /** A number for the countries, language, granularity and shape. */
  private variant(options: RenderOptions): number {
    // All shows of a page are rendered with the same options object.
    if (options === this.last.options) return this.last.variant
    const { countries, language, granularity, shape } = options
    const name = `${countries?.join() ?? ''}/${language}/${granularity}/${shape?.name ?? ''}`
    let variant = this.variants.get(name)
    if (variant === undefined) {
      if (this.variants.size >= MAX_VARIANTS) {
        this.variants.clear()
        this.large.clear()
        this.ring.clear()
      }
      variant = this.variants.size
      this.variants.set(name, variant)
    }
    this.last = { options, variant }
    return variant
  }
}

/** What stands before a show: a comma and, with an id, that id as a JSON key. */
export function showPrefix(keyedBy: number | undefined): string {
  return keyedBy === undefined ? ',' : `,"${keyedBy}":`
}

/** Bytes in a chunk of the ring. */
export interface RingEntry {
  readonly chunk: Buffer
  readonly start: number
  readonly end: number
  /** The catalog version that it was rendered from. */
  readonly version: number
  readonly validUntil: number
}

interface Chunk {
  readonly memory: Buffer
  readonly keys: number[]
}

/**
 * A ring of large buffers that holds entries by number and overwrites the oldest chunk when it is full. An entry that was
 * found stays intact while as many bytes are put as the chunks ahead hold. It has its own storage, because tens of thousands
 * of separate buffers would slow every garbage collection.
 */
export class ByteRing {
  private readonly maxChunks: number
  private readonly meter: CacheMeter
  /**
   * The memory of all chunks, allocated at once: V8 collects garbage when external memory has grown by some megabytes, and would
   * do so again and again. The system provides it only as it is written.
   */
  private memory: Buffer | undefined
  private readonly chunks: Chunk[] = []
  private readonly entries = new Map<number, RingEntry>()
  private current = -1
  private at = CHUNK_BYTES

  constructor(maxBytes: number, meter: CacheMeter) {
    this.maxChunks = Math.max(CHUNKS_AHEAD + 1, Math.ceil(maxBytes / CHUNK_BYTES))
    this.meter = meter
  }

  get(key: number): RingEntry | undefined {
    return this.entries.get(key)
  }

  /** Stores a copy of the bytes. What is larger than a chunk is returned and not stored. */
  put(key: number, bytes: Buffer, version: number, validUntil: number): RingEntry {
    if (bytes.length > CHUNK_BYTES)
      return { chunk: Buffer.from(bytes), start: 0, end: bytes.length, version, validUntil }
    if (this.at + bytes.length > CHUNK_BYTES) this.nextChunk()
    const { memory, keys } = this.chunks[this.current] as Chunk
    const entry = { chunk: memory, start: this.at, end: this.at + bytes.length, version, validUntil }
    memory.set(bytes, this.at)
    this.at = entry.end
    keys.push(key)
    this.entries.set(key, entry)
    this.meter.entries = this.entries.size
    return entry
  }

  /** Drops all entries and keeps the memory. */
  clear(): void {
    this.entries.clear()
    this.meter.entries = 0
    for (const { keys } of this.chunks) keys.length = 0
    this.current = -1
    this.at = CHUNK_BYTES
  }

  private nextChunk(): void {
    this.current = (this.current + 1) % this.maxChunks
    this.at = 0
    if (this.current === this.chunks.length) {
      this.memory ??= Buffer.allocUnsafeSlow(this.maxChunks * CHUNK_BYTES)
      const start = this.current * CHUNK_BYTES
      this.chunks.push({ memory: this.memory.subarray(start, start + CHUNK_BYTES), keys: [] })
      this.meter.bytes += CHUNK_BYTES
    }
    for (let ahead = 1; ahead <= CHUNKS_AHEAD; ahead++) this.empty((this.current + ahead) % this.maxChunks)
  }

  private empty(index: number): void {
    const chunk = this.chunks[index]
    if (chunk === undefined) return
    for (const key of chunk.keys) {
      // A newer entry under the same key lies in another chunk and stays.
      if (this.entries.get(key)?.chunk !== chunk.memory) continue
      this.entries.delete(key)
      this.meter.evictions++
    }
    chunk.keys.length = 0
  }
}
