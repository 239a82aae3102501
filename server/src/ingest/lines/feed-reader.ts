import { isAscii } from 'node:buffer'
import { on } from 'node:events'
import { Worker } from 'node:worker_threads'
import { DIGEST_LENGTH } from '../../catalog/documents/seen-records.ts'
import type { FeedLine, TextLine } from './feed-lines.ts'
import type { ChunkTaken, FeedChunk, FeedReaderSetup, SentText } from './feed-reader-thread.ts'
import type { LineDigest } from './line-digest.ts'
import type { PreparedLine } from './prepared-line.ts'
import { LineShortener, type ShortenedLine, TrackLists } from './track-lists.ts'

const CHUNK_BYTES = 1024 * 1024

/** About as many lines as a commit has are read while the one before is made. */
const MAX_WAITING_CHUNKS = 48

/** Reads the lines of a file in a thread of its own, which also digests and shortens them. */
export class FeedReader {
  /** The bytes of the file up to the lines that were taken last. */
  bytesRead = 0
  private readonly setup: FeedReaderSetup
  private readonly shortener = new LineShortener()
  /** The lists that the thread has cut out, as far as they are known here. */
  private lists = new TrackLists()

  constructor(path: string, limits: Partial<Omit<FeedReaderSetup, 'path'>> = {}) {
    this.setup = { path, chunkBytes: CHUNK_BYTES, maxWaitingChunks: MAX_WAITING_CHUNKS, ...limits }
  }

  async *lines(): AsyncGenerator<FeedLine> {
    const thread = new Worker(new URL('./feed-reader-thread.js', import.meta.url), { workerData: this.setup })
    try {
      // An error of the thread is thrown here.
      for await (const [message] of on(thread, 'message', { close: ['exit'] })) {
        const sent = message as FeedChunk
        const chunk = new ReceivedChunk(sent, this.knownLists(sent), this.shortener)
        this.bytesRead = sent.bytesRead
        yield* chunk.lines()
        if (sent.isLast) return
        thread.postMessage({ shortens: chunk.shortenedLines >= sent.lines.length / 2 } satisfies ChunkTaken)
      }
      throw new Error('The thread that reads the feed has ended before the feed')
    } finally {
      await thread.terminate()
    }
  }

  /** The lists that a chunk's lines refer to. */
  private knownLists({ firstNumber, newLists }: FeedChunk): TrackLists {
    if (this.lists.firstNumber !== firstNumber) this.lists = new TrackLists(firstNumber)
    for (const text of newLists) this.lists.add(text)
    return this.lists
  }
}

/** Lines that the thread has sent. */
class ReceivedChunk {
  readonly bytes: Buffer
  readonly lists: TrackLists
  /** For lines that were not sent shortened. */
  readonly shortener: LineShortener
  /** The lines that were wanted shortened. */
  shortenedLines = 0
  private readonly sent: FeedChunk['lines']

  constructor({ lines, bytes }: FeedChunk, lists: TrackLists, shortener: LineShortener) {
    this.sent = lines
    this.bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    this.lists = lists
    this.shortener = shortener
  }

  *lines(): Iterable<FeedLine> {
    for (const line of this.sent) yield 'start' in line ? new ReadLine(this, line) : line
  }
}

/** A line of a chunk. Its text is decoded when it is used: that of an unchanged record never is. */
class ReadLine implements TextLine, PreparedLine {
  readonly prepared = this
  private readonly chunk: ReceivedChunk
  private readonly sent: SentText

  constructor(chunk: ReceivedChunk, sent: SentText) {
    this.chunk = chunk
    this.sent = sent
  }

  get line(): number {
    return this.sent.line
  }

  get size(): number {
    return this.sent.size
  }

  get digest(): LineDigest | undefined {
    const { start, idHint } = this.sent
    if (idHint === undefined) return undefined
    return { digest: this.chunk.bytes.subarray(start - DIGEST_LENGTH, start), idHint }
  }

  get text(): string {
    const { sent, chunk } = this
    const text = decode(chunk.bytes, sent)
    return sent.shortenedLength === undefined ? text : chunk.lists.restore(text)
  }

  shorten(): ShortenedLine {
    const { sent, chunk } = this
    const { shortenedLength: length } = sent
    chunk.shortenedLines++
    if (length === undefined) return chunk.shortener.shorten(this.text)
    const { bytes, lists } = chunk
    return {
      length,
      lists,
      get text() {
        return decode(bytes, sent)
      },
    }
  }
}

function decode(chunk: Buffer, { start, end }: SentText): string {
  const bytes = chunk.subarray(start, end)
  // Most lines are ASCII, which is decoded in a fraction of the time.
  return bytes.toString(isAscii(bytes) ? 'latin1' : 'utf8')
}
