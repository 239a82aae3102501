import { type ColumnEntry, compareInDirection, type SortValue } from '../../catalog/sorted/column-store.ts'

/** Scans shows in an order. Its fields are those of the show that `next` moved to. */
export interface ShowCursor extends ColumnEntry {
  /** Moves to the next show, and returns whether there is one. */
  next(): boolean
  /** Whether the value is the highest of the show's; a show that has several comes once for each. */
  isHighest?(): boolean
}

/**
 * Merges the columns of several countries. A show has a value in each of them, and its place in the order is that of the
 * highest, so whoever takes a show asks `isHighest` first. That reads the facts of the show, and is left to the caller,
 * who knows whether it wants the show at all.
 */
export class HighestValueCursor implements ShowCursor {
  value: SortValue = 0
  id = 0
  doc = -1
  /** Cursors that stand at an entry that was not taken yet. */
  private readonly cursors: ShowCursor[]
  private readonly compare: (a: ColumnEntry, b: ColumnEntry) => number
  private readonly highest: (doc: number) => SortValue

  constructor(cursors: readonly ShowCursor[], direction: 'asc' | 'desc', highest: (doc: number) => SortValue) {
    this.cursors = cursors.filter((cursor) => cursor.next())
    this.compare = compareInDirection(direction)
    this.highest = highest
  }

  next(): boolean {
    for (;;) {
      let first: ShowCursor | undefined
      for (const cursor of this.cursors) {
        if (first === undefined || this.compare(cursor, first) < 0) first = cursor
      }
      if (first === undefined) return false
      // Equal values of a show in several columns come one after the other.
      const isRepeated = first.doc === this.doc && first.value === this.value
      this.value = first.value
      this.id = first.id
      this.doc = first.doc
      if (!first.next()) this.cursors.splice(this.cursors.indexOf(first), 1)
      if (!isRepeated) return true
    }
  }

  isHighest(): boolean {
    return this.highest(this.doc) === this.value
  }
}
