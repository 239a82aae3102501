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

/** A part of the marked documents, and the words that they were marked with first. */
interface MarkedRun {
  readonly words: number
  readonly start: number
  readonly end: number
}

/** Whether there is more than one word in a set of bits. */
function hasSeveral(words: number): boolean {
  return (words & (words - 1)) !== 0
}

/**
 * Term-at-a-time scoring: for each document that matches any word of a phrase, a mask of the words that it matches. The
 * masks are one flat array over all documents; those that were set are listed, so clearing it costs no more than filling.
 * Documents with several words are listed apart, since most have one, which is seldom enough.
 */
export class MatchAccumulator {
  private masks = new Uint32Array(0)
  private readonly marked = new DocList()
  private readonly several = new DocList()
  private runs: MarkedRun[] = []

  /** How many documents are marked. */
  get count(): number {
    return this.marked.length
  }

  /** Prepares for documents below a number. */
  begin(docCount: number): void {
    this.clear()
    if (this.masks.length < docCount) this.masks = new Uint32Array(docCount + (docCount >>> 3) + 1024)
  }

  clear(): void {
    const { masks } = this
    const { docs, length } = this.marked
    for (let i = 0; i < length; i++) masks[docs[i] as number] = 0
    this.marked.length = 0
    this.several.length = 0
    this.runs = []
  }

  /** Marks documents as matching the words of a mask: as they are written, or only with typing errors forgiven. */
  mark(docs: Uint32Array, words: number, isFuzzy: boolean): void {
    const { masks } = this
    const fuzzyBits = words << FUZZY_SHIFT
    const bits = isFuzzy ? fuzzyBits : words | fuzzyBits
    const list = this.marked.reserve(docs.length)
    const severalList = this.several.reserve(docs.length)
    const start = this.marked.length
    let marked = start
    let several = this.several.length
    const isSeveral = hasSeveral(words)
    for (let i = 0; i < docs.length; i++) {
      const doc = docs[i] as number
      const before = masks[doc] as number
      masks[doc] = before | bits
      if (before === 0) {
        list[marked++] = doc
        if (isSeveral) severalList[several++] = doc
      } else if (!hasSeveral(before >>> FUZZY_SHIFT) && hasSeveral((before | bits) >>> FUZZY_SHIFT)) {
        severalList[several++] = doc
      }
    }
    this.marked.length = marked
    this.several.length = several
    if (marked > start) this.runs.push({ words, start, end: marked })
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

  /** The documents that may match all of some words, with typing errors forgiven. Valid until the next one is marked. */
  docsThatMayHave(words: number): Uint32Array {
    return (hasSeveral(words) ? this.several : this.marked).view()
  }

  /**
   * Visits all documents that match several words, and then those that match one word only, where that word is of interest by
   * then.
   */
  visit(isOfInterest: (words: number) => boolean, visit: (doc: number) => void): void {
    const { marked, several } = this
    for (let i = 0; i < several.length; i++) visit(several.docs[i] as number)
    for (const { words, start, end } of this.runs) {
      if (!isOfInterest(words)) continue
      for (let i = start; i < end; i++) {
        const doc = marked.docs[i] as number
        if (!hasSeveral(this.fuzzyWords(doc))) visit(doc)
      }
    }
  }
}

/** A list of documents that grows, and keeps its memory when it is emptied. */
class DocList {
  docs = new Uint32Array(1024)
  length = 0

  /** Makes room for more documents, and returns where they go, from `length` on. */
  reserve(count: number): Uint32Array {
    const needed = this.length + count
    if (needed > this.docs.length) {
      const larger = new Uint32Array(Math.max(needed, this.docs.length * 2))
      larger.set(this.docs.subarray(0, this.length))
      this.docs = larger
    }
    return this.docs
  }

  view(): Uint32Array {
    return this.docs.subarray(0, this.length)
  }
}
