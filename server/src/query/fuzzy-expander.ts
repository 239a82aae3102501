import { LRUCache } from 'lru-cache'
import type { Catalog } from '../catalog/catalog.ts'
import { isWithinEdits, maxEdits, queryDeleteVariants } from '../catalog/index/symmetric-delete.ts'
import { MAX_WORD_LENGTH } from '../catalog/index/terms.ts'

/** Finds the words of titles that a word may stand for, and keeps recent finds until the catalog changes. */
export class FuzzyExpander {
  private readonly catalog: Catalog
  private version = -1
  private readonly known = new LRUCache<string, readonly string[]>({ max: 20_000 })

  constructor(catalog: Catalog) {
    this.catalog = catalog
  }

  /** Known words that a word may be meant to be, itself first. */
  expand(word: string, version: number): readonly string[] {
    if (this.version !== version) {
      this.known.clear()
      this.version = version
    }
    const known = this.known.get(word)
    if (known !== undefined) return known
    const words = this.find(word)
    if (word.length <= MAX_WORD_LENGTH) this.known.set(word, words)
    return words
  }

  private find(word: string): readonly string[] {
    const errors = maxEdits(word)
    const words = new Set([word])
    const refused = new Set<string>()
    for (const form of queryDeleteVariants(word)) {
      for (const candidate of this.catalog.environment.spellings.get(form)?.split(' ') ?? []) {
        if (words.has(candidate) || refused.has(candidate)) continue
        if (isWithinEdits(word, candidate, errors)) words.add(candidate)
        else refused.add(candidate)
      }
    }
    return [...words]
  }
}
