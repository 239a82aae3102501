import type { Database } from 'lmdb'
import { LRUCache } from 'lru-cache'
import { ByteReader } from './codec/byte-reader.ts'
import { ByteWriter } from './codec/byte-writer.ts'

/** What a column is sorted by: a number, or a text in the byte order of its UTF-8 form. */
export type SortValue = number | string

/** A document's place in a column: by value, then by show id. */
export interface ColumnEntry {
  readonly value: SortValue
  readonly id: number
  readonly doc: number
}

/** A place in a column, whether or not something stands there. */
export type Position = Pick<ColumnEntry, 'value' | 'id'>

/** A run of entries in order. Blocks never change: a changed run is a new block, so decoded ones can be kept. */
export interface Block {
  readonly values: readonly SortValue[] | Float64Array
  readonly ids: Float64Array
  readonly docs: Uint32Array
}

/** What is known of a block without reading it. */
interface BlockInfo {
  readonly number: number
  readonly count: number
  readonly first: Position
}

export interface Directory {
  readonly changedAt: number
  readonly blocks: readonly BlockInfo[]
}

const LARGEST_BLOCK = 512
const EMPTY_DIRECTORY: Directory = { changedAt: 0, blocks: [] }

/** Compares texts by the byte order of their UTF-8 form, which is the order of code points. */
export function compareUtf8(a: string, b: string): number {
  const length = Math.min(a.length, b.length)
  for (let i = 0; i < length; i++) {
    const x = a.charCodeAt(i)
    const y = b.charCodeAt(i)
    if (x === y) continue
    // Halves of characters beyond the basic plane come after all others.
    const xHigh = x >= 0xd800 && x <= 0xdfff
    const yHigh = y >= 0xd800 && y <= 0xdfff
    return xHigh === yHigh ? x - y : xHigh ? 1 : -1
  }
  return a.length - b.length
}

export function compareValues(a: SortValue, b: SortValue): number {
  return typeof a === 'number' ? a - (b as number) : compareUtf8(a, b as string)
}

export function comparePositions(a: Position, b: Position): number {
  return compareValues(a.value, b.value) || a.id - b.id
}

/** Sorted columns on disk: for each a directory of blocks, and the blocks. */
export class SortedColumns {
  private readonly directoryTable: Database<Buffer, string>
  private readonly blockTable: Database<Buffer, number>
  private readonly directories = new LRUCache<string, Directory & { checkedAt: number }>({ max: 2_000 })
  private readonly decodedBlocks = new LRUCache<number, Block>({
    maxSize: 64 * 1024 * 1024,
    sizeCalculation: ({ docs, values }) => 200 + docs.length * (values instanceof Float64Array ? 20 : 80),
  })

  constructor(directoryTable: Database<Buffer, string>, blockTable: Database<Buffer, number>) {
    this.directoryTable = directoryTable
    this.blockTable = blockTable
  }

  /** The blocks of a column as of the given catalog version. */
  directory(column: string, version: number): Directory {
    const known = this.directories.get(column)
    if (known !== undefined && known.checkedAt === version) return known
    const stored = this.directoryTable.getBinaryFast(column) as Buffer | undefined
    if (stored === undefined) return EMPTY_DIRECTORY
    if (known !== undefined && known.changedAt === stored.readUInt32LE(0)) {
      known.checkedAt = version
      return known
    }
    const directory = { ...decodeDirectory(stored), checkedAt: version }
    this.directories.set(column, directory)
    return directory
  }

  block(number: number): Block {
    let block = this.decodedBlocks.get(number)
    if (block === undefined) {
      const stored = this.blockTable.getBinaryFast(number) as Buffer | undefined
      if (stored === undefined) throw new Error(`The catalog lacks block ${number}`)
      block = decodeBlock(stored)
      this.decodedBlocks.set(number, block)
    }
    return block
  }

  /**
   * Takes entries out of a column and puts others in, rewriting only the blocks that they fall into. Only within a
   * write transaction.
   */
  update(column: string, removed: readonly Position[], added: readonly ColumnEntry[], version: number): void {
    const stored = this.directoryTable.getBinaryFast(column) as Buffer | undefined
    const old = stored === undefined ? [] : decodeDirectory(stored).blocks
    const removals = [...removed].sort(comparePositions)
    const additions = [...added].sort(comparePositions)
    const blocks: BlockInfo[] = []
    let r = 0
    let a = 0
    for (let b = 0; b < Math.max(old.length, 1); b++) {
      const info = old[b]
      const end = old[b + 1]?.first
      const rStart = r
      const aStart = a
      while (r < removals.length && (end === undefined || comparePositions(removals[r] as Position, end) < 0)) r++
      while (a < additions.length && (end === undefined || comparePositions(additions[a] as Position, end) < 0)) a++
      if (info !== undefined && r === rStart && a === aStart) {
        blocks.push(info)
        continue
      }
      const kept = info === undefined ? [] : without(entriesOf(this.block(info.number)), removals.slice(rStart, r))
      if (info !== undefined) this.blockTable.removeSync(info.number)
      for (const run of runsOf(merge(kept, additions.slice(aStart, a)))) blocks.push(this.writeBlock(run))
    }
    if (blocks.length === 0) this.directoryTable.removeSync(column)
    else this.directoryTable.putSync(column, encodeDirectory(blocks, version))
  }

  /** Forgets what a transaction that was rolled back may have left in memory. */
  forget(): void {
    this.decodedBlocks.clear()
    this.directories.clear()
  }

  private writeBlock(entries: readonly ColumnEntry[]): BlockInfo {
    const number = this.nextNumber()
    this.blockTable.putSync(number, encodeBlock(entries))
    const { value, id } = entries[0] as ColumnEntry
    return { number, count: entries.length, first: { value, id } }
  }

  private nextNumber(): number {
    // Number 0 holds the counter, so that a number is never given twice, not even after its block is gone.
    const counter = this.blockTable.getBinaryFast(0) as Buffer | undefined
    const next = counter === undefined ? 1 : counter.readUInt32LE(0)
    const buffer = Buffer.allocUnsafe(4)
    buffer.writeUInt32LE(next + 1)
    this.blockTable.putSync(0, buffer)
    return next
  }
}

function entriesOf({ values, ids, docs }: Block): ColumnEntry[] {
  return Array.from(docs, (doc, i) => ({ value: values[i] as SortValue, id: ids[i] as number, doc }))
}

function without(entries: readonly ColumnEntry[], removals: readonly Position[]): ColumnEntry[] {
  let r = 0
  return entries.filter((entry) => {
    while (r < removals.length && comparePositions(removals[r] as Position, entry) < 0) r++
    return r >= removals.length || comparePositions(removals[r] as Position, entry) !== 0
  })
}

function merge(a: readonly ColumnEntry[], b: readonly ColumnEntry[]): ColumnEntry[] {
  const merged: ColumnEntry[] = []
  let i = 0
  for (const entry of b) {
    while (i < a.length && comparePositions(a[i] as ColumnEntry, entry) < 0) merged.push(a[i++] as ColumnEntry)
    merged.push(entry)
  }
  while (i < a.length) merged.push(a[i++] as ColumnEntry)
  return merged
}

/** Entries cut into even runs that leave each block room to grow. */
function* runsOf(entries: readonly ColumnEntry[]): Iterable<readonly ColumnEntry[]> {
  if (entries.length === 0) return
  const count = entries.length <= LARGEST_BLOCK ? 1 : Math.ceil(entries.length / (LARGEST_BLOCK * 0.7))
  for (let i = 0; i < count; i++) {
    yield entries.slice(Math.floor((i * entries.length) / count), Math.floor(((i + 1) * entries.length) / count))
  }
}

const TEXTS = 0
const WHOLE_NUMBERS = 1
const NUMBERS = 2

function encodeBlock(entries: readonly ColumnEntry[]): Buffer {
  const out = new ByteWriter(entries.length * 12 + 16)
  const first = (entries[0] as ColumnEntry).value
  const form =
    typeof first === 'string'
      ? TEXTS
      : entries.every(({ value }) => Number.isSafeInteger(value) && (value as number) >= 0)
        ? WHOLE_NUMBERS
        : NUMBERS
  out.byte(form)
  out.varint(entries.length)
  let previous = 0
  for (const { value } of entries) {
    if (form === TEXTS) out.sizedText(value as string)
    else if (form === NUMBERS) out.float64(value as number)
    else {
      out.varint((value as number) - previous)
      previous = value as number
    }
  }
  for (const { id, doc } of entries) {
    out.varint(id)
    out.varint(doc)
  }
  return out.finish()
}

function decodeBlock(buffer: Buffer): Block {
  const input = new ByteReader(buffer)
  const form = input.byte()
  const count = input.varint()
  let values: string[] | Float64Array
  if (form === TEXTS) {
    values = Array.from({ length: count }, () => input.sizedText())
  } else {
    values = new Float64Array(count)
    let previous = 0
    for (let i = 0; i < count; i++) {
      previous = form === NUMBERS ? input.float64() : previous + input.varint()
      values[i] = previous
    }
  }
  const ids = new Float64Array(count)
  const docs = new Uint32Array(count)
  for (let i = 0; i < count; i++) {
    ids[i] = input.varint()
    docs[i] = input.varint()
  }
  return { values, ids, docs }
}

function encodeDirectory(blocks: readonly BlockInfo[], version: number): Buffer {
  const out = new ByteWriter(blocks.length * 24 + 16)
  out.uint32(version)
  out.varint(blocks.length)
  for (const { number, count, first } of blocks) {
    out.varint(number)
    out.varint(count)
    if (typeof first.value === 'string') {
      out.byte(TEXTS)
      out.sizedText(first.value)
    } else {
      out.byte(NUMBERS)
      out.float64(first.value)
    }
    out.varint(first.id)
  }
  return out.finish()
}

function decodeDirectory(buffer: Buffer): Directory {
  const input = new ByteReader(buffer)
  const changedAt = input.uint32()
  const blocks = Array.from({ length: input.varint() }, (): BlockInfo => {
    const number = input.varint()
    const count = input.varint()
    const value = input.byte() === TEXTS ? input.sizedText() : input.float64()
    return { number, count, first: { value, id: input.varint() } }
  })
  return { changedAt, blocks }
}
