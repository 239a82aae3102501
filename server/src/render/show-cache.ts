import type { Catalog } from '../catalog/catalog.ts'
import { ByteWriter } from '../catalog/storage/byte-stream.ts'
import { CacheStats } from './response-cache.ts'
import { type RenderOptions, ShowRenderer } from './show-renderer.ts'

/** Memory that each serving process spends on ready-made shows. */
const MAX_CACHE_BYTES = 192 * 1024 * 1024

/** More than there are documents: document numbers fit into 32 bits. */
const DOC_NUMBER_RANGE = 2 ** 32

/** RenderedChange shows, kept ready until the catalog or the passing of time outdates them. */
export class ShowCache {
  readonly stats = new CacheStats()
  private readonly renderer: ShowRenderer
  private readonly out = new ByteWriter(256 * 1024)
  private readonly variants = new Map<string, number>()
  private last: { rendering: RenderOptions | undefined; variant: number } = { rendering: undefined, variant: -1 }
  private version = -1
  private readonly pieces = new PieceRing(MAX_CACHE_BYTES)

  constructor(catalog: Catalog) {
    this.renderer = new ShowRenderer(catalog)
  }

  /**
   * A printed show as it stands in an answer: behind a comma, or, keyed, behind a comma and its id. Whoever wants it
   * first or alone leaves the comma out.
   */
  get(doc: number, version: number, rendering: RenderOptions, keyedBy?: number): RenderedPiece {
    if (this.version !== version) {
      this.pieces.clear()
      this.version = version
    }
    const key = (this.variant(rendering) * 2 + (keyedBy === undefined ? 0 : 1)) * DOC_NUMBER_RANGE + doc
    const known = this.pieces.get(key)
    if (known !== undefined && rendering.now < known.validUntil) {
      this.stats.hits++
      return known
    }
    this.stats.misses++
    this.out.reset().ascii(keyedBy === undefined ? ',' : `,"${keyedBy}":`)
    const validUntil = this.renderer.write(this.out, doc, rendering)
    return this.pieces.put(key, this.out.view(), validUntil)
  }

  /** A number for the country, language and granularity that a show is printed for. */
  private variant(rendering: RenderOptions): number {
    // All shows of a page are printed for the same one.
    if (rendering === this.last.rendering) return this.last.variant
    const name = `${rendering.country ?? ''}/${rendering.language}/${rendering.granularity}`
    let variant = this.variants.get(name)
    if (variant === undefined) {
      variant = this.variants.size
      this.variants.set(name, variant)
    }
    this.last = { rendering, variant }
    return variant
  }
}

/** A printed piece: where it lies, and for how long it stays as it is. */
export interface RenderedPiece {
  readonly chunk: Buffer
  readonly start: number
  readonly end: number
  readonly validUntil: number
}

const CHUNK_BYTES = 4 * 1024 * 1024

interface Chunk {
  readonly memory: Buffer
  readonly keys: number[]
}

/**
 * Pieces by number, in a ring of large chunks of memory. What was printed longest ago is overwritten when the ring is
 * full. Tens of thousands of pieces with memory of their own would be gone through by the collector again and again.
 */
export class PieceRing {
  private readonly maxChunks: number
  private readonly chunks: Chunk[] = []
  private readonly pieces = new Map<number, RenderedPiece>()
  private current = -1
  private at = CHUNK_BYTES

  constructor(bytes: number) {
    this.maxChunks = Math.max(2, Math.ceil(bytes / CHUNK_BYTES))
  }

  get(key: number): RenderedPiece | undefined {
    return this.pieces.get(key)
  }

  /** Keeps a copy of the bytes under a number. */
  put(key: number, bytes: Buffer, validUntil: number): RenderedPiece {
    if (bytes.length > CHUNK_BYTES) return { chunk: Buffer.from(bytes), start: 0, end: bytes.length, validUntil }
    if (this.at + bytes.length > CHUNK_BYTES) this.nextChunk()
    const { memory, keys } = this.chunks[this.current] as Chunk
    const piece = { chunk: memory, start: this.at, end: this.at + bytes.length, validUntil }
    bytes.copy(memory, this.at)
    this.at = piece.end
    keys.push(key)
    this.pieces.set(key, piece)
    return piece
  }

  /** Forgets everything and keeps the memory. */
  clear(): void {
    this.pieces.clear()
    for (const { keys } of this.chunks) keys.length = 0
    this.current = -1
    this.at = CHUNK_BYTES
  }

  private nextChunk(): void {
    this.current = (this.current + 1) % this.maxChunks
    this.at = 0
    const chunk = this.chunks[this.current]
    if (chunk === undefined) {
      this.chunks.push({ memory: Buffer.allocUnsafeSlow(CHUNK_BYTES), keys: [] })
      return
    }
    for (const key of chunk.keys) if (this.pieces.get(key)?.chunk === chunk.memory) this.pieces.delete(key)
    chunk.keys.length = 0
  }
}
