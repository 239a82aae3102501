import { decodeDocList, decodeDocSet } from './doc-set.ts'

/** Above this size a list that covers more than one document in 32 is kept as a bitset, which is then smaller. */
const MIN_DENSE_SIZE = 1024

const NO_DOCS = new Uint32Array(0)

/**
 * A posting list for scoring: sorted document numbers, or a flat bitset where it is dense. Reading either needs no native
 * call, which costs more than the work on a short list.
 */
export class PostingList {
  static readonly EMPTY = new PostingList(NO_DOCS)

  readonly size: number
  /** The documents in ascending order; undefined if the list is dense. */
  readonly docs: Uint32Array | undefined
  private readonly bits: Uint32Array | undefined

  private constructor(docs: Uint32Array) {
    this.size = docs.length
    const maxDoc = docs.at(-1) ?? 0
    if (docs.length >= MIN_DENSE_SIZE && docs.length * 32 > maxDoc) this.bits = toBitset(docs, maxDoc)
    else this.docs = docs
  }

  /** Decodes a stored posting list. */
  static decode(stored: Buffer): PostingList {
    const list = decodeDocList(stored)
    return new PostingList(list === undefined ? decodeDocSet(stored).toUint32Array() : new Uint32Array(list))
  }

  has(doc: number): boolean {
    if (this.bits !== undefined) return ((this.bits[doc >>> 5] ?? 0) & (1 << (doc & 31))) !== 0
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
    if (this.docs !== undefined) return this.docs
    const bits = this.bits as Uint32Array
    const docs = new Uint32Array(this.size)
    let count = 0
    for (let i = 0; i < bits.length; i++) {
      for (let rest = bits[i] as number; rest !== 0; rest &= rest - 1)
        docs[count++] = i * 32 + 31 - Math.clz32(rest & -rest)
    }
    return docs
  }

  /** The memory that the list takes, about. */
  get bytes(): number {
    return 160 + (this.docs ?? (this.bits as Uint32Array)).byteLength
  }
}

function toBitset(docs: Uint32Array, maxDoc: number): Uint32Array {
  const bits = new Uint32Array((maxDoc >>> 5) + 1)
  for (let i = 0; i < docs.length; i++) {
    const doc = docs[i] as number
    bits[doc >>> 5] = (bits[doc >>> 5] as number) | (1 << (doc & 31))
  }
  return bits
}
