import { MessageChannel, type MessagePort, receiveMessageOnPort, Worker } from 'node:worker_threads'
import { DamagedCatalogError } from '../storage/environment.ts'
import type { TermChanges, TermTables, TextIndex } from './posting-deltas.ts'
import type { ShowTexts } from './terms.ts'
import type {
  FlushCounters,
  PostingWrites,
  SpellingWrites,
  TextIndexAnswer,
  TextIndexFailure,
  TextIndexSetup,
  TextIndexTask,
} from './text-index-thread.ts'

/** Documents per message to the thread. A transaction with fewer new ones does without the thread. */
const DOCUMENTS_PER_MESSAGE = 500

/** The posting lists that the thread sends at once. */
const CHUNK_BYTES = 4 * 1024 * 1024

/** A thread that has not answered for so long has died. */
const MAX_WAIT_MS = 600_000

/**
 * Indexes texts in a thread of its own, while the thread of the transaction parses and writes documents. It starts with the first
 * large transaction, and ends when they are small again.
 */
export class TextIndexer implements TextIndex {
  isUsed = false
  private readonly dataDirectory: string
  private readonly chunkBytes: number
  private thread: IndexThread | undefined
  private documents: [doc: number, texts: ShowTexts][] = []

  constructor(dataDirectory: string, chunkBytes = CHUNK_BYTES) {
    this.dataDirectory = dataDirectory
    this.chunkBytes = chunkBytes
  }

  begin(): void {
    this.thread?.abandonFlush()
    if (!this.isUsed) void this.stop()
    this.isUsed = false
    this.documents = []
  }

  add(doc: number, texts: ShowTexts): void {
    this.documents.push([doc, pickTexts(texts)])
    if (this.documents.length === DOCUMENTS_PER_MESSAGE) this.sendDocuments()
  }

  takeDocuments(): Iterable<readonly [doc: number, texts: ShowTexts]> {
    const { documents } = this
    this.documents = []
    return documents
  }

  startFlush(version: number, changes: TermChanges): void {
    this.sendDocuments().startFlush(version, changes)
  }

  finishFlush({ postings, spellings }: TermTables): void {
    const thread = this.thread as IndexThread
    for (;;) {
      const { result } = thread.waitForAnswer()
      if ('error' in result) throw toError(result)
      if ('keys' in result) {
        writeSpellings(spellings, result)
        return
      }
      writePostings(postings, result)
      thread.countTaken()
    }
  }

  /** Ends the thread once it has closed the catalog. */
  async stop(): Promise<void> {
    const { thread } = this
    this.thread = undefined
    await thread?.stop()
  }

  private sendDocuments(): IndexThread {
    if (this.thread?.isRunning !== true) this.thread = new IndexThread(this.dataDirectory, this.chunkBytes)
    if (!this.isUsed) this.thread.send({ kind: 'begin' })
    this.isUsed = true
    this.thread.send({ kind: 'add', documents: this.documents })
    this.documents = []
    return this.thread
  }
}

/** The thread, with which this one talks while it is within a transaction, and so without its event loop. */
class IndexThread {
  isRunning = true
  private readonly worker: Worker
  private readonly ended: Promise<void>
  private readonly port: MessagePort
  private readonly counters: FlushCounters = { sent: sharedNumber(), taken: sharedNumber(), awaited: sharedNumber() }
  /** The number of the last flush. */
  private flushes = 0

  constructor(dataDirectory: string, chunkBytes: number) {
    const { port1, port2 } = new MessageChannel()
    const setup: TextIndexSetup = { dataDirectory, port: port2, counters: this.counters, chunkBytes }
    this.port = port1
    this.worker = new Worker(new URL('./text-index-thread.js', import.meta.url), {
      workerData: setup,
      transferList: [port2],
    })
    // An error of the thread is one of the transaction that waits for it, which gets no answer.
    this.worker.on('error', () => {})
    this.ended = new Promise((resolve) => {
      this.worker.once('exit', () => {
        this.isRunning = false
        resolve()
      })
    })
    // Neither keeps the process alive.
    this.worker.unref()
    this.port.unref()
  }

  send(task: TextIndexTask): void {
    this.port.postMessage(task)
  }

  startFlush(version: number, changes: TermChanges): void {
    Atomics.store(this.counters.awaited, 0, ++this.flushes)
    this.send({ kind: 'flush', id: this.flushes, version, changes })
  }

  /** Lets the thread end a flush whose transaction was rolled back: nobody takes its chunks. */
  abandonFlush(): void {
    Atomics.store(this.counters.awaited, 0, 0)
    Atomics.notify(this.counters.taken, 0)
  }

  /** Counts a chunk as taken: the thread may send another one. */
  countTaken(): void {
    Atomics.add(this.counters.taken, 0, 1)
    Atomics.notify(this.counters.taken, 0)
  }

  async stop(): Promise<void> {
    this.abandonFlush()
    this.worker.ref()
    this.port.close()
    await this.ended
  }

  /** The next part of the answer to the last flush. */
  waitForAnswer(): TextIndexAnswer {
    const { sent } = this.counters
    for (;;) {
      const seen = Atomics.load(sent, 0)
      const answer = receiveMessageOnPort(this.port)?.message as TextIndexAnswer | undefined
      // A transaction that was rolled back may have left an earlier answer.
      if (answer?.id === this.flushes) return answer
      if (answer === undefined && Atomics.wait(sent, 0, seen, MAX_WAIT_MS) === 'timed-out') {
        throw new Error('The thread that indexes texts does not answer')
      }
    }
  }
}

function sharedNumber(): Int32Array {
  return new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))
}

function toError({ error, damage }: TextIndexFailure): Error {
  return damage === undefined ? new Error(error) : new DamagedCatalogError(damage.table, damage.problem)
}

/** The fields that the index needs: what is sent is copied. */
function pickTexts(show: ShowTexts): ShowTexts {
  const { showType, year, originalLanguage, title, originalTitle, overview, aliases, cast, directors, creators } = show
  const translations: Record<string, { title: string; overview: string }> = {}
  for (const language in show.translations) {
    const { title, overview } = show.translations[language] as { title: string; overview: string }
    translations[language] = { title, overview }
  }
  return {
    showType,
    title,
    originalTitle,
    overview,
    cast,
    translations,
    ...(year !== undefined && { year }),
    ...(originalLanguage !== undefined && { originalLanguage }),
    ...(aliases !== undefined && { aliases }),
    ...(directors !== undefined && { directors }),
    ...(creators !== undefined && { creators }),
  }
}

function writePostings(table: TermTables['postings'], { terms, starts, ends, lists }: PostingWrites): void {
  const bytes = Buffer.from(lists.buffer, lists.byteOffset, lists.byteLength)
  for (let i = 0; i < terms.length; i++) {
    const [start, end] = [starts[i] as number, ends[i] as number]
    if (end > start) table.putSync(terms[i] as string, bytes.subarray(start, end))
    else table.removeSync(terms[i] as string)
  }
}

function writeSpellings(table: TermTables['spellings'], { keys, values }: SpellingWrites): void {
  for (let i = 0; i < keys.length; i++) {
    const value = values[i] as string
    if (value !== '') table.putSync(keys[i] as string, value)
    else table.removeSync(keys[i] as string)
  }
}
