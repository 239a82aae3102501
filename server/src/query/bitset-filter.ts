import type { DocSet } from '../catalog/index/doc-set.ts'

/** Beyond this many document numbers a plain table of bits would be too large to be worth making. */
const MAX_BITSET_DOC = 1 << 25

/** So often the set itself is asked, before it is worth to lay out its bits: most walks end soon. */
const LOOKUPS_BEFORE_BITSET = 200

/** A set of documents that can be asked quickly, many times in a row, whether it holds one. */
export class BitsetFilter {
  readonly set: DocSet
  private lookups = 0
  private bits: Uint32Array | undefined

  constructor(set: DocSet) {
    this.set = set
  }

  get size(): number {
    return this.set.size
  }

  /** Whether the set holds a document. */
  has(doc: number): boolean {
    if (this.bits === undefined) {
      if (this.lookups++ < LOOKUPS_BEFORE_BITSET) return this.set.has(doc)
      this.bits = buildBitset(this.set)
    }
    return ((this.bits[doc >>> 5] ?? 0) & (1 << (doc & 31))) !== 0
  }
}

function buildBitset(set: DocSet): Uint32Array {
  if (set.size === 0) return new Uint32Array(0)
  const last = set.maximum()
  if (last > MAX_BITSET_DOC) throw new RangeError(`Document ${last} is beyond what a catalog can hold`)
  const bits = new Uint32Array((last >>> 5) + 1)
  for (const doc of set.toUint32Array()) bits[doc >>> 5] = (bits[doc >>> 5] as number) | (1 << (doc & 31))
  return bits
}
