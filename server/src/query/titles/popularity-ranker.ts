import type { Catalog } from '../../catalog/catalog.ts'
import { type DocSet, RoaringBitmap32 } from '../../catalog/index/doc-set.ts'
import { column } from '../../catalog/show-columns.ts'
import { compareInDirection } from '../../catalog/sorted/column-store.ts'
import { hasBit, ScratchBitset, setBit, wordCount } from '../../lib/bitset/bitset.ts'
import { type MeteredCache, VersionedCache } from '../../lib/cache.ts'
import { BitsetFilter } from '../filters/bitset-filter.ts'
import { lowest } from '../filters/column-selection.ts'
import { type ColumnOrder, GradualScan } from '../filters/sorted-column.ts'
import { FACTS_COST, type SortedColumns } from '../filters/sorted-columns.ts'

/** Up to this many documents are sorted by their facts while the column is not in memory. */
const MAX_SORTED_BY_FACTS = 64

/** Looking up the place of a document takes as long as scanning so many: most searches use the columns of a few large countries. */
const STEPS_PER_PLACE = 15

/** The show ids of documents. */
type IdTable = Float64Array

const IDS = 'ids'

/** Documents that a column is scanned for. */
const scanned = new ScratchBitset()

/** Orders documents by their popularity in a country, more popular first. */
export class PopularityRanker {
  private readonly catalog: Catalog
  private readonly columns: SortedColumns
  private readonly idTable = new VersionedCache<string, IdTable>({
    name: 'show_ids_by_document',
    maxBytes: 64 * 1024 * 1024,
    sizeOf: (table) => table.byteLength,
  })
  /** Work done without the table of ids, in scanned entries, for one version; and the table while it is built. */
  private idWork: { readonly version: number; entries: number; table?: IdTable; scan?: GradualScan } = {
    version: -1,
    entries: 0,
  }

  constructor(catalog: Catalog, columns: SortedColumns) {
    this.catalog = catalog
    this.columns = columns
  }

  caches(): readonly MeteredCache[] {
    return [this.idTable]
  }

  /** The most popular of some distinct documents, in order. */
  top(docs: readonly number[], limit: number, country: string, version: number): readonly number[] {
    if (docs.length <= 1) return docs
    const sorted = this.columns.get(popularityColumn(country), 'desc', version)
    if (sorted !== undefined) return this.topByRank(docs, limit, sorted, version)
    if (docs.length > MAX_SORTED_BY_FACTS) {
      return this.topOfSet(new RoaringBitmap32(docs), limit, country, version)
    }
    this.columns.addWork(popularityColumn(country), version, docs.length * FACTS_COST)
    return this.sortByFacts(docs, country).slice(0, limit)
  }

  /** The most popular documents of a large set, in order. Scans the column until enough are found. */
  topOfSet(set: DocSet, limit: number, country: string, version: number): readonly number[] {
    const filter = new BitsetFilter(set)
    const docs: number[] = []
    const cursor = this.catalog.openCursor(popularityColumn(country), version, 'desc')
    let scanned = 0
    while (docs.length < limit && cursor.next()) {
      scanned++
      if (filter.has(cursor.doc)) docs.push(cursor.doc)
    }
    this.columns.addWork(popularityColumn(country), version, scanned)
    if (docs.length === limit || docs.length === set.size) return docs
    return this.addUnranked(docs, RoaringBitmap32.andNot(set, new RoaringBitmap32(docs)).toArray(), limit, version)
  }

  private topByRank(docs: readonly number[], limit: number, sorted: ColumnOrder, version: number): readonly number[] {
    const first = this.topOfScan(docs, limit, sorted)
    if (first !== undefined) return first
    const places: number[] = []
    const unranked: number[] = []
    for (let i = 0; i < docs.length; i++) {
      const doc = docs[i] as number
      const place = sorted.placeOf(doc)
      if (place < 0) unranked.push(doc)
      else places.push(place)
    }
    const top = lowest(places, limit)
    for (let i = 0; i < top.length; i++) top[i] = sorted.docAt(top[i] as number)
    return top.length < limit && unranked.length > 0 ? this.addUnranked(top, unranked, limit, version) : top
  }

  /** The first of many documents, by a scan of the column. Undefined where looking up their places is expected to be faster, or was. */
  private topOfScan(docs: readonly number[], limit: number, sorted: ColumnOrder): number[] | undefined {
    const maxSteps = docs.length * STEPS_PER_PLACE
    const words = wordCount(sorted.docCount)
    // Half of the documents, say, are in the column at all, and clearing the set is like scanning it.
    if ((2 * limit * sorted.length) / docs.length + words > maxSteps) return undefined
    const wanted = scanned.take(words)
    for (let i = 0; i < docs.length; i++) setBit(wanted, docs[i] as number)
    const top: number[] = []
    const scan = sorted.scan()
    for (let step = 0; step < maxSteps && scan.hasNext(); step++) {
      const doc = scan.next()
      if (hasBit(wanted, doc) && top.push(doc) === limit) return top
    }
    return undefined
  }

  /**
   * Adds documents that have no entry in the country's column: they cannot be watched there, and have no popularity. A few
   * are in the order of their ids, as in every order of equal values; many are in the order of their numbers.
   */
  private addUnranked(top: readonly number[], unranked: number[], limit: number, version: number): readonly number[] {
    const rest = limit - top.length
    if (unranked.length > MAX_SORTED_BY_FACTS) return [...top, ...lowest(unranked, rest)]
    return [...top, ...this.sortById(unranked, version).slice(0, rest)]
  }

  private sortById(docs: number[], version: number): readonly number[] {
    if (docs.length <= 1) return docs
    const table = this.idsOnceTheyPay(version)
    if (table !== undefined) return docs.sort((a, b) => (table[a] as number) - (table[b] as number))
    this.idWork.entries += docs.length * FACTS_COST
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

  /** The ids of all documents, once the work without them has cost as much as reading them, and they are read. */
  private idsOnceTheyPay(version: number): IdTable | undefined {
    if (this.idWork.version !== version) this.idWork = { version, entries: 0 }
    const { idWork } = this
    const ids = this.idTable.get(IDS, version)
    if (ids !== undefined || idWork.entries < this.catalog.nextDoc()) return ids
    idWork.table ??= new Float64Array(this.catalog.nextDoc())
    const { table } = idWork
    // All shows but deleted ones have a rating.
    idWork.scan ??= new GradualScan(this.catalog.columns, column.rating, version, ({ docs, ids }) => {
      for (let i = 0; i < docs.length; i++) table[docs[i] as number] = ids[i] as number
    })
    if (!idWork.scan.advance()) return undefined
    this.idTable.set(IDS, table, version)
    return table
  }
}

function popularityColumn(country: string): string {
  return column.popularity('alltime', country)
}
