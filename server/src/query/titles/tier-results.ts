import type { Catalog } from '../../catalog/catalog.ts'
import { type DocSet, RoaringBitmap32 } from '../../catalog/index/doc-set.ts'
import { MAX_TITLE_PREFIX, term } from '../../catalog/index/terms.ts'
import type { BitsetFilter } from '../filters/bitset-filter.ts'
import type { TitleQuery } from '../queries.ts'
import type { PhraseMatcher } from './phrase-matcher.ts'
import type { PopularityRanker } from './popularity-ranker.ts'
import { MAX_SCANNED_TITLES, pushAll, TitleIndex } from './title-index.ts'
import type { TitlePhrase } from './title-phrase.ts'

/** The most results of a title search, unless more titles are equal to the phrase. */
export const MAX_TITLES = 20

/** From this size on, the titles with a prefix are handled as a set, and ordered by scanning the column of popularity. */
const MIN_SET_SIZE = 16_384

const NO_GROUPS: ReadonlyMap<number, number[]> = new Map()

/** The results of a search, tier by tier, without repeats. */
export class TierResults {
  readonly docs: number[] = []
  readonly version: number
  /** The titles of the catalog, in this version. */
  readonly titles: TitleIndex
  private readonly catalog: Catalog
  private readonly ranker: PopularityRanker
  private readonly country: string
  private readonly limit: number
  private filter: BitsetFilter | undefined
  private readonly taken = new Set<number>()

  constructor(
    catalog: Catalog,
    ranker: PopularityRanker,
    { country, limit = MAX_TITLES }: TitleQuery,
    version: number,
    filter: BitsetFilter | undefined,
  ) {
    this.catalog = catalog
    this.ranker = ranker
    this.country = country
    this.limit = limit
    this.version = version
    this.titles = new TitleIndex(catalog, version)
    this.filter = filter
  }

  get isFull(): boolean {
    return this.docs.length >= this.limit
  }

  /** Adds the most popular of the documents that are not in the results yet. A document may occur more than once. */
  add(docs: ArrayLike<number>): void {
    if (docs.length > 0 && !this.isFull) this.addTop(this.select(docs))
  }

  /** The same with documents that are known to be distinct. */
  addDistinct(docs: ArrayLike<number>): void {
    if (docs.length > 0 && !this.isFull) this.addTop(this.selectAll(docs))
  }

  /** Adds titles that equal the phrase, then those that equal it but for an article or a year. */
  addEqual(phrase: TitlePhrase): void {
    this.add(this.titles.equalDocs(phrase.keys))
    this.add(this.titles.equalButForArticleOrYear(phrase))
  }

  /** Lets a function add documents that pass another filter. */
  limitTo(filter: BitsetFilter | undefined, add: () => void): void {
    const { filter: own } = this
    this.filter = filter
    add()
    this.filter = own
  }

  private addTop(docs: readonly number[]): void {
    for (const doc of this.rank(docs, this.limit - this.docs.length)) {
      this.docs.push(doc)
      this.taken.add(doc)
    }
  }

  /** The documents that pass the filter and are not in the results yet, each once. */
  select(docs: ArrayLike<number>): number[] {
    const selected = this.selectAll(docs)
    return selected.length <= 1 ? selected : [...new Set(selected)]
  }

  private selectAll(docs: ArrayLike<number>): number[] {
    const { filter, taken } = this
    if (taken.size === 0 && filter === undefined) return Array.from(docs)
    const selected: number[] = []
    for (let i = 0; i < docs.length; i++) {
      const doc = docs[i] as number
      if (!taken.has(doc) && filter?.has(doc) !== false) selected.push(doc)
    }
    return selected
  }

  rank(docs: readonly number[], limit: number): readonly number[] {
    return this.ranker.top(docs, limit, this.country, this.version)
  }

  /**
   * Titles that start with the phrase. Those that have its words come first: keys have no spaces, so "an a" is also the
   * start of "Anaconda".
   */
  addPrefixMatches({ keys }: TitlePhrase, matcher: PhraseMatcher): void {
    const docs: number[] = []
    for (const key of keys) {
      if (key.length <= MAX_TITLE_PREFIX) {
        const name = term.titlePrefix(key)
        const list = this.catalog.postings.list(name, this.version)
        if (list.size >= MIN_SET_SIZE) this.addLargePrefix(this.catalog.docsWithTerm(name, this.version), matcher)
        else pushAll(docs, list.toDocs())
        continue
      }
      const lists = this.catalog.postings.listsWithPrefix(term.titleEqual(key), MAX_SCANNED_TITLES)
      if (lists !== undefined) for (const list of lists) pushAll(docs, list.toDocs())
      else {
        const wider = this.titles.docsWithTerm(term.titlePrefix(key.slice(0, MAX_TITLE_PREFIX)))
        pushAll(
          docs,
          wider.filter((doc) => matcher.isExact(doc)),
        )
      }
    }
    if (docs.length === 0) return
    this.add(docs.filter((doc) => matcher.isExact(doc)))
    this.add(docs)
  }

  private addLargePrefix(set: DocSet, matcher: PhraseMatcher): void {
    if (matcher.isCommon) this.addSet(RoaringBitmap32.and(set, matcher.exactSet()))
    else this.addDistinct(matcher.exactDocs().filter((doc) => set.has(doc)))
    this.addSet(set)
  }

  /** Titles with all words as they are written. */
  addExactMatches(matcher: PhraseMatcher): void {
    if (this.isFull) return
    if (matcher.isCommon) this.addSet(matcher.exactSet())
    else this.addDistinct(matcher.exactDocs())
  }

  /**
   * Titles with most of the words: those with more weight first. If nothing else is found, half of the words have to do, and so does
   * a whole title that is a part of the words.
   */
  addPartialMatches(matcher: PhraseMatcher, words: readonly string[]): void {
    const isLastResort = this.docs.length === 0
    // Those in the results already may be among them, and a filter may leave out any.
    const wanted = this.filter === undefined ? this.limit : Number.POSITIVE_INFINITY
    const groups = matcher.partialDocs(isLastResort, wanted)
    const within = isLastResort ? this.titles.titlesWithin(words, matcher) : NO_GROUPS
    const weights = new Set([...groups.keys(), ...within.keys()])
    for (const weight of [...weights].sort((a, b) => b - a)) {
      if (this.isFull) return
      const [docs = [], whole] = [groups.get(weight), within.get(weight)]
      if (whole === undefined) this.addDistinct(docs)
      else this.add([...whole, ...docs])
    }
  }

  private addSet(set: DocSet): void {
    if (this.isFull) return
    const rest = RoaringBitmap32.andNot(set, new RoaringBitmap32(this.docs))
    if (this.filter !== undefined) rest.andInPlace(this.filter.set)
    if (rest.size < MIN_SET_SIZE / 16) {
      this.addDistinct(rest.toUint32Array())
      return
    }
    for (const doc of this.ranker.topOfSet(rest, this.limit - this.docs.length, this.country, this.version)) {
      this.docs.push(doc)
      this.taken.add(doc)
    }
  }
}
