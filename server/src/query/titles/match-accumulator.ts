/** The bits of a document's mask: in the lower half the words that it matches, in the upper half those with typos, too. */
const FUZZY_SHIFT = 16

/** What a word of a phrase weighs, by its bit: as it is written, and with typing errors only. */
interface WordWeight {
  readonly bit: number
  readonly weight: number
  readonly fuzzyWeight: number
}

/** With more words than this, the weights of masks are not kept. */
const MAX_TABLE_WORDS = 8
const UNKNOWN = -1

/** The weights of masks, each computed once for a phrase. A table, since a common word asks for tens of thousands. */
export class MaskWeights {
  private words: readonly WordWeight[] = []
  private readonly table = new Float64Array(1 << (2 * MAX_TABLE_WORDS)).fill(UNKNOWN)
  private readonly used: number[] = []

  begin(words: readonly WordWeight[]): void {
    for (const index of this.used) this.table[index] = UNKNOWN
    this.used.length = 0
    this.words = words
  }

  get(mask: number): number {
    if (this.words.length > MAX_TABLE_WORDS) return this.weigh(mask)
    const index = (mask & 0xff) | ((mask >>> (FUZZY_SHIFT - MAX_TABLE_WORDS)) & 0xff00)
    const known = this.table[index] as number
    if (known !== UNKNOWN) return known
    this.used.push(index)
    const weight = this.weigh(mask)
    this.table[index] = weight
    return weight
  }

  private weigh(mask: number): number {
    let sum = 0
    for (const { bit, weight, fuzzyWeight } of this.words) {
      if ((mask & bit) !== 0) sum += weight
      else if (((mask >>> FUZZY_SHIFT) & bit) !== 0) sum += fuzzyWeight
    }
    return sum
  }
}

/** How many words there are in a set of bits. */
export function countWords(words: number): number {
  let count = 0
  for (let rest = words; rest !== 0; rest &= rest - 1) count++
  return count
}

/**
 * Term-at-a-time scoring: for each document that matches any word of a phrase, a mask of the words that it matches. The
 * masks are one flat array over all documents; those that were set are listed, so clearing it costs no more than filling.
 */
export class MatchAccumulator {
  private masks = new Uint32Array(0)
  private list = new Uint32Array(1024)
  private listed = 0

  /** Prepares for documents below a number. */
  begin(docCount: number): void {
    this.clear()
    if (this.masks.length < docCount) this.masks = new Uint32Array(docCount + (docCount >>> 3) + 1024)
  }

  clear(): void {
    const { masks, list, listed } = this
    for (let i = 0; i < listed; i++) masks[list[i] as number] = 0
    this.listed = 0
  }

  /** Marks documents as matching the words of a mask: as they are written, or only with typing errors forgiven. */
  mark(docs: Uint32Array, words: number, isFuzzy: boolean): void {
    const { masks } = this
    const bits = isFuzzy ? words << FUZZY_SHIFT : words | (words << FUZZY_SHIFT)
    if (this.listed + docs.length > this.list.length) this.grow(this.listed + docs.length)
    const { list } = this
    let { listed } = this
    for (let i = 0; i < docs.length; i++) {
      const doc = docs[i] as number
      const mask = masks[doc] as number
      if (mask === 0) list[listed++] = doc
      masks[doc] = mask | bits
    }
    this.listed = listed
  }

  /** The words that a document matches: as they are written in the lower half, with typing errors in the upper half. */
  mask(doc: number): number {
    return this.masks[doc] as number
  }

  /** The words that a document matches as they are written. */
  exactWords(doc: number): number {
    return (this.masks[doc] as number) & 0xffff
  }

  /** The words that a document matches with typing errors forgiven. */
  fuzzyWords(doc: number): number {
    return (this.masks[doc] as number) >>> FUZZY_SHIFT
  }

  /** The documents with any mark. Valid until the next one is marked. */
  docs(): Uint32Array {
    return this.list.subarray(0, this.listed)
  }

  private grow(size: number): void {
    const larger = new Uint32Array(Math.max(size, this.list.length * 2))
    larger.set(this.list.subarray(0, this.listed))
    this.list = larger
  }
}
