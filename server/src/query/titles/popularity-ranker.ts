import type { Catalog } from '../../catalog/catalog.ts'
import { type DocSet, RoaringBitmap32 } from '../../catalog/index/doc-set.ts'
import { column } from '../../catalog/show-columns.ts'
import { compareInDirection } from '../../catalog/sorted/column-store.ts'
import { type MeteredCache, VersionedCache } from '../../lib/versioned-cache.ts'
import { BitsetFilter } from '../bitset-filter.ts'

/** Up to this many documents are sorted by their facts if there is no rank table yet. */
const MAX_SORTED_BY_FACTS = 64

/** The cost of reading a document's popularity from its facts, in entries of a column that are scanned in the same time. */
const FACTS_COST = 300

/** Ranks of documents by all-time popularity in a country, from 1; 0 for documents without an entry there. */
type RankTable = Uint32Array

/**
 * Orders documents by their popularity in a country, more popular first. A rank table answers that with one array access,
 * but costs a scan of the whole column for every country and version. It is built once the work without it has cost as
 * much: a quiet catalog gets its tables soon, and one that changes every second does not pay for them.
 */
export class PopularityRanker {
  private readonly catalog: Catalog
  private readonly tables = new VersionedCache<string, RankTable>({
    name: 'popularity_ranks',
    maxBytes: 64 * 1024 * 1024,
    sizeOf: (table) => table.byteLength,
  })
  /** Work done without a table, in scanned entries, by country, for one version. */
  private readonly workByCountry = new Map<string, number>()
  private workVersion = -1

  constructor(catalog: Catalog) {
    this.catalog = catalog
  }

  caches(): readonly MeteredCache[] {
    return [this.tables]
  }

  /** The most popular of some distinct documents, in order. */
  top(docs: readonly number[], limit: number, country: string, version: number): number[] {
    if (docs.length <= 1) return docs.slice(0, limit)
    const table = this.table(country, version)
    if (table !== undefined) return this.topByTable(docs, limit, country, table)
    if (docs.length > MAX_SORTED_BY_FACTS) {
      return this.topOfSet(new RoaringBitmap32(docs), limit, country, version)
    }
    this.addWork(country, docs.length * FACTS_COST)
    return this.sortByFacts(docs, country).slice(0, limit)
  }

  /** The most popular documents of a large set, in order. Scans the column until enough are found. */
  topOfSet(set: DocSet, limit: number, country: string, version: number): number[] {
    const filter = new BitsetFilter(set)
    const docs: number[] = []
    const cursor = this.catalog.openCursor(column.popularity('alltime', country), version, 'desc')
    let scanned = 0
    while (docs.length < limit && cursor.next()) {
      scanned++
      if (filter.has(cursor.doc)) docs.push(cursor.doc)
    }
    this.addWork(country, scanned)
    if (docs.length === limit || docs.length === set.size) return docs
    return this.addUnranked(docs, RoaringBitmap32.andNot(set, new RoaringBitmap32(docs)).toArray(), limit, country)
  }

  private topByTable(docs: readonly number[], limit: number, country: string, table: RankTable): number[] {
    const ranks: number[] = []
    const unranked: number[] = []
    // Sorted as numbers: ranks are distinct, and each leads back to its document.
    const docByRank = new Map<number, number>()
    for (const doc of docs) {
      const rank = table[doc] ?? 0
      if (rank === 0) unranked.push(doc)
      else {
        ranks.push(rank)
        docByRank.set(rank, doc)
      }
    }
    const top = smallest(ranks, limit).map((rank) => docByRank.get(rank) as number)
    return top.length < limit ? this.addUnranked(top, unranked, limit, country) : top
  }

  /**
   * Adds documents that have no entry in the country's column, as their shows cannot be watched there. A few are sorted as
   * `sortByFacts` does, so that the order does not depend on whether there is a table; many are in the order of their
   * numbers.
   */
  private addUnranked(top: readonly number[], unranked: readonly number[], limit: number, country: string): number[] {
    if (unranked.length > MAX_SORTED_BY_FACTS) return [...top, ...smallest(unranked, limit - top.length)]
    const sorted = this.sortByFacts(unranked, country)
    const [first] = sorted
    if (first === undefined || this.catalog.sortValue(first, { window: 'alltime', country }).value === 0) {
      return [...top, ...sorted].slice(0, limit)
    }
    return this.sortByFacts([...top, ...unranked], country).slice(0, limit)
  }

  private sortByFacts(docs: readonly number[], country: string): number[] {
    return docs
      .map((doc) => ({ ...this.catalog.sortValue(doc, { window: 'alltime', country }), doc }))
      .sort(compareInDirection('desc'))
      .map(({ doc }) => doc)
  }

  private table(country: string, version: number): RankTable | undefined {
    if (this.workVersion !== version) {
      this.workVersion = version
      this.workByCountry.clear()
    }
    const table = this.tables.get(country, version)
    if (table !== undefined || (this.workByCountry.get(country) ?? 0) < this.catalog.nextDoc()) return table
    const built = this.buildTable(country, version)
    this.tables.set(country, built, version)
    this.workByCountry.set(country, 0)
    return built
  }

  private addWork(country: string, entries: number): void {
    this.workByCountry.set(country, (this.workByCountry.get(country) ?? 0) + entries)
  }

  private buildTable(country: string, version: number): RankTable {
    const table = new Uint32Array(this.catalog.nextDoc())
    const cursor = this.catalog.openCursor(column.popularity('alltime', country), version, 'desc')
    for (let rank = 1; cursor.next(); rank++) table[cursor.doc] = rank
    return table
  }
}

/** The smallest numbers in ascending order. One pass with a bounded insertion: the limit is far below the count. */
function smallest(numbers: readonly number[], limit: number): number[] {
  if (numbers.length <= limit * 4) return numbers.toSorted((a, b) => a - b).slice(0, limit)
  const kept: number[] = []
  for (const number of numbers) {
    if (kept.length === limit && number >= (kept[limit - 1] as number)) continue
    let i = kept.length < limit ? kept.length : limit - 1
    while (i > 0 && (kept[i - 1] as number) > number) {
      kept[i] = kept[i - 1] as number
      i--
    }
    kept[i] = number
  }
  return kept
}
