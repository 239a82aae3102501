import type { Database } from 'lmdb'
import { crc32 } from '../../lib/crc32.ts'
import { ByteReader, ByteWriter } from '../storage/byte-stream.ts'
import { DamagedCatalogError } from '../storage/damage.ts'
import type { BlockFormat, BlockInfo } from './block-format.ts'

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
    const bytes = this.encode(block, list)
    this.put(number, this.format.compress === undefined ? bytes : this.format.compress(bytes))
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

  private get(number: number): Buffer {
    const stored = this.table.getBinary(number) as Buffer | undefined
    if (stored === undefined) throw new DamagedCatalogError('blocks', `block ${number} is missing`)
    if (!this.hasChecksums) return stored
    const bytes = stored.subarray(0, -CHECKSUM_BYTES)
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

  /** The encoded block; valid until the next one is encoded. */
  private encode(block: Block, list: string): Buffer {
    this.format.encode(this.out.reset(), block, list)
    return this.out.view()
  }

  private decode(bytes: Buffer, list: string): Block {
    return this.format.decode(new ByteReader(bytes), list)
  }
}
