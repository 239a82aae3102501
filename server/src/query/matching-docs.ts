import { LRUCache } from 'lru-cache'
import type { Catalog } from '../catalog/catalog.ts'
import { type DocSet, EMPTY_SET, RoaringBitmap32 } from '../catalog/doc-set.ts'
import { LONGEST_WORD, ORIGINAL, term, WORD_PREFIX } from '../catalog/terms.ts'
import { wordsOf } from '../catalog/text.ts'
import { DEFAULT_LANGUAGE } from '../model/language.ts'
import { DocFilter } from './doc-filter.ts'
import type { CatalogSelector, FilterQuery } from './queries.ts'

/** Finds the documents that pass the filters of a query, and keeps recent finds until the catalog changes. */
export class MatchingDocs {
  private readonly catalog: Catalog
  private version = -1
  private readonly filters = new LRUCache<string, DocFilter>({
    maxSize: 64 * 1024 * 1024,
    // The set itself and the table of bits that it may grow.
    sizeCalculation: ({ set }) =>
      256 + (set.size === 0 ? 0 : set.maximum() >>> 3) + set.getSerializationSizeInBytes('portable'),
  })

  private readonly numbers = new Map<string, readonly number[]>()

  constructor(catalog: Catalog) {
    this.catalog = catalog
  }

  /** The documents that pass all filters of the query, whatever its order and cursor. */
  of(query: FilterQuery, version: number): DocFilter {
    if (this.version !== version) {
      this.filters.clear()
      this.numbers.clear()
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
      sets.push(this.inRange(term.year(''), query.yearMin ?? 0, query.yearMax ?? Number.POSITIVE_INFINITY))
    }
    if (query.ratingMin !== undefined || query.ratingMax !== undefined) {
      sets.push(this.inRange(term.rating(''), query.ratingMin ?? 0, query.ratingMax ?? 100))
    }
    if (query.keyword !== undefined) {
      const words = wordsOf(query.keyword)
      if (words.length === 0) return EMPTY_SET
      for (const word of words) sets.push(this.withWord(word, query.language))
    }
    return intersection(sets)
  }

  /** Documents with a numbered term from one number to another. */
  private inRange(prefix: string, least: number, most: number): DocSet {
    const sets: DocSet[] = []
    for (const number of this.numbersOf(prefix)) {
      if (number >= least && number <= most) sets.push(this.docs(prefix + number))
    }
    return union(sets)
  }

  /** The numbers that there are of a numbered term. */
  private numbersOf(prefix: string): readonly number[] {
    let numbers = this.numbers.get(prefix)
    if (numbers === undefined) {
      numbers = Array.from(this.catalog.postings.terms(prefix), (name) => Number(name.slice(prefix.length)))
      this.numbers.set(prefix, numbers)
    }
    return numbers
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

/** The documents that are in any of the sets. */
export function union(sets: readonly DocSet[]): DocSet {
  const filled = sets.filter(({ size }) => size > 0)
  if (filled.length <= 1) return filled[0] ?? EMPTY_SET
  return RoaringBitmap32.orMany(filled)
}

/** The documents that are in all of the sets. */
export function intersection(sets: readonly DocSet[]): DocSet {
  const bySize = [...sets].sort((a, b) => a.size - b.size)
  const [first, second, ...rest] = bySize
  if (first === undefined || first.size === 0) return EMPTY_SET
  if (second === undefined) return first
  const result = RoaringBitmap32.and(first, second)
  for (const set of rest) result.andInPlace(set)
  return result
}
