import type { Catalog } from '../../catalog/catalog.ts'
import { FUZZY_PREFIX_LENGTH, isSimilarPrefix, type SimilarWords } from '../../catalog/index/spelling-index.ts'
import { MAX_WORD_LENGTH, term } from '../../catalog/index/terms.ts'
import { GenerationalCache, type MeteredCache } from '../../lib/cache.ts'
/** More words than people type often; each entry is several objects that the garbage collector visits. */
export const MAX_CACHED_WORDS = 16_384

/** Expands a query word to the title words that it may be a misspelling of. Results are cached until the next version. */
export class FuzzyExpander {
  private readonly catalog: Catalog
  private readonly cache = new GenerationalCache<string, SimilarWords>({
    name: 'fuzzy_words',
    maxBytes: 8 * 1024 * 1024,
    maxEntries: MAX_CACHED_WORDS,
    sizeOf: ({ words, longer, prefixes }, word) =>
      200 + 2 * word.length + 60 * (words.length + longer.length + prefixes.length),
  })

  constructor(catalog: Catalog) {
    this.catalog = catalog
  }

  caches(): readonly MeteredCache[] {
    return [this.cache]
  }

  /** The title words within the edit distance of a word. */
  expand(word: string, version: number): SimilarWords {
    // A query word can be of any length. Longer ones than any title word match nothing, and would fill the cache.
    if (word.length > MAX_WORD_LENGTH) return NONE
    return this.cache.getOrCompute(word, version, () => this.expandPrefixes(word, this.catalog.spellings.similar(word)))
  }

  /** Replaces prefixes that are shorter than the query word by the words that start with them and match the whole of it. */
  private expandPrefixes(query: string, similar: SimilarWords): SimilarWords {
    const { words, longer, prefixes } = similar
    if (query.length <= FUZZY_PREFIX_LENGTH) return similar
    const known = new Set([query, ...words, ...longer])
    const found: string[] = []
    for (const prefix of prefixes) {
      for (const name of this.catalog.postings.termsWithPrefix(term.titleWord(prefix))) {
        const word = name.slice(WORD_PREFIX.length)
        if (!known.has(word) && !word.startsWith(query) && isSimilarPrefix(query, word)) found.push(word)
      }
    }
    return { words, longer: [...longer, ...found], prefixes: [] }
  }
}

const WORD_PREFIX = term.titleWord('')
const NONE: SimilarWords = { words: [], longer: [], prefixes: [] }
