import type { Catalog } from '../catalog/catalog.ts'
import { DocumentSnapshot } from '../catalog/documents/document-snapshot.ts'
import { ByteWriter } from '../catalog/storage/byte-stream.ts'
import { GenerationalCache, type MeteredCache } from '../lib/cache.ts'
import { Mutex } from '../lib/mutex.ts'
import { Turns } from '../lib/turns.ts'
import type { Query } from '../query/queries.ts'
import type { HistoryRenderer } from './history-renderer.ts'
import { type PageWriter, showPrefix } from './page-writer.ts'
import { createUncachedPrinter, type ShowPrinter, SLICE_BYTES } from './printer/show-printer.ts'
import type { ResponseBody } from './query-engine.ts'
import type { RenderOptions } from './render-options.ts'
import { ShapedShowRenderer } from './shaped-show-renderer.ts'

/** Large responses that are not sent yet, together. The next one waits until clients have taken some of them. */
const MAX_HELD_BYTES = 256 * 1024 * 1024

/** The renderers of one response, over a snapshot. */
interface SnapshotRenderers {
  readonly printer: ShowPrinter
  readonly shaped: ShapedShowRenderer
  readonly history: HistoryRenderer
}

/** Renders a part of a response in pieces; returns the instant until which it is valid. */
type RenderPart = (renderers: SnapshotRenderers, options: RenderOptions) => Generator<Buffer | string, number>

/** A response that is rendered later, in pieces. */
export class LargePage implements PageWriter {
  readonly parts: (Buffer | RenderPart)[] = []

  addBytes(bytes: Buffer): void {
    this.parts.push(bytes)
  }

  addText(text: string): void {
    this.parts.push(Buffer.from(text))
  }

  addShow(doc: number, isFirst: boolean, keyedBy?: number): boolean {
    const prefix = showPrefix(keyedBy).slice(isFirst ? 1 : 0)
    this.parts.push((renderers, options) => renderShow(renderers, doc, options, prefix))
    return true
  }

  addHistory(doc: number, country: string): void {
    this.parts.push(({ history }, options) => history.render(doc, country, options))
  }
}

/** What is to be rendered, with the catalog version that it was found in, and the hash of what the response depends on. */
interface LargeQuery {
  readonly page: LargePage
  readonly options: RenderOptions
  readonly version: number
  readonly contentHash: string
}

/** A large response that is kept for the next request of its query. */
interface KeptResponse {
  readonly chunks: readonly Buffer[]
  readonly validUntil: number
  readonly contentHash: string
}

const MAX_KEPT_BYTES = 48 * 1024 * 1024

/** A large response. */
interface RenderedLarge {
  readonly body: ResponseBody
  readonly validUntil: number
  readonly contentHash: string
}

/**
 * Renders responses that are too large for one turn of the event loop in slices, between which other requests are handled.
 * All slices are of one catalog version. One response is rendered at a time, so that many of them take no larger share. Those of
 * queries that come again are kept.
 */
export class LargeResponses {
  private readonly catalog: Catalog
  private readonly history: HistoryRenderer
  private readonly mutex = new Mutex()
  private readonly kept = new GenerationalCache<Query, KeptResponse>({
    name: 'large_responses',
    maxBytes: MAX_KEPT_BYTES,
    sizeOf: ({ chunks }) => countBytes(chunks),
  })
  private heldBytes = 0
  private wake: (() => void) | undefined

  constructor(catalog: Catalog, history: HistoryRenderer) {
    this.catalog = catalog
    this.history = history
  }

  caches(): readonly MeteredCache[] {
    return [this.kept]
  }

  /** The response to a query, if it was kept. */
  get(query: Query, version: number, contentHash: string, now: number): RenderedLarge | undefined {
    const kept = this.kept.get(query, version)
    if (kept === undefined || now >= kept.validUntil || kept.contentHash !== contentHash) return undefined
    const { chunks, validUntil } = kept
    return { body: this.hold(chunks), validUntil, contentHash }
  }

  /**
   * Renders a response in its turn.
   * @param query the query to keep it for, if that came before
   * @param find finds what is to be rendered, in the turn of the event loop in which rendering begins; undefined if it is gone
   */
  render(
    query: Query | undefined,
    find: () => LargeQuery | undefined | Promise<LargeQuery | undefined>,
  ): Promise<RenderedLarge | undefined> {
    return this.mutex.run(async () => {
      while (this.heldBytes > MAX_HELD_BYTES) {
        await new Promise<void>((resolve) => {
          this.wake = resolve
        })
      }
      const found = await find()
      if (found === undefined) return undefined
      const { page, options, version, contentHash } = found
      const snapshot = new DocumentSnapshot(this.catalog.environment, this.catalog.dictionary)
      try {
        const { chunks, validUntil } = await renderSlices(page, options, this.createRenderers(snapshot))
        if (query !== undefined) this.kept.set(query, { chunks, validUntil, contentHash }, version)
        return { body: this.hold(chunks), validUntil, contentHash }
      } finally {
        snapshot.close()
      }
    })
  }

  private createRenderers(snapshot: DocumentSnapshot): SnapshotRenderers {
    const history = this.history.over(snapshot)
    return { printer: createUncachedPrinter(snapshot), shaped: new ShapedShowRenderer(snapshot, history), history }
  }

  /** Counts the bytes of a body until it is released. */
  private hold(chunks: readonly Buffer[]): ResponseBody {
    const [bytes = Buffer.alloc(0), ...rest] = chunks
    const size = countBytes(chunks)
    this.heldBytes += size
    const release = () => {
      this.heldBytes -= size
      this.wake?.()
    }
    return { bytes, rest, release }
  }
}

function countBytes(chunks: readonly Buffer[]): number {
  return chunks.reduce((sum, { length }) => sum + length, 0)
}

function* renderShow(
  { printer, shaped }: SnapshotRenderers,
  doc: number,
  options: RenderOptions,
  prefix: string,
): Generator<Buffer | string, number> {
  if (options.shape !== undefined) {
    yield prefix
    printer.truncate(0)
    return yield* shaped.render(printer, doc, options, options.shape)
  }
  printer.setOptions(options)
  printer.truncate(0)
  printer.addText(prefix)
  for (let isWhole = printer.beginShow(doc); ; isWhole = printer.printSeasons(SLICE_BYTES)) {
    yield printer.view()
    if (isWhole === true) return printer.validUntil
    printer.truncate(0)
  }
}

async function renderSlices(
  { parts }: LargePage,
  options: RenderOptions,
  renderers: SnapshotRenderers,
): Promise<{ readonly chunks: readonly Buffer[]; readonly validUntil: number }> {
  const chunks: Buffer[] = []
  const slice = new ByteWriter(2 * SLICE_BYTES)
  let validUntil = Number.POSITIVE_INFINITY
  const turns = new Turns()
  for (const part of parts) {
    if (typeof part !== 'function') {
      slice.bytes(part)
      continue
    }
    const pieces = part(renderers, options)
    for (let piece = pieces.next(); ; piece = pieces.next()) {
      if (piece.done === true) {
        validUntil = Math.min(validUntil, piece.value)
        break
      }
      if (typeof piece.value === 'string') slice.utf8(piece.value)
      else slice.bytes(piece.value)
      const isFull = slice.position >= SLICE_BYTES
      if (isFull) {
        chunks.push(slice.toBuffer())
        slice.reset()
      }
      if (isFull || turns.isOver) await turns.next()
    }
  }
  chunks.push(slice.toBuffer())
  return { chunks, validUntil }
}
