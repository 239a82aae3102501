import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Catalog } from '../catalog/catalog.ts'
import { DocumentSnapshot } from '../catalog/documents/document-snapshot.ts'
import { ByteWriter } from '../catalog/storage/byte-stream.ts'
import { Mutex } from '../lib/mutex.ts'
import type { ResponseBody } from './query-engine.ts'
import { showPrefix } from './show-cache.ts'
import { type RenderOptions, ShowRenderer } from './show-renderer.ts'

/** How much is rendered in one turn of the event loop: a millisecond or two of work. */
const SLICE_BYTES = 256 * 1024

/** Large responses that are not sent yet, together. The next one waits until clients have taken some of them. */
const MAX_HELD_BYTES = 256 * 1024 * 1024

/** A part of a response: bytes, or a show that is to be rendered. */
type LargePart =
  | { readonly bytes: Buffer; readonly doc?: undefined }
  | { readonly doc: number; readonly prefix: string }

/** The parts of a response. */
export class LargePage {
  readonly parts: LargePart[] = []

  add(source: Buffer, start = 0, end = source.length): void {
    this.parts.push({ bytes: source.subarray(start, end) })
  }

  /** Adds a show, behind its id if shows have keys, and behind a comma unless it is the first. */
  addShow(doc: number, isFirst: boolean, keyedBy?: number): void {
    this.parts.push({ doc, prefix: showPrefix(keyedBy).slice(isFirst ? 1 : 0) })
  }
}

/** What is to be rendered, with the catalog version that it was found in. */
interface LargeQuery {
  readonly page: LargePage
  readonly options: RenderOptions
  readonly contentHash: string
}

/** A large response. */
interface RenderedLarge {
  readonly body: ResponseBody
  readonly validUntil: number
  readonly contentHash: string
}

/**
 * Renders responses that are too large for one turn of the event loop in slices, between which other requests are handled.
 * All slices are of one catalog version. One response is rendered at a time, so that many of them take no larger share.
 */
export class LargeResponses {
  private readonly catalog: Catalog
  private readonly mutex = new Mutex()
  private heldBytes = 0
  private wake: (() => void) | undefined

  constructor(catalog: Catalog) {
    this.catalog = catalog
  }

  /**
   * Renders a response in its turn.
   * @param find finds what is to be rendered, in the turn of the event loop in which rendering begins; undefined if it is gone
   */
  render(find: () => LargeQuery | undefined): Promise<RenderedLarge | undefined> {
    return this.mutex.run(async () => {
      while (this.heldBytes > MAX_HELD_BYTES) {
        await new Promise<void>((resolve) => {
          this.wake = resolve
        })
      }
      const found = find()
      if (found === undefined) return undefined
      const { page, options, contentHash } = found
      const snapshot = new DocumentSnapshot(this.catalog.environment, this.catalog.dictionary)
      try {
        const { chunks, validUntil } = await renderSlices(page, options, new ShowRenderer(snapshot))
        return { body: this.hold(chunks), validUntil, contentHash }
      } finally {
        snapshot.close()
      }
    })
  }

  /** Counts the bytes of a body until it is released. */
  private hold(chunks: readonly Buffer[]): ResponseBody {
    const [bytes = Buffer.alloc(0), ...rest] = chunks
    const size = chunks.reduce((sum, { length }) => sum + length, 0)
    this.heldBytes += size
    const release = () => {
      this.heldBytes -= size
      this.wake?.()
    }
    return { bytes, rest, release }
  }
}

async function renderSlices(
  { parts }: LargePage,
  options: RenderOptions,
  renderer: ShowRenderer,
): Promise<{ readonly chunks: readonly Buffer[]; readonly validUntil: number }> {
  const chunks: Buffer[] = []
  const slice = new ByteWriter(2 * SLICE_BYTES)
  // Holds the records of a show, too.
  const out = new ByteWriter(4 * SLICE_BYTES)
  let validUntil = Number.POSITIVE_INFINITY
  const add = async (bytes: Buffer) => {
    slice.bytes(bytes)
    if (slice.position < SLICE_BYTES) return
    chunks.push(slice.toBuffer())
    slice.reset()
    await nextTurn()
  }
  for (const part of parts) {
    if (part.doc === undefined) {
      await add(part.bytes)
      continue
    }
    const show = renderer.begin(out, part.doc, options, part.prefix)
    for (;;) {
      renderer.writeMore(out, show, show.start + SLICE_BYTES)
      await add(out.view(show.start))
      if (show.rest === undefined) break
      out.truncate(show.start)
    }
    if (show.validUntil < validUntil) validUntil = show.validUntil
  }
  chunks.push(slice.toBuffer())
  return { chunks, validUntil }
}
