import type { Catalog } from '../catalog/catalog.ts'
import { ByteWriter } from '../catalog/storage/byte-stream.ts'
import { DOCS_PER_BLOCK, readBlockVersions } from '../catalog/storage/meta.ts'
import { ByteRing, NO_ENTRY } from '../lib/byte-ring.ts'
import { CacheMeter } from '../lib/cache.ts'
import type { ShowShape } from '../query/queries.ts'
import { type BodyBuilder, joinPieces } from './body-pool.ts'
import { HistoryRenderer } from './history-renderer.ts'
import type { ReferenceRenderer } from './reference-renderer.ts'
import type { RenderOptions } from './render-options.ts'
import { ShapedShowRenderer } from './shaped-show-renderer.ts'
import { ShowRenderer } from './show-renderer.ts'

/** Memory for rendered shows in each serving process. */
const MAX_CACHE_BYTES = 192 * 1024 * 1024

/** A page holds what it has found until it has all of its shows, and may have 8 MB and a show rendered meanwhile. */
const HELD_BYTES = 12 * 1024 * 1024

/** Document numbers fit into 32 bits. */
const DOC_NUMBER_RANGE = 2 ** 32

/** Combinations of countries, language, granularity and shape between which the cache distinguishes. */
const MAX_VARIANTS = 10_000

/** A series with more options is not rendered at once, since other requests would wait, and not cached. */
const MAX_OPTIONS_BYTES = 1024 * 1024

/** The same for a show of a shape, which takes several times as long. */
const MAX_SHAPED_BYTES = 256 * 1024

/** Options that were used so often are joined with the texts: a page copies one part, and looks up one. */
const USES_BEFORE_JOIN = 4

/** The tag of a show that is one part; that of options is how often they were used. */
const WHOLE = 255

/** The variants of the two parts of a show; one of a shape is one part. */
interface Variants {
  readonly texts: number
  readonly options: number
}

/**
 * Rendered shows by document and variant, in two parts: the texts with the images, which are the same in all countries, and the
 * options with the seasons, which are valid until an instant. Those of a show that is asked for often are joined. Parts outlive a
 * catalog version: they stay valid while no document of their block is written, and while the names of services and genres are the
 * same. A show of a shape is one part that is valid for one version, since it may tell when its sources were imported last.
 */
export class ShowCache {
  readonly meter: CacheMeter
  private readonly renderer: ShowRenderer
  private readonly shaped: ShapedShowRenderer
  private readonly out = new ByteWriter(256 * 1024)
  private readonly variantNumbers = new Map<string, number>()
  private last: { readonly options: RenderOptions | undefined; readonly variants: Variants } = {
    options: undefined,
    variants: { texts: -1, options: -1 },
  }
  private readonly catalog: Catalog
  private version = -1
  private blockVersions: readonly number[] = []
  private reference: ReferenceRenderer | undefined
  /** Series that are too large to be rendered at once, by variant and document. */
  private readonly large = new Set<number>()
  private readonly ring: ByteRing

  constructor(catalog: Catalog, history = new HistoryRenderer(catalog), maxBytes = MAX_CACHE_BYTES) {
    this.catalog = catalog
    this.meter = new CacheMeter('shows', maxBytes)
    this.ring = new ByteRing({ maxBytes, heldBytes: HELD_BYTES }, this.meter)
    this.renderer = new ShowRenderer(catalog)
    this.shaped = new ShapedShowRenderer(catalog, this.renderer, history)
  }

  /** Adds a show to a body, behind a comma if asked for. Returns the instant until which it is valid. */
  addTo(body: BodyBuilder, doc: number, version: number, options: RenderOptions, withComma: boolean): number {
    return this.add(body, doc, version, options, withComma, Number.POSITIVE_INFINITY) as number
  }

  /** The same, but undefined for a series that is too large to be rendered at once: then the body is of no use. */
  addUnlessLarge(
    body: BodyBuilder,
    doc: number,
    version: number,
    options: RenderOptions,
    withComma: boolean,
  ): number | undefined {
    const maxBytes = options.shape === undefined ? MAX_OPTIONS_BYTES : MAX_SHAPED_BYTES
    return this.add(body, doc, version, options, withComma, maxBytes)
  }

  private add(
    body: BodyBuilder,
    doc: number,
    version: number,
    options: RenderOptions,
    withComma: boolean,
    maxBytes: number,
  ): number | undefined {
    if (this.version !== version) this.startVersion(version, options.reference)
    const variants = this.variantsOf(options)
    const key = variants.options * DOC_NUMBER_RANGE + doc
    if (this.large.size > 0 && maxBytes < Number.POSITIVE_INFINITY && this.large.has(key)) return undefined
    // What was rendered begins with a comma.
    const skipped = withComma ? 0 : 1
    const validUntil =
      options.shape === undefined
        ? this.addParts(body, doc, options, variants, skipped, maxBytes)
        : this.addShaped(body, doc, options, options.shape, variants, skipped, maxBytes)
    if (validUntil === undefined) this.large.add(key)
    return validUntil
  }

  private addParts(
    body: BodyBuilder,
    doc: number,
    options: RenderOptions,
    variants: Variants,
    skipped: number,
    maxBytes: number,
  ): number | undefined {
    const { ring, out, renderer } = this
    const entry = this.find(variants.options, doc, options)
    if (entry === NO_ENTRY) {
      this.addTexts(body, doc, options, variants.texts, skipped)
      const show = renderer.writeOptions(out, doc, options, maxBytes)
      if (show.rest !== undefined) return undefined
      this.keep(body, variants.options, doc, out.view(show.start), show.validUntil, 0)
      return show.validUntil
    }
    const start = ring.startOf(entry)
    const end = ring.endOf(entry)
    const validUntil = ring.validUntilOf(entry)
    const usesBefore = ring.tagOf(entry)
    if (usesBefore === WHOLE) {
      body.add(ring.memory, start + skipped, end)
      return validUntil
    }
    const isJoined = usesBefore + 1 === USES_BEFORE_JOIN
    if (usesBefore < USES_BEFORE_JOIN) ring.setTag(entry, usesBefore + 1)
    this.addTexts(body, doc, options, variants.texts, skipped)
    body.add(ring.memory, start, end)
    if (isJoined) this.join(variants, doc, start, end, validUntil)
    return validUntil
  }

  private addTexts(body: BodyBuilder, doc: number, options: RenderOptions, variant: number, skipped: number): void {
    const { ring, out } = this
    const entry = this.find(variant, doc, options)
    if (entry === NO_ENTRY) {
      const start = this.renderer.writeTexts(out, doc, options, ',')
      this.keep(body, variant, doc, out.view(start), Number.POSITIVE_INFINITY, skipped)
    } else body.add(ring.memory, ring.startOf(entry) + skipped, ring.endOf(entry))
  }

  /** Caches a show as one part, in place of its options. */
  private join(variants: Variants, doc: number, optionsStart: number, optionsEnd: number, validUntil: number): void {
    const { ring, out } = this
    const texts = ring.find(variants.texts, doc)
    if (texts === NO_ENTRY) return
    out.reset()
    out.bytes(ring.memory, ring.startOf(texts), ring.endOf(texts))
    out.bytes(ring.memory, optionsStart, optionsEnd)
    if (out.position > ring.maxEntryBytes) return
    ring.put(variants.options, doc, out.view(), this.version, validUntil, WHOLE)
  }

  private addShaped(
    body: BodyBuilder,
    doc: number,
    options: RenderOptions,
    shape: ShowShape,
    variants: Variants,
    skipped: number,
    maxBytes: number,
  ): number | undefined {
    const { ring } = this
    const entry = this.find(variants.options, doc, options)
    if (entry !== NO_ENTRY) {
      body.add(ring.memory, ring.startOf(entry) + skipped, ring.endOf(entry))
      return ring.validUntilOf(entry)
    }
    const joined = joinPieces(this.shaped.render(this.out, doc, options, shape), maxBytes, ',')
    if (joined === undefined) return undefined
    this.keep(body, variants.options, doc, joined.bytes, joined.validUntil, skipped)
    return joined.validUntil
  }

  private startVersion(version: number, reference: ReferenceRenderer): void {
    if (this.reference !== reference) this.ring.clear()
    this.large.clear()
    this.reference = reference
    this.blockVersions = readBlockVersions(this.catalog.meta)
    this.version = version
  }

  /** The entry of a part that is still valid, or `NO_ENTRY`. */
  private find(variant: number, doc: number, { now, shape }: RenderOptions): number {
    const { ring, meter } = this
    const entry = ring.find(variant, doc)
    if (entry !== NO_ENTRY && now < ring.validUntilOf(entry)) {
      const version = ring.versionOf(entry)
      if (version === this.version || (shape === undefined && this.writtenAt(doc) <= version)) {
        meter.hits++
        return entry
      }
    }
    meter.misses++
    return NO_ENTRY
  }

  /** The catalog version at which a document of the same block was last written. */
  private writtenAt(doc: number): number {
    return this.blockVersions[Math.floor(doc / DOCS_PER_BLOCK)] ?? 0
  }

  /** Caches a rendered part and adds it to a body. One that is too large for the ring is only added. */
  private keep(
    body: BodyBuilder,
    variant: number,
    doc: number,
    bytes: Buffer,
    validUntil: number,
    skipped: number,
  ): void {
    const { ring } = this
    if (bytes.length > ring.maxEntryBytes) {
      body.add(Buffer.from(bytes), skipped)
      return
    }
    const entry = ring.put(variant, doc, bytes, this.version, validUntil)
    body.add(ring.memory, ring.startOf(entry) + skipped, ring.endOf(entry))
  }

  /** The numbers of the two parts for the countries, language, granularity and shape. */
  private variantsOf(options: RenderOptions): Variants {
    // All shows of a page are rendered with the same options object.
    if (options === this.last.options) return this.last.variants
    const { countries, language, granularity, shape } = options
    if (this.variantNumbers.size >= MAX_VARIANTS) {
      this.variantNumbers.clear()
      this.large.clear()
      this.ring.clear()
    }
    const variants = {
      texts: this.variantNumber(language),
      options: this.variantNumber(`${countries?.join() ?? ''}/${language}/${granularity}/${shape?.name ?? ''}`),
    }
    this.last = { options, variants }
    return variants
  }

  private variantNumber(name: string): number {
    let number = this.variantNumbers.get(name)
    if (number === undefined) {
      number = this.variantNumbers.size
      this.variantNumbers.set(name, number)
    }
    return number
  }
}
