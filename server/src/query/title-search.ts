import type { Catalog } from '../catalog/catalog.ts'
import { column } from '../catalog/columns-of.ts'
import { type DocSet, RoaringBitmap32 } from '../catalog/doc-set.ts'
import { LONGEST_WORD, TITLE_PREFIX, term } from '../catalog/terms.ts'
import { titleForms, wordsOf } from '../catalog/text.ts'
import { DocFilter } from './doc-filter.ts'
import type { MeantWords } from './meant-words.ts'
import type { TitleQuery } from './queries.ts'
import { intersection, union } from './set-operations.ts'

/** A title search gives so many shows at most, unless more titles are equal to the phrase. */
export const MOST_TITLES = 20

/** Up to so many matches are sorted; more are found by walking the order of popularity. */
const FEW = 100

/**
 * Shows by title, best first: titles equal to the phrase, titles that start with it, titles with all of its words,
 * and titles with all of its words but for typing errors; within each, more popular ones first.
 */
export function titleSearch(catalog: Catalog, words: MeantWords, query: TitleQuery): number[] {
  return new TitleSearch(catalog, words, query).run()
}

class TitleSearch {
  private readonly catalog: Catalog
  private readonly query: TitleQuery
  private readonly words: MeantWords
  private readonly version: number

  constructor(catalog: Catalog, words: MeantWords, query: TitleQuery) {
    this.catalog = catalog
    this.words = words
    this.query = query
    this.version = catalog.version()
  }

  run(): number[] {
    const forms = titleForms(this.query.title)
    const equal = this.ofType(union(forms.map((form) => this.docs(term.titleEqual(form)))))
    if (equal.size > MOST_TITLES) return this.ranked(equal, equal.size)
    const result = this.ranked(equal, MOST_TITLES)
    const tiers = [
      () => union(forms.map((form) => this.startingWith(form))),
      () => this.withWords(forms, (word) => [word]),
      () => this.withWords(forms, (word) => this.words.meant(word, this.version)),
    ]
    for (const tier of tiers) {
      if (result.length >= MOST_TITLES) break
      const found = RoaringBitmap32.andNot(this.ofType(tier()), new RoaringBitmap32(result))
      result.push(...this.ranked(found, MOST_TITLES - result.length))
    }
    return result
  }

  private startingWith(form: string): DocSet {
    return form.length <= TITLE_PREFIX
      ? this.docs(term.titlePrefix(form))
      : this.catalog.postings.withPrefix(term.titleEqual(form))
  }

  /** Shows whose titles have, for each word of the phrase, one of the words that it may stand for. */
  private withWords(forms: readonly string[], alternatives: (word: string) => readonly string[]): DocSet {
    return union(
      forms.map((form) => {
        const words = [...new Set(wordsOf(form))]
        return intersection(
          words.map((word) =>
            union(alternatives(word).map((one) => this.docs(term.titleWord(one.slice(0, LONGEST_WORD))))),
          ),
        )
      }),
    )
  }

  /** The most popular of a set, in order. */
  private ranked(set: DocSet, wanted: number): number[] {
    if (set.size <= FEW || wanted > FEW) return this.sorted(set).slice(0, wanted)
    const filter = new DocFilter(set)
    const docs: number[] = []
    const walk = this.catalog.walk(column.popularity('alltime', this.query.country), this.version, 'desc')
    while (docs.length < wanted && walk.next()) if (filter.has(walk.doc)) docs.push(walk.doc)
    // Shows that are unknown in the country have no place in its order: they come last.
    for (const doc of set) {
      if (docs.length >= wanted) break
      if (!docs.includes(doc)) docs.push(doc)
    }
    return docs
  }

  private sorted(set: DocSet): number[] {
    return set
      .toArray()
      .map((doc) => {
        const { id, value } = this.catalog.sortFact(doc, { window: 'alltime', country: this.query.country })
        return { doc, id, popularity: value as number }
      })
      .sort((a, b) => b.popularity - a.popularity || a.id - b.id)
      .map(({ doc }) => doc)
  }

  private ofType(set: DocSet): DocSet {
    const { showType } = this.query
    return showType === undefined ? set : intersection([set, this.docs(term.showType(showType))])
  }

  private docs(name: string): DocSet {
    return this.catalog.docs(name, this.version)
  }
}
