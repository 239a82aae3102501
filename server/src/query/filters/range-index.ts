import { type DocSet, union } from '../../catalog/index/doc-set.ts'
import { type MeteredCache, VersionedCache } from '../../lib/cache.ts'
import { BitsClause, type Clause, DifferenceClause } from './clauses.ts'

/** A field of which every document has at most one number, such as its year or its rating. */
export interface NumberField {
  /** The numbers that occur, in any order. */
  numbers(version: number): readonly number[]
  /** The documents with a number. */
  docs(number: number, version: number): DocSet
}

/**
 * Range queries over a number field by suffix unions: for a number, the documents with that number or a higher one. Any
 * range is the difference of two suffix unions, however many numbers it spans.
 */
export class RangeIndex {
  private readonly field: NumberField
  private readonly suffixUnions: VersionedCache<number, BitsClause>
  private numbers: readonly number[] = []
  private version: number | undefined

  /** @param name the name of its cache in the metrics */
  constructor(name: string, field: NumberField) {
    this.field = field
    this.suffixUnions = new VersionedCache({
      name,
      maxBytes: 24 * 1024 * 1024,
      sizeOf: ({ bits }) => bits.byteLength,
    })
  }

  caches(): readonly MeteredCache[] {
    return [this.suffixUnions]
  }

  /** Passes the documents with a number between two bounds, both included. */
  range(min: number, max: number, version: number): Clause {
    if (this.version !== version) {
      this.numbers = this.field.numbers(version).toSorted((a, b) => a - b)
      this.version = version
    }
    const start = this.numbers.findIndex((number) => number >= min)
    if (start < 0) return NO_DOCS
    const end = this.numbers.findIndex((number) => number > max)
    if (end < 0) return this.suffixUnion(start, version)
    if (end <= start) return NO_DOCS
    return new DifferenceClause(this.suffixUnion(start, version), this.suffixUnion(end, version))
  }

  private suffixUnion(start: number, version: number): BitsClause {
    return this.suffixUnions.getOrCompute(this.numbers[start] as number, version, () => {
      const docs = union(this.numbers.slice(start).map((number) => this.field.docs(number, version)))
      return new BitsClause(docs.toBitset(), docs.size)
    })
  }
}

const NO_DOCS = new BitsClause(new Uint32Array(0), 0)
