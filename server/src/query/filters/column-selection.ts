import { countBits, hasBit, listBits } from '../../lib/bitset.ts'
import type { Conjunction } from './clauses.ts'
import type { ColumnOrder } from './sorted-column.ts'

/** So many entries of a column are always scanned, unless fewer documents can pass. */
const MIN_SCAN = 128

/** Combining the bits of all documents takes as long as testing one in so many of them. */
const DOCS_PER_TEST = 128

/** Where at most one document in so many can pass, going through the smallest clause takes less time than combining bits. */
const MIN_DOCS_PER_PASSING = 32

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

  const maxTests = column.docCount / DOCS_PER_TEST
  /** Whether a page is expected to be found sooner by testing documents than by combining bits. */
  const isDense = (tested: number) => found.length > 0 && (limit * tested) / found.length < maxTests
  if (filter.size > MIN_SCAN) {
    for (let tested = 0; scan.hasNext() && (tested % MIN_SCAN > 0 || tested === 0 || isDense(tested)); tested++) {
      const doc = scan.next()
      if (filter.has(doc) && add(doc)) return finish()
    }
  }
  if (filter.size === 0 || !scan.hasNext()) return finish()

  /** Adds the first of all documents that pass, in the order of their places. */
  const addFirst = (passing: Uint32Array): Selected => {
    const places = placesFrom(column, passing, scan.place)
    const first = options === undefined ? lowest(places, limit - found.length) : places.sort((a, b) => a - b)
    for (const place of first) if (add(column.docAt(place))) break
    return finish()
  }
  if (filter.size * MIN_DOCS_PER_PASSING < column.docCount) return addFirst(filter.toDocs(column.docCount))

  const bits = filter.toBits(column.docCount)
  const count = countBits(bits)
  if (count === 0) return finish()
  // A page takes more steps the fewer documents pass.
  const steps = (scan.remaining * (limit - found.length)) / count
  if (count < steps) return addFirst(listBits(bits, count))
  while (scan.hasNext()) {
    const doc = scan.next()
    if (hasBit(bits, doc) && add(doc)) break
  }
  return finish()
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
