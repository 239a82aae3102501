import { type Bitset, ScratchBitset, wordCount } from '../../lib/bitset.ts'
import { CacheMeter, type MeteredCache } from '../../lib/cache.ts'
import type { Conjunction, IndexedSet, Translation } from './clauses.ts'
import { type ColumnOrder, MAX_HEAD } from './sorted-column.ts'

/** The ranks at which the sections of an order end. Most pages end within the first one. */
const SECTION_ENDS = [4_096, 16_384, MAX_HEAD] as const

/** So many words of sets are combined at once: a page often ends among their documents. */
const WORDS_AT_ONCE = 64

/** Finding all documents that pass takes as long as testing one in so many of a catalog. */
const DOCS_PER_TEST = 128

/** Memory for sets by rank in each serving process. */
const MAX_BYTES = 48 * 1024 * 1024

const ALL_BITS = 0xffff_ffff
const NO_BITS: Bitset = new Uint32Array(0)

/** The words that are combined, of one search at a time. */
const passing = new ScratchBitset()

/** A part of an order. */
export interface Section {
  readonly index: number
  /** The rank of its first document, and the one behind its last. */
  readonly start: number
  readonly end: number
}

/** Visits the documents of a section, from a rank on, that pass a filter as far as its sets are known by rank. */
export class RankedDocs {
  /** The clauses that are left to test; undefined if there are none. */
  readonly rest: Conjunction | undefined
  private readonly within: readonly (readonly Bitset[])[]
  private readonly without: readonly Bitset[]
  private readonly section: Section
  /** The words of the section that are combined, from one to before another. */
  private start: number
  private end: number
  private combined = NO_BITS
  /** The word that is visited, and what is left of it. */
  private word: number
  private bits = 0

  constructor({ within, without, rest }: Translation, section: Section, rank: number) {
    this.within = within
    this.without = without
    this.rest = rest
    this.section = section
    const first = rank - section.start
    this.start = first >>> 5
    this.end = this.start
    this.word = this.start
    if (this.combineMore()) this.bits = (this.combined[0] as number) & (-1 << (first & 31))
  }

  /** The rank of the next document; -1 if there are no more. */
  next(): number {
    while (this.bits === 0) {
      if (++this.word >= this.end && !this.combineMore()) return -1
      this.bits = (this.combined[this.word - this.start] as number) | 0
    }
    const lowest = this.bits & -this.bits
    this.bits ^= lowest
    return this.section.start + this.word * 32 + 31 - Math.clz32(lowest)
  }

  /** Combines the next words. Returns false if there are no more. */
  private combineMore(): boolean {
    const length = this.section.end - this.section.start
    const start = this.end
    const count = Math.min(WORDS_AT_ONCE, wordCount(length) - start)
    if (count <= 0) return false
    const found = passing.take(count).fill(ALL_BITS)
    // The last word has bits behind the end of the section, which stand for no documents.
    if ((start + count) * 32 > length) found[count - 1] = ALL_BITS >>> -(length & 31)
    for (const sets of this.within) {
      if (sets.length === 1) {
        const set = sets[0] as Bitset
        for (let i = 0; i < count; i++) found[i] = (found[i] as number) & (set[start + i] as number)
      } else {
        for (let i = 0; i < count; i++) {
          let any = 0
          for (let s = 0; s < sets.length; s++) any |= (sets[s] as Bitset)[start + i] as number
          found[i] = (found[i] as number) & any
        }
      }
    }
    for (const set of this.without) {
      for (let i = 0; i < count; i++) found[i] = (found[i] as number) & ~(set[start + i] as number)
    }
    this.start = start
    this.end = start + count
    this.combined = found
    return true
  }
}

/** A set of documents by rank, section by section. */
class RankedSet {
  /** Undefined for the sections of which it was not gathered yet. */
  readonly bits: (Bitset | undefined)[] = SECTION_ENDS.map(() => undefined)
  /** How many documents of each section were tested without it. */
  readonly tests: number[] = SECTION_ENDS.map(() => 0)
}

/** The sets of an order. They live as long as the sets by document number that they were gathered from. */
type OrderSets = WeakMap<IndexedSet, RankedSet>

/**
 * Sets of documents in the order of a column: the bit of a document is at its _rank_, the count of documents before it. The first
 * documents in order that are in several sets are found by combining the starts of these bits, however large the sets are. Bits
 * are gathered for the starts of orders only, section by section, and for sets that were often tested there.
 */
export class RankedSets {
  private orders = new WeakMap<ColumnOrder, OrderSets>()
  /** Bytes that were gathered since all sets were forgotten; those that have gone with their orders still count. */
  private readonly meter = new CacheMeter('ranked_sets', MAX_BYTES)

  caches(): readonly MeteredCache[] {
    return [this.meter]
  }

  /** The documents of a section, from a rank on, that pass a filter as far as its sets are known by rank; undefined if none is. */
  find(order: ColumnOrder, section: Section, filter: Conjunction, rank: number): RankedDocs | undefined {
    const known = this.of(order)
    const translation = filter.translate((set) => this.bits(known, order, section, set))
    if (translation.within.length + translation.without.length === 0) return undefined
    return new RankedDocs(translation, section, rank)
  }

  /** Counts documents of a section that were tested because the ranks of a filter's sets were not known. */
  addTests(order: ColumnOrder, { index }: Section, filter: Conjunction, tests: number): void {
    const known = this.of(order)
    filter.forEachSet((set) => {
      let ranked = known.get(set)
      if (ranked === undefined) {
        ranked = new RankedSet()
        known.set(set, ranked)
      }
      ranked.tests[index] = (ranked.tests[index] as number) + tests
    })
  }

  /** Counts that all documents that pass a filter were found because ranks were not known, from a section of the order on. */
  addSearch(order: ColumnOrder, first: Section, filter: Conjunction): void {
    const tests = order.docCount / DOCS_PER_TEST / Math.min(order.length, MAX_HEAD)
    for (let section: Section | undefined = first; section !== undefined; section = sectionAt(order, section.end)) {
      this.addTests(order, section, filter, tests * (section.end - section.start))
    }
  }

  /** A set by rank, if it is known in a section or worth gathering: that takes as long as testing each document. */
  private bits(known: OrderSets, order: ColumnOrder, section: Section, set: IndexedSet): Bitset | undefined {
    const { meter } = this
    const ranked = known.get(set)
    const bits = ranked?.bits[section.index]
    if (bits !== undefined) {
      meter.hits++
      return bits
    }
    meter.misses++
    const length = section.end - section.start
    if (ranked === undefined || (ranked.tests[section.index] as number) < length) return undefined
    const gathered = gather(order, section, set)
    ranked.bits[section.index] = gathered
    if (meter.bytes > MAX_BYTES) this.forget()
    meter.entries++
    meter.bytes += gathered.byteLength
    return gathered
  }

  private forget(): void {
    const { meter } = this
    this.orders = new WeakMap()
    meter.evictions += meter.entries
    meter.entries = 0
    meter.bytes = 0
  }

  private of(order: ColumnOrder): OrderSets {
    let sets = this.orders.get(order)
    if (sets === undefined) {
      sets = new WeakMap()
      this.orders.set(order, sets)
    }
    return sets
  }
}

/** The section of an order with a rank; undefined behind the last one. */
export function sectionAt({ length }: ColumnOrder, rank: number): Section | undefined {
  const index = SECTION_ENDS.findIndex((end) => rank < end)
  if (index < 0 || rank >= length) return undefined
  return { index, start: SECTION_ENDS[index - 1] ?? 0, end: Math.min(SECTION_ENDS[index] as number, length) }
}

const expanded = new ScratchBitset()

/** The members of a set among the documents of a section, by rank in the section. */
function gather(order: ColumnOrder, { start, end }: Section, set: IndexedSet): Bitset {
  let { bits } = set
  if (bits === undefined) {
    bits = expanded.take(wordCount(order.docCount))
    set.addTo(bits)
  }
  const docs = order.head(end)
  const ranks = new Uint32Array(wordCount(end - start))
  let rank = start
  for (let i = 0; i < ranks.length; i++) {
    // Without a branch for each bit, which the processor would have to guess.
    let word = 0
    for (let bit = 0; bit < 32 && rank < end; bit++, rank++) {
      const doc = docs[rank] as number
      const at = doc >>> 5
      word |= ((at < bits.length ? (bits[at] as number) >>> (doc & 31) : 0) & 1) << bit
    }
    ranks[i] = word
  }
  return ranks
}
