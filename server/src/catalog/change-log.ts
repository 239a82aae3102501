import type { Change } from '../model/change.ts'
import { type ChangeBlocks, changeFormat } from './change-blocks.ts'
import { ChangeWalk } from './change-walk.ts'
import type { Dictionary } from './dictionary.ts'
import { SortedBlocks } from './sorted-blocks.ts'
import {
  type ChangePlace,
  type ChangeRange,
  compareChanges,
  instantPlace,
  listOf,
  placeOf,
  rangeOf,
  type StoredChange,
} from './stored-change.ts'

type Tables = ConstructorParameters<typeof SortedBlocks<ChangePlace, StoredChange, readonly StoredChange[]>>[1]

/**
 * Past changes, and the windows of offers as changes to come. Those of each country, change type and item type are
 * one list, kept in the order in which they are told.
 */
export class ChangeLog {
  private readonly lists: ChangeBlocks

  constructor(tables: Tables, dictionary: Dictionary, mostWaiting: number) {
    this.lists = new SortedBlocks(changeFormat(dictionary, mostWaiting), tables, 48 * 1024 * 1024)
  }

  /** All ranges that hold something. */
  ranges(): ChangeRange[] {
    return this.lists.names().map(rangeOf)
  }

  /** Takes changes out of a list and puts others in. Only within a write transaction. */
  update(list: string, removed: readonly ChangePlace[], added: readonly StoredChange[], version: number): void {
    this.lists.update(list, removed, added, version)
  }

  /** Drops the changes of a range that are older than an instant. Only within a write transaction. */
  dropBefore(range: ChangeRange, instant: number, version: number): void {
    this.lists.dropBefore(listOf(range), instantPlace(instant), version)
  }

  has(change: Change, version: number): boolean {
    const place = placeOf(change)
    for (const found of this.ascending(change, version, place)) return compareChanges(found, place) === 0
    return false
  }

  /** How many changes a range holds. */
  count(range: ChangeRange, version: number): number {
    return this.lists.directory(listOf(range), version).blocks.reduce((sum, { count }) => sum + count, 0)
  }

  /** The stored changes of a range from one place up to, but without, another one. */
  *ascending(
    range: ChangeRange,
    version: number,
    from: ChangePlace = instantPlace(0),
    end?: ChangePlace,
  ): Iterable<StoredChange> {
    const walk = new ChangeWalk(this.lists, listOf(range), version)
    for (walk.seek(from); walk.current !== undefined; walk.forward()) {
      if (end !== undefined && compareChanges(walk.current, end) >= 0) return
      yield walk.current
    }
  }

  /**
   * The stored changes of a range from the latest instant before an end to the earliest from a start on; those of one
   * instant stay in ascending order. `from` names where in that order to begin.
   */
  *descending(
    range: ChangeRange,
    version: number,
    start: ChangePlace,
    end: ChangePlace,
    from?: ChangePlace,
  ): Iterable<StoredChange> {
    const walk = new ChangeWalk(this.lists, listOf(range), version)
    let upper = end
    if (from !== undefined) {
      upper = instantPlace(from.timestamp)
      yield* this.ascending(range, version, from, smaller(instantPlace(from.timestamp + 1), end))
    }
    for (;;) {
      walk.seek(upper)
      walk.back()
      if (walk.current === undefined || compareChanges(walk.current, start) < 0) return
      const instant = instantPlace(walk.current.timestamp)
      yield* this.ascending(range, version, instant, upper)
      upper = instant
    }
  }

  /** Forgets what a transaction that was rolled back may have left in memory. */
  forget(): void {
    this.lists.forget()
  }
}

function smaller(a: ChangePlace, b: ChangePlace): ChangePlace {
  return compareChanges(a, b) <= 0 ? a : b
}
