import type { PostingList } from '../../catalog/index/postings.ts'
import {
  type Bitset,
  clearRange,
  countBits,
  flipBit,
  forEachBit,
  intersect,
  popcount,
  ScratchBitset,
  setRange,
  subtract,
  wordCount,
} from '../../lib/bitset.ts'
import { type MeteredCache, VersionedCache } from '../../lib/cache.ts'
import { type Price, QUALITIES } from '../../model/offer.ts'
import type { OptionFilter } from '../queries.ts'
import { isWithin, NumberTest, type OptionScope } from './option-matcher.ts'
import { BLOCKS_PER_SEGMENT, DOCS_PER_SEGMENT, OptionSegment, optionKey, type ValueReader } from './option-segment.ts'
import type { OptionTable } from './option-table.ts'

/** Memory for segments in each serving process; an option takes some 50 bytes. */
const MAX_INDEX_BYTES = 128 * 1024 * 1024

const WORDS_PER_SEGMENT = wordCount(DOCS_PER_SEGMENT)

/** For each service, by its number in the dictionary, how many documents have an option on it that passes. */
export type ServiceCounts = ReadonlyMap<number, number>

/** Where the options of documents are read from. */
type OptionSource = Pick<OptionTable, 'block' | 'blockCount' | 'changedAt' | 'countries'>

/**
 * Finds all documents with an option that passes filters, and counts them by service, in an inverted index of options: one
 * for each country that is asked for by itself, and one of all countries. Each is in segments by document number. A segment
 * is built when it is first needed, and again when one of its documents changes.
 */
export class OptionIndex {
  private readonly table: OptionSource
  private readonly dictionary: ValueReader
  private readonly segments = new VersionedCache<string, OptionSegment>({
    name: 'option_segments',
    maxBytes: MAX_INDEX_BYTES,
    sizeOf: ({ bytes }) => bytes,
  })

  constructor(table: OptionSource, dictionary: ValueReader) {
    this.table = table
    this.dictionary = dictionary
  }

  caches(): readonly MeteredCache[] {
    return [this.segments]
  }

  /** Removes the documents without an option that passes from a set. */
  filter(docs: Bitset, scope: OptionScope, version: number): void {
    for (const { segment, candidates, rows } of this.select(docs, scope, version)) {
      intersect(candidates, docsOfRows(segment, rows))
    }
  }

  /** The same; counts those that are left by service. */
  filterAndCount(docs: Bitset, scope: OptionScope, version: number): ServiceCounts {
    const counts = new Map<number, number>()
    for (const { segment, candidates, rows } of this.select(docs, scope, version)) {
      const found = docsOfRows(segment, rows)
      keepRowsOf(segment, found, candidates, rows)
      intersect(candidates, found)
      countServices(segment, rows, counts)
    }
    return counts
  }

  /** For each segment with documents of a set: these, and the rows of the segment that pass. */
  private *select(docs: Bitset, scope: OptionScope, version: number): Iterable<SelectedRows> {
    const { countries } = scope
    const indexed = countries.length === 1 ? countries : this.table.countries(version)
    const isWhole = indexed.every((country) => countries.includes(country))
    const rowFilter = new RowFilter(scope, isWhole ? [] : countries.map(optionKey.country), this.dictionary)
    for (let start = 0; start < docs.length; start += WORDS_PER_SEGMENT) {
      const candidates = docs.subarray(start, start + WORDS_PER_SEGMENT)
      if (!candidates.some((word) => word !== 0)) continue
      const segment = this.segment(indexed, start / WORDS_PER_SEGMENT, version)
      yield { segment, candidates, rows: rowFilter.select(segment) }
    }
  }

  private segment(countries: readonly string[], segment: number, version: number): OptionSegment {
    const { table } = this
    const start = segment * BLOCKS_PER_SEGMENT
    const end = Math.min(start + BLOCKS_PER_SEGMENT, table.blockCount(version))
    const key = `${countries.length === 1 ? countries[0] : 'all'} ${segment}`
    return this.segments.getOrCompute(key, table.changedAt(start, end, version), () => {
      const blocks = Array.from({ length: end - start }, (_, i) =>
        countries.map((country) => ({ country, block: table.block(country, start + i, version) })),
      )
      return new OptionSegment(blocks, this.dictionary)
    })
  }
}

/** Rows of a segment that pass filters on options, and the documents of the segment that are to be filtered by them. */
interface SelectedRows {
  readonly segment: OptionSegment
  readonly candidates: Bitset
  readonly rows: Bitset
}

/** Selects the rows of segments that pass all filters on options. */
class RowFilter {
  /** Names of posting lists: a row must be in one of each group. */
  private readonly groups: readonly (readonly string[])[]
  private readonly price: NumberTest | undefined
  private readonly sinceMin: number | undefined
  private readonly leavingBefore: number | undefined

  /** @param countries names of posting lists, of which a row must be in one; none if it may be in any country */
  constructor({ catalogs, options }: OptionScope, countries: readonly string[], dictionary: ValueReader) {
    const { priceMax } = options
    this.groups = keyGroups(options, [countries, catalogs.map(optionKey.catalog)])
    this.sinceMin = options.availableSinceMin
    this.leavingBefore = options.leavingBefore
    this.price = priceMax && new NumberTest((price) => isWithin(dictionary.json(price) as Price, priceMax))
  }

  /** The rows that pass. Valid until the next call. */
  select(segment: OptionSegment): Bitset {
    const groups = this.groups.map((keys) => keys.map((key) => segment.list(key)))
    if (this.price !== undefined) {
      const passing: PostingList[] = []
      for (const [price, list] of segment.prices) if (this.price.passes(price)) passing.push(list)
      groups.push(passing)
    }
    const length = wordCount(segment.rowCount)
    const rows = selected.take(length)
    groups.forEach((lists, i) => {
      if (i === 0) for (const list of lists) list.addTo(rows)
      else if (lists.length === 1) lists[0]?.intersect(rows)
      else {
        const union = united.take(length)
        for (const list of lists) list.addTo(union)
        intersect(rows, union)
      }
    })
    if (groups.length === 0) rows.fill(ALL_BITS)
    if (this.sinceMin !== undefined) segment.starts.keepFrom(this.sinceMin, rows)
    if (this.leavingBefore !== undefined) segment.ends.keepBefore(this.leavingBefore, rows)
    return rows
  }
}

/** Groups of posting lists, one of each of which a row must be in. */
function keyGroups(
  { types, qualityMin, audios, subtitles }: OptionFilter,
  others: readonly (readonly string[])[],
): (readonly string[])[] {
  const groups = others.filter((keys) => keys.length > 0)
  if (types !== undefined) groups.push(types.map(optionKey.type))
  if (qualityMin !== undefined) groups.push([optionKey.quality(QUALITIES.indexOf(qualityMin) + 1)])
  if (audios !== undefined) groups.push(audios.map(optionKey.audio))
  if (subtitles !== undefined)
    groups.push(subtitles.map(({ language, captions }) => optionKey.subtitle(language, captions)))
  return groups
}

/** Rows that are selected, and what is combined in between. */
const selected = new ScratchBitset()
const united = new ScratchBitset()
const marked = new ScratchBitset()
const passing = new ScratchBitset()
const others = new ScratchBitset()

const ALL_BITS = 0xffff_ffff

/** The documents that have a row in a set. Valid until the next call. */
function docsOfRows({ docs, docEnds, docsWithRows, docCount }: OptionSegment, rows: Bitset): Bitset {
  const found = passing.take(docsWithRows.length)
  const marks = marked.take(rows.length)
  // Whichever are fewer: the documents are added, or the others are removed.
  const areMost = 2 * markGroups(rows, docEnds, marks) > docCount
  if (areMost) found.set(docsWithRows)
  const flip = areMost ? -1 : 0
  for (let i = 0; i < marks.length; i++) {
    for (let rest = (marks[i] as number) ^ ((docEnds[i] as number) & flip); rest !== 0; rest &= rest - 1)
      flipBit(found, docs[i * 32 + 31 - Math.clz32(rest & -rest)] as number)
  }
  return found
}

/** Of rows, and their documents, removes those of documents that are not among the candidates. */
function keepRowsOf({ firstRows }: OptionSegment, docs: Bitset, candidates: Bitset, rows: Bitset): void {
  const excluded = others.take(docs.length)
  excluded.set(docs)
  subtract(excluded, candidates)
  const count = countBits(excluded)
  if (count === 0) return
  // Whichever are fewer: rows are removed, or the others are kept.
  if (2 * count <= countBits(docs)) {
    forEachBit(excluded, (doc) => clearRange(rows, firstRows[doc] as number, firstRows[doc + 1] as number))
    return
  }
  excluded.set(docs)
  intersect(excluded, candidates)
  const kept = united.take(rows.length)
  forEachBit(excluded, (doc) => setRange(kept, firstRows[doc] as number, firstRows[doc + 1] as number))
  intersect(rows, kept)
}

/** Adds up the services of the documents of rows, each once for a document. */
function countServices(segment: OptionSegment, rows: Bitset, counts: Map<number, number>): void {
  const { services, serviceIndexes, serviceEnds, serviceTotals } = segment
  const marks = marked.take(rows.length)
  // Whichever are fewer: the services of documents are counted, or those without a row in the set.
  const areMost = 2 * markGroups(rows, serviceEnds, marks) > segment.serviceCount
  const flip = areMost ? -1 : 0
  const found = new Uint32Array(services.length)
  for (let i = 0; i < marks.length; i++) {
    for (let rest = (marks[i] as number) ^ ((serviceEnds[i] as number) & flip); rest !== 0; rest &= rest - 1) {
      const index = serviceIndexes[i * 32 + 31 - Math.clz32(rest & -rest)] as number
      found[index] = (found[index] as number) + 1
    }
  }
  services.forEach((service, i) => {
    const count = areMost ? (serviceTotals[i] as number) - (found[i] as number) : (found[i] as number)
    if (count > 0) counts.set(service, (counts.get(service) ?? 0) + count)
  })
}

/**
 * For groups of consecutive rows, given by the last row of each: marks the last rows of those groups that have a row in a
 * set, and counts them. A word at a time: within a group, adding all ones to the bits before its last one carries into the
 * last one if any of them is set.
 */
function markGroups(rows: Bitset, ends: Bitset, marks: Bitset): number {
  let carry = 0
  let count = 0
  for (let i = 0; i < rows.length; i++) {
    const row = (rows[i] as number) | 0
    const end = (ends[i] as number) | 0
    const inner = ~end
    const set = row & inner
    const sum = (((set + inner) | 0) + carry) | 0
    carry = ((set & inner) | ((set | inner) & ~sum)) >>> 31
    const mark = (sum | row) & end
    marks[i] = mark
    if (mark !== 0) count += popcount(mark)
  }
  return count
}
