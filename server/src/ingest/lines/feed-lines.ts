import { isAscii, isUtf8 } from 'node:buffer'
import { Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import type { NoticeCode } from '../import-report.ts'
import type { PreparedLine } from './prepared-line.ts'

/** A line of a feed with some text. */
export interface TextLine {
  readonly line: number
  readonly text: string
  /** The text in UTF-8, if it was read from a file. */
  readonly bytes?: Buffer
  /** What another thread has made of the line already. */
  readonly prepared?: PreparedLine
}

/** A line of a feed, or a problem or note in its place; connectors for other formats add notes. */
export type FeedLine =
  | TextLine
  | {
      readonly line: number
      /** Something could not be read, so that what the feed lacks is not a removal. */
      readonly problem: 'line_too_long' | 'invalid_utf8' | 'truncated_feed' | 'unreadable_line'
      readonly detail: string
      /** The column of a table that is at fault, and in how many rows it is. */
      readonly column?: string
      readonly count?: number
    }
  | {
      readonly line: number
      /** A connector left something out or changed it; the feed still counts as complete. */
      readonly note: NoticeCode
      readonly detail: string
      readonly record?: string
      /** The column of a table that it is about, and the number of its cells. */
      readonly column?: string
      readonly count?: number
    }

/** A longer line is skipped as damaged. */
export const MAX_LINE_BYTES = 10 * 1024 * 1024

const NEWLINE = 0x0a
const SPACE = 0x20
const DELETE = 0x7f

/**
 * A line that was read from a file. Its text is decoded when it is used: that of an unchanged record never is. The bytes
 * are also outside of the heap, where the collector need not copy them.
 */
class EncodedLine implements TextLine {
  readonly line: number
  readonly bytes: Buffer
  private readonly encoding: 'latin1' | 'utf8'

  constructor(line: number, bytes: Buffer, encoding: 'latin1' | 'utf8') {
    this.line = line
    this.bytes = bytes
    this.encoding = encoding
  }

  get text(): string {
    return this.bytes.toString(this.encoding)
  }
}

/**
 * Reads the lines of a feed, plain or gzipped, in bounded memory. If the feed is truncated, within the compressed data or
 * within a line so that its JSON is incomplete, the last item is a `truncated_feed` problem.
 */
export async function* readFeedLines(source: Readable): AsyncGenerator<FeedLine> {
  let line = 0
  let pieces: Buffer[] = []
  let size = 0
  let skipping = false

  const take = (): FeedLine | undefined => {
    line++
    const bytes = pieces.length === 1 ? (pieces[0] as Buffer) : Buffer.concat(pieces)
    const tooLong = size > MAX_LINE_BYTES
    const total = size
    pieces = []
    size = 0
    skipping = false
    if (tooLong) return { line, problem: 'line_too_long', detail: `${total} bytes, at most ${MAX_LINE_BYTES} are read` }
    // Most lines are ASCII, which is decoded in a fraction of the time.
    const ascii = isAscii(bytes)
    if (!ascii && !isUtf8(bytes)) return { line, problem: 'invalid_utf8', detail: 'bytes that are no UTF-8 text' }
    const encoding = ascii ? 'latin1' : 'utf8'
    if (startsAndEndsPrintable(bytes)) return new EncodedLine(line, bytes, encoding)
    const text = bytes.toString(encoding).trim()
    return text === '' ? undefined : { line, text: line === 1 ? text.replace(/^\ufeff/, '') : text }
  }

  try {
    for await (const chunk of decompress(source)) {
      let start = 0
      for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
        if (!skipping) pieces.push(chunk.subarray(start, end))
        size += end - start
        const taken = take()
        if (taken !== undefined) yield taken
        start = end + 1
      }
      size += chunk.length - start
      if (size > MAX_LINE_BYTES) {
        skipping = true
        pieces = []
      }
      if (!skipping && start < chunk.length) pieces.push(chunk.subarray(start))
    }
  } catch (error) {
    yield { line: line + 1, problem: 'truncated_feed', detail: describeGzipError(error) }
    return
  }
  if (size > 0) {
    const last = take()
    if (last === undefined) return
    if ('text' in last && !isWholeJson(last.text)) {
      yield { line: last.line, problem: 'truncated_feed', detail: 'the last line breaks off' }
    } else yield last
  }
}

/** Whether nothing is to be trimmed: a line of JSON starts and ends with ASCII other than spaces. */
function startsAndEndsPrintable(bytes: Buffer): boolean {
  const first = bytes[0] ?? SPACE
  const last = bytes.at(-1) ?? SPACE
  return first > SPACE && first < DELETE && last > SPACE && last < DELETE
}

function isWholeJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** The bytes of a feed, decompressed if they start with the magic number of gzip. */
export async function* decompress(source: Readable): AsyncGenerator<Buffer> {
  const iterator = source[Symbol.asyncIterator]() as AsyncIterator<Buffer>
  try {
    const first = await iterator.next()
    if (first.done === true) return
    const rest = async function* () {
      yield first.value
      for (let next = await iterator.next(); next.done !== true; next = await iterator.next()) yield next.value
    }
    if (first.value[0] !== 0x1f || first.value[1] !== 0x8b) {
      yield* rest()
      return
    }
    const gunzip = createGunzip({ chunkSize: 1 << 18 })
    const compressed = Readable.from(rest())
    compressed.on('error', (error) => gunzip.destroy(error))
    yield* compressed.pipe(gunzip)
  } finally {
    // Closes the file if the consumer stops early.
    source.destroy()
  }
}

/** Describes a zlib error of truncated or damaged data; throws any other error again. */
export function describeGzipError(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException
  if (code?.startsWith('Z_') !== true) throw error
  return `the compressed data breaks off (${message})`
}
