import type { Catalog } from '../catalog/catalog.ts'
import { ByteWriter } from '../catalog/storage/byte-stream.ts'
import { CacheUse } from './cache-use.ts'
import { type Piece, PieceRing } from './piece-ring.ts'
import { type Rendering, ShowRenderer } from './show-renderer.ts'

/** Memory that each serving process spends on ready-made shows. */
const CACHE_BYTES = 192 * 1024 * 1024

/** More than there are documents: document numbers fit into 32 bits. */
const DOCS = 2 ** 32

/** Printed shows, kept ready until the catalog or the passing of time outdates them. */
export class ShowBytes {
  readonly use = new CacheUse()
  private readonly renderer: ShowRenderer
  private readonly out = new ByteWriter(256 * 1024)
  private readonly variants = new Map<string, number>()
  private last: { rendering: Rendering | undefined; variant: number } = { rendering: undefined, variant: -1 }
  private version = -1
  private readonly pieces = new PieceRing(CACHE_BYTES)

  constructor(catalog: Catalog) {
    this.renderer = new ShowRenderer(catalog)
  }

  /**
   * A printed show as it stands in an answer: behind a comma, or, keyed, behind a comma and its id. Whoever wants it
   * first or alone leaves the comma out.
   */
  get(doc: number, version: number, rendering: Rendering, keyedBy?: number): Piece {
    if (this.version !== version) {
      this.pieces.clear()
      this.version = version
    }
    const key = (this.variant(rendering) * 2 + (keyedBy === undefined ? 0 : 1)) * DOCS + doc
    const known = this.pieces.get(key)
    if (known !== undefined && rendering.now < known.validUntil) {
      this.use.hits++
      return known
    }
    this.use.misses++
    this.out.reset().ascii(keyedBy === undefined ? ',' : `,"${keyedBy}":`)
    const validUntil = this.renderer.write(this.out, doc, rendering)
    return this.pieces.put(key, this.out.view(), validUntil)
  }

  /** A number for the country, language and granularity that a show is printed for. */
  private variant(rendering: Rendering): number {
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
