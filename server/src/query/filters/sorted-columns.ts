import type { Catalog } from '../../catalog/catalog.ts'
import { type DocSet, docSetBytes, EMPTY_SET, union } from '../../catalog/index/doc-set.ts'
import type { ColumnCursor } from '../../catalog/sorted/column-cursor.ts'
import { type MeteredCache, VersionedCache } from '../../lib/cache.ts'
import { RankedBitset } from '../../lib/ranked-bitset.ts'
import { BitsetFilter } from './bitset-filter.ts'
import { type Clause, DifferenceClause } from './clauses.ts'

/** What reading a sort value from the facts of a document costs, in entries of a column that are scanned in the same time. */
export const FACTS_COST = 300

/** A column in memory, in one direction: its documents in order, and the index of each. */
export class SortedColumn {
  /** The documents that have an entry, in order. */
  readonly docs: Uint32Array
  /** Documents are numbered below it. */
  readonly docCount: number
  private readonly members: RankedBitset
  private readonly indexes: Uint32Array

  /** @param indexes the index of each document in `docs`, at its place among the members */
  constructor(docs: Uint32Array, docCount: number, members: RankedBitset, indexes: Uint32Array) {
    this.docs = docs
    this.docCount = docCount
    this.members = members
    this.indexes = indexes
  }

  get bytes(): number {
    return this.docs.byteLength + this.members.bytes + this.indexes.byteLength
  }

  /** The index of a document in the order; -1 if it has no entry. */
  indexOf(doc: number): number {
    const place = this.members.placeOf(doc)
    return place < 0 ? -1 : (this.indexes[place] as number)
  }
}

/** So many entries of a column are read at once: up to five milliseconds of work. */
const ENTRIES_AT_ONCE = 8_000

/** Scans a column on disk in parts, so that no search waits for the whole of it. */
export class GradualScan {
  private readonly cursor: ColumnCursor
  private readonly visit: (cursor: ColumnCursor) => void

  constructor(cursor: ColumnCursor, visit: (cursor: ColumnCursor) => void) {
    this.cursor = cursor
    this.visit = visit
  }

  /** Scans the next part, and returns whether it was the last one. */
  advance(): boolean {
    const { cursor, visit } = this
    for (let i = 0; i < ENTRIES_AT_ONCE; i++) {
      if (!cursor.next()) return true
      visit(cursor)
    }
    return false
  }
}

/** So many indexes are set at once: about a millisecond of work. */
const INDEXES_AT_ONCE = 40_000

/** A column that is read into memory, a part in each search that asks for it. */
class ColumnReader {
  private readonly docCount: number
  private readonly members: RankedBitset
  private readonly scan: GradualScan
  private docs: Uint32Array
  private count = 0
  /** By place among the members, once all documents are read. */
  private indexes: Uint32Array | undefined
  private indexed = 0

  constructor(cursor: ColumnCursor, docCount: number) {
    this.docCount = docCount
    this.members = new RankedBitset(docCount)
    this.docs = new Uint32Array(docCount)
    this.scan = new GradualScan(cursor, ({ doc }) => {
      this.docs[this.count++] = doc
      this.members.add(doc)
    })
  }

  /** Reads on. Returns the column once it is complete. */
  read(): SortedColumn | undefined {
    if (this.indexes === undefined) {
      if (!this.scan.advance()) return undefined
      this.docs = this.docs.slice(0, this.count)
      this.members.count()
      this.indexes = new Uint32Array(this.count)
    }
    const { docs, docCount, members, indexes, count } = this
    for (const end = Math.min(this.indexed + INDEXES_AT_ONCE, count); this.indexed < end; this.indexed++) {
      indexes[members.placeOf(docs[this.indexed] as number)] = this.indexed
    }
    return this.indexed < count ? undefined : new SortedColumn(docs, docCount, members, indexes)
  }
}

/** What was done without a column in memory since the column changed. */
interface ColumnWork {
  readonly changedAt: number
  /** In scanned entries. */
  entries: number
  reader?: ColumnReader
}

/**
 * Columns in memory, in which the place of a document is one array access. Reading one takes a scan of the whole column
 * for every change of it, so that is begun once the work without it has cost as much: a quiet catalog has its columns in
 * memory soon, and one that changes every second does not pay for them.
 */
export class SortedColumns {
  private readonly catalog: Catalog
  private readonly cache = new VersionedCache<string, SortedColumn>({
    name: 'sorted_columns',
    maxBytes: 96 * 1024 * 1024,
    sizeOf: ({ bytes }) => bytes,
  })
  private readonly work = new Map<string, ColumnWork>()

  constructor(catalog: Catalog) {
    this.catalog = catalog
  }

  caches(): readonly MeteredCache[] {
    return [this.cache]
  }

  /** A column, once it pays off and is read. */
  get(column: string, direction: 'asc' | 'desc', version: number): SortedColumn | undefined {
    const key = `${column} ${direction}`
    const { changedAt, blocks } = this.catalog.columns.directory(column, version)
    const cached = this.cache.get(key, changedAt)
    if (cached !== undefined) return cached
    const work = this.work.get(key)
    if (work?.changedAt !== changedAt) return undefined
    if (work.reader === undefined) {
      const entries = blocks.reduce((sum, { count }) => sum + count, 0)
      if (work.entries < entries) return undefined
      work.reader = new ColumnReader(this.catalog.openCursor(column, version, direction), this.catalog.nextDoc())
    }
    const complete = work.reader.read()
    if (complete === undefined) return undefined
    this.work.delete(key)
    this.cache.set(key, complete, changedAt)
    return complete
  }

  /** Counts work that a column in memory would have saved. */
  addWork(column: string, direction: 'asc' | 'desc', version: number, entries: number): void {
    const key = `${column} ${direction}`
    const { changedAt } = this.catalog.columns.directory(column, version)
    const known = this.work.get(key)
    if (known?.changedAt === changedAt) known.entries += entries
    else this.work.set(key, { changedAt, entries })
  }
}

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
  private readonly suffixUnions: VersionedCache<number, BitsetFilter>
  private numbers: readonly number[] = []
  private version: number | undefined

  /** @param name the name of its cache in the metrics */
  constructor(name: string, field: NumberField) {
    this.field = field
    this.suffixUnions = new VersionedCache({
      name,
      maxBytes: 24 * 1024 * 1024,
      sizeOf: (filter) => docSetBytes(filter.set) + filter.bitsetBytes(),
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

  private suffixUnion(start: number, version: number): BitsetFilter {
    return this.suffixUnions.getOrCompute(this.numbers[start] as number, version, () => {
      return new BitsetFilter(union(this.numbers.slice(start).map((number) => this.field.docs(number, version))))
    })
  }
}

const NO_DOCS = new BitsetFilter(EMPTY_SET)
