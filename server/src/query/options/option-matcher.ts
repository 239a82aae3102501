import { type Bitset, countBits, intersect, ScratchBitset, setBit, wordCount } from '../../lib/bitset/bitset.ts'
import type { CatalogSelector, OptionFilter } from '../queries.ts'
import { DOCS_PER_SEGMENT, NO_END, type OptionSegment } from './option-segment.ts'
import type { CountrySegments, OptionTable } from './option-table.ts'
import { KIND, type OptionValues, VALUES_PER_OPTION } from './option-values.ts'
import { RowFilter } from './row-filter.ts'

/** Where the options of a document are, and which of them pass. */
export interface OptionScope {
  readonly countries: readonly string[]
  readonly catalogs: readonly CatalogSelector[]
  readonly options: OptionFilter
}

/** For each service, by its number in the dictionary, how many documents have an option on it that passes. */
export type ServiceCounts = ReadonlyMap<number, number>

/** A show's id, and what it is ordered by. */
interface OptionSortKey {
  readonly id: number
  readonly value: number
}

const WORDS_PER_SEGMENT = wordCount(DOCS_PER_SEGMENT)

/** Of so many documents of a segment the rows are tested one after the other; of more of them all rows are. */
const MAX_LISTED_DOCS = DOCS_PER_SEGMENT / 32

/** The end of options without one, in the order of ends: after all timestamps. */
const LAST_END = 999_999_999_999

/** Filters on the options of documents in some countries, at one catalog version. */
export class OptionMatcher {
  private readonly values: OptionValues
  private readonly filter: RowFilter
  /** By country. */
  private readonly segments: readonly CountrySegments[]

  /** Reads the options of the countries if they are not in memory. */
  constructor(table: OptionTable, { countries, catalogs, options }: OptionScope, version: number) {
    this.values = table.values
    this.segments = table.segments(countries, version)
    this.filter = new RowFilter(options, catalogs, table.values)
  }

  /** Whether an option of the document passes all filters. */
  matches(doc: number): boolean {
    const index = Math.floor(doc / DOCS_PER_SEGMENT)
    for (let c = 0; c < this.segments.length; c++) {
      const segment = (this.segments[c] as CountrySegments)[index]
      if (segment !== undefined && this.matchesIn(segment, doc % DOCS_PER_SEGMENT)) return true
    }
    return false
  }

  /** The latest time since which an option of the document that passes is available; 0 without one. */
  latestStart(doc: number): OptionSortKey {
    return this.reduce(doc, 0, (latest, { starts }, row) => Math.max(latest, starts[row] as number))
  }

  /** The earliest known end of an option of the document that passes; behind all others without one. */
  earliestEnd(doc: number): OptionSortKey {
    return this.reduce(doc, LAST_END, (earliest, { ends }, row) => {
      const end = ends[row] as number
      return end === NO_END ? earliest : Math.min(earliest, end)
    })
  }

  /** Removes the documents without an option that passes from a set. */
  retain(docs: Bitset): void {
    for (let start = 0; start < docs.length; start += WORDS_PER_SEGMENT) {
      const candidates = docs.subarray(start, start + WORDS_PER_SEGMENT)
      const count = countBits(candidates)
      if (count > 0) this.retainIn(candidates, count, start / WORDS_PER_SEGMENT)
    }
  }

  /** The same; counts the services of those that are left, each once for a document. */
  retainAndCount(docs: Bitset): ServiceCounts {
    const counter = new ServiceCounter(this.values)
    for (let start = 0; start < docs.length; start += WORDS_PER_SEGMENT) {
      const candidates = docs.subarray(start, start + WORDS_PER_SEGMENT)
      const count = countBits(candidates)
      if (count > 0) this.countIn(candidates, count, start / WORDS_PER_SEGMENT, counter)
    }
    return counter.toMap()
  }

  /** Removes the documents of a segment without an option that passes from a set of so many. */
  private retainIn(docs: Bitset, count: number, index: number): void {
    const found = passing.take(docs.length)
    for (const segments of this.segments) {
      const segment = segments[index]
      if (segment !== undefined) addDocs(segment, this.selectRows(segment, docs, count), found)
    }
    intersect(docs, found)
  }

  /** The same; adds up the services of those that are left. */
  private countIn(docs: Bitset, count: number, index: number, counter: ServiceCounter): void {
    const found = passing.take(docs.length)
    counter.beginSegment(docs)
    for (const segments of this.segments) {
      const segment = segments[index]
      if (segment === undefined) continue
      counter.addRows(segment, this.selectRows(segment, docs, count), found)
    }
    intersect(docs, found)
  }

  /** The rows of a segment that pass, at least those of a set of so many documents. Valid until the next call. */
  private selectRows(segment: OptionSegment, docs: Bitset, count: number): Bitset {
    const { filter } = this
    const rows = selected.take(wordCount(segment.rowCount))
    if (count > MAX_LISTED_DOCS) filter.select(segment, rows)
    else segment.docs.forEachIn(docs, (_doc, place) => filter.addPassing(segment, place, rows))
    return rows
  }

  /** Whether an option of a document passes, by its number within a segment. */
  private matchesIn(segment: OptionSegment, doc: number): boolean {
    const place = segment.docs.placeOf(doc)
    return place !== -1 && this.filter.passesAny(segment, place)
  }

  /** Combines the options of a document that pass to what it is ordered by. */
  private reduce(
    doc: number,
    initial: number,
    combine: (value: number, segment: OptionSegment, row: number) => number,
  ): OptionSortKey {
    let [id, value] = [0, initial]
    for (const segments of this.segments) {
      const segment = segments[Math.floor(doc / DOCS_PER_SEGMENT)]
      const place = segment?.docs.placeOf(doc % DOCS_PER_SEGMENT) ?? -1
      if (segment === undefined || place === -1) continue
      id = segment.ids[place] as number
      const end = segment.firstRows[place + 1] as number
      for (let row = segment.firstRows[place] as number; row < end; row++)
        if (this.filter.passes(segment, row)) value = combine(value, segment, row)
    }
    return { id, value }
  }
}

/** Rows that are selected, the last ones of their groups, and documents that have one. */
const selected = new ScratchBitset()
const marked = new ScratchBitset()
const passing = new ScratchBitset()

/** Adds the documents that have a row in a set. */
function addDocs({ docEnds, rowDocs }: OptionSegment, rows: Bitset, docs: Bitset): void {
  const marks = markGroups(rows, docEnds)
  for (let i = 0; i < marks.length; i++) {
    for (let rest = (marks[i] as number) | 0; rest !== 0; rest &= rest - 1)
      setBit(docs, rowDocs[i * 32 + 31 - Math.clz32(rest & -rest)] as number)
  }
}

/**
 * For groups of consecutive rows, given by the last row of each: the last rows of those groups that have a row in a set. A word
 * at a time: within a group, adding all ones to the bits before its last one carries into the last one if any of them is set.
 */
function markGroups(rows: Bitset, ends: Bitset): Bitset {
  const marks = marked.take(rows.length)
  let carry = 0
  for (let i = 0; i < rows.length; i++) {
    const row = (rows[i] as number) | 0
    const end = (ends[i] as number) | 0
    const inner = ~end
    const set = row & inner
    const sum = (((set + inner) | 0) + carry) | 0
    carry = ((set & inner) | ((set | inner) & ~sum)) >>> 31
    marks[i] = (sum | row) & end
  }
  return marks
}

/** Counts documents by service, each once, segment by segment. */
class ServiceCounter {
  private readonly values: OptionValues
  /** By the index of the service. */
  private readonly counts: Uint32Array
  /** For each service the documents of the segment that are not counted yet. */
  private readonly uncounted: Bitset

  constructor(values: OptionValues) {
    this.values = values
    this.counts = new Uint32Array(values.services.size)
    this.uncounted = new Uint32Array(values.services.size * WORDS_PER_SEGMENT)
  }

  /** Starts with the documents of a segment that are to be counted. */
  beginSegment(docs: Bitset): void {
    for (let at = 0; at < this.uncounted.length; at += WORDS_PER_SEGMENT) this.uncounted.set(docs, at)
  }

  /** Adds the documents that have a row in a set, and their services. */
  addRows({ values, rowDocs, serviceEnds }: OptionSegment, rows: Bitset, docs: Bitset): void {
    const { counts, uncounted } = this
    const { kindServices } = this.values
    const marks = markGroups(rows, serviceEnds)
    for (let i = 0; i < marks.length; i++) {
      for (let rest = (marks[i] as number) | 0; rest !== 0; rest &= rest - 1) {
        const row = i * 32 + 31 - Math.clz32(rest & -rest)
        const service = kindServices[values[row * VALUES_PER_OPTION + KIND] as number] as number
        const doc = rowDocs[row] as number
        const at = service * WORDS_PER_SEGMENT + (doc >>> 5)
        const left = uncounted[at] as number
        counts[service] = (counts[service] as number) + ((left >>> (doc & 31)) & 1)
        uncounted[at] = left & ~(1 << (doc & 31))
        setBit(docs, doc)
      }
    }
  }

  /** The counts by the services' numbers in the dictionary. */
  toMap(): ServiceCounts {
    const counts = new Map<number, number>()
    this.counts.forEach((count, i) => {
      if (count > 0) counts.set(this.values.services.values[i] as number, count)
    })
    return counts
  }
}
