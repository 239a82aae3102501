import type { Catalog } from '../catalog/catalog.ts'
import { MAX_WORD_LENGTH } from '../catalog/index/terms.ts'
import { type MeteredCache, VersionedCache } from '../lib/versioned-cache.ts'

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
