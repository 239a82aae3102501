import { performance } from 'node:perf_hooks'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Catalog } from '../catalog/catalog.ts'
import { DocumentSnapshot } from '../catalog/documents/document-snapshot.ts'
import { EMPTY_SET, RoaringBitmap32 } from '../catalog/index/doc-set.ts'
import { term } from '../catalog/index/terms.ts'
import { currentToken, resolveToken, type TokenParameter, toInvalidTokenError } from '../query/changes/journal-token.ts'
import type { ExportQuery } from '../query/queries.ts'
import { createUncachedPrinter, type ShowPrinter, SLICE_BYTES } from './printer/show-printer.ts'
import type { RenderOptions } from './render-options.ts'

/** How much is rendered in one turn of the event loop: about a tenth of a millisecond of work. */
const LINES_BYTES = 32 * 1024

/** How much there is between two checkpoints. */
const CHECKPOINT_BYTES = 128 * 1024

/** How long an export may hold its snapshot. What is left then is another request, by the cursor of the last line. */
const MAX_EXPORT_MS = 10 * 60_000

/** An export that was opened. */
export interface OpenExport {
  /** Lines of JSON, many in a chunk. A chunk is rendered when it is asked for, and valid until the next one is. */
  readonly chunks: AsyncIterable<Buffer>
  /** Releases the snapshot; to be called in any case, more than once if need be. */
  close(): void
}

/**
 * Opens an export of a country, of one catalog version. Its lines:
 *   {"kind":"export",…}       first; `since` is the token of its version
 *   a show                    one for each that can be watched in the country, or was altered after `since`
 *   {"kind":"remove",…}       with `since`: a show that can no longer be watched there
 *   {"kind":"checkpoint",…}   now and then: a `cursor` from which the export can go on after an interruption
 *   {"kind":"end",…}          last; where `complete` is false, with a `cursor` for the rest
 * An export that goes on at a later version keeps the token of its first part: what was altered between the two comes
 * with the next export since that token.
 */
export function openExport(
  catalog: Catalog,
  query: ExportQuery,
  options: RenderOptions,
  pacer: ExportPacer,
  maxMs = MAX_EXPORT_MS,
): OpenExport {
  // First `since`: without it, no cursor of the export is of use.
  const { shown, removed } = findDocs(catalog, query)
  const resumed = query.cursor === undefined ? undefined : decodeCursor(catalog, query.cursor)
  const token = resumed?.token ?? currentToken(catalog)
  const snapshot = new DocumentSnapshot(catalog.environment, catalog.dictionary)
  const lines = new ExportLines(snapshot, options)
  const startedAt = pacer.now()

  async function* chunks(): AsyncIterable<Buffer> {
    const { country, granularity, language, since } = query
    const head = { kind: 'export', country, seriesGranularity: granularity, outputLanguage: language }
    lines.add({ ...head, ...(since !== undefined && { from: since }), since: token })
    let sliceStartedAt = pacer.now()
    let sinceCheckpoint = 0
    const docs = RoaringBitmap32.orMany([shown, removed]).toUint32Array()
    for (let i = docs.findIndex((doc) => doc >= (resumed?.doc ?? 0)); i >= 0 && i < docs.length; i++) {
      const doc = docs[i] as number
      if (removed.size === 0 || shown.has(doc)) {
        lines.beginShow(doc)
        while (!lines.addToShow()) {
          const workedMs = pacer.now() - sliceStartedAt
          sinceCheckpoint += lines.size
          yield lines.take()
          sliceStartedAt = await pacer.rest(workedMs)
        }
      } else lines.add({ kind: 'remove', id: snapshot.documents.facts(doc)?.id })
      if (lines.size < LINES_BYTES || i === docs.length - 1) continue
      sinceCheckpoint += lines.size
      if (sinceCheckpoint >= CHECKPOINT_BYTES) {
        sinceCheckpoint = 0
        const cursor = `${token}:${docs[i + 1]}`
        if (pacer.now() - startedAt >= maxMs) {
          lines.add({ kind: 'end', complete: false, shows: lines.shows, cursor })
          yield lines.take()
          return
        }
        lines.add({ kind: 'checkpoint', cursor })
      }
      const workedMs = pacer.now() - sliceStartedAt
      // Goes on when the client has taken it, which may be long after.
      yield lines.take()
      sliceStartedAt = await pacer.rest(workedMs)
    }
    lines.add({ kind: 'end', complete: true, shows: lines.shows })
    yield lines.take()
  }

  return { chunks: chunks(), close: () => snapshot.close() }
}

const EXPORT_SINCE: TokenParameter = {
  name: 'since',
  needs: 'documents',
  unreadable: 'cannot be read; send the one of an earlier export, or none to get the whole of the country',
  expired:
    'What happened after the token in "since" is no longer kept, or not known here. Start again: get the whole of ' +
    'the country from /catalog/export, without "since".',
}

/** The cursor holds the token of the export that it continues. */
const EXPORT_CURSOR: TokenParameter = {
  name: 'cursor',
  needs: 'documents',
  unreadable: 'cannot be read; send that of the last line received',
  expired:
    'The cursor is of an export that is older than what is kept, or not known here. Start again: send the request to ' +
    '/catalog/export without a cursor.',
}

/** The documents of an export: shows to print, and shows that left the country. */
function findDocs(catalog: Catalog, { country, since }: ExportQuery) {
  const version = catalog.version()
  const inCountry = catalog.docsWithTerm(term.country(country), version)
  if (since === undefined) return { shown: inCountry, removed: EMPTY_SET }
  const { version: first } = resolveToken(catalog, since, EXPORT_SINCE)
  const altered = catalog.journal.docsAfter(first - 1, country)
  const removed = RoaringBitmap32.andNot(altered, inCountry)
  // Reference data is printed in every show.
  if (catalog.journal.hasReferenceChangeAfter(first - 1)) return { shown: inCountry, removed }
  return { shown: RoaringBitmap32.and(altered, inCountry), removed }
}

/** The token and the next document of a cursor. Its token must still be valid: the next export goes on from there. */
function decodeCursor(catalog: Catalog, cursor: string): { readonly token: string; readonly doc: number } {
  const match = /^([0-9a-z.]{3,60}):(\d{1,10})$/.exec(cursor)
  if (match === null) throw toInvalidTokenError(EXPORT_CURSOR, EXPORT_CURSOR.unreadable)
  const [, token, doc] = match as unknown as [string, string, string]
  resolveToken(catalog, token, EXPORT_CURSOR)
  return { token, doc: Number(doc) }
}

/** Lines of JSON in the making. */
class ExportLines {
  shows = 0
  private readonly printer: ShowPrinter
  /** Whether what was printed was taken, so that the next line begins a new chunk. */
  private isTaken = false
  private isWhole: boolean | undefined = true

  constructor(snapshot: DocumentSnapshot, options: RenderOptions) {
    this.printer = createUncachedPrinter(snapshot)
    this.printer.setOptions(options)
  }

  get size(): number {
    return this.isTaken ? 0 : this.printer.size
  }

  add(line: object): void {
    this.beginChunk()
    this.printer.addText(`${JSON.stringify(line)}\n`)
  }

  beginShow(doc: number): void {
    this.beginChunk()
    this.isWhole = this.printer.beginShow(doc)
  }

  /** Adds some of the show that was begun; returns whether it is whole now. */
  addToShow(): boolean {
    const { printer } = this
    this.beginChunk()
    if (this.isWhole !== true) this.isWhole = printer.printSeasons(printer.size + SLICE_BYTES)
    if (!this.isWhole) return false
    printer.addText('\n')
    this.shows++
    return true
  }

  /**
   * The lines so far, valid until others are added. A buffer for each chunk would be megabytes of external memory a second,
   * and a major garbage collection for every few of them.
   */
  take(): Buffer {
    this.isTaken = true
    return this.printer.view()
  }

  private beginChunk(): void {
    if (this.isTaken) this.printer.truncate(0)
    this.isTaken = false
  }
}

/** The share of the event loop that all exports together take while there is other work. */
const MAX_SHARE = 0.4

/** A turn of the event loop that takes less had no other work. */
const MIN_BUSY_TURN_MS = 0.05

/** The clock and the event loop; other ones in tests. */
interface EventLoop {
  readonly now: () => number
  readonly nextTurn: () => Promise<unknown>
}

/**
 * Lets the requests of a process go on beside its exports. An export works in slices; after each, it rests for as many turns
 * of the event loop as others need for their share, and at once goes on where nobody else has work.
 */
export class ExportPacer {
  /** Exports that are open. */
  count = 0
  private readonly loop: EventLoop

  constructor(loop: EventLoop = { now: () => performance.now(), nextTurn: () => nextTurn() }) {
    this.loop = loop
  }

  /** Rests after a slice of work, in milliseconds; returns the instant of `now` at which the next one begins. */
  async rest(workedMs: number): Promise<number> {
    const { now } = this.loop
    const needed = workedMs * (Math.max(1, this.count) / MAX_SHARE - 1)
    const restedAt = now()
    for (let before = restedAt; ; ) {
      await this.loop.nextTurn()
      const after = now()
      if (after - before < MIN_BUSY_TURN_MS || after - restedAt >= needed) return after
      before = after
    }
  }

  now(): number {
    return this.loop.now()
  }
}
