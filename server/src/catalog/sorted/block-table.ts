import type { Database } from 'lmdb'
import { ByteReader, ByteWriter } from '../storage/byte-stream.ts'
import type { BlockFormat, BlockInfo } from './block-format.ts'

/** The record that holds the next free block number. */
const COUNTER = 0

/** Encoded blocks by number. A number is never used twice, so a block under a number never changes. */
export class BlockTable<Key, Entry extends Key, Block> {
  private readonly format: BlockFormat<Key, Entry, Block>
  private readonly table: Database<Buffer, number>
  private readonly out = new ByteWriter(16 * 1024)

  constructor(format: BlockFormat<Key, Entry, Block>, table: Database<Buffer, number>) {
    this.format = format
    this.table = table
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
    this.table.putSync(number, this.format.compress === undefined ? bytes : this.format.compress(bytes))
  }

  writeDelta(list: string, number: number, block: Block): void {
    this.table.putSync(number, this.encode(block, list))
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
    if (stored === undefined) throw new Error(`The catalog has no block ${number}`)
    return stored
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
