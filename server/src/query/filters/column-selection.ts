import { addNumbers, type Bitset, estimateCount, hasBit, listBits, ScratchBitset, wordCount } from '../../lib/bitset.ts'
import type { MeteredCache } from '../../lib/cache.ts'
import type { Conjunction } from './clauses.ts'
import { type RankedDocs, RankedSets, type Section, sectionAt } from './ranked-sets.ts'
import type { ColumnOrder, ColumnScan } from './sorted-column.ts'

/** So many entries of a column are always scanned, unless few documents can pass. */
const MIN_SCAN = 64

/** Combining the bits of all documents takes as long as testing one in so many of them. */
const DOCS_PER_TEST = 48

/** Where at most one document in so many can pass, going through the smallest clause takes less time than combining bits. */
const MIN_DOCS_PER_PASSING = 32

/** Looking up the place of a document, at random in memory, takes as long as scanning so many documents. */
export const STEPS_PER_PLACE = 10

/** Documents that pass, as bits. */
const passingBits = new ScratchBitset()

/** Where a selection starts, and its length. */
interface SelectionRange {
  /** The place of the first document that counts; that of the first one of all by default. */
  readonly start?: number | undefined
  readonly limit: number
}

/** A test of the options of documents. */
interface OptionTest {
  matches(doc: number): boolean
}

/** Selects the first documents of columns that pass filters. */
export class ColumnSelector {
  private readonly ranked = new RankedSets()

  caches(): readonly MeteredCache[] {
    return this.ranked.caches()
  }

  /**
   * Selects the first documents of a column that pass a filter. What is known of its sets in the order of the column is combined.
   * Then the start of the column is scanned, and each document is tested, as long as so many pass that this is the shortest
   * way. Else all that pass are found, by going through the smallest clause or by combining bits, and selected from the column.
   */
  select(column: ColumnOrder, filter: Conjunction, range: SelectionRange): number[] {
    return new ColumnSelection(column, range).select(filter, this.ranked) as number[]
  }

  /** The same with a test of options; undefined if the options of more than `maxTests` documents would have to be tested. */
  selectWithOptions(
    column: ColumnOrder,
    filter: Conjunction,
    options: OptionTest,
    { maxTests, ...range }: SelectionRange & { readonly maxTests: number },
  ): number[] | undefined {
    return new ColumnSelection(column, range, options, maxTests).select(filter, this.ranked)
  }

  /** Selects the first documents of a column that are in a set. */
  selectPassing(column: ColumnOrder, passing: Bitset, range: SelectionRange): number[] {
    return new ColumnSelection(column, range).selectPassing(passing) as number[]
  }
}

/** Documents that are being selected from a column. */
class ColumnSelection {
  private readonly column: ColumnOrder
  private readonly limit: number
  private readonly options: OptionTest | undefined
  private readonly docs: number[] = []
  private optionTestsLeft: number
  /** The next document. */
  private scan: ColumnScan
  /** The rank of the next document. */
  private rank: number

  constructor(column: ColumnOrder, { start, limit }: SelectionRange, options?: OptionTest, maxOptionTests = 0) {
    this.column = column
    this.limit = limit
    this.options = options
    this.scan = column.scan(start)
    this.rank = start === undefined ? 0 : column.rankOf(start)
    this.optionTestsLeft = maxOptionTests
  }

  /** The documents that pass a filter; undefined if there are no tests of options left. */
  select(filter: Conjunction, ranked: RankedSets): number[] | undefined {
    const { column } = this
    const first = this.rank
    if (filter.size === 0 || this.addRanked(filter, ranked)) return this.result()
    if (this.rank > first) this.scan = column.scanFromRank(this.rank)
    const isRare = filter.size * MIN_DOCS_PER_PASSING < column.docCount
    if (filter.size > MIN_SCAN && !isRare && this.addScanned(filter, ranked)) return this.result()
    if (!this.scan.hasNext()) return this.result()
    const section = sectionAt(column, this.rank)
    if (section !== undefined) ranked.addSearch(column, section, filter)
    if (!isRare) return this.selectPassing(filter.toBits(column.docCount))
    const docs = filter.toDocs(column.docCount)
    if (docs.length === 0) return this.result()
    if (this.isLookedUp(docs.length)) return this.lookUp(docs)
    const bits = passingBits.take(wordCount(column.docCount))
    addNumbers(bits, docs)
    return this.scanFor(bits, docs.length) ? this.result() : this.lookUp(docs)
  }

  /**
   * The documents that are in a set. Either the column is scanned further, or, if they are few, their places in the column are
   * compared.
   */
  selectPassing(passing: Bitset): number[] | undefined {
    const count = estimateCount(passing)
    if (count === 0) return this.result()
    const isLookedUp = this.isLookedUp(count) || !this.scanFor(passing, count)
    return isLookedUp ? this.lookUp(listBits(passing)) : this.result()
  }

  /**
   * Adds documents as long as sets of the filter are known by rank, and so many of the documents that are left to test pass that this
   * is the shortest way. Returns whether there are no more to add.
   */
  private addRanked(filter: Conjunction, ranked: RankedSets): boolean {
    const { column } = this
    for (let section = sectionAt(column, this.rank); section !== undefined; section = sectionAt(column, this.rank)) {
      const found = ranked.find(column, section, filter, this.rank)
      if (found === undefined) return false
      const isFull = this.addOfSection(section, found, ranked)
      if (isFull || this.rank < section.end) return isFull
    }
    return this.rank >= column.length
  }

  /** Adds documents of a section. Returns whether the last one was added. Stops where combining bits is expected to be faster. */
  private addOfSection(section: Section, found: RankedDocs, ranked: RankedSets): boolean {
    const { rest } = found
    const docs = this.column.head(section.end)
    const passes = rest?.toTest()
    let tested = 0
    let isFull = false
    let rank = found.next()
    for (; rank >= 0 && !isFull; rank = found.next()) {
      const doc = docs[rank] as number
      if (passes !== undefined) {
        if (tested % MIN_SCAN === 0 && !this.isDense(tested)) break
        tested++
        if (!passes(doc)) continue
      }
      isFull = this.add(doc)
    }
    this.rank = rank < 0 ? section.end : rank
    if (rest !== undefined) ranked.addTests(this.column, section, rest, tested)
    return isFull
  }

  /** Scans and tests documents as long as enough of them pass. Returns whether the last one was added. */
  private addScanned(filter: Conjunction, ranked: RankedSets): boolean {
    const { column, scan } = this
    const section = sectionAt(column, this.rank)
    const passes = filter.toTest()
    let tested = 0
    let isFull = false
    while (!isFull && scan.hasNext() && (tested % MIN_SCAN > 0 || this.isDense(tested))) {
      const doc = scan.next()
      tested++
      isFull = passes(doc) && this.add(doc)
    }
    if (section !== undefined) ranked.addTests(column, section, filter, tested)
    return isFull
  }

  private result(): number[] | undefined {
    return this.optionTestsLeft < 0 ? undefined : this.docs
  }

  /** Adds a document if its options pass. Returns whether that was the last one. */
  private add(doc: number): boolean {
    const { options, docs } = this
    if (options !== undefined) {
      if (--this.optionTestsLeft < 0) return true
      if (!options.matches(doc)) return false
    }
    return docs.push(doc) === this.limit
  }

  /** Whether a page is expected to be found sooner by testing documents than by combining bits. */
  private isDense(tested: number): boolean {
    const { docs, limit, column } = this
    return tested === 0 || (docs.length > 0 && (limit * tested) / docs.length < column.docCount / DOCS_PER_TEST)
  }

  /** Whether looking up the places of all that pass takes less time than a scan is expected to take until the page is full. */
  private isLookedUp(count: number): boolean {
    return count * STEPS_PER_PLACE < (this.scan.remaining * (this.limit - this.docs.length)) / count
  }

  /** Adds the first of all documents that pass, in the order of their places. */
  private lookUp(passing: Uint32Array): number[] | undefined {
    const { column, scan, docs, limit, options } = this
    const places = placesFrom(column, passing, scan.place)
    const first = options === undefined ? lowest(places, limit - docs.length) : places.sort((a, b) => a - b)
    for (const place of first) if (this.add(column.docAt(place))) break
    return this.result()
  }

  /** Scans until the page is full. Returns false if that takes longer than looking up places: what passes may be far behind. */
  private scanFor(passing: Bitset, count: number): boolean {
    const { scan } = this
    for (let left = count * STEPS_PER_PLACE; left > 0 && scan.hasNext(); left--) {
      const doc = scan.next()
      if (hasBit(passing, doc) && this.add(doc)) return true
    }
    return !scan.hasNext()
  }
}

/** The places of documents in a column, from one on, in any order. */
function placesFrom(column: ColumnOrder, docs: Uint32Array, from: number): number[] {
  const places: number[] = []
  for (let i = 0; i < docs.length; i++) {
    const place = column.placeOf(docs[i] as number)
    if (place >= from) places.push(place)
  }
  return places
}

/** The lowest of distinct numbers in ascending order. One pass with a bounded insertion: the limit is far below the count. */
export function lowest(numbers: number[], limit: number): number[] {
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
