import { addNumbers, type Bitset, estimateCount, hasBit, listBits, ScratchBitset, wordCount } from '../../lib/bitset.ts'
import type { Conjunction } from './clauses.ts'
import type { ColumnOrder } from './sorted-column.ts'

/** So many entries of a column are always scanned, unless few documents can pass. */
const MIN_SCAN = 64

/** Combining the bits of all documents takes as long as testing one in so many of them. */
const DOCS_PER_TEST = 48

/** Where at most one document in so many can pass, going through the smallest clause takes less time than combining bits. */
const MIN_DOCS_PER_PASSING = 32

/** Looking up the place of a document, at random in memory, takes as long as scanning so many documents. */
const STEPS_PER_PLACE = 10

/** Documents that pass, as bits. */
const passingBits = new ScratchBitset()

/** What is selected from a column. */
interface Selection {
  /** The place of the first document that counts; that of the first one of all by default. */
  readonly start?: number | undefined
  readonly limit: number
  /** The most documents whose options are tested. */
  readonly maxOptionTests?: number
}

/** Tests the options of a document. */
interface OptionTest {
  matches(doc: number): boolean
}

/** The first documents in order. Incomplete if options of more documents would have to be tested. */
interface Selected {
  readonly docs: number[]
  readonly isComplete: boolean
}

/**
 * Selects the first documents of a column that pass a filter. The start of the column is scanned, and each document is
 * tested, as long as so many pass that this is the shortest way. Else all that pass are found, by going through the smallest clause or by
 * combining bits. Then either the column is scanned further, or, if they are few, their places in the column are compared.
 */
export function selectFromColumn(
  column: ColumnOrder,
  filter: Conjunction,
  options: OptionTest | undefined,
  { start, limit, maxOptionTests = Number.POSITIVE_INFINITY }: Selection,
): Selected {
  const scan = column.scan(start)
  const found: number[] = []
  let testsLeft = maxOptionTests
  /** Adds a document of the details that are asked for. Returns whether that was the last one. */
  const add = (doc: number): boolean => {
    if (options !== undefined && (testsLeft-- <= 0 || !options.matches(doc))) return testsLeft < 0
    return found.push(doc) === limit
  }
  const finish = (): Selected => ({ docs: found, isComplete: testsLeft >= 0 })

  const isRare = filter.size * MIN_DOCS_PER_PASSING < column.docCount
  const maxTests = column.docCount / DOCS_PER_TEST
  /** Whether a page is expected to be found sooner by testing documents than by combining bits. */
  const isDense = (tested: number) => found.length > 0 && (limit * tested) / found.length < maxTests
  if (filter.size > MIN_SCAN && !isRare) {
    const passes = filter.toTest()
    for (let tested = 0; scan.hasNext() && (tested % MIN_SCAN > 0 || tested === 0 || isDense(tested)); tested++) {
      const doc = scan.next()
      if (passes(doc) && add(doc)) return finish()
    }
  }
  if (filter.size === 0 || !scan.hasNext()) return finish()

  /** Adds the first of all documents that pass, in the order of their places. */
  const lookUp = (passing: Uint32Array): Selected => {
    const places = placesFrom(column, passing, scan.place)
    const first = options === undefined ? lowest(places, limit - found.length) : places.sort((a, b) => a - b)
    for (const place of first) if (add(column.docAt(place))) break
    return finish()
  }
  /** Whether looking up the places of all that pass takes less time than a scan is expected to take until the page is full. */
  const isLookedUp = (count: number) => count * STEPS_PER_PLACE < (scan.remaining * (limit - found.length)) / count
  /** Scans until the page is full. Returns false if that takes longer than looking up places: what passes may be far behind. */
  const scanFor = (passing: Bitset, count: number): boolean => {
    for (let left = count * STEPS_PER_PLACE; left > 0 && scan.hasNext(); left--) {
      const doc = scan.next()
      if (hasBit(passing, doc) && add(doc)) return true
    }
    return !scan.hasNext()
  }
  if (isRare) {
    const docs = filter.toDocs(column.docCount)
    if (docs.length === 0) return finish()
    if (isLookedUp(docs.length)) return lookUp(docs)
    const bits = passingBits.take(wordCount(column.docCount))
    addNumbers(bits, docs)
    return scanFor(bits, docs.length) ? finish() : lookUp(docs)
  }
  const bits = filter.toBits(column.docCount)
  const count = estimateCount(bits)
  if (count === 0) return finish()
  return isLookedUp(count) || !scanFor(bits, count) ? lookUp(listBits(bits)) : finish()
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
