import type { Change } from '../../model/change.ts'
import { BlockStore } from '../sorted/block-store.ts'
import type { Dictionary } from '../storage/dictionary.ts'
import { ChangeCursor } from './change-cursor.ts'
import { type ChangeStore, createChangeFormat } from './change-format.ts'
import {
  type ChangeListId,
  type ChangeSortKey,
  changeListName,
  changeSortKey,
  compareChanges,
  instantSortKey,
  parseChangeListName,
  type StoredChange,
} from './stored-change.ts'

type Tables = ConstructorParameters<typeof BlockStore<ChangeSortKey, StoredChange, readonly StoredChange[]>>[1]

/**
 * Past changes, and the windows of offers as changes to come. Those of each country, change type and item type are
 * one list, kept in the order in which they are told.
 */
export class ChangeLog {
  private readonly lists: ChangeStore

  constructor(tables: Tables, dictionary: Dictionary, mostWaiting: number) {
    this.lists = new BlockStore(createChangeFormat(dictionary, mostWaiting), tables, 48 * 1024 * 1024)
  }

  /** All ranges that hold something. */
  listIds(): ChangeListId[] {
    return this.lists.names().map(parseChangeListName)
  }

  /** Takes changes out of a list and puts others in. Only within a write transaction. */
  update(list: string, removed: readonly ChangeSortKey[], added: readonly StoredChange[], version: number): void {
    this.lists.update(list, removed, added, version)
  }

  /** Drops the changes of a range that are older than an instant. Only within a write transaction. */
  truncateBefore(range: ChangeListId, instant: number, version: number): void {
    this.lists.truncateBefore(changeListName(range), instantSortKey(instant), version)
  }

  has(change: Change, version: number): boolean {
    const place = changeSortKey(change)
    for (const found of this.scanAscending(change, version, place)) return compareChanges(found, place) === 0
    return false
  }

  /** How many changes a range holds. */
  count(range: ChangeListId, version: number): number {
    return this.lists.directory(changeListName(range), version).blocks.reduce((sum, { count }) => sum + count, 0)
  }

  /** The stored changes of a range from one place up to, but without, another one. */
  *scanAscending(
    range: ChangeListId,
    version: number,
    from: ChangeSortKey = instantSortKey(0),
    end?: ChangeSortKey,
  ): Iterable<StoredChange> {
    const walk = new ChangeCursor(this.lists, changeListName(range), version)
    for (walk.seek(from); walk.current !== undefined; walk.next()) {
      if (end !== undefined && compareChanges(walk.current, end) >= 0) return
      yield walk.current
    }
  }

  /**
   * The stored changes of a range from the latest instant before an end to the earliest from a start on; those of one
   * instant stay in ascending order. `from` names where in that order to begin.
   */
  *scanDescending(
    range: ChangeListId,
    version: number,
    start: ChangeSortKey,
    end: ChangeSortKey,
    from?: ChangeSortKey,
  ): Iterable<StoredChange> {
    const walk = new ChangeCursor(this.lists, changeListName(range), version)
    let upper = end
    if (from !== undefined) {
      upper = instantSortKey(from.timestamp)
      yield* this.scanAscending(range, version, from, minKey(instantSortKey(from.timestamp + 1), end))
    }
    for (;;) {
      walk.seek(upper)
      walk.previous()
      if (walk.current === undefined || compareChanges(walk.current, start) < 0) return
      const instant = instantSortKey(walk.current.timestamp)
      yield* this.scanAscending(range, version, instant, upper)
      upper = instant
    }
  }

  /** Forgets what a transaction that was rolled back may have left in memory. */
  invalidate(): void {
    this.lists.invalidate()
  }
}

function minKey(a: ChangeSortKey, b: ChangeSortKey): ChangeSortKey {
  return compareChanges(a, b) <= 0 ? a : b
}
