import { type DocSet, EMPTY_SET, RoaringBitmap32, union } from '../catalog/index/doc-set.ts'

/**
 * Documents of which each has one number at most: a year, a rating. Those from a number on are put together once, so
 * that any range is what two such sets differ in, however many numbers lie in it.
 */
export class RangeIndex {
  private readonly numbers: readonly number[]
  private readonly docsOf: (number: number) => DocSet
  private readonly onwards = new Map<number, DocSet>()

  constructor(numbers: readonly number[], docsOf: (number: number) => DocSet) {
    this.numbers = numbers.toSorted((a, b) => a - b)
    this.docsOf = docsOf
  }

  /** The documents with a number from one to another, both included. */
  range(least: number, most: number): DocSet {
    const start = this.numbers.findIndex((number) => number >= least)
    if (start < 0) return EMPTY_SET
    const end = this.numbers.findIndex((number) => number > most)
    if (end < 0) return this.from(start)
    return end <= start ? EMPTY_SET : RoaringBitmap32.andNot(this.from(start), this.from(end))
  }

  private from(start: number): DocSet {
    let docs = this.onwards.get(start)
    if (docs === undefined) {
      docs = union(this.numbers.slice(start).map(this.docsOf))
      this.onwards.set(start, docs)
    }
    return docs
  }
}
