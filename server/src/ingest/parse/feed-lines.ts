import { isAscii, isUtf8 } from 'node:buffer'
import { Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import type { NoticeCode } from '../notice.ts'

/** A line of a feed, or what is wrong with it, or, where it is made from another format, what is to be told of it. */
export type FeedLine =
  | { readonly line: number; readonly text: string }
  | {
      readonly line: number
      /** Something could not be read: what the feed lacks proves nothing. */
      readonly problem: 'line_too_long' | 'invalid_utf8' | 'truncated_feed' | 'unreadable_line'
      readonly detail: string
    }
  | {
      readonly line: number
      /** Something was left out or taken otherwise, and nothing else follows from it. */
      readonly note: NoticeCode
      readonly detail: string
      readonly record?: string
    }

/** Lines beyond this are not records but damage. */
export const MAX_LINE_BYTES = 10 * 1024 * 1024

const NEWLINE = 0x0a

/**
 * The lines of a feed, plain or gzipped, with bounded memory. A feed that breaks off, in the middle of a line that
 * is no whole JSON or of the compressed data, ends with a `truncated_feed` problem.
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
    // Most lines are plain ASCII, which takes a fraction of the time to turn into text.
    const ascii = isAscii(bytes)
    if (!ascii && !isUtf8(bytes)) return { line, problem: 'invalid_utf8', detail: 'bytes that are no UTF-8 text' }
    const text = bytes.toString(ascii ? 'latin1' : 'utf8').trim()
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

function isWholeJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** The bytes of a feed, taken out of gzip if they begin as gzip does. */
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
    // Whoever has seen enough leaves no file open.
    source.destroy()
  }
}

/** What is to be said of an error that compressed data ends with when it breaks off or is damaged; others go on. */
export function describeGzipError(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException
  if (code?.startsWith('Z_') !== true) throw error
  return `the compressed data breaks off (${message})`
}
