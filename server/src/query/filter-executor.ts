import type { Catalog } from '../catalog/catalog.ts'
import { tokenize } from '../catalog/index/analyzer.ts'
import { type DocSet, docSetBytes, EMPTY_SET, intersection, RoaringBitmap32, union } from '../catalog/index/doc-set.ts'
import { MAX_WORD_PREFIX, ORIGINAL, term, truncateWord } from '../catalog/index/terms.ts'
import { transcribeKanaOnly } from '../catalog/text/transliteration.ts'
import { type MeteredCache, VersionedCache } from '../lib/versioned-cache.ts'
import { DEFAULT_LANGUAGE } from '../model/language.ts'
import { BitsetFilter } from './bitset-filter.ts'
import { OptionMatcher } from './options/option-matcher.ts'
import { OptionTable } from './options/option-table.ts'
import { findShowsOfPerson } from './people-search.ts'
import type { CatalogSelector, ShowFilters, TitleQuery } from './queries.ts'
import { RangeIndex } from './range-index.ts'

/** The filters on the details of a show. */
type DetailFilters = Pick<
  ShowFilters,
  | 'showType'
  | 'genres'
  | 'genresRelation'
  | 'originalLanguage'
  | 'yearMin'
  | 'yearMax'
  | 'ratingMin'
  | 'ratingMax'
  | 'runtimeMin'
  | 'runtimeMax'
  | 'seasonsMax'
>

/** Finds the documents that match the filters of a query. Results are cached until the next catalog version. */
export class FilterExecutor {
  private readonly catalog: Catalog
  private readonly years: RangeIndex
  private readonly ratings: RangeIndex
  private readonly runtimes: RangeIndex
  private readonly seasonCounts: RangeIndex
  private readonly optionTable: OptionTable
  private readonly filters = new VersionedCache<string, BitsetFilter>({
    name: 'filters',
    maxBytes: 64 * 1024 * 1024,
    sizeOf: (filter, key) => 2 * key.length + docSetBytes(filter.set) + filter.bitsetBytes(),
  })

  constructor(catalog: Catalog) {
    this.catalog = catalog
    this.years = this.createRangeIndex('year_ranges', term.year(''))
    this.ratings = this.createRangeIndex('rating_ranges', term.rating(''))
    this.runtimes = this.createRangeIndex('runtime_ranges', term.runtime(''))
    this.seasonCounts = this.createRangeIndex('season_ranges', term.seasonCount(''))
    this.optionTable = new OptionTable(catalog)
  }

  caches(): readonly MeteredCache[] {
    const indexes = [this.years, this.ratings, this.runtimes, this.seasonCounts, this.optionTable]
    return [this.filters, ...indexes.flatMap((index) => index.caches())]
  }

  /** The documents that pass all filters. */
  execute(query: ShowFilters, version: number): BitsetFilter {
    const candidates = this.findCandidates(query, version)
    const { options } = query
    if (options === undefined) return candidates
    return this.filters.getOrCompute(JSON.stringify([filterKey(query), options]), version, () => {
      const docs = this.matchOptions(query, version).filter(candidates.set.toUint32Array())
      return new BitsetFilter(new RoaringBitmap32(docs))
    })
  }

  /** The documents that match all filters but those on options, which have no posting lists. */
  findCandidates(query: ShowFilters, version: number): BitsetFilter {
    return this.filters.getOrCompute(filterKey(query), version, () => new BitsetFilter(this.find(query, version)))
  }

  /** Tests the options of documents in the countries and catalogs of the query against its filters on options. */
  matchOptions({ countries, catalogs, options = {} }: ShowFilters, version: number): OptionMatcher {
    return new OptionMatcher(this.optionTable, this.catalog.dictionary, { countries, catalogs, options }, version)
  }

  /** The documents that a title search is limited to; undefined if it is not limited. */
  executeForTitles(query: TitleQuery, version: number): BitsetFilter | undefined {
    const { country, countries = [country], catalogs, showType, genres, yearMin, yearMax } = query
    const hasFilter = catalogs.length + genres.length > 0 || (showType ?? yearMin ?? yearMax) !== undefined
    if (!hasFilter) return undefined
    const key = JSON.stringify([countries, catalogs, showType, genres, yearMin, yearMax])
    return this.filters.getOrCompute(key, version, () => {
      const sets = this.detailSets({ ...query, genresRelation: 'and' }, version)
      if (catalogs.length > 0) sets.push(this.catalogDocs(countries, catalogs, version))
      return new BitsetFilter(intersection(sets))
    })
  }

  private find(query: ShowFilters, version: number): DocSet {
    const { countries, catalogs, ids } = query
    const people = query.people.map((name) => new RoaringBitmap32(findShowsOfPerson(this.catalog, name)))
    const included = intersection([
      this.catalogDocs(countries, catalogs, version),
      ...this.detailSets(query, version),
      ...people,
      ...(ids === undefined ? [] : [this.docsWithIds(ids)]),
    ])
    const excluded = this.findExcluded(query, version)
    const matches = excluded.size === 0 ? included : RoaringBitmap32.andNot(included, excluded)
    if (query.keyword === undefined) return matches
    const readings = [tokenize(query.keyword), transcribeKanaOnly(query.keyword)]
    return union(readings.map((words) => this.intersectWords(matches, words, query.language, version)))
  }

  /** The documents of the catalogs of countries; of all of them if none is named. */
  private catalogDocs(countries: readonly string[], catalogs: readonly CatalogSelector[], version: number): DocSet {
    const docs = (name: string) => this.catalog.docsWithTerm(name, version)
    return union(
      countries.flatMap((country) =>
        catalogs.length === 0
          ? docs(term.country(country))
          : catalogs.map((selector) => docs(selectorTerm(country, selector))),
      ),
    )
  }

  /** The documents of genres and ids that a query excludes. */
  private findExcluded({ excludeGenres = [], excludeIds = [] }: ShowFilters, version: number): DocSet {
    const genres = excludeGenres.map((genre) => this.catalog.docsWithTerm(term.genre(genre), version))
    return union([...genres, this.docsWithIds(excludeIds)])
  }

  private docsWithIds(ids: readonly string[]): DocSet {
    return new RoaringBitmap32(ids.flatMap((id) => this.catalog.findDoc(id) ?? []))
  }

  /** For each filter on the details of a show, the documents that pass it. */
  private detailSets(query: DetailFilters, version: number): DocSet[] {
    const { showType, genres, genresRelation, originalLanguage } = query
    const docs = (name: string) => this.catalog.docsWithTerm(name, version)
    const sets: DocSet[] = []
    if (showType !== undefined) sets.push(docs(term.showType(showType)))
    const genreSets = genres.map((genre) => docs(term.genre(genre)))
    if (genresRelation === 'or' && genreSets.length > 0) sets.push(union(genreSets))
    else sets.push(...genreSets)
    if (originalLanguage !== undefined) sets.push(docs(term.originalLanguage(originalLanguage)))
    if (query.yearMin !== undefined || query.yearMax !== undefined) {
      const { yearMin = 0, yearMax = Number.POSITIVE_INFINITY } = query
      sets.push(this.years.range(yearMin, yearMax, version))
    }
    if (query.ratingMin !== undefined || query.ratingMax !== undefined) {
      const { ratingMin = 0, ratingMax = 100 } = query
      sets.push(this.ratings.range(ratingMin, ratingMax, version))
    }
    if (query.runtimeMin !== undefined || query.runtimeMax !== undefined) {
      const { runtimeMin = 0, runtimeMax = Number.POSITIVE_INFINITY } = query
      sets.push(this.runtimes.range(runtimeMin, runtimeMax, version))
    }
    if (query.seasonsMax !== undefined) sets.push(this.seasonCounts.range(0, query.seasonsMax, version))
    return sets
  }

  /** The documents that have all words. Stops at an empty result, since each word may need a range scan. */
  private intersectWords(docs: DocSet, words: readonly string[], language: string, version: number): DocSet {
    if (words.length === 0) return EMPTY_SET
    let matches = docs
    for (const word of new Set(words)) {
      if (matches.size === 0) return EMPTY_SET
      matches = intersection([matches, this.docsWithWord(word, language, version)])
    }
    return matches
  }

  /**
   * Documents with a word, or a longer one with that prefix, in the text that is shown in the language, or in the
   * original language. English is shown where a show has no text in the language.
   */
  private docsWithWord(word: string, language: string, version: number): DocSet {
    const sets = [ORIGINAL, language].map((code) => this.docsWithPrefix(code, word, version))
    if (language !== DEFAULT_LANGUAGE) {
      const inEnglish = this.docsWithPrefix(DEFAULT_LANGUAGE, word, version)
      const translated = this.catalog.docsWithTerm(term.hasText(language), version)
      sets.push(RoaringBitmap32.andNot(inEnglish, translated))
    }
    return union(sets)
  }

  private docsWithPrefix(language: string, word: string, version: number): DocSet {
    return word.length <= MAX_WORD_PREFIX
      ? this.catalog.docsWithTerm(term.keywordPrefix(language, word), version)
      : this.catalog.postings.docsWithPrefix(term.keyword(language, truncateWord(word)))
  }

  /** A range index over the terms that consist of a prefix and a number. */
  private createRangeIndex(name: string, prefix: string): RangeIndex {
    const { catalog } = this
    return new RangeIndex(name, {
      numbers: () => Array.from(catalog.postings.termsWithPrefix(prefix), (term) => Number(term.slice(prefix.length))),
      docs: (number, version) => catalog.docsWithTerm(prefix + number, version),
    })
  }
}

/** The cache key of filters without those on options. */
function filterKey(filters: ShowFilters): string {
  const { keyword, language } = filters
  return JSON.stringify([
    KEY_FIELDS.map((field) => filters[field]),
    ...(keyword === undefined ? [] : [keyword, language]),
  ])
}

const KEY_FIELDS = [
  'countries',
  'catalogs',
  'showType',
  'genres',
  'genresRelation',
  'originalLanguage',
  'yearMin',
  'yearMax',
  'ratingMin',
  'ratingMax',
  'people',
  'runtimeMin',
  'runtimeMax',
  'seasonsMax',
  'excludeGenres',
  'ids',
  'excludeIds',
] as const satisfies (keyof ShowFilters)[]

/** The term of the documents that a selector selects in a country. */
export function selectorTerm(country: string, { service, type, addon }: CatalogSelector): string {
  if (addon !== undefined) return term.addon(country, service, addon)
  return type === undefined ? term.service(country, service) : term.serviceType(country, service, type)
}
