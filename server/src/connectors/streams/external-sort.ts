import { closeSync, mkdtempSync, openSync, readSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** An entry to sort: a key without tabs and newlines, and a text without newlines. */
export interface SortEntry {
  readonly key: string
  readonly text: string
}

/** All entries of one key. */
export interface SortGroup {
  readonly key: string
  readonly texts: readonly string[]
  /** The total length of the texts. If it is over `MAX_GROUP_LENGTH`, some texts were dropped. */
  readonly size: number
}

/** Bounds the memory of a group; no valid group comes near it. */
export const MAX_GROUP_LENGTH = 64 * 1024 * 1024

/** Approximate bytes that are sorted in memory before a run is written to disk. */
const RUN_BYTES = 24 * 1024 * 1024

/** Approximate bytes of an entry beyond its characters. */
const ENTRY_OVERHEAD = 100

const CHUNK_BYTES = 1 << 18

/**
 * External merge sort by key, in bounded memory: sorted runs are written to files and merged by a heap on reading. It
 * is stable: entries of one key keep the order in which they were added.
 */
export class ExternalSort {
  private readonly scratch: ScratchFolder
  private readonly runBytes: number
  private readonly files: string[] = []
  private run: SortEntry[] = []
  private size = 0
  private added = 0
  private yielded = 0

  constructor(scratch: ScratchFolder, runBytes = RUN_BYTES) {
    this.scratch = scratch
    this.runBytes = runBytes
  }

  add(key: string, text: string): void {
    this.run.push({ key, text })
    this.added++
    this.size += key.length + text.length + ENTRY_OVERHEAD
    if (this.size >= this.runBytes) this.spill()
  }

  /** All entries in order. No entry may be added afterwards. */
  *sorted(): Generator<SortEntry> {
    this.yielded = 0
    sortRun(this.run)
    // The run in memory is the latest, so it comes last among equal keys.
    for (const entry of mergeRuns([...this.files.map(readRun), this.run[Symbol.iterator]()])) {
      this.yielded++
      yield entry
    }
  }

  /** The share of the entries that the latest iteration has read, from 0 to 1. */
  progress(): number {
    return this.added === 0 ? 0 : this.yielded / this.added
  }

  /** The entries in order, grouped by key. */
  *groups(): Generator<SortGroup> {
    let key: string | undefined
    let texts: string[] = []
    let size = 0
    for (const entry of this.sorted()) {
      if (entry.key !== key) {
        if (key !== undefined) yield { key, texts, size }
        key = entry.key
        texts = []
        size = 0
      }
      size += entry.text.length
      if (size <= MAX_GROUP_LENGTH) texts.push(entry.text)
    }
    if (key !== undefined) yield { key, texts, size }
  }

  /** Writes the run in memory to a file, sorted. */
  private spill(): void {
    sortRun(this.run)
    const path = this.scratch.newFile()
    const file = openSync(path, 'w')
    try {
      let block = ''
      for (const { key, text } of this.run) {
        block += `${key}\t${text}\n`
        if (block.length < CHUNK_BYTES) continue
        writeAll(file, block)
        block = ''
      }
      writeAll(file, block)
    } finally {
      closeSync(file)
    }
    this.files.push(path)
    this.run = []
    this.size = 0
  }
}

function sortRun(run: SortEntry[]): void {
  run.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0))
}

function writeAll(file: number, text: string): void {
  const bytes = Buffer.from(text)
  for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at)
}

/** Reads the entries of a run back, one chunk at a time. */
function* readRun(path: string): Generator<SortEntry> {
  const file = openSync(path, 'r')
  try {
    const chunk = Buffer.allocUnsafe(CHUNK_BYTES)
    let rest: Buffer = Buffer.alloc(0)
    for (let read = readSync(file, chunk); read > 0; read = readSync(file, chunk)) {
      const bytes = Buffer.concat([rest, chunk.subarray(0, read)])
      let start = 0
      for (let end = bytes.indexOf(0x0a); end >= 0; end = bytes.indexOf(0x0a, start)) {
        const tab = bytes.indexOf(0x09, start)
        yield { key: bytes.toString('utf8', start, tab), text: bytes.toString('utf8', tab + 1, end) }
        start = end + 1
      }
      rest = bytes.subarray(start)
    }
  } finally {
    closeSync(file)
  }
}

/** The next entry of a run. */
interface MergeHead {
  readonly entries: Iterator<SortEntry>
  readonly run: number
  entry: SortEntry
}

const precedes = (a: MergeHead, b: MergeHead) =>
  a.entry.key < b.entry.key || (a.entry.key === b.entry.key && a.run < b.run)

/** Merges sorted runs with a binary min-heap; among equal keys, entries of earlier runs come first. */
function* mergeRuns(runs: readonly Iterator<SortEntry>[]): Generator<SortEntry> {
  const heap: MergeHead[] = []
  const siftDown = (from: number) => {
    for (let at = from; ; ) {
      const [left, right] = [2 * at + 1, 2 * at + 2]
      let first = at
      if (left < heap.length && precedes(heap[left] as MergeHead, heap[first] as MergeHead)) first = left
      if (right < heap.length && precedes(heap[right] as MergeHead, heap[first] as MergeHead)) first = right
      if (first === at) return
      ;[heap[at], heap[first]] = [heap[first] as MergeHead, heap[at] as MergeHead]
      at = first
    }
  }
  try {
    runs.forEach((entries, run) => {
      const { done, value } = entries.next()
      if (done !== true) heap.push({ entries, run, entry: value })
    })
    for (let at = heap.length - 1; at >= 0; at--) siftDown(at)
    for (let top = heap[0]; top !== undefined; top = heap[0]) {
      yield top.entry
      const { done, value } = top.entries.next()
      if (done !== true) top.entry = value
      else {
        const last = heap.pop() as MergeHead
        if (last !== top) heap[0] = last
      }
      siftDown(0)
    }
  } finally {
    // Closes the files of runs that were not read to the end.
    for (const { entries } of heap) entries.return?.()
  }
}

/** A temporary folder for spilled data, created on first use. */
export class ScratchFolder {
  private folder: string | undefined
  private files = 0

  /** The path of a new file. */
  newFile(): string {
    this.folder ??= mkdtempSync(join(tmpdir(), 'marquee-scratch-'))
    return join(this.folder, String(this.files++))
  }

  /** Deletes the folder and its files. */
  remove(): void {
    if (this.folder !== undefined) rmSync(this.folder, { recursive: true, force: true })
    this.folder = undefined
  }
}
