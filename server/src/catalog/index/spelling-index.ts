import type { Database } from 'lmdb'
import { indexedDeleteVariants, isWithinEdits, maxEdits, queryDeleteVariants } from './symmetric-delete.ts'

/** Finds title words by misspelt ones: delete variants of words, each with the words that it is a variant of. */
export class SpellingIndex {
  private readonly table: Database<string, string>

  constructor(table: Database<string, string>) {
    this.table = table
  }

  /** A word, followed by the title words within its edit distance. */
  similarWords(word: string): string[] {
    const edits = maxEdits(word)
    const similar = new Set([word])
    const rejected = new Set<string>()
    for (const variant of queryDeleteVariants(word)) {
      for (const candidate of this.words(variant)) {
        if (similar.has(candidate) || rejected.has(candidate)) continue
        if (isWithinEdits(word, candidate, edits)) similar.add(candidate)
        else rejected.add(candidate)
      }
    }
    return [...similar]
  }

  /** The words with a delete variant. */
  words(variant: string): string[] {
    return this.table.get(variant)?.split(' ') ?? []
  }

  /** Only within a write transaction. */
  put(variant: string, words: ReadonlySet<string>): void {
    if (words.size > 0) this.table.putSync(variant, [...words].sort().join(' '))
    else this.table.removeSync(variant)
  }
}

/** Title words that a transaction adds or deletes, collected by delete variant so that each record is written once. */
export class SpellingDeltas {
  private readonly byVariant = new Map<string, [word: string, isAdded: boolean][]>()

  add(word: string, isAdded: boolean): void {
    for (const variant of indexedDeleteVariants(word)) {
      const words = this.byVariant.get(variant)
      if (words === undefined) this.byVariant.set(variant, [[word, isAdded]])
      else words.push([word, isAdded])
    }
  }

  flush(index: SpellingIndex): void {
    for (const variant of [...this.byVariant.keys()].sort()) {
      const words = new Set(index.words(variant))
      for (const [word, isAdded] of this.byVariant.get(variant) as [string, boolean][]) {
        if (isAdded) words.add(word)
        else words.delete(word)
      }
      index.put(variant, words)
    }
  }
}
