import type { BlockDirectory } from './block-store.ts'
import { type ColumnBlock, type ColumnStore, compareSortValues, type SortKey, type SortValue } from './column-store.ts'

/**
 * Walks a column up or down. Entries of equal value come by ascending show id in both directions, so walking down
 * goes from group to group of equal values, and through each group upwards.
 */
export class ColumnCursor {
  value: SortValue = 0
  id = 0
  doc = 0
  private readonly columns: ColumnStore
  private readonly column: string
  private readonly directory: BlockDirectory<SortKey>
  private readonly descending: boolean
  private block: ColumnBlock | undefined
  /** The entry that `next` will give: its block, and its place in the block. */
  private blockIndex = 0
  private index = 0
  /** Walking down: the value of the group that is being walked through, and where it starts, if that is known. */
  private group: SortValue | undefined
  private groupBlock = -1
  private groupIndex = 0

  constructor(
    columns: ColumnStore,
    column: string,
    version: number,
    direction: 'asc' | 'desc',
    from: SortKey | undefined,
  ) {
    this.columns = columns
    this.column = column
    this.directory = columns.directory(column, version)
    this.descending = direction === 'desc'
    if (!this.descending) {
      if (from === undefined) this.moveTo(0, 0)
      else this.seek(from.value, from.id)
    } else if (from === undefined) {
      this.moveTo(this.directory.blocks.length, 0)
      this.enterGroupBefore()
    } else {
      this.group = from.value
      this.seek(from.value, from.id)
    }
  }

  /** Moves to the next entry and says whether there is one. */
  next(): boolean {
    for (;;) {
      const { block } = this
      if (block === undefined || this.index >= block.docs.length) {
        if (this.blockIndex + 1 < this.directory.blocks.length && block !== undefined) {
          this.moveTo(this.blockIndex + 1, 0)
          continue
        }
        if (!this.descending || this.group === undefined || !this.leaveGroup()) return false
        continue
      }
      const value = block.values[this.index] as SortValue
      if (this.descending && value !== this.group) {
        if (!this.leaveGroup()) return false
        continue
      }
      this.value = value
      this.id = block.ids[this.index] as number
      this.doc = block.docs[this.index] as number
      this.index++
      return true
    }
  }

  /** Walking down: from the end of a group to the start of the one before it. */
  private leaveGroup(): boolean {
    if (this.groupBlock < 0) this.seek(this.group as SortValue, -1)
    else this.moveTo(this.groupBlock, this.groupIndex)
    return this.enterGroupBefore()
  }

  /** Moves from a place to the start of the group of equal values that lies before it. */
  private enterGroupBefore(): boolean {
    if (this.index === 0) {
      if (this.blockIndex === 0) {
        this.group = undefined
        return false
      }
      this.moveTo(this.blockIndex - 1, -1)
    }
    const block = this.block as ColumnBlock
    let at = this.index - 1
    const value = block.values[at] as SortValue
    this.group = value
    while (at > 0 && block.values[at - 1] === value) at--
    // A group that fills its block to the front may start in an earlier one.
    if (at === 0 && this.blockIndex > 0) this.seek(value, -1)
    else this.index = at
    this.groupBlock = this.blockIndex
    this.groupIndex = this.index
    return true
  }

  /** Moves to the first entry at or after a position. */
  private seek(value: SortValue, id: number): void {
    const { blocks } = this.directory
    let low = 0
    let high = blocks.length
    while (low < high) {
      const middle = (low + high) >>> 1
      const { first } = blocks[middle] as { first: SortKey }
      if ((compareSortValues(first.value, value) || first.id - id) <= 0) low = middle + 1
      else high = middle
    }
    this.moveTo(Math.max(low - 1, 0), 0)
    const { block } = this
    if (block === undefined) return
    let start = 0
    let end = block.docs.length
    while (start < end) {
      const middle = (start + end) >>> 1
      const order = compareSortValues(block.values[middle] as SortValue, value) || (block.ids[middle] as number) - id
      if (order < 0) start = middle + 1
      else end = middle
    }
    this.index = start
  }

  /** Moves to a place in a block; -1 stands for the place after its last entry. */
  private moveTo(blockAt: number, at: number): void {
    if (this.block === undefined || blockAt !== this.blockIndex) {
      const info = this.directory.blocks[blockAt]
      this.blockIndex = blockAt
      this.block = info === undefined ? undefined : this.columns.block(this.column, info)
    }
    this.index = at < 0 && this.block !== undefined ? this.block.docs.length : at
  }
}
