import type { Catalog } from '../catalog/catalog.ts'
import { tokenize } from '../catalog/index/analyzer.ts'
import { type DocSet, docSetBytes, EMPTY_SET, intersection, RoaringBitmap32, union } from '../catalog/index/doc-set.ts'
import { MAX_WORD_PREFIX, ORIGINAL, term, truncateWord } from '../catalog/index/terms.ts'
import { transcribeKanaOnly } from '../catalog/text/transliteration.ts'
import { type MeteredCache, VersionedCache } from '../lib/versioned-cache.ts'
import { DEFAULT_LANGUAGE } from '../model/language.ts'
import { BitsetFilter } from './bitset-filter.ts'
import { findShowsOfPerson } from './people-search.ts'
import type { CatalogSelector, FilterQuery, TitleQuery } from './queries.ts'
import { RangeIndex } from './range-index.ts'

/** The filters on the details of a show. */
type DetailFilters = Pick<
  FilterQuery,
  'showType' | 'genres' | 'genresRelation' | 'originalLanguage' | 'yearMin' | 'yearMax' | 'ratingMin' | 'ratingMax'
>

/** Finds the documents that match the filters of a query. Results are cached until the next catalog version. */
export class FilterExecutor {
  private readonly catalog: Catalog
  private readonly years: RangeIndex
  private readonly ratings: RangeIndex
  private readonly filters = new VersionedCache<string, BitsetFilter>({
    name: 'filters',
    maxBytes: 64 * 1024 * 1024,
    sizeOf: (filter, key) => 2 * key.length + docSetBytes(filter.set) + filter.bitsetBytes(),
  })

  constructor(catalog: Catalog) {
    this.catalog = catalog
    this.years = this.createRangeIndex('year_ranges', term.year(''))
    this.ratings = this.createRangeIndex('rating_ranges', term.rating(''))
  }

  caches(): readonly MeteredCache[] {
    return [this.filters, ...this.years.caches(), ...this.ratings.caches()]
  }

  /** The documents that match all filters of the query. Order and cursor make no difference. */
  execute(query: FilterQuery, version: number): BitsetFilter {
    const { order, direction, cursor, granularity, language, keyword, ...filters } = query
    const key = JSON.stringify(keyword === undefined ? filters : { ...filters, keyword, language })
    return this.filters.getOrCompute(key, version, () => new BitsetFilter(this.find(query, version)))
  }

  /** The documents that a title search is limited to; undefined if it is not limited. */
  executeForTitles(query: TitleQuery, version: number): BitsetFilter | undefined {
    const { country, catalogs, showType, genres, yearMin, yearMax } = query
    const hasFilter = catalogs.length + genres.length > 0 || (showType ?? yearMin ?? yearMax) !== undefined
    if (!hasFilter) return undefined
    const key = JSON.stringify([country, catalogs, showType, genres, yearMin, yearMax])
    return this.filters.getOrCompute(key, version, () => {
      const sets = this.detailSets({ ...query, genresRelation: 'and' }, version)
      if (catalogs.length > 0) sets.push(this.catalogDocs(country, catalogs, version))
      return new BitsetFilter(intersection(sets))
    })
  }

  private find(query: FilterQuery, version: number): DocSet {
    const { country, catalogs } = query
    const people = query.people.map((name) => new RoaringBitmap32(findShowsOfPerson(this.catalog, name)))
    const matches = intersection([
      this.catalogDocs(country, catalogs, version),
      ...this.detailSets(query, version),
      ...people,
    ])
    if (query.keyword === undefined) return matches
    const readings = [tokenize(query.keyword), transcribeKanaOnly(query.keyword)]
    return union(readings.map((words) => this.intersectWords(matches, words, query.language, version)))
  }

  /** The documents of a country's catalogs; of all of them if none is named. */
  private catalogDocs(country: string, catalogs: readonly CatalogSelector[], version: number): DocSet {
    const docs = (name: string) => this.catalog.docsWithTerm(name, version)
    return catalogs.length === 0
      ? docs(term.country(country))
      : union(catalogs.map((selector) => docs(selectorTerm(country, selector))))
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

function selectorTerm(country: string, { service, type, addon }: CatalogSelector): string {
  if (addon !== undefined) return term.addon(country, service, addon)
  return type === undefined ? term.service(country, service) : term.serviceType(country, service, type)
}
