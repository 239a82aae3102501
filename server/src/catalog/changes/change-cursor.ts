import type { ChangeStore } from './change-format.ts'
import { type ChangeSortKey, compareChanges, type StoredChange } from './stored-change.ts'

/** A place in a list of changes that can move by one. */
export class ChangeCursor {
  current: StoredChange | undefined
  private readonly lists: ChangeStore
  private readonly list: string
  private readonly version: number
  private blockAt = 0
  private block: readonly StoredChange[] = []
  private at = 0

  constructor(lists: ChangeStore, list: string, version: number) {
    this.lists = lists
    this.list = list
    this.version = version
  }

  /** Moves to the first change at or after a place. */
  seek(place: ChangeSortKey): void {
    const { blocks } = this.directory
    let low = 0
    let high = blocks.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if (compareChanges((blocks[middle] as { first: ChangeSortKey }).first, place) <= 0) low = middle + 1
      else high = middle
    }
    this.enter(Math.max(low - 1, 0))
    let start = 0
    let end = this.block.length
    while (start < end) {
      const middle = (start + end) >>> 1
      if (compareChanges(this.block[middle] as StoredChange, place) < 0) start = middle + 1
      else end = middle
    }
    this.at = start
    if (start === this.block.length && this.blockAt + 1 < blocks.length) this.enter(this.blockAt + 1)
    this.current = this.block[this.at]
  }

  next(): void {
    this.at++
    if (this.at === this.block.length) this.enter(this.blockAt + 1)
    this.current = this.block[this.at]
  }

  previous(): void {
    if (this.at === 0 && this.blockAt > 0) {
      this.enter(this.blockAt - 1)
      this.at = this.block.length
    }
    this.at--
    this.current = this.block[this.at]
  }

  private enter(blockAt: number): void {
    const info = this.directory.blocks[blockAt]
    this.blockAt = blockAt
    this.block = info === undefined ? [] : this.lists.block(this.list, info)
    this.at = 0
  }

  private get directory() {
    return this.lists.directory(this.list, this.version)
  }
}
