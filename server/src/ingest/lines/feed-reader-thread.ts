import { once } from 'node:events'
import { createReadStream } from 'node:fs'
import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import { type FeedLine, readFeedLines, type TextLine } from './feed-lines.ts'
import { digestLine } from './line-digest.ts'
import { LineShortener, NO_LISTS } from './track-lists.ts'

/* The program of the thread that reads a feed. It digests and shortens the lines, and sends them in chunks. */

/** What the thread starts with. */
export interface FeedReaderSetup {
  readonly path: string
  /** The bytes of lines that are sent at once. */
  readonly chunkBytes: number
  /** The chunks that may wait to be taken. */
  readonly maxWaitingChunks: number
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
  /** The length of the shortened text in characters. Absent if the text is the whole line. */
  readonly shortenedLength?: number
}

/** The answer to each chunk but the last. */
export interface ChunkTaken {
  /** Whether lines should come shortened: those that were seen before are not parsed, so for them it is of no use. */
  readonly shortens: boolean
}

/** The most bytes of a character of a JavaScript string in UTF-8. */
const MAX_CHARACTER_BYTES = 3

const { path, chunkBytes, maxWaitingChunks } = workerData as FeedReaderSetup
const port = parentPort as MessagePort
const stream = createReadStream(path, { highWaterMark: 1 << 18 })
const shortener = new LineShortener()
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
  if (!('text' in line)) lines.push(line)
  else if (line.bytes !== undefined && !shortens) await addWhole(line, line.bytes)
  else await addShortened(line)
}
await send(true)
port.close()

async function addWhole(whole: TextLine, text: Buffer): Promise<void> {
  const { line } = whole
  const digest = digestLine(whole)
  await makeRoom(text.length + (digest?.digest.length ?? 0))
  used += digest?.digest.copy(bytes, used) ?? 0
  const start = used
  used += text.copy(bytes, used)
  lines.push({ line, size: text.length, start, end: used, idHint: digest?.idHint })
}

async function addShortened(whole: TextLine): Promise<void> {
  const { line } = whole
  const digest = digestLine(whole)
  const shortened = shortener.shorten(whole.text)
  if (shortened.lists !== lists && shortened.lists !== NO_LISTS) {
    if (lines.length > 0) await send(false)
    lists = shortened.lists
    sentLists = 0
  }
  await makeRoom(shortened.length * MAX_CHARACTER_BYTES + (digest?.digest.length ?? 0))
  used += digest?.digest.copy(bytes, used) ?? 0
  const start = used
  used += bytes.write(shortened.text, used)
  const size = whole.bytes?.length ?? Buffer.byteLength(whole.text)
  lines.push({ line, size, start, end: used, idHint: digest?.idHint, shortenedLength: shortened.length })
}

async function makeRoom(size: number): Promise<void> {
  if (used + size <= bytes.length) return
  if (lines.length > 0) await send(false)
  if (size > bytes.length) bytes = Buffer.allocUnsafeSlow(size)
}

/** Sends the lines, once few enough chunks are waiting. */
async function send(isLast: boolean): Promise<void> {
  while (waitingChunks >= maxWaitingChunks) await once(port, 'message')
  const newLists = lists.texts.slice(sentLists)
  const { firstNumber } = lists
  const chunk: FeedChunk = { lines, bytes, firstNumber, newLists, bytesRead: stream.bytesRead, isLast }
  port.postMessage(chunk, [bytes.buffer as ArrayBuffer])
  waitingChunks++
  sentLists = lists.texts.length
  lines = []
  bytes = Buffer.allocUnsafeSlow(chunkBytes)
  used = 0
}
