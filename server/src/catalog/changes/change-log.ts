import type { MeteredCache } from '../../lib/versioned-cache.ts'
import type { Change } from '../../model/change.ts'
import { BlockCursor } from '../sorted/block-cursor.ts'
import { BlockStore, type BlockTables } from '../sorted/block-store.ts'
import type { Dictionary } from '../storage/dictionary.ts'
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

const MEBIBYTE = 1024 * 1024

type ChangeCursor = BlockCursor<ChangeSortKey, StoredChange, readonly StoredChange[]>

export interface ChangeLogOptions {
  /** The prefix of its caches' names in the metrics. */
  readonly name: string
  /** The most entries of a delta block; see `BlockFormat`. */
  readonly maxDeltaEntries: number
}

/**
 * Changes in sorted lists, one for each country, change type and item type. A catalog has two such logs: past changes,
 * and the windows of offers as changes to come.
 */
export class ChangeLog {
  /** The lists themselves: for a verification, which reads them block by block. */
  readonly store: ChangeStore

  constructor(tables: BlockTables, dictionary: Dictionary, { name, maxDeltaEntries }: ChangeLogOptions) {
    const cache = { name, blockBytes: 48 * MEBIBYTE, directoryBytes: 16 * MEBIBYTE }
    this.store = new BlockStore(createChangeFormat(dictionary, maxDeltaEntries), tables, cache)
  }

  caches(): readonly MeteredCache[] {
    return this.store.caches()
  }

  /** All lists that hold changes. */
  listIds(): ChangeListId[] {
    return this.store.names().map(parseChangeListName)
  }

  /** Removes changes from a list and adds others. Only within a write transaction. */
  update(list: string, removed: readonly ChangeSortKey[], added: readonly StoredChange[], version: number): void {
    this.store.update(list, removed, added, version)
  }

  /** Deletes the changes of a list that are older than an instant. Only within a write transaction. */
  truncateBefore(list: ChangeListId, instant: number, version: number): void {
    this.store.truncateBefore(changeListName(list), instantSortKey(instant), version)
  }

  has(change: Change, version: number): boolean {
    return this.find(change, changeSortKey(change), version) !== undefined
  }

  /** The change of a list with exactly this key. */
  find(list: ChangeListId, key: ChangeSortKey, version: number): StoredChange | undefined {
    for (const found of this.scanAscending(list, version, key))
      return compareChanges(found, key) === 0 ? found : undefined
    return undefined
  }

  /** The count of changes in a list; exact only in a log without delta blocks. */
  count(list: ChangeListId, version: number): number {
    return this.store.directory(changeListName(list), version).blocks.reduce((sum, { count }) => sum + count, 0)
  }

  /** The time of the newest change of a list; 0 if it is empty. */
  newestTime(list: ChangeListId, version: number): number {
    const cursor = this.openCursor(list, version)
    cursor.seekEnd()
    return cursor.previous() ? (cursor.block?.[cursor.index]?.timestamp ?? 0) : 0
  }

  /** The changes of a list from a start key, included, to an end key, excluded. */
  scanAscending(
    list: ChangeListId,
    version: number,
    start: ChangeSortKey = instantSortKey(0),
    end?: ChangeSortKey,
  ): Iterable<StoredChange> {
    return scanRange(this.openCursor(list, version), start, end)
  }

  /**
   * The changes of a list between two keys, the latest instant first; those of one instant stay in ascending order.
   * `from` is the key of the change to begin with, for a page after the first.
   */
  *scanDescending(
    list: ChangeListId,
    version: number,
    start: ChangeSortKey,
    end: ChangeSortKey,
    from?: ChangeSortKey,
  ): Iterable<StoredChange> {
    const cursor = this.openCursor(list, version)
    let upper = end
    if (from !== undefined) {
      upper = instantSortKey(from.timestamp)
      yield* scanRange(cursor, from, minKey(instantSortKey(from.timestamp + 1), end))
    }
    for (;;) {
      cursor.seek(upper)
      if (!cursor.previous()) return
      const last = cursor.block?.[cursor.index] as StoredChange
      if (compareChanges(last, start) < 0) return
      const instant = instantSortKey(last.timestamp)
      yield* scanRange(cursor, instant, upper)
      upper = instant
    }
  }

  /** Clears the caches. A transaction that was rolled back may have left its blocks in them. */
  invalidate(): void {
    this.store.invalidate()
  }

  private openCursor(list: ChangeListId, version: number): ChangeCursor {
    return new BlockCursor(this.store, changeListName(list), version)
  }
}

/** The changes from a start key, included, to an end key, excluded. */
function* scanRange(cursor: ChangeCursor, start: ChangeSortKey, end?: ChangeSortKey): Iterable<StoredChange> {
  for (cursor.seek(start); cursor.isValid(); cursor.next()) {
    const change = cursor.block?.[cursor.index] as StoredChange
    if (end !== undefined && compareChanges(change, end) >= 0) return
    yield change
  }
}

function minKey(a: ChangeSortKey, b: ChangeSortKey): ChangeSortKey {
  return compareChanges(a, b) <= 0 ? a : b
}
