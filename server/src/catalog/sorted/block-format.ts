import { ByteReader, type ByteWriter } from '../storage/byte-stream.ts'

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
