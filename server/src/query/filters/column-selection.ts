import { countBits, hasBit, listBits } from '../../lib/bitset.ts'
import type { Conjunction } from './clauses.ts'
import type { ColumnOrder } from './sorted-column.ts'

/** So many entries of a column are always scanned, unless fewer documents can pass. */
const MIN_SCAN = 128

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
 * tested: where many pass, that is enough. Else all that pass are found by combining bits. Then either the column is scanned
 * further, or, if they are few, their places in the column are compared.
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

  if (filter.size > MIN_SCAN) {
    for (let i = 0; i < MIN_SCAN && scan.hasNext(); i++) {
      const doc = scan.next()
      if (filter.has(doc) && add(doc)) return finish()
    }
  }
  if (filter.size === 0 || !scan.hasNext()) return finish()

  const bits = filter.toBits(column.docCount)
  const count = countBits(bits)
  if (count === 0) return finish()
  // A page takes more steps the fewer documents pass.
  const steps = (scan.remaining * (limit - found.length)) / count
  if (count < steps) {
    const places = placesFrom(column, listBits(bits, count), scan.place)
    const first = options === undefined ? lowest(places, limit - found.length) : places.sort((a, b) => a - b)
    for (const place of first) if (add(column.docAt(place))) break
    return finish()
  }
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
