import type { BlockInfo } from './block-format.ts'
import type { BlockStore } from './block-store.ts'

/** A position in a list of a block store: a block, and the index of an entry in it. Moves by one, or to any key. */
export class BlockCursor<Key, Entry extends Key, Block> {
  /** The current block; undefined only in an empty list and after the last block. */
  block: Block | undefined
  /** The index of the current entry in the block; the block's length once the block is used up. */
  index = 0
  blockIndex = 0
  private length = 0
  private readonly store: BlockStore<Key, Entry, Block>
  private readonly list: string
  private readonly blocks: readonly BlockInfo<Key>[]

  /** Starts at the first entry of the list, as of the given catalog version. */
  constructor(store: BlockStore<Key, Entry, Block>, list: string, version: number) {
    this.store = store
    this.list = list
    this.blocks = store.directory(list, version).blocks
  }

  /** Whether the cursor is at an entry. Reads the next block only now, since most scans end within a block. */
  isValid(): boolean {
    if (this.block === undefined) this.moveTo(this.blockIndex, this.index)
    else if (this.index >= this.length) this.moveTo(this.blockIndex + 1, 0)
    return this.block !== undefined
  }

  next(): void {
    this.index++
  }

  /** Moves back by one, and returns whether there is an entry. */
  previous(): boolean {
    if (this.index === 0) {
      if (this.blockIndex === 0) return false
      this.moveTo(this.blockIndex - 1, 0)
      this.index = this.length
    }
    this.index--
    return true
  }

  /** Moves to the first entry that is not before a key. */
  seek(key: Key): void {
    const { blocks } = this
    const { compare, lowerBound } = this.store.format
    let low = 0
    let high = blocks.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if (compare((blocks[middle] as BlockInfo<Key>).first, key) <= 0) low = middle + 1
      else high = middle
    }
    this.moveTo(Math.max(low - 1, 0), 0)
    if (this.block !== undefined) this.index = lowerBound(this.block, key)
  }

  /** Moves past the last entry. */
  seekEnd(): void {
    this.moveTo(this.blocks.length, 0)
  }

  moveTo(blockIndex: number, index: number): void {
    if (this.block === undefined || blockIndex !== this.blockIndex) {
      const info = this.blocks[blockIndex]
      this.block = info === undefined ? undefined : this.store.getBlock(this.list, info)
      this.length = this.block === undefined ? 0 : this.store.format.count(this.block)
      this.blockIndex = blockIndex
    }
    this.index = index
  }
}
