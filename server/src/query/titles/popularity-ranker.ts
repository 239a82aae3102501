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

/** The show ids of documents. */
type IdTable = Float64Array

/** What a table is built for: a country, or the ids of all shows. */
const IDS = 'ids'

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
  private readonly idTable = new VersionedCache<string, IdTable>({
    name: 'show_ids_by_document',
    maxBytes: 64 * 1024 * 1024,
    sizeOf: (table) => table.byteLength,
  })
  /** Work done without a table, in scanned entries, by table, for one version. */
  private readonly work = new Map<string, number>()
  private workVersion = -1

  constructor(catalog: Catalog) {
    this.catalog = catalog
  }

  caches(): readonly MeteredCache[] {
    return [this.tables, this.idTable]
  }

  /** The most popular of some distinct documents, in order. */
  top(docs: readonly number[], limit: number, country: string, version: number): readonly number[] {
    if (docs.length <= 1) return docs
    const table = this.rankTable(country, version)
    if (table !== undefined) return this.topByTable(docs, limit, table, version)
    if (docs.length > MAX_SORTED_BY_FACTS) {
      return this.topOfSet(new RoaringBitmap32(docs), limit, country, version)
    }
    this.addWork(country, docs.length * FACTS_COST)
    return this.sortByFacts(docs, country).slice(0, limit)
  }

  /** The most popular documents of a large set, in order. Scans the column until enough are found. */
  topOfSet(set: DocSet, limit: number, country: string, version: number): readonly number[] {
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
    return this.addUnranked(docs, RoaringBitmap32.andNot(set, new RoaringBitmap32(docs)).toArray(), limit, version)
  }

  private topByTable(docs: readonly number[], limit: number, table: RankTable, version: number): readonly number[] {
    // A rank and its document in one number, which is exact up to 94 million documents.
    const ranked: number[] = []
    const unranked: number[] = []
    for (let i = 0; i < docs.length; i++) {
      const doc = docs[i] as number
      const rank = table[doc] ?? 0
      if (rank === 0) unranked.push(doc)
      else ranked.push(rank * table.length + doc)
    }
    const top = smallest(ranked, limit)
    for (let i = 0; i < top.length; i++) top[i] = (top[i] as number) % table.length
    return top.length < limit && unranked.length > 0 ? this.addUnranked(top, unranked, limit, version) : top
  }

  /**
   * Adds documents that have no entry in the country's column: they cannot be watched there, and have no popularity. A few
   * are in the order of their ids, as in every order of equal values; many are in the order of their numbers.
   */
  private addUnranked(top: readonly number[], unranked: number[], limit: number, version: number): readonly number[] {
    const rest = limit - top.length
    if (unranked.length > MAX_SORTED_BY_FACTS) return [...top, ...smallest(unranked, rest)]
    return [...top, ...this.sortById(unranked, version).slice(0, rest)]
  }

  private sortById(docs: number[], version: number): readonly number[] {
    if (docs.length <= 1) return docs
    const table = this.tableOnceItPays(this.idTable, IDS, version, () => this.buildIdTable(version))
    if (table !== undefined) return docs.sort((a, b) => (table[a] as number) - (table[b] as number))
    this.addWork(IDS, docs.length * FACTS_COST)
    return docs
      .map((doc) => ({ doc, id: this.catalog.sortValue(doc, 'rating').id }))
      .sort((a, b) => a.id - b.id)
      .map(({ doc }) => doc)
  }

  private sortByFacts(docs: readonly number[], country: string): number[] {
    return docs
      .map((doc) => ({ ...this.catalog.sortValue(doc, { window: 'alltime', country }), doc }))
      .sort(compareInDirection('desc'))
      .map(({ doc }) => doc)
  }

  private rankTable(country: string, version: number): RankTable | undefined {
    return this.tableOnceItPays(this.tables, country, version, () => this.buildRankTable(country, version))
  }

  private tableOnceItPays<T>(
    tables: VersionedCache<string, T>,
    name: string,
    version: number,
    build: () => T,
  ): T | undefined {
    if (this.workVersion !== version) {
      this.workVersion = version
      this.work.clear()
    }
    const table = tables.get(name, version)
    if (table !== undefined || (this.work.get(name) ?? 0) < this.catalog.nextDoc()) return table
    const built = build()
    tables.set(name, built, version)
    this.work.set(name, 0)
    return built
  }

  private addWork(table: string, entries: number): void {
    this.work.set(table, (this.work.get(table) ?? 0) + entries)
  }

  private buildRankTable(country: string, version: number): RankTable {
    const table = new Uint32Array(this.catalog.nextDoc())
    const cursor = this.catalog.openCursor(column.popularity('alltime', country), version, 'desc')
    for (let rank = 1; cursor.next(); rank++) table[cursor.doc] = rank
    return table
  }

  private buildIdTable(version: number): IdTable {
    const table = new Float64Array(this.catalog.nextDoc())
    // All shows but deleted ones have a rating.
    const cursor = this.catalog.openCursor(column.rating, version, 'asc')
    while (cursor.next()) table[cursor.doc] = cursor.id
    return table
  }
}

/** The smallest numbers in ascending order. One pass with a bounded insertion: the limit is far below the count. */
function smallest(numbers: number[], limit: number): number[] {
  if (numbers.length <= limit) return numbers.sort((a, b) => a - b)
  const kept: number[] = []
  for (let n = 0; n < numbers.length; n++) {
    const number = numbers[n] as number
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
