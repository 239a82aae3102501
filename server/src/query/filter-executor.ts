import { LRUCache } from 'lru-cache'
import type { Catalog } from '../catalog/catalog.ts'
import { tokenize } from '../catalog/index/analyzer.ts'
import { type DocSet, EMPTY_SET, intersection, RoaringBitmap32, union } from '../catalog/index/doc-set.ts'
import { MAX_WORD_LENGTH, MAX_WORD_PREFIX, ORIGINAL, term } from '../catalog/index/terms.ts'
import { DEFAULT_LANGUAGE } from '../model/language.ts'
import { BitsetFilter } from './bitset-filter.ts'
import type { CatalogSelector, FilterQuery } from './queries.ts'
import { RangeIndex } from './range-index.ts'

/** Finds the documents that pass the filters of a query, and keeps recent finds until the catalog changes. */
export class FilterExecutor {
  private readonly catalog: Catalog
  private version = -1
  private readonly filters = new LRUCache<string, BitsetFilter>({
    maxSize: 64 * 1024 * 1024,
    // The set itself, the table of bits that it may grow, and what was asked for, which may be long.
    sizeCalculation: ({ set }, key) =>
      256 + 2 * key.length + (set.size === 0 ? 0 : set.maximum() >>> 3) + set.getSerializationSizeInBytes('portable'),
  })

  private readonly ranges = new Map<string, RangeIndex>()

  constructor(catalog: Catalog) {
    this.catalog = catalog
  }

  /** The documents that pass all filters of the query, whatever its order and cursor. */
  execute(query: FilterQuery, version: number): BitsetFilter {
    if (this.version !== version) {
      this.filters.clear()
      this.ranges.clear()
      this.version = version
    }
    const { order, direction, cursor, granularity, language, keyword, ...filters } = query
    const key = JSON.stringify(keyword === undefined ? filters : { ...filters, keyword, language })
    let found = this.filters.get(key)
    if (found === undefined) {
      found = new BitsetFilter(this.find(query))
      this.filters.set(key, found)
    }
    return found
  }

  private find(query: FilterQuery): DocSet {
    const { country, catalogs, showType, genres, genresRelation, originalLanguage } = query
    const sets: DocSet[] = [
      catalogs.length === 0
        ? this.docs(term.country(country))
        : union(catalogs.map((selector) => this.docs(selectorTerm(country, selector)))),
    ]
    if (showType !== undefined) sets.push(this.docs(term.showType(showType)))
    const genreSets = genres.map((genre) => this.docs(term.genre(genre)))
    if (genresRelation === 'or' && genreSets.length > 0) sets.push(union(genreSets))
    else sets.push(...genreSets)
    if (originalLanguage !== undefined) sets.push(this.docs(term.originalLanguage(originalLanguage)))
    if (query.yearMin !== undefined || query.yearMax !== undefined) {
      const { yearMin = 0, yearMax = Number.POSITIVE_INFINITY } = query
      sets.push(this.rangeIndex(term.year('')).range(yearMin, yearMax))
    }
    if (query.ratingMin !== undefined || query.ratingMax !== undefined) {
      const { ratingMin = 0, ratingMax = 100 } = query
      sets.push(this.rangeIndex(term.rating('')).range(ratingMin, ratingMax))
    }
    const found = intersection(sets)
    return query.keyword === undefined ? found : this.intersectWords(found, query.keyword, query.language)
  }

  /** Those of the documents that have all words of a text. However many these are, few documents stop the search soon. */
  private intersectWords(docs: DocSet, text: string, language: string): DocSet {
    const words = new Set(tokenize(text))
    if (words.size === 0) return EMPTY_SET
    let found = docs
    for (const word of words) {
      if (found.size === 0) return EMPTY_SET
      found = intersection([found, this.docsWithWord(word, language)])
    }
    return found
  }

  /** Documents by the number of a numbered term. */
  private rangeIndex(prefix: string): RangeIndex {
    let docs = this.ranges.get(prefix)
    if (docs === undefined) {
      const numbers = Array.from(this.catalog.postings.termsWithPrefix(prefix), (name) =>
        Number(name.slice(prefix.length)),
      )
      docs = new RangeIndex(numbers, (number) => this.docs(prefix + number))
      this.ranges.set(prefix, docs)
    }
    return docs
  }

  /**
   * Documents with a word, or a longer one that starts so, in the text that is shown in the language, or in the
   * original. English is shown where a show has no text in the language.
   */
  private docsWithWord(word: string, language: string): DocSet {
    const sets = [this.docsWithPrefix(ORIGINAL, word), this.docsWithPrefix(language, word)]
    if (language !== DEFAULT_LANGUAGE) {
      const shownInEnglish = this.docsWithPrefix(DEFAULT_LANGUAGE, word)
      sets.push(RoaringBitmap32.andNot(shownInEnglish, this.docs(term.hasText(language))))
    }
    return union(sets)
  }

  private docsWithPrefix(language: string, word: string): DocSet {
    return word.length <= MAX_WORD_PREFIX
      ? this.docs(term.keywordPrefix(language, word))
      : this.catalog.postings.docsWithPrefix(term.keyword(language, word.slice(0, MAX_WORD_LENGTH)))
  }

  private docs(name: string): DocSet {
    return this.catalog.docsWithTerm(name, this.version)
  }
}

function selectorTerm(country: string, { service, type, addon }: CatalogSelector): string {
  if (addon !== undefined) return term.addon(country, service, addon)
  return type === undefined ? term.service(country, service) : term.serviceType(country, service, type)
}
