import type { BlockStore } from './block-store.ts'
import type { BlockInfo } from './block-table.ts'
import type { ColumnBlock, ColumnEntry, ColumnStore, SortKey, SortValue } from './column-store.ts'

/**
 * Scans a column in ascending or descending order of values. Entries of equal value come by ascending show id in both
 * directions: a descending scan moves backwards from group to group of equal values, and forwards within each group.
 */
export class ColumnCursor {
  /** The entry that `next` moved to. */
  value: SortValue = 0
  id = 0
  doc = 0
  private readonly cursor: BlockCursor<SortKey, ColumnEntry, ColumnBlock>
  private readonly descending: boolean
  /** In a descending scan: the value of the current group, and where it starts; block -1 while that is unknown. */
  private group: SortValue | undefined
  private groupBlock = -1
  private groupIndex = 0

  /** Starts before the first entry, or before the first one at or after a key. */
  constructor(columns: ColumnStore, column: string, version: number, direction: 'asc' | 'desc', from?: SortKey) {
    this.cursor = new BlockCursor(columns, column, version)
    this.descending = direction === 'desc'
    if (from !== undefined) {
      this.group = from.value
      this.cursor.seek(from)
    } else if (this.descending) {
      this.cursor.seekEnd()
      this.enterPreviousGroup()
    }
  }

  /** Moves to the next entry, and returns whether there is one. */
  next(): boolean {
    const { cursor } = this
    for (;;) {
      if (cursor.isValid()) {
        const { index } = cursor
        const block = cursor.block as ColumnBlock
        const value = block.values[index] as SortValue
        if (!this.descending || value === this.group) {
          this.value = value
          this.id = block.ids[index] as number
          this.doc = block.docs[index] as number
          cursor.next()
          return true
        }
      }
      if (!this.descending || this.group === undefined || !this.leaveGroup()) return false
    }
  }

  /** Moves from the end of a group to the start of the previous one. */
  private leaveGroup(): boolean {
    const { cursor } = this
    if (this.groupBlock < 0) cursor.seek(firstKey(this.group as SortValue))
    else cursor.moveTo(this.groupBlock, this.groupIndex)
    return this.enterPreviousGroup()
  }

  /** Moves to the start of the group that ends before the current position. */
  private enterPreviousGroup(): boolean {
    const { cursor } = this
    if (!cursor.previous()) {
      this.group = undefined
      return false
    }
    const { values } = cursor.block as ColumnBlock
    const value = values[cursor.index] as SortValue
    this.group = value
    while (cursor.index > 0 && values[cursor.index - 1] === value) cursor.index--
    // A group that reaches back to the start of its block may begin in an earlier one.
    if (cursor.index === 0 && cursor.blockIndex > 0) cursor.seek(firstKey(value))
    this.groupBlock = cursor.blockIndex
    this.groupIndex = cursor.index
    return true
  }
}

/** A key before all entries of a value. */
function firstKey(value: SortValue): SortKey {
  return { value, id: -1 }
}

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
