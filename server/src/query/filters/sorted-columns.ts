import type { Catalog } from '../../catalog/catalog.ts'
import { type MeteredCache, VersionedCache } from '../../lib/cache.ts'
import { type ColumnOrder, ColumnReader, type Direction, type SortedColumn } from './sorted-column.ts'

/** What reading a sort value from the facts of a document costs, in entries of a column that are scanned in the same time. */
export const FACTS_COST = 300

/** A column is read once the work without it has cost this share of reading it. Popular ones cost much more soon after. */
export const WORK_SHARE = 0.25

/** What was done without a column in memory since the column changed. */
interface ColumnWork {
  readonly changedAt: number
  /** In scanned entries. */
  entries: number
  reader?: ColumnReader
}

/**
 * Columns in memory, in which the place of a document is one array access. Reading one takes a scan of the whole column
 * for every change of it, so that is begun once the work without it has cost a share of that: a quiet catalog has its columns in
 * memory soon, and one that changes every second does not pay for them.
 */
export class SortedColumns {
  private readonly catalog: Catalog
  private readonly cache = new VersionedCache<string, SortedColumn>({
    name: 'sorted_columns',
    maxBytes: 160 * 1024 * 1024,
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
  get(column: string, direction: Direction, version: number): ColumnOrder | undefined {
    const { changedAt, blocks } = this.catalog.columns.directory(column, version)
    const cached = this.cache.get(column, changedAt)
    if (cached !== undefined) return cached.inDirection(direction)
    const work = this.work.get(column)
    if (work?.changedAt !== changedAt) return undefined
    if (work.reader === undefined) {
      const entries = blocks.reduce((sum, { count }) => sum + count, 0)
      if (work.entries < entries * WORK_SHARE) return undefined
      work.reader = new ColumnReader(this.catalog.columns, column, version, this.catalog.nextDoc())
    }
    const complete = work.reader.read()
    if (complete === undefined) return undefined
    this.work.delete(column)
    this.cache.set(column, complete, changedAt)
    return complete.inDirection(direction)
  }

  /** Counts work that a column in memory would have saved. */
  addWork(column: string, version: number, entries: number): void {
    const { changedAt } = this.catalog.columns.directory(column, version)
    const known = this.work.get(column)
    if (known?.changedAt === changedAt) known.entries += entries
    else this.work.set(column, { changedAt, entries })
  }
}
