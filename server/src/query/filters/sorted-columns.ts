import type { Catalog } from '../../catalog/catalog.ts'
import { column } from '../../catalog/show-columns.ts'
import { type MeteredCache, VersionedCache } from '../../lib/cache.ts'
import { type ColumnOrder, ColumnReader, type Direction, type SortedColumn } from './sorted-column.ts'

/** What reading a sort value from the facts of a document costs, in entries of a column that are scanned in the same time. */
export const FACTS_COST = 300

/** A column is read once the work without it has cost this share of reading it. Popular ones cost much more soon after. */
export const WORK_SHARE = 0.25

/** Memory for columns in each process. Those of a million shows in 20 countries take 133 MB. */
const MAX_BYTES = 128 * 1024 * 1024

/** What a column in memory takes for each entry, and for each document of the catalog. */
const BYTES_PER_ENTRY = 6.25
const BYTES_PER_DOCUMENT = 0.25

/** What was done without a column in memory since the column changed. */
interface ColumnWork {
  readonly changedAt: number
  /** In scanned entries. */
  entries: number
  reader?: ColumnReader
}

/**
 * Columns in memory, in which the place of a document is one array access. Reading one takes a scan of the whole column
 * for every change of it, so a search begins that once the work without it has cost a share of that. Between searches, columns that
 * are expected to be asked for are read ahead.
 */
export class SortedColumns {
  private readonly catalog: Catalog
  private readonly cache = new VersionedCache<string, SortedColumn>({
    name: 'sorted_columns',
    maxBytes: MAX_BYTES,
    sizeOf: ({ bytes }) => bytes,
  })
  private readonly work = new Map<string, ColumnWork>()
  /** The largest columns at first; then those that were asked for since they were read. */
  private expected: Set<string> | undefined

  constructor(catalog: Catalog) {
    this.catalog = catalog
  }

  caches(): readonly MeteredCache[] {
    return [this.cache]
  }

  /** A column, once it pays off and is read. */
  get(name: string, direction: Direction, version: number): ColumnOrder | undefined {
    this.expected?.add(name)
    const { changedAt, blocks } = this.catalog.columns.directory(name, version)
    const cached = this.cache.get(name, changedAt)
    if (cached !== undefined) return cached.inDirection(direction)
    const work = this.work.get(name)
    if (work?.changedAt !== changedAt) return undefined
    if (work.reader === undefined && work.entries < countEntries(blocks) * WORK_SHARE) return undefined
    return this.read(name, version, work)?.inDirection(direction)
  }

  /** Reads a part of a column that is expected to be asked for. Returns false if all of these are in memory. */
  readAhead(version: number): boolean {
    if (this.expected === undefined) {
      const names = this.largest(version)
      // The first import is yet to come.
      if (names.length === 0) return false
      this.expected = new Set(names)
    }
    for (const name of this.expected) {
      const { changedAt } = this.catalog.columns.directory(name, version)
      if (!this.cache.has(name, changedAt)) {
        this.readExpected(name, version, changedAt)
        return true
      }
    }
    return false
  }

  private readExpected(name: string, version: number, changedAt: number): void {
    try {
      this.read(name, version, this.workOf(name, changedAt))
    } catch (error) {
      // Searches do without it, as long as they need no damaged part.
      this.expected?.delete(name)
      this.work.delete(name)
      throw error
    }
  }

  /** The names of the largest columns that searches ask for, as many as fit into memory. */
  private largest(version: number): string[] {
    const { columns } = this.catalog
    const searched = columns.names().filter((name) => name !== column.due)
    const sized = searched.map((name) => ({ name, entries: countEntries(columns.directory(name, version).blocks) }))
    let bytes = 0
    const fitting = sized
      .sort((a, b) => b.entries - a.entries)
      .filter(({ entries }) => {
        bytes += entries * BYTES_PER_ENTRY + this.catalog.nextDoc() * BYTES_PER_DOCUMENT
        return bytes <= MAX_BYTES
      })
    return fitting.map(({ name }) => name)
  }

  /** Reads a part of a column; returns the column once it is complete. */
  private read(name: string, version: number, work: ColumnWork): SortedColumn | undefined {
    work.reader ??= new ColumnReader(this.catalog.columns, name, version, this.catalog.nextDoc())
    const complete = work.reader.read()
    if (complete === undefined) return undefined
    this.work.delete(name)
    this.expected?.delete(name)
    this.cache.set(name, complete, work.changedAt)
    return complete
  }

  /** Counts work that a column in memory would have saved. */
  addWork(name: string, version: number, entries: number): void {
    const { changedAt } = this.catalog.columns.directory(name, version)
    this.workOf(name, changedAt).entries += entries
  }

  private workOf(name: string, changedAt: number): ColumnWork {
    const known = this.work.get(name)
    if (known?.changedAt === changedAt) return known
    const work = { changedAt, entries: 0 }
    this.work.set(name, work)
    return work
  }
}

function countEntries(blocks: readonly { readonly count: number }[]): number {
  return blocks.reduce((sum, { count }) => sum + count, 0)
}
