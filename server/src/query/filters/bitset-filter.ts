import type { DocSet } from '../../catalog/index/doc-set.ts'
import { type Bitset, copyBits, hasBit, intersect, subtract } from '../../lib/bitset/bitset.ts'
import { type Clause, retainWhere } from './clauses.ts'

/** Up to this document number a set may be expanded into a bitset, of 4 MiB at most. */
const MAX_BITSET_DOC = 1 << 25

/** Most scans end early. The bitset is built only after this many look-ups. */
const LOOKUPS_BEFORE_BITSET = 200

/**
 * A set of documents that is tested many times in a row. A flat bitset is tested without a native call, but costs memory
 * by the highest document number; above a limit the roaring set itself is used.
 */
export class BitsetFilter implements Clause {
  readonly set: DocSet
  private lookups = 0
  private bitset: Bitset | undefined

  constructor(set: DocSet) {
    this.set = set
  }

  get size(): number {
    return this.set.size
  }

  has(doc: number): boolean {
    const { bitset } = this
    if (bitset !== undefined) return hasBit(bitset, doc)
    if (++this.lookups === LOOKUPS_BEFORE_BITSET && this.fitsBitset()) this.bitset = this.set.toBitset()
    return this.set.has(doc)
  }

  toSet(): DocSet {
    return this.set
  }

  addTo(bits: Bitset): void {
    copyBits(bits, this.toBits())
  }

  intersect(bits: Bitset): void {
    intersect(bits, this.toBits())
  }

  subtract(bits: Bitset): void {
    subtract(bits, this.toBits())
  }

  toDocs(): Uint32Array {
    return this.set.toUint32Array()
  }

  retain(docs: Uint32Array, count: number): number {
    return retainWhere(docs, count, (doc) => this.has(doc))
  }

  private toBits(): Bitset {
    if (this.bitset !== undefined) return this.bitset
    const bitset = this.set.toBitset()
    if (this.fitsBitset()) this.bitset = bitset
    return bitset
  }

  /** The memory that the bitset takes, whether or not it is built yet. */
  bitsetBytes(): number {
    return this.set.size > 0 && this.fitsBitset() ? (this.set.maximum() >>> 3) + 4 : 0
  }

  private fitsBitset(): boolean {
    return this.set.size === 0 || this.set.maximum() <= MAX_BITSET_DOC
  }
}
