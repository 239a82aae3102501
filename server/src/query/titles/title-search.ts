import type { Catalog } from '../../catalog/catalog.ts'
import { term } from '../../catalog/index/terms.ts'
import { GenerationalCache, type MeteredCache } from '../../lib/cache.ts'
import type { FilterExecutor } from '../filters/filter-executor.ts'
import type { SortedColumns } from '../filters/sorted-columns.ts'
import type { TitleQuery } from '../queries.ts'
import { FuzzyExpander, MAX_CACHED_WORDS } from './fuzzy-expander.ts'
import { PhraseMatcher, type PrefixCache } from './phrase-matcher.ts'
import { PopularityRanker } from './popularity-ranker.ts'
import { expandAbbreviations, otherReadings, type Reading, withoutFirstNumber } from './readings.ts'
import { MAX_TITLES, TierResults } from './tier-results.ts'
import { buildPhrase, parsePhrase, phraseWords, type TitlePhrase } from './title-phrase.ts'

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
    const { titles } = results
    const [main, other] = this.matchers
    const words = phraseWords(query.title)
    const phrase = parsePhrase(query.title, words)

    const equal = results.select(titles.equalDocs(phrase.keys))
    if (query.limit === undefined && equal.length > MAX_TITLES) return results.rank(equal, equal.length)
    results.add(equal)
    results.add(titles.equalButForArticleOrYear(phrase))
    if (results.isFull || words.length === 0) return results.docs
    this.addAbbreviated(results, words, other)

    main.begin(phrase, version)
    results.addPrefixMatches(phrase, main)
    results.add(titles.startsWithOpenSyllable(phrase))
    results.addExactMatches(main)
    if (results.isFull) return results.docs
    const firstPart = withoutFirstNumber(words)
    if (firstPart !== undefined) results.addEqual(buildPhrase(firstPart))
    if (results.docs.length === 0) results.add(titles.startsButForArticle(phrase))
    const readings = otherReadings(query.title, words)
    const reading = readings.find((one) => titles.hasEqual(one.words)) ?? readings.at(-1)
    if (reading !== undefined) this.addOtherReading(results, reading, query)
    if (words.length === 1) results.add(titles.docsWithTerm(term.titleInitials(words[0] as string)))

    // Words around a title do not count among most words.
    const best = reading === undefined ? main : other
    for (const matcher of new Set([main, best])) if (!results.isFull) this.addFuzzyMatches(results, matcher)
    if (results.docs.length === 0) results.add(titles.similarDocs(phrase))
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
