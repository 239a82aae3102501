import type { Catalog } from '../catalog/catalog.ts'
import { titleVariants, tokenize } from '../catalog/index/analyzer.ts'
import { type DocSet, intersection, RoaringBitmap32, union } from '../catalog/index/doc-set.ts'
import { MAX_TITLE_PREFIX, MAX_WORD_LENGTH, term } from '../catalog/index/terms.ts'
import { column } from '../catalog/sorted/show-columns.ts'
import { BitsetFilter } from './bitset-filter.ts'
import type { FuzzyExpander } from './fuzzy-expander.ts'
import type { TitleQuery } from './queries.ts'

/** A title search gives so many shows at most, unless more titles are equal to the phrase. */
export const MAX_TITLES = 20

/** Up to so many matches are sorted; more are found by walking the order of popularity. */
const MAX_SORTED_MATCHES = 100

/**
 * Shows by title, best first: titles equal to the phrase, titles that start with it, titles with all of its words,
 * and titles with all of its words but for typing errors; within each, more popular ones first.
 */
export function searchByTitle(catalog: Catalog, words: FuzzyExpander, query: TitleQuery): number[] {
  return new TitleSearch(catalog, words, query).run()
}

class TitleSearch {
  private readonly catalog: Catalog
  private readonly query: TitleQuery
  private readonly words: FuzzyExpander
  private readonly version: number

  constructor(catalog: Catalog, words: FuzzyExpander, query: TitleQuery) {
    this.catalog = catalog
    this.words = words
    this.query = query
    this.version = catalog.version()
  }

  run(): number[] {
    const forms = titleVariants(this.query.title)
    const equal = this.filterByType(union(forms.map((form) => this.docs(term.titleEqual(form)))))
    if (equal.size > MAX_TITLES) return this.rank(equal, equal.size)
    const result = this.rank(equal, MAX_TITLES)
    const tiers = [
      () => union(forms.map((form) => this.docsWithPrefix(form))),
      () => this.docsWithWords(forms, (word) => [word]),
      () => this.docsWithWords(forms, (word) => this.words.expand(word, this.version)),
    ]
    for (const tier of tiers) {
      if (result.length >= MAX_TITLES) break
      const found = RoaringBitmap32.andNot(this.filterByType(tier()), new RoaringBitmap32(result))
      result.push(...this.rank(found, MAX_TITLES - result.length))
    }
    return result
  }

  private docsWithPrefix(form: string): DocSet {
    return form.length <= MAX_TITLE_PREFIX
      ? this.docs(term.titlePrefix(form))
      : this.catalog.postings.docsWithPrefix(term.titleEqual(form))
  }

  /** Shows whose titles have, for each word of the phrase, one of the words that it may stand for. */
  private docsWithWords(forms: readonly string[], alternatives: (word: string) => readonly string[]): DocSet {
    return union(
      forms.map((form) => {
        const words = [...new Set(tokenize(form))]
        return intersection(
          words.map((word) =>
            union(alternatives(word).map((one) => this.docs(term.titleWord(one.slice(0, MAX_WORD_LENGTH))))),
          ),
        )
      }),
    )
  }

  /** The most popular of a set, in order. */
  private rank(set: DocSet, wanted: number): number[] {
    if (set.size <= MAX_SORTED_MATCHES || wanted > MAX_SORTED_MATCHES)
      return this.sortByPopularity(set).slice(0, wanted)
    const filter = new BitsetFilter(set)
    const docs: number[] = []
    const walk = this.catalog.openCursor(column.popularity('alltime', this.query.country), this.version, 'desc')
    while (docs.length < wanted && walk.next()) if (filter.has(walk.doc)) docs.push(walk.doc)
    // Shows that are unknown in the country have no place in its order: they come last.
    for (const doc of set) {
      if (docs.length >= wanted) break
      if (!docs.includes(doc)) docs.push(doc)
    }
    return docs
  }

  private sortByPopularity(set: DocSet): number[] {
    return set
      .toArray()
      .map((doc) => {
        const { id, value } = this.catalog.sortValue(doc, { window: 'alltime', country: this.query.country })
        return { doc, id, popularity: value as number }
      })
      .sort((a, b) => b.popularity - a.popularity || a.id - b.id)
      .map(({ doc }) => doc)
  }

  private filterByType(set: DocSet): DocSet {
    const { showType } = this.query
    return showType === undefined ? set : intersection([set, this.docs(term.showType(showType))])
  }

  private docs(name: string): DocSet {
    return this.catalog.docsWithTerm(name, this.version)
  }
}
