import { type DocSet, intersection, RoaringBitmap32, union } from '../../catalog/index/doc-set.ts'
import type { PostingList } from '../../catalog/index/postings.ts'
import {
  type Bitset,
  copyBits,
  hasBit,
  intersect,
  listBits,
  removeIn,
  retainIn,
  ScratchBitset,
  subtract,
  wordCount,
} from '../../lib/bitset/bitset.ts'

/**
 * One condition of a filter. A few documents are tested one by one; for many, the bits of a set of documents are combined
 * with those of the clause.
 */
export interface Clause {
  /** How many documents pass, at most. */
  readonly size: number
  has(doc: number): boolean
  /** All documents that pass, as a set that is smaller than a bitset. */
  toSet(): DocSet
  /** Adds the documents that pass to a set of none. */
  addTo(bits: Bitset): void
  /** Removes the documents that do not pass from a set. */
  intersect(bits: Bitset): void
  /** Removes the documents that pass from a set. */
  subtract(bits: Bitset): void
  /** The documents that pass, of those below a number, in ascending order. Not to be altered. */
  toDocs(docCount: number): Uint32Array
  /** Moves those of the first `count` documents of an ascending list that pass to its start, and returns how many they are. */
  retain(docs: Uint32Array, count: number): number
}

/** What clauses combine in between, and the results. */
const unions = new ScratchBitset()
const results = new ScratchBitset()
let candidateList = new Uint32Array(0)

/** Testing a document against some lists takes as long as uniting so many words of them: longer where a list has no bits. */
const WORDS_PER_TEST = 8
const WORDS_PER_SEARCH = 64

/** The documents that pass a clause, in ascending order. */
function listDocs(clause: Clause, docCount: number): Uint32Array {
  const bits = unions.take(wordCount(docCount))
  clause.addTo(bits)
  return listBits(bits)
}

/** Moves those of the first `count` documents that pass a test to the start of a list, and returns how many they are. */
export function retainWhere(docs: Uint32Array, count: number, test: (doc: number) => boolean): number {
  let kept = 0
  for (let i = 0; i < count; i++) {
    const doc = docs[i] as number
    if (test(doc)) docs[kept++] = doc
  }
  return kept
}

/** Passes documents that are in any of some posting lists. */
export class TermClause implements Clause {
  readonly size: number
  private readonly lists: readonly PostingList[]
  private readonly docSets: () => readonly DocSet[]

  /** @param docSets the same posting lists as sets, which only `toSet` needs */
  constructor(lists: readonly PostingList[], docSets: () => readonly DocSet[]) {
    this.lists = lists
    this.docSets = docSets
    this.size = lists.reduce((sum, { size }) => sum + size, 0)
  }

  has(doc: number): boolean {
    const { lists } = this
    for (let i = 0; i < lists.length; i++) if ((lists[i] as PostingList).has(doc)) return true
    return false
  }

  toSet(): DocSet {
    return union(this.docSets())
  }

  addTo(bits: Bitset): void {
    const { lists } = this
    lists[0]?.copyTo(bits)
    for (let i = 1; i < lists.length; i++) (lists[i] as PostingList).addTo(bits)
  }

  intersect(bits: Bitset): void {
    if (this.lists.length === 1) this.lists[0]?.intersect(bits)
    else {
      const union = unions.take(bits.length)
      this.addTo(union)
      intersect(bits, union)
    }
  }

  subtract(bits: Bitset): void {
    for (const list of this.lists) list.subtract(bits)
  }

  toDocs(docCount: number): Uint32Array {
    return this.lists.length === 1 ? (this.lists[0] as PostingList).toDocs() : listDocs(this, docCount)
  }

  retain(docs: Uint32Array, count: number): number {
    if (this.lists.length === 1) return (this.lists[0] as PostingList).retain(docs, count)
    const words = this.lists.reduce((most, list) => Math.max(most, wordCount(list.end)), 0)
    const wordsPerTest = this.lists.every(({ bits }) => bits !== undefined) ? WORDS_PER_TEST : WORDS_PER_SEARCH
    if (count * wordsPerTest < words) return retainWhere(docs, count, (doc) => this.has(doc))
    const union = unions.take(words)
    this.addTo(union)
    return retainIn(union, docs, count)
  }
}

/** Passes documents whose bits are set. */
export class BitsClause implements Clause {
  readonly bits: Bitset
  readonly size: number

  constructor(bits: Bitset, size: number) {
    this.bits = bits
    this.size = size
  }

  has(doc: number): boolean {
    return hasBit(this.bits, doc)
  }

  toSet(): DocSet {
    return new RoaringBitmap32(this.toDocs())
  }

  addTo(bits: Bitset): void {
    copyBits(bits, this.bits)
  }

  intersect(bits: Bitset): void {
    intersect(bits, this.bits)
  }

  subtract(bits: Bitset): void {
    subtract(bits, this.bits)
  }

  toDocs(): Uint32Array {
    return listBits(this.bits, this.size)
  }

  retain(docs: Uint32Array, count: number): number {
    return retainIn(this.bits, docs, count)
  }
}

/** Passes documents that are in one set and not in another, which is a part of it. */
export class DifferenceClause implements Clause {
  readonly size: number
  private readonly whole: BitsClause
  private readonly part: BitsClause

  constructor(whole: BitsClause, part: BitsClause) {
    this.whole = whole
    this.part = part
    this.size = whole.size - part.size
  }

  has(doc: number): boolean {
    return this.whole.has(doc) && !this.part.has(doc)
  }

  toSet(): DocSet {
    return RoaringBitmap32.andNot(this.whole.toSet(), this.part.toSet())
  }

  addTo(bits: Bitset): void {
    this.whole.addTo(bits)
    this.part.subtract(bits)
  }

  intersect(bits: Bitset): void {
    this.whole.intersect(bits)
    this.part.subtract(bits)
  }

  subtract(bits: Bitset): void {
    const difference = unions.take(bits.length)
    this.addTo(difference)
    subtract(bits, difference)
  }

  toDocs(docCount: number): Uint32Array {
    return listDocs(this, docCount)
  }

  retain(docs: Uint32Array, count: number): number {
    return removeIn(this.part.bits, docs, retainIn(this.whole.bits, docs, count))
  }
}

/** The clauses of a filter: documents must pass all of the included ones, and none of the excluded ones. */
export class Conjunction {
  /** The smallest first: it rejects most documents. */
  private readonly included: readonly Clause[]
  private readonly excluded: readonly Clause[]

  constructor(included: readonly Clause[], excluded: readonly Clause[]) {
    this.included = included.toSorted((a, b) => a.size - b.size)
    this.excluded = excluded
  }

  /** How many documents pass, at most. */
  get size(): number {
    return (this.included[0] as Clause).size
  }

  /** All documents that pass. */
  toSet(): DocSet {
    const included = this.size === 0 ? [] : this.included.map((clause) => clause.toSet())
    const passing = intersection(included)
    if (this.excluded.length === 0) return passing
    return RoaringBitmap32.andNot(passing, union(this.excluded.map((clause) => clause.toSet())))
  }

  /**
   * All documents that pass, of those below a number, in ascending order. Takes less time than `toBits` where few documents pass
   * the smallest clause. Valid until the next call.
   */
  toDocs(docCount: number): Uint32Array {
    const [smallest, ...others] = this.included as [Clause, ...Clause[]]
    const candidates = smallest.toDocs(docCount)
    let count = candidates.length
    if (candidateList.length < count) candidateList = new Uint32Array(2 * count)
    const docs = candidateList
    docs.set(candidates)
    for (const clause of others) count = clause.retain(docs, count)
    for (const clause of this.excluded) count = retainWhere(docs, count, (doc) => !clause.has(doc))
    return docs.subarray(0, count)
  }

  /** All documents that pass, of those below a number. Valid until the next call. */
  toBits(docCount: number): Bitset {
    const bits = results.take(wordCount(docCount))
    this.included.forEach((clause, i) => {
      if (i === 0) clause.addTo(bits)
      else clause.intersect(bits)
    })
    for (const clause of this.excluded) clause.subtract(bits)
    return bits
  }
}
