import { closeSync, readSync } from 'node:fs'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import {
  BIG_DATA,
  checkDataFile,
  DamagedFileError,
  LEAF_PAGE,
  type MetaPage,
  NO_PAGE,
  NODE,
  NODE_HEADER_BYTES,
  openIfExists,
  PAGE,
  PAGE_HEADER_BYTES,
  readCurrentMeta,
} from './lmdb-file.ts'

/* More of the layout of an LMDB file; see lmdb-file.ts. */
const PAGE_TRANSACTION = 8
const PAGE_UPPER = 22
const BRANCH_PAGE = 0x01
const OVERFLOW_PAGE = 0x04
/** Flag of a node whose data is the record of a named tree. */
const SUB_TREE = 0x02
/** Where a meta page has the records of the free list and of the main tree. */
const TREE_RECORDS = [48, 96]
const TREE = { flags: 4, depth: 6, entries: 32, root: 40, bytes: 48 }
/** Flag of a tree whose keys are numbers in the order of the machine. */
const INTEGER_KEYS = 0x08
const FIRST_DATA_PAGE = 2

/** A commit of another process may reuse pages while they are read: then they are read again, so many times. */
const MAX_ATTEMPTS = 5

/** What is wrong with a page. */
class PageError extends Error {}

/** Thrown when there is no time to read more pages. */
class TimeUpError extends Error {}

/** How many pages are read between two looks at the clock. */
const PAGES_PER_LOOK = 256

/**
 * Throws if the data file in the folder of an LMDB environment is cut off, or its structure damaged.
 * @param maxMs how long pages are read; a damaged one behind those is not found
 */
export function checkPages(folder: string, maxMs = Number.POSITIVE_INFINITY): void {
  checkDataFile(folder)
  const deadline = performance.now() + maxMs
  const problem = findPageDamage(folder, () => {
    if (performance.now() > deadline) throw new TimeUpError()
  })
  if (problem !== undefined) throw new DamagedFileError(join(folder, 'data.mdb'), problem)
}

/** Does the same in a thread, since a file of some hundred megabytes takes a second, and much longer on a cold disk. */
export function checkPagesInThread(folder: string): Promise<void> {
  checkDataFile(folder)
  const thread = new Worker(new URL('./page-check-thread.js', import.meta.url), { workerData: folder })
  thread.unref()
  return new Promise((resolve, reject) => {
    thread.once('error', reject)
    thread.once('message', (problem: string) => {
      if (problem === '') resolve()
      else reject(new DamagedFileError(join(folder, 'data.mdb'), problem))
    })
  })
}

/**
 * Checks the structure of an LMDB file, and returns what is wrong with the first damaged page; undefined if there is none.
 * Every page must have its number, and every tree its order, depth and count of entries. LMDB itself checks none of that, and a
 * process that follows a damaged page through it may die of a signal or miss keys. Values are not looked at.
 */
export function findPageDamage(folder: string, lookAtClock: () => void): string | undefined {
  const file = openIfExists(join(folder, 'data.mdb'))
  if (file === undefined) return undefined
  try {
    for (let attempt = 1; ; attempt++) {
      const meta = readCurrentMeta(file)
      if (meta === undefined) return 'it was overwritten or cut off within its first two pages'
      const problem = checkAllPages(file, meta, lookAtClock)
      const isSettled = readCurrentMeta(file)?.transaction === meta.transaction
      if (problem === undefined || isSettled) return problem
      // The service commits all the time, and no check was left alone.
      if (attempt === MAX_ATTEMPTS) return undefined
    }
  } finally {
    closeSync(file)
  }
}

function checkAllPages(file: number, meta: MetaPage, lookAtClock: () => void): string | undefined {
  try {
    new PageCheck(file, meta, lookAtClock).run()
    return undefined
  } catch (error) {
    if (error instanceof TimeUpError) return undefined
    // A RangeError is an offset beyond its page.
    if (error instanceof PageError || error instanceof RangeError) return error.message
    throw error
  }
}

/** A key in the bytes of a page. */
interface Key {
  readonly page: Buffer
  readonly start: number
  readonly end: number
}

/** A range of keys: from the first on, up to and without the second. */
interface KeyRange {
  readonly from: Key | undefined
  readonly until: Key | undefined
}

const ALL_KEYS: KeyRange = { from: undefined, until: undefined }

type CompareKeys = (a: Key, b: Key) => number

class PageCheck {
  private readonly file: number
  private readonly meta: MetaPage
  /** Pages of trees that were read: no page has two parents. */
  private readonly seen: Uint8Array
  private readonly lookAtClock: () => void
  private pagesRead = 0

  constructor(file: number, meta: MetaPage, lookAtClock: () => void) {
    this.file = file
    this.meta = meta
    this.lookAtClock = lookAtClock
    this.seen = new Uint8Array(meta.lastPage + 1)
  }

  run(): void {
    const bytes = this.read(this.meta.offset, this.meta.pageSize, 'the meta page')
    for (const at of TREE_RECORDS) this.checkTree(bytes.subarray(at, at + TREE.bytes))
  }

  private checkTree(record: Buffer): void {
    if (record.length < TREE.bytes) throw new PageError('the record of a table is damaged')
    const root = record.readBigUInt64LE(TREE.root)
    const expected = Number(record.readBigUInt64LE(TREE.entries))
    const depth = record.readUInt16LE(TREE.depth)
    const compare = (record.readUInt16LE(TREE.flags) & INTEGER_KEYS) !== 0 ? compareNumbers : compareBytes
    const found = root === NO_PAGE ? 0 : this.checkPage(Number(root), depth, compare, ALL_KEYS)
    if (found !== expected) throw new PageError(`a table has ${found} entries instead of ${expected}`)
  }

  /** Checks a page and all below it; returns the count of entries. */
  private checkPage(number: number, depth: number, compare: CompareKeys, range: KeyRange): number {
    const page = this.readPage(number, this.meta.pageSize)
    this.markSeen(number, 1)
    const isLeaf = depth === 1
    if (page.readUInt16LE(PAGE.flags) !== (isLeaf ? LEAF_PAGE : BRANCH_PAGE))
      throw damaged(number, 'is of another kind')
    const [lower, upper] = [page.readUInt16LE(PAGE.lower), page.readUInt16LE(PAGE_UPPER)]
    if (lower % 2 !== 0 || lower === 0 || lower > upper || upper > page.length - PAGE_HEADER_BYTES) {
      throw damaged(number, 'has a damaged header')
    }
    const count = lower >> 1
    const keys: Key[] = []
    for (let i = 0; i < count; i++) {
      const pointer = page.readUInt16LE(PAGE_HEADER_BYTES + 2 * i)
      const start = PAGE_HEADER_BYTES + pointer + NODE_HEADER_BYTES
      const key = { page, start, end: start + page.readUInt16LE(start - NODE_HEADER_BYTES + NODE.keyBytes) }
      if (pointer < upper || key.end > page.length) throw damaged(number, 'has a damaged entry')
      keys.push(key)
      if (isLeaf) this.checkEntry(key, number)
    }
    // The first key of a branch page stands for all that are smaller, and is not looked at.
    const first = isLeaf ? 0 : 1
    for (let i = first; i < count; i++) {
      const key = keys[i] as Key
      const previous = i === first ? range.from : keys[i - 1]
      const order = previous === undefined ? -1 : compare(previous, key)
      if (order > 0 || (order === 0 && i > first)) throw damaged(number, 'has keys that are out of order')
    }
    const last = keys[count - 1] as Key
    if (count > first && range.until !== undefined && compare(last, range.until) >= 0) {
      throw damaged(number, 'has keys of another page')
    }
    if (isLeaf) return count
    return keys.reduce((entries, key, i) => {
      const from = i === 0 ? range.from : key
      return entries + this.checkPage(childNumber(key), depth - 1, compare, { from, until: keys[i + 1] ?? range.until })
    }, 0)
  }

  /** Checks the data of an entry: it must end within its page, or be on pages of its own. */
  private checkEntry({ page, start, end }: Key, number: number): void {
    const node = start - NODE_HEADER_BYTES
    const flags = page.readUInt16LE(node + NODE.flags)
    const bytes = page.readUInt16LE(node + NODE.low) + page.readUInt16LE(node + NODE.high) * 0x1_0000
    if ((flags & ~(BIG_DATA | SUB_TREE)) !== 0) throw damaged(number, 'has a damaged entry')
    if ((flags & BIG_DATA) !== 0) {
      const first = Number(page.readBigUInt64LE(end))
      const header = this.readPage(first, PAGE_HEADER_BYTES)
      if (header.readUInt16LE(PAGE.flags) !== OVERFLOW_PAGE) throw damaged(first, 'is of another kind')
      this.markSeen(first, Math.ceil((PAGE_HEADER_BYTES + bytes) / this.meta.pageSize))
    } else if (end + bytes > page.length) throw damaged(number, 'has a damaged entry')
    else if ((flags & SUB_TREE) !== 0) this.checkTree(page.subarray(end, end + bytes))
  }

  /** Reads a page, or the start of one. It must be the page that it says it is. */
  private readPage(number: number, length: number): Buffer {
    if (++this.pagesRead % PAGES_PER_LOOK === 0) this.lookAtClock()
    const { pageSize, lastPage, transaction } = this.meta
    if (!(number >= FIRST_DATA_PAGE && number <= lastPage)) throw new PageError(`there is no page ${number}`)
    const page = this.read(number * pageSize, length, `page ${number}`)
    const isOwn = page.readBigUInt64LE(PAGE.number) === BigInt(number)
    if (!isOwn || page.readBigUInt64LE(PAGE_TRANSACTION) > transaction) {
      throw damaged(number, 'was overwritten, or swapped with another')
    }
    return page
  }

  private markSeen(first: number, count: number): void {
    for (let number = first; number < first + count; number++) {
      if (this.seen[number] !== 0) throw damaged(number, 'is missing, or in two places of the tree')
      this.seen[number] = 1
    }
  }

  private read(offset: number, length: number, what: string): Buffer {
    const bytes = Buffer.allocUnsafe(length)
    if (readSync(this.file, bytes, 0, length, offset) < length) throw new PageError(`${what} is missing`)
    return bytes
  }
}

function damaged(page: number, problem: string): PageError {
  return new PageError(`page ${page} ${problem}`)
}

/** The page that an entry of a branch page leads to. */
function childNumber({ page, start }: Key): number {
  const node = start - NODE_HEADER_BYTES
  const low = page.readUInt16LE(node + NODE.low) + page.readUInt16LE(node + NODE.high) * 0x1_0000
  return low + page.readUInt16LE(node + NODE.flags) * 0x1_0000_0000
}

function compareBytes(a: Key, b: Key): number {
  const length = Math.min(a.end - a.start, b.end - b.start)
  for (let i = 0; i < length; i++) {
    const difference = (a.page[a.start + i] as number) - (b.page[b.start + i] as number)
    if (difference !== 0) return difference
  }
  return a.end - a.start - (b.end - b.start)
}

/** Compares keys that are numbers of 4 or 8 bytes. Those of another length are damaged, and not in order. */
function compareNumbers(a: Key, b: Key): number {
  if (a.end - a.start !== b.end - b.start) return 1
  if (a.end - a.start === 4) return a.page.readUInt32LE(a.start) - b.page.readUInt32LE(b.start)
  return Number(a.page.readBigUInt64LE(a.start) - b.page.readBigUInt64LE(b.start))
}
