import {
  addNumbers,
  type Bitset,
  countBits,
  hasBit,
  listBits,
  ScratchBitset,
  wordCount,
} from '../../lib/bitset/bitset.ts'
import type { Conjunction } from './clauses.ts'
import type { ColumnOrder, ColumnScan } from './sorted-column.ts'

/** Where at most one document in so many can pass, going through the smallest clause takes less time than combining bits. */
const MIN_DOCS_PER_PASSING = 128

/**
 * Looking up the place of a document takes as long as scanning so many documents: places are at random in memory, in columns that
 * other searches have pushed out of the processor's cache, and what is scanned is in order.
 */
const STEPS_PER_PLACE = 100

/** Documents of a list, as bits. */
const listedBits = new ScratchBitset()

interface Selection {
  /** The place of the first document that counts; that of the first one of all by default. */
  readonly start?: number | undefined
  readonly limit: number
}

/** A test of the options of documents. */
interface OptionTest {
  matches(doc: number): boolean
}

interface TestedSelection extends Selection {
  readonly options: OptionTest
  readonly maxTests: number
}

/**
 * Selects the first documents of a column that pass a filter. All that pass are found, by going through the smallest clause or by
 * combining bits. Then the column is scanned for them, or, if they are few, their places in it are compared.
 */
export function selectFirst(column: ColumnOrder, filter: Conjunction, selection: Selection): number[] {
  const { docCount } = column
  if (filter.size * MIN_DOCS_PER_PASSING >= docCount) return selectPassing(column, filter.toBits(docCount), selection)
  return new ColumnSelection(column, selection).selectListed(filter.toDocs(docCount)) as number[]
}

/** Selects the first documents of a column that are in a set. */
export function selectPassing(column: ColumnOrder, passing: Bitset, selection: Selection): number[] {
  return new ColumnSelection(column, selection).selectPassing(passing) as number[]
}

/** The same of those whose options pass a test; undefined if those of more than `maxTests` documents would have to be tested. */
export function selectTested(column: ColumnOrder, passing: Bitset, selection: TestedSelection): number[] | undefined {
  return new ColumnSelection(column, selection, selection).selectPassing(passing)
}

/** Documents that are being selected from a column. */
class ColumnSelection {
  private readonly column: ColumnOrder
  private readonly limit: number
  private readonly options: OptionTest | undefined
  private readonly docs: number[] = []
  private testsLeft: number
  /** Stands at the next document. */
  private readonly scan: ColumnScan

  constructor(column: ColumnOrder, { start, limit }: Selection, tested?: TestedSelection) {
    this.column = column
    this.limit = limit
    this.scan = column.scan(start)
    this.options = tested?.options
    this.testsLeft = tested?.maxTests ?? 0
  }

  /** The documents that are in a set; undefined if there are no tests left. */
  selectPassing(passing: Bitset): number[] | undefined {
    const count = countBits(passing)
    if (count === 0) return this.result()
    const isLookedUp = this.isLookedUp(count) || !this.scanFor(passing, count)
    return isLookedUp ? this.lookUp(listBits(passing, count)) : this.result()
  }

  /** The documents that are in a list; undefined if there are no tests left. */
  selectListed(passing: Uint32Array): number[] | undefined {
    const count = passing.length
    if (count === 0) return this.result()
    if (this.isLookedUp(count)) return this.lookUp(passing)
    const bits = listedBits.take(wordCount(this.column.docCount))
    addNumbers(bits, passing)
    return this.scanFor(bits, count) ? this.result() : this.lookUp(passing)
  }

  private result(): number[] | undefined {
    return this.testsLeft < 0 ? undefined : this.docs
  }

  /** Adds a document if its options pass. Returns whether that was the last one. */
  private add(doc: number): boolean {
    const { options, docs } = this
    if (options !== undefined) {
      if (--this.testsLeft < 0) return true
      if (!options.matches(doc)) return false
    }
    return docs.push(doc) === this.limit
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
