import { type MessagePort, workerData } from 'node:worker_threads'
import { findDamage, openEnvironment, type UpdatableTable } from '../storage/environment.ts'
import { PostingDeltas, type TermChanges } from './posting-deltas.ts'
import type { ShowTexts } from './terms.ts'

/*
 * The program of the thread that updates the posting lists of text terms, and the spellings that are derived from them. It reads
 * the lists as they were last committed, and returns what is to be written: a transaction belongs to the thread that began it.
 */

/** What the thread starts with. */
export interface TextIndexSetup {
  readonly dataDirectory: string
  readonly port: MessagePort
  readonly counters: FlushCounters
  /** A chunk of posting lists that has as many bytes is sent. */
  readonly chunkBytes: number
}

/** What the two threads share of a flush; each number is for `Atomics`. */
export interface FlushCounters {
  /** The messages that the thread has sent. */
  readonly sent: Int32Array
  /** The chunks that were taken. */
  readonly taken: Int32Array
  /** The flush whose answer is waited for; 0 if none is. */
  readonly awaited: Int32Array
}

export type TextIndexTask =
  /** A transaction begins. What the one before has added, and not flushed, was rolled back. */
  | { readonly kind: 'begin' }
  | { readonly kind: 'add'; readonly documents: readonly (readonly [doc: number, texts: ShowTexts])[] }
  | { readonly kind: 'flush'; readonly id: number; readonly version: number; readonly changes: TermChanges }

/** A part of the answer to a flush: posting lists, chunk by chunk, and then the rest, or why the thread could not tell. */
export interface TextIndexAnswer {
  readonly id: number
  readonly result: PostingWrites | SpellingWrites | TextIndexFailure
}

export interface TextIndexFailure {
  readonly error: string
  readonly damage?: { readonly table: string; readonly problem: string }
}

/** Terms in ascending order, with their posting lists in one array. Where start and end are the same, the list is to be deleted. */
export interface PostingWrites {
  readonly terms: readonly string[]
  readonly starts: readonly number[]
  readonly ends: readonly number[]
  readonly lists: Uint8Array
}

/** Keys of the spellings in ascending order, with their values. Where one is empty, the key is to be deleted. */
export interface SpellingWrites {
  readonly keys: readonly string[]
  readonly values: readonly string[]
}

/** Chunks that wait to be written. In a large catalog, the lists that change in one transaction have hundreds of megabytes. */
const MAX_WAITING_CHUNKS = 16

/** The transaction that a flush belongs to was rolled back. */
class AbandonedFlushError extends Error {}

/**
 * Reads posting lists, and sends what is to be written, chunk by chunk. Each term is written once, so none is read again after that.
 */
class SentPostings implements UpdatableTable<Buffer> {
  private readonly table: UpdatableTable<Buffer>
  private readonly flushId: number
  private terms: string[] = []
  private starts: number[] = []
  private ends: number[] = []
  private lists = new Uint8Array(chunkBytes)
  private length = 0
  private sentChunks = 0

  constructor(table: UpdatableTable<Buffer>, flushId: number) {
    this.table = table
    this.flushId = flushId
    Atomics.store(counters.taken, 0, 0)
  }

  getBinaryFast(term: string): Buffer | undefined {
    return this.table.getBinaryFast(term)
  }

  putSync(term: string, list: Buffer): void {
    if (this.length + list.length > this.lists.length) this.send(list.length)
    this.lists.set(list, this.length)
    this.add(term, this.length + list.length)
  }

  removeSync(term: string): void {
    this.add(term, this.length)
  }

  /** Sends what is left. */
  finish(): void {
    if (this.terms.length > 0) this.send(0)
  }

  private add(term: string, end: number): void {
    this.terms.push(term)
    this.starts.push(this.length)
    this.ends.push(end)
    this.length = end
  }

  /** Sends the chunk, once few enough are waiting, and begins another one. */
  private send(minBytes: number): void {
    for (;;) {
      const taken = Atomics.load(counters.taken, 0)
      if (Atomics.load(counters.awaited, 0) !== this.flushId) throw new AbandonedFlushError()
      if (this.sentChunks - taken < MAX_WAITING_CHUNKS) break
      Atomics.wait(counters.taken, 0, taken)
    }
    const { terms, starts, ends, lists } = this
    answer({ id: this.flushId, result: { terms, starts, ends, lists } }, [lists.buffer])
    this.sentChunks++
    this.terms = []
    this.starts = []
    this.ends = []
    this.lists = new Uint8Array(Math.max(chunkBytes, minBytes))
    this.length = 0
  }
}

/** The same for spellings. */
class CollectedSpellings implements UpdatableTable<string> {
  private readonly table: UpdatableTable<string>
  private readonly keys: string[] = []
  private readonly values: string[] = []

  constructor(table: UpdatableTable<string>) {
    this.table = table
  }

  getBinaryFast(key: string): Buffer | undefined {
    return this.table.getBinaryFast(key)
  }

  putSync(key: string, value: string): void {
    this.keys.push(key)
    this.values.push(value)
  }

  removeSync(key: string): void {
    this.putSync(key, '')
  }

  writes(): SpellingWrites {
    return { keys: this.keys, values: this.values }
  }
}

const { dataDirectory, port, counters, chunkBytes } = workerData as TextIndexSetup
const environment = openEnvironment(dataDirectory, { readOnly: true })
let deltas = new PostingDeltas()

/** The error of a task of this transaction, which its flush answers with. */
let failure: unknown

function runTask(task: TextIndexTask): void {
  if (task.kind === 'begin') deltas = new PostingDeltas()
  else if (task.kind === 'add') for (const [doc, texts] of task.documents) deltas.addTexts(doc, texts)
  else answer({ id: task.id, result: flush(task.id, task.version, task.changes) })
}

/** Sends posting lists, and returns the rest of what is to be written. */
function flush(id: number, version: number, changes: TermChanges): SpellingWrites {
  // The other thread is within its transaction: what was committed last is what that one has begun with.
  environment.root.resetReadTxn()
  const postings = new SentPostings(environment.postings, id)
  const spellings = new CollectedSpellings(environment.spellings)
  deltas.addChanges(changes)
  deltas.flush({ postings, spellings }, version)
  deltas = new PostingDeltas()
  // A snapshot that stays open keeps the pages of later commits from being reused.
  environment.root.resetReadTxn()
  postings.finish()
  return spellings.writes()
}

function answer(message: TextIndexAnswer, transferred: ArrayBuffer[] = []): void {
  port.postMessage(message, transferred)
  Atomics.add(counters.sent, 0, 1)
  Atomics.notify(counters.sent, 0)
}

function describeFailure(error: unknown): TextIndexFailure {
  const { message } = error as Error
  const damage = findDamage(error)
  return { error: message, ...(damage && { damage: { table: damage.table, problem: damage.problem } }) }
}

port.on('message', (task: TextIndexTask) => {
  if (task.kind === 'begin') failure = undefined
  try {
    if (failure === undefined) runTask(task)
  } catch (error) {
    failure = error
    environment.root.resetReadTxn()
  }
  if (failure === undefined || task.kind !== 'flush' || failure instanceof AbandonedFlushError) return
  answer({ id: task.id, result: describeFailure(failure) })
})
port.on('close', () => void environment.root.close())
