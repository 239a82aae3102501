import type { PostingList } from '../../catalog/index/posting-list.ts'
import type { Dictionary } from '../../catalog/storage/dictionary.ts'
import { type Bitset, intersect, ScratchBitset, wordCount } from '../../lib/bitset.ts'
import { popcount } from '../../lib/roaring/popcount.ts'
import { type MeteredCache, VersionedCache } from '../../lib/versioned-cache.ts'
import { type Price, QUALITIES } from '../../model/offer.ts'
import type { OptionFilter } from '../queries.ts'
import { isWithin, NumberTest, type OptionScope } from './option-matcher.ts'
import { BLOCKS_PER_SEGMENT, DOCS_PER_SEGMENT, OptionSegment, optionKey } from './option-segment.ts'
import type { OptionTable } from './option-table.ts'

/** Memory for segments in each serving process; an option takes some 50 bytes. */
const MAX_INDEX_BYTES = 128 * 1024 * 1024

const WORDS_PER_SEGMENT = wordCount(DOCS_PER_SEGMENT)

/** For each service, by its number in the dictionary, how many documents have an option on it that passes. */
export type ServiceCounts = ReadonlyMap<number, number>

/**
 * Finds all documents with an option that passes filters, and counts them by service. Each country has an inverted index
 * of its options, in segments by document number. A segment is built when it is first needed, and again when one of its
 * documents changes.
 */
export class OptionIndex {
  private readonly table: OptionTable
  private readonly dictionary: Dictionary
  private readonly segments = new VersionedCache<string, OptionSegment>({
    name: 'option_segments',
    maxBytes: MAX_INDEX_BYTES,
    sizeOf: ({ bytes }) => bytes,
  })
  /** The documents of a segment that have an option of a service, by its number, and those that have any. Reused. */
  private readonly byService = new Map<number, Bitset>()
  private readonly passing = new Uint32Array(WORDS_PER_SEGMENT)

  constructor(table: OptionTable, dictionary: Dictionary) {
    this.table = table
    this.dictionary = dictionary
  }

  caches(): readonly MeteredCache[] {
    return [this.segments]
  }

  /** Removes the documents without an option that passes from a set, and counts the others by service. */
  filter(docs: Bitset, scope: OptionScope, version: number): ServiceCounts {
    const rowFilter = new RowFilter(scope, this.dictionary)
    const counts = new Map<number, number>()
    for (let segment = 0; segment * WORDS_PER_SEGMENT < docs.length; segment++) {
      const start = segment * WORDS_PER_SEGMENT
      const candidates = docs.subarray(start, start + WORDS_PER_SEGMENT)
      if (candidates.some((word) => word !== 0))
        this.filterSegment(candidates, segment, scope, rowFilter, version, counts)
    }
    return counts
  }

  private filterSegment(
    candidates: Bitset,
    segment: number,
    { countries }: OptionScope,
    rowFilter: RowFilter,
    version: number,
    counts: Map<number, number>,
  ): void {
    const { passing } = this
    const services = new Set<number>()
    for (const country of countries) {
      const options = this.segment(country, segment, version)
      const rows = rowFilter.select(options)
      for (const { service, start, end } of options.runs) {
        services.add(service)
        addDocs(this.serviceBits(service), options.docs, rows, start, end)
      }
    }
    // A document counts once for a service, in however many countries it has it.
    passing.fill(0)
    for (const service of services) {
      const bits = this.serviceBits(service)
      const count = uniteCommon(passing, bits, candidates)
      if (count > 0) counts.set(service, (counts.get(service) ?? 0) + count)
      bits.fill(0)
    }
    intersect(candidates, passing)
  }

  private serviceBits(service: number): Bitset {
    let bits = this.byService.get(service)
    if (bits === undefined) {
      bits = new Uint32Array(WORDS_PER_SEGMENT)
      this.byService.set(service, bits)
    }
    return bits
  }

  private segment(country: string, segment: number, version: number): OptionSegment {
    const first = segment * BLOCKS_PER_SEGMENT
    const changedAt = this.table.changedAt(first, first + BLOCKS_PER_SEGMENT, version)
    return this.segments.getOrCompute(`${country} ${segment}`, changedAt, () => {
      const blocks = this.table.blocks(country, first, first + BLOCKS_PER_SEGMENT, version)
      return new OptionSegment(blocks, this.dictionary)
    })
  }
}

/** Selects the rows of segments that pass all filters on options. */
class RowFilter {
  /** Names of posting lists: a row must be in one of each group. */
  private readonly groups: readonly (readonly string[])[]
  private readonly price: NumberTest | undefined
  private readonly sinceMin: number | undefined
  private readonly leavingBefore: number | undefined

  constructor({ catalogs, options }: OptionScope, dictionary: Dictionary) {
    const { priceMax } = options
    this.groups = keyGroups(options, catalogs.map(optionKey.catalog))
    this.sinceMin = options.availableSinceMin
    this.leavingBefore = options.leavingBefore
    this.price = priceMax && new NumberTest((price) => isWithin(dictionary.json(price) as Price, priceMax))
  }

  /** The rows that pass. Valid until the next call. */
  select(segment: OptionSegment): Bitset {
    const { docs, prices } = segment
    const groups = this.groups.map((keys) => keys.map((key) => segment.list(key)))
    if (this.price !== undefined) {
      const passing: PostingList[] = []
      for (const [price, list] of prices) if (this.price.passes(price)) passing.push(list)
      groups.push(passing)
    }
    const length = wordCount(docs.length)
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
    const { sinceMin, leavingBefore } = this
    if (sinceMin !== undefined) keepFrom(rows, segment.starts, sinceMin)
    if (leavingBefore !== undefined) keepBelow(rows, segment.ends, leavingBefore)
    return rows
  }
}

/** Rows that are selected, and what is combined in between. */
const selected = new ScratchBitset()
const united = new ScratchBitset()

const ALL_BITS = 0xffff_ffff

/** Groups of posting lists, one of each of which a row must be in. */
function keyGroups(
  { types, qualityMin, audios, subtitles }: OptionFilter,
  catalogs: readonly string[],
): (readonly string[])[] {
  const groups: (readonly string[])[] = []
  if (catalogs.length > 0) groups.push(catalogs)
  if (types !== undefined) groups.push(types.map(optionKey.type))
  if (qualityMin !== undefined) groups.push([optionKey.quality(QUALITIES.indexOf(qualityMin) + 1)])
  if (audios !== undefined) groups.push(audios.map(optionKey.audio))
  if (subtitles !== undefined)
    groups.push(subtitles.map(({ language, captions }) => optionKey.subtitle(language, captions)))
  return groups
}

/** Adds the documents of the rows in a run that are selected. */
function addDocs(bits: Bitset, docs: Uint16Array, rows: Bitset, start: number, end: number): void {
  const lastWord = (end - 1) >>> 5
  for (let word = start >>> 5; word <= lastWord; word++) {
    let rest = rows[word] as number
    if (rest === 0) continue
    const base = word * 32
    if (base < start) rest &= ALL_BITS << (start & 31)
    if (base + 32 > end) rest &= ALL_BITS >>> (base + 32 - end)
    for (; rest !== 0; rest &= rest - 1) {
      const doc = docs[base + 31 - Math.clz32(rest & -rest)] as number
      bits[doc >>> 5] = (bits[doc >>> 5] as number) | (1 << (doc & 31))
    }
  }
}

/** Adds the numbers that two sets have in common to a third one, and counts them. */
function uniteCommon(target: Bitset, a: Bitset, b: Bitset): number {
  let count = 0
  const length = Math.min(a.length, b.length)
  for (let i = 0; i < length; i++) {
    const common = (a[i] as number) & (b[i] as number)
    if (common === 0) continue
    count += popcount(common)
    target[i] = (target[i] as number) | common
  }
  return count
}

/** Removes the rows with a time before the given one. All rows of a word are compared, without a branch for each. */
function keepFrom(rows: Bitset, times: Float64Array, min: number): void {
  for (let word = 0; word < rows.length; word++) {
    if (rows[word] === 0) continue
    const base = word * 32
    const end = Math.min(32, times.length - base)
    let mask = 0
    for (let bit = 0; bit < end; bit++) mask |= Number((times[base + bit] as number) >= min) << bit
    rows[word] = (rows[word] as number) & mask
  }
}

/** Removes the rows with the given time or a later one. */
function keepBelow(rows: Bitset, times: Float64Array, limit: number): void {
  for (let word = 0; word < rows.length; word++) {
    if (rows[word] === 0) continue
    const base = word * 32
    const end = Math.min(32, times.length - base)
    let mask = 0
    for (let bit = 0; bit < end; bit++) mask |= Number((times[base + bit] as number) < limit) << bit
    rows[word] = (rows[word] as number) & mask
  }
}
