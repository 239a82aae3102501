import { LRUCache } from 'lru-cache'
import type { Catalog } from '../catalog/catalog.ts'
import { askedForms, forgiven, withinErrors } from '../catalog/spelling.ts'
import { LONGEST_WORD } from '../catalog/terms.ts'

/** Finds the words of titles that a word may stand for, and keeps recent finds until the catalog changes. */
export class MeantWords {
  private readonly catalog: Catalog
  private version = -1
  private readonly known = new LRUCache<string, readonly string[]>({ max: 20_000 })

  constructor(catalog: Catalog) {
    this.catalog = catalog
  }

  /** Known words that a word may be meant to be, itself first. */
  meant(word: string, version: number): readonly string[] {
    if (this.version !== version) {
      this.known.clear()
      this.version = version
    }
    const known = this.known.get(word)
    if (known !== undefined) return known
    const words = this.find(word)
    if (word.length <= LONGEST_WORD) this.known.set(word, words)
    return words
  }

  private find(word: string): readonly string[] {
    const errors = forgiven(word)
    const words = new Set([word])
    const refused = new Set<string>()
    for (const form of askedForms(word)) {
      for (const candidate of this.catalog.environment.spellings.get(form)?.split(' ') ?? []) {
        if (words.has(candidate) || refused.has(candidate)) continue
        if (withinErrors(word, candidate, errors)) words.add(candidate)
        else refused.add(candidate)
      }
    }
    return [...words]
  }
}
