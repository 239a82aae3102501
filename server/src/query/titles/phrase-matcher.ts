import type { Catalog } from '../../catalog/catalog.ts'
import { type DocSet, intersection, union } from '../../catalog/index/doc-set.ts'
import type { PostingList } from '../../catalog/index/postings.ts'
import { MAX_TITLE_WORD_PREFIX, MAX_WORD_LENGTH, term, truncateWord } from '../../catalog/index/terms.ts'
import { isAnyArticle } from '../../catalog/text/canonical-words.ts'
import { isUnspaced } from '../../catalog/text/tokenizer.ts'
import type { GenerationalCache } from '../../lib/cache.ts'
import type { FuzzyExpander } from './fuzzy-expander.ts'
import { countWords, MaskWeights, MatchAccumulator } from './match-accumulator.ts'
import type { PhraseWord, TitlePhrase } from './title-phrase.ts'

/** The posting lists of the words with a prefix. The last words of phrases recur. */
export type PrefixCache = GenerationalCache<string, readonly PostingList[]>

/** Words with at most this many documents are marked in the accumulator; more common ones are only tested. */
const MAX_MARKED = 16_384

/** Words with at most this many documents are always marked. */
const MIN_TESTED = 32

/** Testing a document for a word, mostly by a binary search, takes as long as marking so many. */
const MARKS_PER_TEST = 4

/** A word with more documents than this is taken to be spelt right. */
const MAX_FUZZY_DOCS = 1_000

/** The most words that a longer prefix than the indexed ones is expanded to. */
const MAX_PREFIX_WORDS = 500

/** The most documents that are marked for typing errors in an unfinished word. */
const MAX_FUZZY_PREFIX_DOCS = 20_000

/** The shortest words that an unknown word is split into. */
const MIN_SPLIT_LENGTH = 2

/** Fewer letters behind another word are likelier a typing error in one word than the start of a second one. */
const MIN_UNFINISHED_TAIL = 3

/** The shortest part of an unknown word that may be misspelt. */
const MIN_MISSPELT_LENGTH = 3

/** The most look-ups for words joined or split: a phrase may have many words that are not known. */
const MAX_COMPOUND_LOOKUPS = 24

/** Words of at most this many letters say little on their own. */
const MAX_SHORT_LENGTH = 3

/** What a word counts that matches with typing errors, compared to one as it is written. */
const FUZZY_SHARE = 0.6

/** Sums of the same weights in another order differ by less. */
const ROUNDING = 1e-9

/** Finds the title words that a word may be a misspelling of. */
type SimilarLookup = (word: string) => readonly string[]

/** A word of the phrase with its posting lists. */
interface Slot {
  readonly word: PhraseWord
  readonly bit: number
  readonly lists: readonly PostingList[]
  /** The documents of its year, where it may stand for one. */
  readonly yearDocs: PostingList | undefined
  readonly size: number
  /** Whether its documents are not marked: they are too many, or rarer words are enough. */
  isTested: boolean
  /** Its share in ranking: rarer words count more, unknown ones not at all. */
  weight: number
  /** Its share where it matches with typing errors only. */
  fuzzyWeight: number
  fuzzySize: number
}

/**
 * Matches the words of a phrase against titles. Documents of the rarer words are marked in an accumulator, and tested for
 * the common words, so that the cost follows the rarer words.
 */
export class PhraseMatcher {
  private readonly catalog: Catalog
  private readonly expander: FuzzyExpander
  private readonly accumulator = new MatchAccumulator()
  private version = -1
  private docCount = 0
  private slots: Slot[] = []
  private tested: Slot[] = []
  /** The bits of the words that are marked. */
  private marked = 0
  private readonly prefixes: PrefixCache
  private readonly weights = new MaskWeights()

  constructor(catalog: Catalog, expander: FuzzyExpander, prefixes: PrefixCache) {
    this.catalog = catalog
    this.expander = expander
    this.prefixes = prefixes
  }

  /** Starts with another phrase. Marks the documents of its rarest word, which is enough to find those with all words. */
  begin({ words }: TitlePhrase, version: number): void {
    if (this.version !== version) {
      this.version = version
      this.docCount = this.catalog.nextDoc()
    }
    this.accumulator.begin(this.docCount)
    this.slots = words.map((word, i) => this.createSlot(word, 1 << i))
    this.tested = this.slots
    const [rarest] = this.slots.filter(canBeMarked).sort((a, b) => a.size - b.size)
    this.markWords(rarest === undefined ? [] : [rarest])
    this.markJoinedWords()
    for (const slot of this.slots) if (slot.size === 0) this.markSplitWord(slot)
  }

  /**
   * Marks as many words as it takes to find all documents with most words. They have one of the rarer words, as long as
   * the others have less than half of the weight (the idea of MaxScore), so these are only tested.
   */
  private markRarerWords(): void {
    let rest = this.slots.reduce((sum, { weight }) => sum + weight, 0)
    const half = rest / 2
    const rarer: Slot[] = []
    for (const slot of this.slots.toSorted((a, b) => a.size - b.size)) {
      if (slot.size <= MIN_TESTED || rest >= half) rarer.push(slot)
      rest -= slot.weight
    }
    this.markWords(rarer.filter(canBeMarked))
  }

  /** Marks the documents of words that were only tested so far. */
  private markWords(slots: readonly Slot[]): void {
    for (const slot of slots) {
      if (!slot.isTested) continue
      slot.isTested = false
      this.markAll(slot.lists, slot.bit, false)
    }
    this.tested = this.slots.filter(({ isTested }) => isTested)
    this.marked = this.slots.reduce((bits, { isTested, bit }) => (isTested ? bits : bits | bit), 0)
  }

  /** Whether no word is rare enough to be marked. Then `exactSet` has the documents with all words. */
  get isCommon(): boolean {
    return this.marked === 0 && this.slots.length > 0
  }

  /** Whether a document has all words as they are written, the last one possibly unfinished. */
  isExact(doc: number): boolean {
    const words = this.accumulator.exactWords(doc)
    return (words & this.marked) === this.marked && this.hasTested(doc, words)
  }

  /** The documents with all words as they are written. */
  exactDocs(): number[] {
    const docs: number[] = []
    const all = this.accumulator.docsThatMayHave(this.marked)
    for (let i = 0; i < all.length; i++) if (this.isExact(all[i] as number)) docs.push(all[i] as number)
    return docs
  }

  /** The documents with all words, of a phrase of common words. */
  exactSet(): DocSet {
    const docs = (name: string) => this.catalog.docsWithTerm(name, this.version)
    return intersection(
      this.slots.map(({ word: { forms, prefix, year } }) =>
        union([
          ...forms.map((form) => docs(term.titleWord(truncateWord(form)))),
          ...(prefix === undefined ? [] : [docs(term.titleWordPrefix(prefix.slice(0, MAX_TITLE_WORD_PREFIX)))]),
          ...(year === undefined ? [] : [docs(term.year(year))]),
        ]),
      ),
    )
  }

  /** Marks the documents that match words with typing errors forgiven. */
  forgiveTypos(): void {
    this.markRarerWords()
    for (const slot of this.slots) {
      if (slot.size > MAX_FUZZY_DOCS) continue
      const { word } = slot.word
      const lists = this.expander.expand(word, this.version).words.map((other) => this.wordList(other))
      // Initials are a weak alias of a title: they count where nothing is written like that.
      if (slot.size === 0) lists.push(this.list(term.titleInitials(word)))
      this.markFuzzy(slot, lists)
    }
  }

  /** Marks the documents that match the last, unfinished word with typing errors forgiven. */
  forgiveTyposInPrefix(): void {
    const slot = this.slots.find(({ word }) => word.prefix !== undefined)
    const prefix = slot?.word.prefix
    if (slot === undefined || prefix === undefined || slot.isTested) return
    const { longer, prefixes } = this.expander.expand(prefix, this.version)
    this.markFuzzy(slot, [
      ...longer.map((word) => this.wordList(word)),
      ...prefixes.flatMap((one) => this.prefixLists(one)),
    ])
  }

  /** Marks the documents that match words with typing errors forgiven, and write them together or apart. */
  forgiveTyposInCompounds(): void {
    let left = MAX_COMPOUND_LOOKUPS
    const similar = (word: string) =>
      word.length < MIN_MISSPELT_LENGTH || left-- <= 0 ? [] : this.expander.expand(word, this.version).words
    this.forgiveTyposInJoinedWords(similar)
    for (const slot of this.slots) if (slot.size === 0) this.forgiveTyposInSplitWord(slot, similar)
  }

  /** The documents with all words, typing errors forgiven; the bits of words that they need not have may be given. */
  fuzzyDocs(optional = 0): number[] {
    const { accumulator } = this
    const required = this.marked & ~optional
    const docs: number[] = []
    if (required === 0) return docs
    const all = accumulator.docsThatMayHave(required)
    for (let i = 0; i < all.length; i++) {
      const doc = all[i] as number
      const words = accumulator.fuzzyWords(doc) | optional
      if ((words & required) === required && this.hasTested(doc, words)) docs.push(doc)
    }
    return docs
  }

  /** The documents with all words but for a leading article, typing errors forgiven. */
  fuzzyDocsButForArticle(): number[] {
    const [first, ...others] = this.slots
    return others.length > 0 && isAnyArticle(first?.word.word ?? '') ? this.fuzzyDocs(first?.bit) : []
  }

  /**
   * Documents with most of the words, by the weight of those words: with more than half of all weight. Half of the words
   * are needed, too, if they are all short ones, since "at all" says little. If `byCount` is set, half of the words are
   * enough, however common they are. Once a weight has as many documents as are wanted, those of lower weights are left out
   * (the idea of MaxScore, again).
   */
  partialDocs(byCount: boolean, wanted: number): Map<number, number[]> {
    this.markRarerWords()
    const { accumulator, slots, weights } = this
    const maxSize = byCount ? MAX_MARKED : MARKS_PER_TEST * accumulator.count
    this.markWords(slots.filter((slot) => canBeMarked(slot) && slot.size <= maxSize))
    const { tested } = this
    const minWeight = slots.reduce((sum, { weight }) => sum + weight, 0) / 2
    const minCount = slots.length / 2
    const testedWeight = tested.reduce((sum, { weight }) => sum + weight, 0)
    const longWords = slots.reduce((bits, { word, bit }) => (isLongWord(word.word) ? bits | bit : bits), 0)
    weights.begin(slots)
    const groups = new Map<number, number[]>()
    // Documents are listed word by word, so that most have the mask, and the group, of the one before.
    let lastMask = 0
    let maskWeight = 0
    let groupWeight = Number.NaN
    let group: number[] = []
    let lowest = byCount ? 0 : minWeight
    const add = (doc: number): void => {
      const mask = accumulator.mask(doc)
      if (mask !== lastMask) {
        lastMask = mask
        maskWeight = weights.get(mask)
      }
      if (maskWeight + testedWeight < lowest) return
      let weight = maskWeight
      let words = accumulator.fuzzyWords(doc)
      for (let t = 0; t < tested.length; t++) {
        const slot = tested[t] as Slot
        if ((mask & slot.bit) !== 0 || !hasSlot(slot, doc)) continue
        weight += (words & slot.bit) === 0 ? slot.weight : slot.weight - slot.fuzzyWeight
        words |= slot.bit
      }
      const isEnough = weight > minWeight && (words & longWords) !== 0
      if (!isEnough && ((weight <= minWeight && !byCount) || countWords(words) < minCount)) return
      if (weight < lowest) return
      if (weight !== groupWeight) {
        groupWeight = weight
        group = groups.get(weight) ?? []
        if (group.length === 0) groups.set(weight, group)
      }
      if (group.push(doc) === wanted) lowest = weight - ROUNDING
    }
    accumulator.visit((words) => maxWeight(slots, words) + testedWeight >= lowest, add)
    return groups
  }

  /** What the words of a part of the phrase weigh as they are written; undefined if no title has one of them. */
  weightOf({ words }: TitlePhrase): number | undefined {
    let sum = 0
    for (const { word } of words) {
      const slot = this.slots.find((one) => one.word.word === word)
      if (slot !== undefined && slot.size === 0) return undefined
      sum += slot?.weight ?? 0
    }
    return sum
  }

  private hasTested(doc: number, words: number): boolean {
    for (const slot of this.tested) if ((words & slot.bit) === 0 && !hasSlot(slot, doc)) return false
    return true
  }

  private createSlot(word: PhraseWord, bit: number): Slot {
    const { forms, prefix } = word
    // The lists of a prefix hold those of the whole words that start with it.
    const whole = prefix === undefined ? forms : forms.filter((form) => !form.startsWith(prefix))
    const lists = whole.map((form) => this.wordList(form)).filter(({ size }) => size > 0)
    if (prefix !== undefined) lists.push(...this.prefixLists(prefix))
    const size = lists.reduce((sum, list) => sum + list.size, 0)
    const yearDocs = word.year === undefined ? undefined : this.list(term.year(word.year))
    const weight = size === 0 ? 0 : inverseDocumentFrequency(size, this.docCount)
    return { word, bit, lists, yearDocs, size, isTested: true, weight, fuzzyWeight: 0, fuzzySize: 0 }
  }

  private list(name: string): PostingList {
    return this.catalog.postings.list(name, this.version)
  }

  private wordList(word: string): PostingList {
    return this.list(term.titleWord(truncateWord(word)))
  }

  /** The lists of the words with a prefix. One of many words is cut to a prefix that has a list of its own. */
  private prefixLists(prefix: string): readonly PostingList[] {
    const list = (edge: string) => [this.list(term.titleWordPrefix(edge))].filter(({ size }) => size > 0)
    if (prefix.length <= MAX_TITLE_WORD_PREFIX) return list(prefix)
    const word = truncateWord(prefix)
    return this.prefixes.getOrCompute(word, this.version, () => {
      const lists = this.catalog.postings.listsWithPrefix(term.titleWord(word), MAX_PREFIX_WORDS)
      return lists ?? list(word.slice(0, MAX_TITLE_WORD_PREFIX))
    })
  }

  private markAll(lists: readonly PostingList[], bits: number, isFuzzy: boolean): void {
    for (const list of lists) this.accumulator.mark(list.toDocs(), bits, isFuzzy)
  }

  private markFuzzy(slot: Slot, lists: readonly PostingList[]): void {
    let size = 0
    for (const list of lists) {
      size += list.size
      if (size > MAX_FUZZY_PREFIX_DOCS) break
      this.accumulator.mark(list.toDocs(), slot.bit, true)
    }
    slot.fuzzySize += size
    if (slot.fuzzySize > 0) slot.fuzzyWeight = FUZZY_SHARE * inverseDocumentFrequency(slot.fuzzySize, this.docCount)
    // An unknown word counts by what it may be a misspelling of.
    if (slot.size === 0) slot.weight = slot.fuzzyWeight
  }

  /** Adjacent words of the phrase that titles write as one. */
  private markJoinedWords(): void {
    for (let i = 0; i + 1 < this.slots.length; i++) {
      const [one, next] = [this.slots[i] as Slot, this.slots[i + 1] as Slot]
      const list = this.wordList(one.word.word + next.word.word)
      if (list.size <= MAX_MARKED) this.accumulator.mark(list.toDocs(), one.bit | next.bit, false)
    }
  }

  /** The same with typing errors: one of the words is unknown, so that it may be a part of the joined one. */
  private forgiveTyposInJoinedWords(similar: SimilarLookup): void {
    for (let i = 0; i + 1 < this.slots.length; i++) {
      const [one, next] = [this.slots[i] as Slot, this.slots[i + 1] as Slot]
      if (one.size > 0 && next.size > 0) continue
      const lists = similar(one.word.word + next.word.word).map((word) => this.wordList(word))
      this.markAll(lists, one.bit | next.bit, true)
    }
  }

  /** A word that titles write as two. */
  private markSplitWord({ word: { word, prefix }, bit }: Slot): void {
    for (let cut = MIN_SPLIT_LENGTH; cut <= word.length - MIN_SPLIT_LENGTH; cut++) {
      const head = this.wordList(word.slice(0, cut))
      if (head.size === 0) continue
      const tail = word.slice(cut)
      const list = this.wordList(tail)
      if (list.size > 0) this.markPair(head, list, bit, false)
      else if (prefix !== undefined && tail.length >= MIN_UNFINISHED_TAIL) this.markPairs(head, tail, bit, false)
    }
  }

  /** The same with typing errors in one of the two, or with an article that the title does not have. */
  private forgiveTyposInSplitWord({ word: { word, prefix }, bit }: Slot, similar: SimilarLookup): void {
    if (word.length > MAX_WORD_LENGTH) return
    for (let cut = MIN_SPLIT_LENGTH; cut <= word.length - MIN_SPLIT_LENGTH; cut++) {
      const [head, tail] = [word.slice(0, cut), word.slice(cut)]
      const [headList, tailList] = [this.wordList(head), this.wordList(tail)]
      if (headList.size > 0) for (const one of similar(tail)) this.markPair(headList, this.wordList(one), bit, true)
      if (tailList.size > 0) for (const one of similar(head)) this.markPair(this.wordList(one), tailList, bit, true)
      if (prefix !== undefined && tail.length < MIN_UNFINISHED_TAIL) this.markPairs(headList, tail, bit, true)
      if (isAnyArticle(head) && tail.length >= MIN_MISSPELT_LENGTH && tailList.size <= MAX_MARKED) {
        this.markAll([tailList], bit, true)
      }
    }
  }

  /** Marks the documents that have a word and another one that starts with a prefix. */
  private markPairs(word: PostingList, prefix: string, bit: number, isFuzzy: boolean): void {
    for (const one of this.prefixLists(prefix)) this.markPair(word, one, bit, isFuzzy)
  }

  /** Marks the documents that have both of two words. */
  private markPair(one: PostingList, other: PostingList, bit: number, isFuzzy: boolean): void {
    const [small, large] = one.size < other.size ? [one, other] : [other, one]
    if (small.size === 0 || small.size > MAX_MARKED) return
    const docs = small.toDocs().filter((doc) => large.has(doc))
    this.accumulator.mark(docs, bit, isFuzzy)
  }
}

/** Whether a word is more than a particle. In scripts without spaces, tokens are short. */
function isLongWord(word: string): boolean {
  return word.length > MAX_SHORT_LENGTH || isUnspaced(word)
}

/** Whether a word is rare enough to be marked, and does not stand for a year. */
function canBeMarked({ size, yearDocs }: Slot): boolean {
  return size <= MAX_MARKED && (yearDocs === undefined || yearDocs.size === 0)
}

function hasSlot({ lists, yearDocs }: Slot, doc: number): boolean {
  if (yearDocs?.has(doc) === true) return true
  for (const list of lists) if (list.has(doc)) return true
  return false
}

/** What words weigh at most, as they are written or with typing errors. */
function maxWeight(slots: readonly Slot[], words: number): number {
  let sum = 0
  for (const { bit, weight, fuzzyWeight } of slots) if ((words & bit) !== 0) sum += Math.max(weight, fuzzyWeight)
  return sum
}

/** The inverse document frequency of a term: rarer terms weigh more. */
function inverseDocumentFrequency(size: number, docCount: number): number {
  return Math.log(1 + docCount / (1 + size))
}
