import { BlockCursor } from './block-cursor.ts'
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
