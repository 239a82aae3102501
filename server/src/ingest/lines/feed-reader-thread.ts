import { once } from 'node:events'
import { createReadStream } from 'node:fs'
import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import { type FeedLine, readFeedLines, type TextLine } from './feed-lines.ts'
import { digestLine } from './line-digest.ts'
import { LineShortener, NO_LISTS, type TrackLists } from './track-lists.ts'

/* The program of the thread that reads a feed. It digests and shortens the lines, and sends them in chunks. */

/** What the thread starts with. */
export interface FeedReaderSetup {
  readonly path: string
  /** The bytes of lines that are sent at once. */
  readonly chunkBytes: number
  /** The chunks that may wait to be taken. */
  readonly maxWaitingChunks: number
  /** The lists of a table of lists that were cut out. */
  readonly maxLists?: number | undefined
}

/** Some lines of a feed. */
export interface FeedChunk {
  readonly lines: readonly SentLine[]
  /** The texts of the lines in UTF-8, each behind its digest. */
  readonly bytes: Uint8Array
  /** The table of the lists that were cut out, and the texts of those that are new in it. */
  readonly firstNumber: number
  readonly newLists: readonly string[]
  /** The bytes of the file that were read so far. */
  readonly bytesRead: number
  readonly isLast: boolean
}

export type SentLine = SentText | Exclude<FeedLine, TextLine>

/** A line with some text, which is between two positions in the bytes of its chunk. */
export interface SentText {
  readonly line: number
  /** The length of the whole line in bytes. */
  readonly size: number
  readonly start: number
  readonly end: number
  /** The id of the digest, if there is one. */
  readonly idHint: string | undefined
  /** The length of the shortened text in characters; undefined if the text is the whole line. */
  readonly shortenedLength: number | undefined
}

/** The answer to each chunk but the last. */
export interface ChunkTaken {
  /** Whether lines should come shortened: those that were seen before are not parsed, so for them it is of no use. */
  readonly shortens: boolean
}

/** The most lines that are sent at once, also of those that have no text. */
const MAX_CHUNK_LINES = 10_000

/** The most bytes of a character of a JavaScript string in UTF-8. */
const MAX_CHARACTER_BYTES = 3

const { path, chunkBytes, maxWaitingChunks, maxLists } = workerData as FeedReaderSetup
const port = parentPort as MessagePort
const stream = createReadStream(path, { highWaterMark: 1 << 18 })
const shortener = new LineShortener(maxLists)
let shortens = true
let waitingChunks = 0

/** The table of the lists that were cut out of the lines of this chunk, and how many of them were sent. */
let { lists } = shortener
let sentLists = 0

let lines: SentLine[] = []
let bytes = Buffer.allocUnsafeSlow(chunkBytes)
let used = 0

port.on('message', (answer: ChunkTaken) => {
  waitingChunks--
  shortens = answer.shortens
})

for await (const line of readFeedLines(stream)) {
  if ('text' in line) await addText(line)
  else lines.push(line)
  if (lines.length === MAX_CHUNK_LINES) await send(false)
}
await send(true)
port.close()

async function addText(whole: TextLine): Promise<void> {
  const { line, bytes: utf8 = Buffer.from(whole.text) } = whole
  const digest = digestLine(whole)
  const shortened = shortens ? shortener.shorten(whole.text) : undefined
  const maxBytes = shortened === undefined ? utf8.length : shortened.length * MAX_CHARACTER_BYTES
  if (shortened !== undefined) await useLists(shortened.lists)
  await makeRoom(maxBytes + (digest?.digest.length ?? 0))
  used += digest?.digest.copy(bytes, used) ?? 0
  const start = used
  used += shortened === undefined ? utf8.copy(bytes, used) : bytes.write(shortened.text, used)
  const { idHint } = digest ?? {}
  lines.push({ line, size: utf8.length, start, end: used, idHint, shortenedLength: shortened?.length })
}

/** Sends the lines if there is no room for so many bytes behind them. */
async function makeRoom(size: number): Promise<void> {
  if (used + size <= bytes.length) return
  if (lines.length > 0) await send(false)
  if (size > bytes.length) bytes = Buffer.allocUnsafeSlow(size)
}

/** Sends the lines if their lists are those of another table. */
async function useLists(table: TrackLists): Promise<void> {
  if (table === lists || table === NO_LISTS) return
  if (lines.length > 0) await send(false)
  lists = table
  sentLists = 0
}

/** Sends the lines, once few enough chunks are waiting. */
async function send(isLast: boolean): Promise<void> {
  while (waitingChunks >= maxWaitingChunks) await once(port, 'message')
  const { firstNumber, texts } = lists
  const newLists = texts.slice(sentLists)
  const chunk: FeedChunk = { lines, bytes, firstNumber, newLists, bytesRead: stream.bytesRead, isLast }
  port.postMessage(chunk, [bytes.buffer as ArrayBuffer])
  waitingChunks++
  sentLists = texts.length
  lines = []
  bytes = Buffer.allocUnsafeSlow(chunkBytes)
  used = 0
}
