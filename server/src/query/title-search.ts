import type { Catalog } from '../catalog/catalog.ts'
import { titleVariants, tokenize } from '../catalog/index/analyzer.ts'
import { type DocSet, intersection, RoaringBitmap32, union } from '../catalog/index/doc-set.ts'
import { MAX_TITLE_PREFIX, MAX_WORD_LENGTH, term, truncateWord } from '../catalog/index/terms.ts'
import { column } from '../catalog/show-columns.ts'
import { compareInDirection } from '../catalog/sorted/column-store.ts'
import { type MeteredCache, VersionedCache } from '../lib/versioned-cache.ts'
import { BitsetFilter } from './bitset-filter.ts'
import type { TitleQuery } from './queries.ts'

/** The most results of a title search, unless more titles are equal to the phrase. */
const MAX_TITLES = 20

/** Up to this many matches are sorted; with more, the column of popularity is scanned. */
const MAX_SORTED_MATCHES = 100

/** Expands a query word to the title words that it may be a misspelling of. Results are cached until the next version. */
export class FuzzyExpander {
  private readonly catalog: Catalog
  private readonly cache = new VersionedCache<string, readonly string[]>({
    name: 'fuzzy_words',
    maxBytes: 8 * 1024 * 1024,
    sizeOf: (words, word) => words.reduce((bytes, { length }) => bytes + 50 + length, 200 + 2 * word.length),
  })

  constructor(catalog: Catalog) {
    this.catalog = catalog
  }

  caches(): readonly MeteredCache[] {
    return [this.cache]
  }

  /** The word itself, followed by the title words within its edit distance. */
  expand(word: string, version: number): readonly string[] {
    // A query word can be of any length. Long ones would fill the cache.
    if (word.length > MAX_WORD_LENGTH) return this.catalog.spellings.similarWords(word)
    return this.cache.getOrCompute(word, version, () => this.catalog.spellings.similarWords(word))
  }
}

/**
 * Shows by title, in tiers: titles equal to the phrase, titles that start with it, titles with all of its words, and
 * titles with all of its words within their edit distance. Within a tier, more popular shows come first.
 */
export function searchByTitle(catalog: Catalog, expander: FuzzyExpander, query: TitleQuery): number[] {
  return new TitleSearch(catalog, expander, query).run()
}

class TitleSearch {
  private readonly catalog: Catalog
  private readonly query: TitleQuery
  private readonly expander: FuzzyExpander
  private readonly version: number

  constructor(catalog: Catalog, expander: FuzzyExpander, query: TitleQuery) {
    this.catalog = catalog
    this.expander = expander
    this.query = query
    this.version = catalog.version()
  }

  run(): number[] {
    const variants = titleVariants(this.query.title)
    const equal = this.filterByType(union(variants.map((variant) => this.docs(term.titleEqual(variant)))))
    if (equal.size > MAX_TITLES) return this.rank(equal, equal.size)
    const result = this.rank(equal, MAX_TITLES)
    const tiers = [
      () => union(variants.map((variant) => this.docsWithPrefix(variant))),
      () => this.docsWithWords(variants, (word) => [word]),
      () => this.docsWithWords(variants, (word) => this.expander.expand(word, this.version)),
    ]
    for (const tier of tiers) {
      if (result.length >= MAX_TITLES) break
      const found = RoaringBitmap32.andNot(this.filterByType(tier()), new RoaringBitmap32(result))
      result.push(...this.rank(found, MAX_TITLES - result.length))
    }
    return result
  }

  private docsWithPrefix(prefix: string): DocSet {
    return prefix.length <= MAX_TITLE_PREFIX
      ? this.docs(term.titlePrefix(prefix))
      : this.catalog.postings.docsWithPrefix(term.titleEqual(prefix))
  }

  /** Shows whose titles have, for each word of a variant, that word or one that it expands to. */
  private docsWithWords(variants: readonly string[], expand: (word: string) => readonly string[]): DocSet {
    return union(
      variants.map((variant) => {
        const words = [...new Set(tokenize(variant))]
        return intersection(
          words.map((word) => union(expand(word).map((other) => this.docs(term.titleWord(truncateWord(other)))))),
        )
      }),
    )
  }

  /** The most popular documents of a set, in order. */
  private rank(set: DocSet, limit: number): number[] {
    if (set.size <= MAX_SORTED_MATCHES || limit > MAX_SORTED_MATCHES) return this.sortByPopularity(set).slice(0, limit)
    const filter = new BitsetFilter(set)
    const docs: number[] = []
    const cursor = this.catalog.openCursor(column.popularity('alltime', this.query.country), this.version, 'desc')
    while (docs.length < limit && cursor.next()) if (filter.has(cursor.doc)) docs.push(cursor.doc)
    // Shows without offers or popularity in the country have no entry in its column: they come last.
    for (const doc of set) {
      if (docs.length >= limit) break
      if (!docs.includes(doc)) docs.push(doc)
    }
    return docs
  }

  private sortByPopularity(set: DocSet): number[] {
    return set
      .toArray()
      .map((doc) => ({ ...this.catalog.sortValue(doc, { window: 'alltime', country: this.query.country }), doc }))
      .sort(compareInDirection('desc'))
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
