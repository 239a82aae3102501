import type { Database } from 'lmdb'
import { cutText, isHighSurrogate } from '../../lib/text/cut-text.ts'
import {
  FUZZY_PREFIX_LENGTH,
  indexedDeleteVariants,
  isSimilar,
  isSimilarPrefix,
  prefixDeleteVariants,
  queryDeleteVariants,
} from './symmetric-delete.ts'

/** Keys of the delete variants of prefixes start with this; those of words never do. */
const PREFIX_MARK = '*'

const NO_WORDS: readonly string[] = []

/** What a query word may be a misspelling of. */
export interface SimilarWords {
  /** Title words within the edit distance, the query word itself left out. */
  readonly words: readonly string[]
  /** Title words that start with something within the edit distance, if the query word is unfinished. */
  readonly longer: readonly string[]
  /** Prefixes of title words within the edit distance of a short query word, or of its start. */
  readonly prefixes: readonly string[]
}

/** Finds title words by misspelt ones: delete variants of words, each with the words that it is a variant of. */
export class SpellingIndex {
  private readonly table: Database<string, string>

  constructor(table: Database<string, string>) {
    this.table = table
  }

  /** The title words, and the prefixes of title words, that a query word may be a misspelling of. */
  similar(query: string): SimilarWords {
    const words: string[] = []
    const longer: string[] = []
    const checked = new Set([query])
    for (const variant of queryDeleteVariants(query)) {
      for (const word of this.get(variant)) {
        if (checked.has(word)) continue
        checked.add(word)
        if (isSimilar(query, word)) words.push(word)
        else if (!word.startsWith(query) && isSimilarPrefix(query, word)) longer.push(word)
      }
    }
    return { words, longer, prefixes: this.similarPrefixes(query) }
  }

  /** Indexed prefixes within the edit distance. Words have variants of their first letters only if they are short. */
  private similarPrefixes(query: string): string[] {
    if (query.length < FUZZY_PREFIX_LENGTH - 1 || query.length > FUZZY_PREFIX_LENGTH + 1) return []
    const start = cutText(query, FUZZY_PREFIX_LENGTH)
    const prefixes = new Set<string>()
    // Three letters match four with one letter missing, but no other three.
    const variants = query.length < FUZZY_PREFIX_LENGTH ? [query] : prefixDeleteVariants(start)
    for (const variant of new Set([...variants, ...(start === query ? [] : prefixDeleteVariants(query))])) {
      for (const prefix of this.get(PREFIX_MARK + variant)) {
        if (!prefix.startsWith(query) && (isSimilar(query, prefix) || isSimilar(start, prefix))) prefixes.add(prefix)
      }
    }
    return [...prefixes]
  }

  /** The words under a key. */
  get(key: string): readonly string[] {
    const stored = this.table.getBinaryFast(key) as Buffer | undefined
    if (stored === undefined) return NO_WORDS
    // The record is a JSON string. Words have letters and digits only, so nothing in it is escaped.
    const text = stored.toString('utf8', 1, stored.length - 1)
    return text.includes(' ') ? text.split(' ') : [text]
  }

  /** Only within a write transaction. */
  put(key: string, words: ReadonlySet<string>): void {
    if (words.size > 0) this.table.putSync(key, [...words].sort().join(' '))
    else this.table.removeSync(key)
  }
}

/** The keys under which a title word is found. */
export function wordSpellingKeys(word: string): Iterable<string> {
  return indexedDeleteVariants(word)
}

/** The keys under which a prefix of title words is found. */
export function prefixSpellingKeys(prefix: string): string[] {
  // A prefix that ends in half a surrogate pair has no UTF-8 form, in which keys are stored.
  if (prefix.length !== FUZZY_PREFIX_LENGTH || isHighSurrogate(prefix, prefix.length - 1)) return []
  return Array.from(prefixDeleteVariants(prefix), (variant) => PREFIX_MARK + variant)
}

/** Words that a transaction adds or deletes, collected by key so that each record is written once. */
export class SpellingDeltas {
  private readonly byKey = new Map<string, [word: string, isAdded: boolean][]>()

  add(word: string, keys: Iterable<string>, isAdded: boolean): void {
    for (const key of keys) {
      const words = this.byKey.get(key)
      if (words === undefined) this.byKey.set(key, [[word, isAdded]])
      else words.push([word, isAdded])
    }
  }

  flush(index: SpellingIndex): void {
    for (const key of [...this.byKey.keys()].sort()) {
      const words = new Set(index.get(key))
      for (const [word, isAdded] of this.byKey.get(key) as [string, boolean][]) {
        if (isAdded) words.add(word)
        else words.delete(word)
      }
      index.put(key, words)
    }
  }
}
