import type { Catalog } from '../../catalog/catalog.ts'
import { tokenize } from '../../catalog/index/analyzer.ts'
import {
  type DocSet,
  docSetBytes,
  EMPTY_SET,
  intersection,
  RoaringBitmap32,
  union,
} from '../../catalog/index/doc-set.ts'
import { MAX_WORD_PREFIX, ORIGINAL, term, truncateWord } from '../../catalog/index/terms.ts'
import { transcribeKanaOnly } from '../../catalog/text/transliteration.ts'
import { type Bitset, listBits } from '../../lib/bitset/bitset.ts'
import { type MeteredCache, VersionedCache } from '../../lib/cache.ts'
import { DEFAULT_LANGUAGE } from '../../model/language.ts'
import { OptionMatcher, type ServiceCounts } from '../options/option-matcher.ts'
import { OptionReader } from '../options/option-reader.ts'
import { OptionTable } from '../options/option-table.ts'
import type { PeopleSearcher } from '../people/people-search.ts'
import type { CatalogSelector, ShowFilters, TitleQuery } from '../queries.ts'
import { BitsetFilter } from './bitset-filter.ts'
import { type Clause, Conjunction, TermClause } from './clauses.ts'
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

/** A request names so many countries at most. If there are more, they are all countries, whose union is cached. */
export const MAX_UNITED_COUNTRIES = 10

/** Documents that pass all filters. */
interface CountedDocs {
  readonly bits: Bitset
  /** With filters on options: how many of the documents have an option that passes, by service. */
  readonly services?: ServiceCounts
}

/** Finds the documents that match the filters of a query. Results are cached until the next catalog version. */
export class FilterExecutor {
  private readonly catalog: Catalog
  private readonly people: Pick<PeopleSearcher, 'showsOf'>
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

  constructor(catalog: Catalog, people: Pick<PeopleSearcher, 'showsOf'>, maxOptionBytes?: number) {
    this.catalog = catalog
    this.people = people
    this.years = this.createRangeIndex('year_ranges', term.year(''))
    this.ratings = this.createRangeIndex('rating_ranges', term.rating(''))
    this.runtimes = this.createRangeIndex('runtime_ranges', term.runtime(''))
    this.seasonCounts = this.createRangeIndex('season_ranges', term.seasonCount(''))
    this.optionTable = new OptionTable(new OptionReader(catalog), catalog.dictionary, { maxBytes: maxOptionBytes })
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
      const bits = candidates.set.toBitset()
      this.matchOptions(query, version).retain(bits)
      return new BitsetFilter(new RoaringBitmap32(listBits(bits)))
    })
  }

  /** The documents that pass all filters, as bits. Valid until the next call. */
  findPassing(query: ShowFilters, version: number): Bitset {
    const bits = this.compile(query, version).toBits(this.catalog.nextDoc())
    if (query.options !== undefined) this.matchOptions(query, version).retain(bits)
    return bits
  }

  /** The same, with their count by service where filters on options have to be read for that. */
  countPassing(query: ShowFilters, version: number): CountedDocs {
    const bits = this.compile(query, version).toBits(this.catalog.nextDoc())
    if (query.options === undefined) return { bits }
    return { bits, services: this.matchOptions(query, version).retainAndCount(bits) }
  }

  /** The documents that match all filters but those on options, which have no posting lists. */
  private findCandidates(query: ShowFilters, version: number): BitsetFilter {
    return this.filters.getOrCompute(
      filterKey(query),
      version,
      () => new BitsetFilter(this.compile(query, version).toSet()),
    )
  }

  /** Whether the options of countries are in memory: reading them takes longer than a turn of the event loop. */
  hasOptions(countries: readonly string[], version: number): boolean {
    return this.optionTable.has(countries, version)
  }

  /** Runs a search once the options of countries are in memory, in a later turn of the event loop. */
  whenOptionsAreLoaded<Result>(countries: readonly string[], search: () => Result): Promise<Result> {
    return this.optionTable.whenLoaded(countries, search)
  }

  /** Tests the options of documents in the countries and catalogs of the query against its filters on options. */
  matchOptions(query: ShowFilters, version: number): OptionMatcher {
    const { countries, catalogs, options = {} } = query
    return new OptionMatcher(this.optionTable, { countries, catalogs, options }, version)
  }

  /** The documents that a title search is limited to; undefined if it is not limited. */
  executeForTitles(query: TitleQuery, version: number): BitsetFilter | undefined {
    const { country, countries = [country], catalogs, showType, genres, yearMin, yearMax } = query
    const hasFilter = catalogs.length + genres.length > 0 || (showType ?? yearMin ?? yearMax) !== undefined
    if (!hasFilter) return undefined
    const key = JSON.stringify([countries, catalogs, showType, genres, yearMin, yearMax])
    return this.filters.getOrCompute(key, version, () => {
      const clauses = this.detailClauses({ ...query, genresRelation: 'and' }, version)
      if (catalogs.length > 0) clauses.push(this.catalogClause(countries, catalogs, version))
      return new BitsetFilter(new Conjunction(clauses, []).toSet())
    })
  }

  /** The filters without those on options, as clauses. */
  compile(query: ShowFilters, version: number): Conjunction {
    const { countries, catalogs, people, ids, keyword, language, excludeGenres = [], excludeIds = [] } = query
    const included = [this.catalogClause(countries, catalogs, version), ...this.detailClauses(query, version)]
    for (const name of people) included.push(setClause(new RoaringBitmap32(this.people.showsOf(name))))
    if (ids !== undefined) included.push(setClause(this.docsWithIds(ids)))
    if (keyword !== undefined) included.push(setClause(this.docsWithKeyword(keyword, language, version)))
    const excluded: Clause[] = []
    if (excludeGenres.length > 0) excluded.push(this.termClause(excludeGenres.map(term.genre), version))
    if (excludeIds.length > 0) excluded.push(setClause(this.docsWithIds(excludeIds)))
    return new Conjunction(included, excluded)
  }

  /** Passes documents that have any of the terms. */
  private termClause(terms: readonly string[], version: number): Clause {
    const { catalog } = this
    return new TermClause(
      terms.map((name) => catalog.postings.list(name, version)),
      () => terms.map((name) => catalog.docsWithTerm(name, version)),
    )
  }

  /** Passes the documents of the catalogs of countries; of all of them if none is named. */
  private catalogClause(countries: readonly string[], catalogs: readonly CatalogSelector[], version: number): Clause {
    const terms = countries.flatMap((country) =>
      catalogs.length === 0 ? term.country(country) : catalogs.map((selector) => selectorTerm(country, selector)),
    )
    if (catalogs.length > 0 || countries.length <= MAX_UNITED_COUNTRIES) return this.termClause(terms, version)
    const set = () => union(terms.map((name) => this.catalog.docsWithTerm(name, version)))
    return this.filters.getOrCompute(JSON.stringify(terms), version, () => new BitsetFilter(set()))
  }

  /** A clause for each filter on the details of a show. */
  private detailClauses(query: DetailFilters, version: number): Clause[] {
    const { showType, genres, genresRelation, originalLanguage } = query
    const clauses: Clause[] = []
    if (showType !== undefined) clauses.push(this.termClause([term.showType(showType)], version))
    if (genresRelation === 'or' && genres.length > 0) clauses.push(this.termClause(genres.map(term.genre), version))
    else for (const genre of genres) clauses.push(this.termClause([term.genre(genre)], version))
    if (originalLanguage !== undefined)
      clauses.push(this.termClause([term.originalLanguage(originalLanguage)], version))
    if (query.yearMin !== undefined || query.yearMax !== undefined) {
      const { yearMin = 0, yearMax = Number.POSITIVE_INFINITY } = query
      clauses.push(this.years.range(yearMin, yearMax, version))
    }
    if (query.ratingMin !== undefined || query.ratingMax !== undefined) {
      const { ratingMin = 0, ratingMax = 100 } = query
      clauses.push(this.ratings.range(ratingMin, ratingMax, version))
    }
    if (query.runtimeMin !== undefined || query.runtimeMax !== undefined) {
      const { runtimeMin = 0, runtimeMax = Number.POSITIVE_INFINITY } = query
      clauses.push(this.runtimes.range(runtimeMin, runtimeMax, version))
    }
    if (query.seasonsMax !== undefined) clauses.push(this.seasonCounts.range(0, query.seasonsMax, version))
    return clauses
  }

  private docsWithIds(ids: readonly string[]): DocSet {
    return new RoaringBitmap32(ids.flatMap((id) => this.catalog.findDoc(id) ?? []))
  }

  /** The documents that have all words of a keyword. Stops at an empty result, since each word may need a range scan. */
  private docsWithKeyword(keyword: string, language: string, version: number): DocSet {
    const readings = [tokenize(keyword), transcribeKanaOnly(keyword)]
    return union(
      readings.map((words) => {
        let matches: DocSet | undefined
        for (const word of new Set(words)) {
          const docs = this.docsWithWord(word, language, version)
          matches = matches === undefined ? docs : intersection([matches, docs])
          if (matches.size === 0) return EMPTY_SET
        }
        return matches ?? EMPTY_SET
      }),
    )
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

function setClause(set: DocSet): Clause {
  return new BitsetFilter(set)
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
