import type { Catalog } from '../../catalog/catalog.ts'
import { type DocSet, RoaringBitmap32 } from '../../catalog/index/doc-set.ts'
import { isSimilar, isSimilarPrefix } from '../../catalog/index/spelling-index.ts'
import { MAX_TITLE_PREFIX, term } from '../../catalog/index/terms.ts'
import { spanOfOpenSyllable } from '../../catalog/text/hangul.ts'
import { GenerationalCache, type MeteredCache } from '../../lib/cache.ts'
import type { BitsetFilter } from '../filters/bitset-filter.ts'
import type { FilterExecutor } from '../filters/filter-executor.ts'
import type { SortedColumns } from '../filters/sorted-columns.ts'
import type { TitleQuery } from '../queries.ts'
import { FuzzyExpander, MAX_CACHED_WORDS } from './fuzzy-expander.ts'
import { misspeltStarts } from './misspelt-starts.ts'
import { PhraseMatcher, type PrefixCache } from './phrase-matcher.ts'
import { PopularityRanker } from './popularity-ranker.ts'
import { expandAbbreviations, otherReadings, type Reading, withoutFirstNumber } from './readings.ts'
import { buildPhrase, parsePhrase, phraseWords, type TitlePhrase } from './title-phrase.ts'

/** The most results of a title search, unless more titles are equal to the phrase. */
export const MAX_TITLES = 20

/** The most titles with a prefix that are scanned. Beyond that, a shorter prefix with a list of its own has to do. */
const MAX_SCANNED_TITLES = 256

/** The shortest and the longest start of a title by which similar titles are looked for. */
const MIN_START_LENGTH = 4
const MAX_START_LENGTH = 12

/** A part of a phrase that is shorter is not taken for a title. */
const MIN_TITLE_WITHIN = 4

/** The most words of such a part, and the words of the phrase after which none is looked for. */
const MAX_WITHIN_WORDS = 8
const MAX_WITHIN_START = 16

/** From this size on, the titles with a prefix are handled as a set, and ordered by scanning the column of popularity. */
const MIN_SET_SIZE = 16_384

/** With fewer results than this, typing errors are looked for in the unfinished word, too. */
const ENOUGH_RESULTS = 3

/** Finds shows by title. */
export class TitleSearcher {
  private readonly catalog: Catalog
  private readonly filters: FilterExecutor
  private readonly expander: FuzzyExpander
  private readonly ranker: PopularityRanker
  private readonly prefixes: PrefixCache = new GenerationalCache({
    name: 'title_prefixes',
    maxBytes: 16 * 1024 * 1024,
    maxEntries: MAX_CACHED_WORDS,
    sizeOf: (lists, prefix) => lists.reduce((sum, { bytes }) => sum + bytes, 100 + 2 * prefix.length),
  })
  /** One for the phrase as it was typed, one for its other readings. */
  private readonly matchers: readonly [PhraseMatcher, PhraseMatcher]

  constructor(catalog: Catalog, filters: FilterExecutor, columns: SortedColumns) {
    this.catalog = catalog
    this.filters = filters
    this.expander = new FuzzyExpander(catalog)
    this.ranker = new PopularityRanker(catalog, columns)
    const createMatcher = () => new PhraseMatcher(catalog, this.expander, this.prefixes)
    this.matchers = [createMatcher(), createMatcher()]
  }

  caches(): readonly MeteredCache[] {
    return [...this.expander.caches(), ...this.ranker.caches(), this.prefixes]
  }

  /**
   * Shows by title, in tiers: titles equal to the phrase; equal but for an article or a year; titles that start with it;
   * titles with all of its words; the same with typing errors forgiven; titles with most of its words. Within a tier, more
   * popular shows come first. A phrase that has another reading (an abbreviation, words around a title) is searched in
   * that reading, too, after the tiers in which it could be meant literally.
   */
  search(query: TitleQuery, version: number): readonly number[] {
    const filter = this.filters.executeForTitles(query, version)
    const results = new TierResults(this.catalog, this.ranker, query, version, filter)
    const [main, other] = this.matchers
    const words = phraseWords(query.title)
    const phrase = parsePhrase(query.title, words)

    const equal = results.select(results.equalDocs(phrase.keys))
    if (query.limit === undefined && equal.length > MAX_TITLES) return results.rank(equal, equal.length)
    results.add(equal)
    results.add(results.equalButForArticleOrYear(phrase))
    if (results.isFull || words.length === 0) return results.docs
    this.addAbbreviated(results, words, other)

    main.begin(phrase, version)
    results.addPrefixMatches(phrase, main)
    results.add(results.startsWithOpenSyllable(phrase))
    results.addExactMatches(main)
    if (results.isFull) return results.docs
    const firstPart = withoutFirstNumber(words)
    if (firstPart !== undefined) results.addEqual(buildPhrase(firstPart))
    if (results.docs.length === 0) results.add(results.startsButForArticle(phrase))
    const readings = otherReadings(query.title, words)
    const reading = readings.find((one) => results.hasEqual(one.words)) ?? readings.at(-1)
    if (reading !== undefined) this.addOtherReading(results, reading, query)
    if (words.length === 1) results.add(results.docsWithTerm(term.titleInitials(words[0] as string)))

    // Words around a title do not count among most words.
    const best = reading === undefined ? main : other
    for (const matcher of new Set([main, best])) if (!results.isFull) this.addFuzzyMatches(results, matcher)
    if (results.docs.length === 0) results.add(results.similarDocs(phrase))
    if (!results.isFull) results.addPartialMatches(best, reading?.words ?? words)
    return results.docs
  }

  /** The tiers of the phrase with its abbreviations written out, if it has any. */
  private addAbbreviated(results: TierResults, words: readonly string[], matcher: PhraseMatcher): void {
    const abbreviated = expandAbbreviations(words)
    if (abbreviated !== undefined) this.addReading(results, buildPhrase(abbreviated), matcher, false)
  }

  /** The tiers of what the phrase may mean besides what is written; shows of the type that it names come first. */
  private addOtherReading(results: TierResults, { words, showType }: Reading, query: TitleQuery): void {
    const phrase = buildPhrase(words)
    const [, matcher] = this.matchers
    if (showType !== undefined && query.showType === undefined) {
      const ofType = this.filters.executeForTitles({ ...query, showType }, results.version)
      results.limitTo(ofType, () => this.addReading(results, phrase, matcher, false))
    }
    results.addEqual(phrase)
    this.addAbbreviated(results, words, matcher)
    this.addReading(results, phrase, matcher, true)
  }

  /**
   * The tiers of another reading of the phrase, without typing errors. Titles that have its words elsewhere than at their
   * start are added if the reading is wide, or if it matches no other title.
   */
  private addReading(results: TierResults, phrase: TitlePhrase, matcher: PhraseMatcher, isWide: boolean): void {
    if (results.isFull) return
    const count = results.docs.length
    results.addEqual(phrase)
    matcher.begin(phrase, results.version)
    results.addPrefixMatches(phrase, matcher)
    if (isWide || results.docs.length === count) results.addExactMatches(matcher)
  }

  private addFuzzyMatches(results: TierResults, matcher: PhraseMatcher): void {
    matcher.forgiveTypos()
    results.addDistinct(matcher.fuzzyDocs())
    results.addDistinct(matcher.fuzzyDocsButForArticle())
    if (results.docs.length >= ENOUGH_RESULTS) return
    matcher.forgiveTyposInPrefix()
    results.addDistinct(matcher.fuzzyDocs())
    if (results.docs.length > 0) return
    matcher.forgiveTyposInCompounds()
    results.addDistinct(matcher.fuzzyDocs())
  }
}

/** The results of a search, tier by tier, without repeats. */
class TierResults {
  readonly docs: number[] = []
  readonly version: number
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
    this.add(this.equalDocs(phrase.keys))
    this.add(this.equalButForArticleOrYear(phrase))
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

  docsWithTerm(name: string): Uint32Array {
    return this.catalog.postings.list(name, this.version).toDocs()
  }

  /** Documents with a title that equals one of the keys. */
  equalDocs(keys: readonly string[]): number[] {
    const docs: number[] = []
    for (const key of keys) pushAll(docs, this.docsWithTerm(term.titleEqual(key)))
    return docs
  }

  /** Whether a title equals the words, or what they abbreviate, but for an article or a year. */
  hasEqual(words: readonly string[]): boolean {
    return [words, expandAbbreviations(words) ?? []].some((one) => {
      if (one.length === 0) return false
      const phrase = buildPhrase(one)
      return this.equalDocs(phrase.keys).length > 0 || this.equalButForArticleOrYear(phrase).length > 0
    })
  }

  /** Documents with a title that equals the phrase but for a leading article, or a trailing year that is the show's. */
  equalButForArticleOrYear({ keys, strippedKeys, trailingYear }: TitlePhrase): number[] {
    const docs = this.equalDocs(strippedKeys)
    for (const key of keys) pushAll(docs, this.docsWithTerm(term.titleStripped(key)))
    for (const key of strippedKeys) pushAll(docs, this.docsWithTerm(term.titleStripped(key)))
    if (trailingYear === undefined) return docs
    const ofYear = this.catalog.postings.list(term.year(trailingYear.year), this.version)
    const yearless = this.equalDocs(trailingYear.keys)
    for (const key of trailingYear.keys) pushAll(yearless, this.docsWithTerm(term.titleStripped(key)))
    pushAll(
      docs,
      yearless.filter((doc) => ofYear.has(doc)),
    )
    return docs
  }

  /** Documents with a title that starts with the phrase after its article. Finds unfinished words written together. */
  startsButForArticle({ keys }: TitlePhrase): number[] {
    const docs: number[] = []
    for (const key of keys) {
      const lists = this.catalog.postings.listsWithPrefix(term.titleStripped(key), MAX_SCANNED_TITLES) ?? []
      for (const list of lists) pushAll(docs, list.toDocs())
    }
    return docs
  }

  /** Documents with a title that starts with a phrase whose last Korean syllable is still being typed. */
  startsWithOpenSyllable({ keys }: TitlePhrase): number[] {
    const docs: number[] = []
    for (const key of keys) {
      const span = spanOfOpenSyllable(key)
      if (span === undefined) continue
      const [first, last] = span.map(term.titleEqual) as [string, string]
      const lists = this.catalog.postings.listsBetween(first, last, MAX_SCANNED_TITLES) ?? []
      for (const list of lists) pushAll(docs, list.toDocs())
    }
    return docs
  }

  /**
   * Titles that are equal to a part of the words, by what the words of the part weigh, longer parts first. A part that has a word
   * that no title has cannot be one, but for a word that may be a title written together.
   */
  private titlesWithin(words: readonly string[], matcher: PhraseMatcher): Map<number, number[]> {
    const groups = new Map<number, number[]>()
    for (let length = Math.min(words.length - 1, MAX_WITHIN_WORDS); length > 0; length--) {
      for (let start = 0; start + length <= Math.min(words.length, MAX_WITHIN_START); start++) {
        const part = words.slice(start, start + length)
        if (part.join('').length < MIN_TITLE_WITHIN) continue
        const phrase = buildPhrase(part)
        const weight = matcher.weightOf(phrase)
        if (weight === undefined && length > 1) continue
        const docs = [...this.equalDocs(phrase.keys), ...this.equalButForArticleOrYear(phrase)]
        if (docs.length > 0) pushAll(getGroup(groups, weight ?? 0), docs)
      }
    }
    return groups
  }

  /**
   * Documents with a title that is written like the phrase but for typing errors. Keys have no spaces, so it does not matter
   * between which words they are, or whether words are joined or split. The first letters must be right, but for a phrase of one
   * word, which may be a title written together: there, one of them may be wrong, and if no title is equal, one that starts so does.
   */
  similarDocs({ keys, words }: TitlePhrase): number[] {
    const equal: number[] = []
    const started: number[] = []
    const isJoined = words.length === 1
    const compare = (key: string, names: Iterable<string>) => {
      for (const name of names) {
        const title = name.slice(TITLE_TERM.length)
        if (isSimilar(key, title)) pushAll(equal, this.docsWithTerm(name))
        else if (isJoined && isSimilarPrefix(key, title)) pushAll(started, this.docsWithTerm(name))
      }
    }
    for (const key of keys) compare(key, this.titlesWithStart(key))
    if (isJoined && equal.length + started.length === 0) {
      for (const key of keys) {
        for (const start of misspeltStarts(key)) {
          compare(key, this.catalog.postings.termsWithPrefix(TITLE_TERM + start, MAX_SCANNED_TITLES))
        }
      }
    }
    return equal.length > 0 ? equal : started
  }

  /** The terms of titles with the start of a key, the shortest one that few have. */
  private titlesWithStart(key: string): readonly string[] {
    for (let length = MIN_START_LENGTH; length < Math.min(key.length, MAX_START_LENGTH + 1); length++) {
      const start = TITLE_TERM + key.slice(0, length)
      const names = [...this.catalog.postings.termsWithPrefix(start, MAX_SCANNED_TITLES + 1)]
      if (names.length <= MAX_SCANNED_TITLES) return names
    }
    return []
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
        const wider = this.docsWithTerm(term.titlePrefix(key.slice(0, MAX_TITLE_PREFIX)))
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
    const within = isLastResort ? this.titlesWithin(words, matcher) : NO_GROUPS
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

const TITLE_TERM = term.titleEqual('')

const NO_GROUPS: ReadonlyMap<number, number[]> = new Map()

function getGroup(groups: Map<number, number[]>, weight: number): number[] {
  const group = groups.get(weight) ?? []
  groups.set(weight, group)
  return group
}

/** Adds documents to a list, one by one: there may be more than a call can have arguments. */
function pushAll(list: number[], docs: ArrayLike<number>): void {
  for (let i = 0; i < docs.length; i++) list.push(docs[i] as number)
}
