import { LRUCache } from 'lru-cache'
import type { Catalog } from '../catalog/catalog.ts'
import { type DocSet, EMPTY_SET, RoaringBitmap32 } from '../catalog/doc-set.ts'
import { LONGEST_WORD, ORIGINAL, term, WORD_PREFIX } from '../catalog/terms.ts'
import { wordsOf } from '../catalog/text.ts'
import { DEFAULT_LANGUAGE } from '../model/language.ts'
import { DocFilter } from './doc-filter.ts'
import { NumberedDocs } from './numbered-docs.ts'
import type { CatalogSelector, FilterQuery } from './queries.ts'
import { intersection, union } from './set-operations.ts'

/** Finds the documents that pass the filters of a query, and keeps recent finds until the catalog changes. */
export class MatchingDocs {
  private readonly catalog: Catalog
  private version = -1
  private readonly filters = new LRUCache<string, DocFilter>({
    maxSize: 64 * 1024 * 1024,
    // The set itself, the table of bits that it may grow, and what was asked for, which may be long.
    sizeCalculation: ({ set }, key) =>
      256 + 2 * key.length + (set.size === 0 ? 0 : set.maximum() >>> 3) + set.getSerializationSizeInBytes('portable'),
  })

  private readonly ranges = new Map<string, NumberedDocs>()

  constructor(catalog: Catalog) {
    this.catalog = catalog
  }

  /** The documents that pass all filters of the query, whatever its order and cursor. */
  of(query: FilterQuery, version: number): DocFilter {
    if (this.version !== version) {
      this.filters.clear()
      this.ranges.clear()
      this.version = version
    }
    const { order, direction, cursor, granularity, language, keyword, ...filters } = query
    const key = JSON.stringify(keyword === undefined ? filters : { ...filters, keyword, language })
    let found = this.filters.get(key)
    if (found === undefined) {
      found = new DocFilter(this.find(query))
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
      sets.push(this.numbered(term.year('')).between(yearMin, yearMax))
    }
    if (query.ratingMin !== undefined || query.ratingMax !== undefined) {
      const { ratingMin = 0, ratingMax = 100 } = query
      sets.push(this.numbered(term.rating('')).between(ratingMin, ratingMax))
    }
    const found = intersection(sets)
    return query.keyword === undefined ? found : this.withWords(found, query.keyword, query.language)
  }

  /** Those of the documents that have all words of a text. However many these are, few documents stop the search soon. */
  private withWords(docs: DocSet, text: string, language: string): DocSet {
    const words = new Set(wordsOf(text))
    if (words.size === 0) return EMPTY_SET
    let found = docs
    for (const word of words) {
      if (found.size === 0) return EMPTY_SET
      found = intersection([found, this.withWord(word, language)])
    }
    return found
  }

  /** Documents by the number of a numbered term. */
  private numbered(prefix: string): NumberedDocs {
    let docs = this.ranges.get(prefix)
    if (docs === undefined) {
      const numbers = Array.from(this.catalog.postings.terms(prefix), (name) => Number(name.slice(prefix.length)))
      docs = new NumberedDocs(numbers, (number) => this.docs(prefix + number))
      this.ranges.set(prefix, docs)
    }
    return docs
  }

  /**
   * Documents with a word, or a longer one that starts so, in the text that is shown in the language, or in the
   * original. English is shown where a show has no text in the language.
   */
  private withWord(word: string, language: string): DocSet {
    const sets = [this.startingWith(ORIGINAL, word), this.startingWith(language, word)]
    if (language !== DEFAULT_LANGUAGE) {
      const shownInEnglish = this.startingWith(DEFAULT_LANGUAGE, word)
      sets.push(RoaringBitmap32.andNot(shownInEnglish, this.docs(term.hasText(language))))
    }
    return union(sets)
  }

  private startingWith(language: string, word: string): DocSet {
    return word.length <= WORD_PREFIX
      ? this.docs(term.keywordPrefix(language, word))
      : this.catalog.postings.withPrefix(term.keyword(language, word.slice(0, LONGEST_WORD)))
  }

  private docs(name: string): DocSet {
    return this.catalog.docs(name, this.version)
  }
}

function selectorTerm(country: string, { service, type, addon }: CatalogSelector): string {
  if (addon !== undefined) return term.addon(country, service, addon)
  return type === undefined ? term.service(country, service) : term.serviceType(country, service, type)
}
