import type { Database } from 'lmdb'
import { crc32 } from '../../lib/bytes.ts'
import { ByteReader, ByteWriter } from '../storage/byte-stream.ts'
import { DamagedCatalogError } from '../storage/environment.ts'

/** The directory entry of a block. A seek compares keys in the directory, and reads one block only. */
export interface BlockInfo<Key> {
  readonly number: number
  /** Entries of the block and its delta block; one that replaces another is counted twice until they are merged. */
  readonly count: number
  /** The smallest key of the block and its delta block. */
  readonly first: Key
  /** The delta block: a few entries that were added after the block was written. Absent where there are none. */
  readonly delta?: { readonly number: number; readonly count: number }
}

/** The blocks of a list in key order. */
export interface BlockDirectory<Key> {
  /** The catalog version at which the list last changed. */
  readonly changedAt: number
  readonly blocks: readonly BlockInfo<Key>[]
}

/** How entries of one kind are ordered, and how a block of them is laid out in memory and on disk. */
export interface BlockFormat<Key, Entry extends Key, Block> {
  compare(a: Key, b: Key): number
  count(block: Block): number
  first(block: Block): Key
  entries(block: Block): Entry[]
  /** The index of the first entry of a block that is not before a key. */
  lowerBound(block: Block, key: Key): number
  /** The memory that a decoded block takes, about. */
  estimateBytes(block: Block): number
  /** A block (or none) without the removed keys and with the added entries, both given in order. */
  merge(block: Block | undefined, removed: readonly Key[], added: readonly Entry[]): Block
  slice(block: Block, start: number, end: number): Block
  /** The most entries of a delta block. With 0 there are none, and counts in the directory are exact. */
  readonly maxDeltaEntries: number
  /** Whether entries are mostly added behind the last one: then blocks are filled, up to a page. Others have room between them. */
  readonly growsAtEnd?: boolean
  encode(out: ByteWriter, block: Block, list: string): void
  decode(input: ByteReader, list: string): Block
  /** Compresses an encoded block, where that is worth the time. Delta blocks stay uncompressed. */
  compress?(bytes: Buffer): Buffer
  decompress?(compressed: Buffer): Buffer
  encodeKey(out: ByteWriter, key: Key): void
  decodeKey(input: ByteReader): Key
}

type KeyFormat<Key> = Pick<BlockFormat<Key, Key, unknown>, 'encodeKey' | 'decodeKey'>

/*
 * A directory on disk:
 *   uint32  the catalog version at which the list last changed
 *   varint  count of blocks; for each
 *     varint  number, entries; key: the smallest; varint: entries of the delta block, [its number]
 */

export function encodeDirectory<Key>(
  out: ByteWriter,
  { changedAt, blocks }: BlockDirectory<Key>,
  format: KeyFormat<Key>,
): void {
  out.uint32(changedAt)
  out.varint(blocks.length)
  for (const { number, count, first, delta } of blocks) {
    out.varint(number)
    out.varint(count)
    format.encodeKey(out, first)
    out.varint(delta?.count ?? 0)
    if (delta !== undefined) out.varint(delta.number)
  }
}

export function decodeDirectory<Key>(buffer: Buffer, format: KeyFormat<Key>): BlockDirectory<Key> {
  const input = new ByteReader(buffer)
  const changedAt = input.uint32()
  const blocks = Array.from({ length: input.varint() }, (): BlockInfo<Key> => {
    const [number, count, first] = [input.varint(), input.varint(), format.decodeKey(input)]
    const deltaCount = input.varint()
    if (deltaCount === 0) return { number, count, first }
    return { number, count, first, delta: { count: deltaCount, number: input.varint() } }
  })
  return { changedAt, blocks }
}

/** The version of an encoded directory, without decoding the rest. */
export function directoryVersion(buffer: Buffer): number {
  return buffer.readUInt32LE(0)
}

/** The record that holds the next free block number. */
const COUNTER = 0

/** A block is followed by its CRC-32. */
const CHECKSUM_BYTES = 4

/** Encoded blocks by number. A number is never used twice, so a block under a number never changes. */
export class BlockTable<Key, Entry extends Key, Block> {
  private readonly format: BlockFormat<Key, Entry, Block>
  private readonly table: Database<Buffer, number>
  private readonly hasChecksums: boolean
  private readonly out = new ByteWriter(16 * 1024)

  constructor(
    format: BlockFormat<Key, Entry, Block>,
    { blocks, hasChecksums }: { readonly blocks: Database<Buffer, number>; readonly hasChecksums: boolean },
  ) {
    this.format = format
    this.table = blocks
    this.hasChecksums = hasChecksums
  }

  /** A block with its delta block merged in. */
  readMerged(list: string, { number, delta }: BlockInfo<Key>): Block {
    const { format } = this
    const stored = this.get(number)
    const block = this.decode(format.decompress === undefined ? stored : format.decompress(stored), list)
    return delta === undefined ? block : format.merge(block, [], format.entries(this.readDelta(list, delta.number)))
  }

  readDelta(list: string, number: number): Block {
    return this.decode(this.get(number), list)
  }

  write(list: string, number: number, block: Block): void {
    this.put(number, this.encodeStored(block, list))
  }

  /** The bytes that a block would be stored in, without its checksum. */
  measure(list: string, block: Block): number {
    return this.encodeStored(block, list).length
  }

  writeDelta(list: string, number: number, block: Block): void {
    this.put(number, this.encode(block, list))
  }

  delete(number: number): void {
    this.table.removeSync(number)
  }

  nextNumber(): number {
    const counter = this.table.getBinaryFast(COUNTER) as Buffer | undefined
    return counter === undefined ? 1 : counter.readUInt32LE(0)
  }

  /** The numbers of all blocks, in order. */
  *numbers(): Iterable<number> {
    yield* this.table.getKeys({ start: COUNTER + 1 })
  }

  setNextNumber(number: number): void {
    const counter = Buffer.allocUnsafe(4)
    counter.writeUInt32LE(number)
    this.table.putSync(COUNTER, counter)
  }

  /** The bytes of a block, valid until the next are read. */
  view(number: number): Buffer {
    const stored = this.table.getBinaryFast(number) as Buffer | undefined
    return this.check(number, stored?.subarray(0, stored.length))
  }

  private get(number: number): Buffer {
    return this.check(number, this.table.getBinary(number) as Buffer | undefined)
  }

  /** The bytes of a block without its checksum. */
  private check(number: number, stored: Buffer | undefined): Buffer {
    if (stored === undefined) throw new DamagedCatalogError('blocks', `block ${number} is missing`)
    if (!this.hasChecksums) return stored
    const bytes = stored.subarray(0, stored.length - CHECKSUM_BYTES)
    if (crc32(bytes) !== stored.readUInt32LE(bytes.length)) {
      throw new DamagedCatalogError('blocks', `block ${number} does not have its checksum`)
    }
    return bytes
  }

  private put(number: number, bytes: Buffer): void {
    const stored = Buffer.allocUnsafe(bytes.length + CHECKSUM_BYTES)
    bytes.copy(stored)
    stored.writeUInt32LE(crc32(bytes), bytes.length)
    this.table.putSync(number, stored)
  }

  private encodeStored(block: Block, list: string): Buffer {
    const bytes = this.encode(block, list)
    return this.format.compress === undefined ? bytes : this.format.compress(bytes)
  }

  /** The encoded block; valid until the next one is encoded. */
  private encode(block: Block, list: string): Buffer {
    this.format.encode(this.out.reset(), block, list)
    return this.out.view()
  }

  private decode(bytes: Buffer, list: string): Block {
    return this.format.decode(new ByteReader(bytes), list)
  }
}

/** The most entries of a block. */
const MAX_BLOCK_ENTRIES = 512

/** A block that is split is filled to this part, so that it has room to grow. */
const SPLIT_FILL = 0.7

/**
 * What a block of a list that grows at its end may take: LMDB gives a value of this size a page of its own, and one that is larger
 * another page. Some is left, since blocks differ from the sample by which their size is estimated.
 */
const FULL_BLOCK_BYTES = 0.92 * (4096 - 24 - CHECKSUM_BYTES)
const SAMPLE_ENTRIES = 256

/** So many entries are not divided, however large they are. */
const MIN_PAGE_ENTRIES = 64

/** A delta block pays only where it saves the block from being rewritten for at least this many commits. */
const MIN_COMMITS_PER_REWRITE = 4

/** Builds the new directory of a list block by block. Old blocks are replaced by new ones under new numbers. */
export class BlockRewriter<Key, Entry extends Key, Block> {
  /** The blocks of the new directory so far. */
  readonly blocks: BlockInfo<Key>[] = []
  private readonly format: BlockFormat<Key, Entry, Block>
  private readonly table: BlockTable<Key, Entry, Block>
  private readonly list: string
  private readonly firstNumber: number
  private nextNumber: number

  constructor(format: BlockFormat<Key, Entry, Block>, table: BlockTable<Key, Entry, Block>, list: string) {
    this.format = format
    this.table = table
    this.list = list
    this.firstNumber = table.nextNumber()
    this.nextNumber = this.firstNumber
  }

  /** Keeps a block as it is. */
  keep(info: BlockInfo<Key>): void {
    this.blocks.push(info)
  }

  delete({ number, delta }: BlockInfo<Key>): void {
    this.table.delete(number)
    if (delta !== undefined) this.table.delete(delta.number)
  }

  /** Adds and removes entries of a block; few that are only added go into its delta block. */
  update(
    info: BlockInfo<Key> | undefined,
    removed: readonly Key[],
    added: readonly Entry[],
    position: 'last' | 'inner',
  ): void {
    if (info !== undefined && removed.length === 0 && this.fitsDelta(info, added.length)) this.addToDelta(info, added)
    else this.rewrite(info, removed, added, position)
  }

  /** Writes a block again (without one: the first), merged with its delta block, and split where it is too large. */
  rewrite(
    info: BlockInfo<Key> | undefined,
    removed: readonly Key[],
    added: readonly Entry[],
    position: 'last' | 'inner',
  ): void {
    const { format, table, list } = this
    const merged = format.merge(info === undefined ? undefined : table.readMerged(list, info), removed, added)
    if (info !== undefined) this.delete(info)
    const count = format.count(merged)
    const size = this.blockSize(merged, count, position)
    for (let start = 0; start < count; start += size) {
      const end = Math.min(start + size, count)
      const block = size >= count ? merged : format.slice(merged, start, end)
      const number = this.nextNumber++
      table.write(list, number, block)
      this.blocks.push({ number, count: end - start, first: format.first(block) })
    }
  }

  /** How many entries each block gets when so many are to be written. */
  private blockSize(merged: Block, count: number, position: 'last' | 'inner'): number {
    const fillsPages = this.format.growsAtEnd === true
    const most = fillsPages ? this.entriesPerPage(merged, count) : MAX_BLOCK_ENTRIES
    if (count <= most) return count
    if (fillsPages && position === 'last') return most
    return Math.ceil(count / Math.ceil(count / (most * SPLIT_FILL)))
  }

  /** How many entries fill a page, by the size of the first ones. */
  private entriesPerPage(merged: Block, count: number): number {
    const { format, table, list } = this
    if (count <= MIN_PAGE_ENTRIES) return MIN_PAGE_ENTRIES
    const sample = Math.min(count, SAMPLE_ENTRIES)
    const bytes = table.measure(list, format.slice(merged, 0, sample))
    const fitting = Math.floor((FULL_BLOCK_BYTES * sample) / bytes)
    return Math.max(MIN_PAGE_ENTRIES, Math.min(fitting, MAX_BLOCK_ENTRIES))
  }

  /** Saves the number counter. To be called once, at the end. */
  finish(): void {
    if (this.nextNumber > this.firstNumber) this.table.setNextNumber(this.nextNumber)
  }

  private fitsDelta({ delta }: BlockInfo<Key>, added: number): boolean {
    const { maxDeltaEntries } = this.format
    return added <= maxDeltaEntries / MIN_COMMITS_PER_REWRITE && (delta?.count ?? 0) + added <= maxDeltaEntries
  }

  private addToDelta(info: BlockInfo<Key>, added: readonly Entry[]): void {
    const { format, table, list } = this
    const { delta } = info
    const merged = format.merge(delta && table.readDelta(list, delta.number), [], added)
    if (delta !== undefined) table.delete(delta.number)
    const number = this.nextNumber++
    table.writeDelta(list, number, merged)
    const first = format.first(merged)
    this.blocks.push({
      number: info.number,
      count: info.count + added.length,
      first: format.compare(first, info.first) < 0 ? first : info.first,
      delta: { number, count: format.count(merged) },
    })
  }
}
