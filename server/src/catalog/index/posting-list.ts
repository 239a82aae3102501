import {
  addNumbers,
  type Bitset,
  countCommon,
  hasBit,
  intersect,
  intersectNumbers,
  listBits,
  subtract,
  subtractNumbers,
  unite,
  wordCount,
} from '../../lib/bitset.ts'
import { decodeDocList, decodeDocSet } from './doc-set.ts'

/** Above this size a list that covers more than one document in 32 is kept as a bitset, which is then smaller. */
const MIN_DENSE_SIZE = 1024

const NO_DOCS = new Uint32Array(0)

/**
 * A posting list for filters and for scoring: sorted document numbers, or a flat bitset where it is dense. Reading either needs no native
 * call, which costs more than the work on a short list.
 */
export class PostingList {
  static readonly EMPTY = new PostingList(NO_DOCS)

  readonly size: number
  /** The documents in ascending order; undefined if the list is dense. */
  readonly docs: Uint32Array | undefined
  private readonly bits: Bitset | undefined

  private constructor(docs: Uint32Array) {
    this.size = docs.length
    const maxDoc = docs.at(-1) ?? 0
    if (docs.length >= MIN_DENSE_SIZE && docs.length * 32 > maxDoc) {
      this.bits = new Uint32Array(wordCount(maxDoc + 1))
      addNumbers(this.bits, docs)
    } else this.docs = docs
  }

  /** A list of numbers in ascending order. */
  static from(numbers: Uint32Array): PostingList {
    return new PostingList(numbers)
  }

  /** Decodes a stored posting list. */
  static decode(stored: Buffer): PostingList {
    const list = decodeDocList(stored)
    return new PostingList(list === undefined ? decodeDocSet(stored).toUint32Array() : new Uint32Array(list))
  }

  has(doc: number): boolean {
    if (this.bits !== undefined) return hasBit(this.bits, doc)
    const docs = this.docs as Uint32Array
    let low = 0
    let high = docs.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((docs[middle] as number) < doc) low = middle + 1
      else high = middle
    }
    return docs[low] === doc
  }

  /** All documents in ascending order. Decodes a dense list. */
  toDocs(): Uint32Array {
    return this.docs ?? listBits(this.bits as Bitset, this.size)
  }

  /** Adds the documents to a set, which has room for them. */
  addTo(bits: Bitset): void {
    if (this.bits === undefined) addNumbers(bits, this.docs as Uint32Array)
    else unite(bits, this.bits)
  }

  /** Removes all other documents from a set. */
  intersect(bits: Bitset): void {
    if (this.bits === undefined) intersectNumbers(bits, this.docs as Uint32Array)
    else intersect(bits, this.bits)
  }

  /** Removes the documents from a set. */
  subtract(bits: Bitset): void {
    if (this.bits === undefined) subtractNumbers(bits, this.docs as Uint32Array)
    else subtract(bits, this.bits)
  }

  /** How many of the documents are in a set. */
  countIn(bits: Bitset): number {
    if (this.bits !== undefined) return countCommon(bits, this.bits)
    const docs = this.docs as Uint32Array
    let count = 0
    for (let i = 0; i < docs.length; i++) {
      const doc = docs[i] as number
      count += ((bits[doc >>> 5] as number) >>> (doc & 31)) & 1
    }
    return count
  }

  /** The memory that the list takes, about. */
  get bytes(): number {
    return 160 + (this.docs ?? (this.bits as Uint32Array)).byteLength
  }
}
