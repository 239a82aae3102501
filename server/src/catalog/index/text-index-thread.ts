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
  /** One number: how many flushes the thread has answered. */
  readonly answered: Int32Array
}

export type TextIndexTask =
  /** A transaction begins. What the one before has added, and not flushed, was rolled back. */
  | { readonly kind: 'begin' }
  | { readonly kind: 'add'; readonly documents: readonly (readonly [doc: number, texts: ShowTexts])[] }
  | { readonly kind: 'flush'; readonly id: number; readonly version: number; readonly changes: TermChanges }

/** The answer to a flush: what is to be written, or why the thread could not tell. */
export interface TextIndexAnswer {
  readonly id: number
  readonly result: TextIndexWrites | TextIndexFailure
}

export interface TextIndexWrites {
  readonly postings: PostingWrites
  readonly spellings: SpellingWrites
}

interface TextIndexFailure {
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

const INITIAL_BYTES = 1 << 20

/** Reads posting lists, and collects what is written. Each term is written once, so none is read again after that. */
class CollectedPostings implements UpdatableTable<Buffer> {
  private readonly table: UpdatableTable<Buffer>
  private readonly ranges: { readonly term: string; readonly start: number; readonly end: number }[] = []
  private lists = new Uint8Array(INITIAL_BYTES)
  private length = 0

  constructor(table: UpdatableTable<Buffer>) {
    this.table = table
  }

  getBinaryFast(term: string): Buffer | undefined {
    return this.table.getBinaryFast(term)
  }

  putSync(term: string, list: Buffer): void {
    const end = this.length + list.length
    if (end > this.lists.length) {
      const larger = new Uint8Array(Math.max(end, 2 * this.lists.length))
      larger.set(this.lists)
      this.lists = larger
    }
    this.lists.set(list, this.length)
    this.ranges.push({ term, start: this.length, end })
    this.length = end
  }

  removeSync(term: string): void {
    this.ranges.push({ term, start: this.length, end: this.length })
  }

  /** In ascending order: an empty table then gets full pages. */
  writes(): PostingWrites {
    const sorted = this.ranges.sort((a, b) => (a.term < b.term ? -1 : 1))
    return {
      terms: sorted.map(({ term }) => term),
      starts: sorted.map(({ start }) => start),
      ends: sorted.map(({ end }) => end),
      lists: this.lists.subarray(0, this.length),
    }
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

const { dataDirectory, port, answered } = workerData as TextIndexSetup
const environment = openEnvironment(dataDirectory, { readOnly: true })
let deltas = new PostingDeltas()

/** The error of a task of this transaction, which its flush answers with. */
let failure: unknown

function runTask(task: TextIndexTask): void {
  if (task.kind === 'begin') deltas = new PostingDeltas()
  else if (task.kind === 'add') for (const [doc, texts] of task.documents) deltas.addTexts(doc, texts)
  else answer({ id: task.id, result: flush(task.version, task.changes) })
}

function flush(version: number, changes: TermChanges): TextIndexWrites {
  // The other thread is within its transaction: what was committed last is what that one has begun with.
  environment.root.resetReadTxn()
  const postings = new CollectedPostings(environment.postings)
  const spellings = new CollectedSpellings(environment.spellings)
  deltas.addChanges(changes)
  deltas.flush({ postings, spellings }, version)
  deltas = new PostingDeltas()
  // A snapshot that stays open keeps the pages of later commits from being reused.
  environment.root.resetReadTxn()
  return { postings: postings.writes(), spellings: spellings.writes() }
}

function answer(message: TextIndexAnswer): void {
  port.postMessage(message)
  Atomics.add(answered, 0, 1)
  Atomics.notify(answered, 0)
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
  }
  if (failure === undefined || task.kind !== 'flush') return
  answer({ id: task.id, result: describeFailure(failure) })
})
port.on('close', () => void environment.root.close())
