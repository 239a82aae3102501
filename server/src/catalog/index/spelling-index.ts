import { editDistance, prefixDistances } from '../../lib/text/edit-distance.ts'
import { cutText, isHighSurrogate } from '../../lib/text/printable.ts'
import type { UpdatableTable } from '../storage/environment.ts'

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
  private readonly table: UpdatableTable<string>

  constructor(table: UpdatableTable<string>) {
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
        if (prefix.startsWith(query)) continue
        if (isSimilar(query, prefix) || isSimilar(start, prefix)) prefixes.add(prefix)
        // Four letters match five with one letter missing.
        else if (query === start && isSimilar(query, prefix + query.at(-1))) prefixes.add(prefix + query.at(-1))
      }
    }
    return [...prefixes]
  }

  /** The words under a key. */
  get(key: string): readonly string[] {
    const stored = this.table.getBinaryFast(key)
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

  flush(table: UpdatableTable<string>): void {
    const index = new SpellingIndex(table)
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

/*
 * Symmetric delete spelling correction (SymSpell): two words are within an edit distance only if deleting up to that
 * many letters from each can give the same text. The delete variants of all title words are indexed, so a misspelt word
 * costs one look-up for each of its own delete variants, however many words there are.
 */

/** Letters are deleted from this prefix of a word only, which limits the variants; the distance counts the whole word. */
const PREFIX_LENGTH = 7

/** The edit distance within which two words match, by the length of the longer one. */
export function maxEdits(length: number): 0 | 1 | 2 {
  return length < 4 ? 0 : length < 8 ? 1 : 2
}

/** The largest edit distance at which any query word can match an indexed word of this length. */
function maxIndexedEdits({ length }: string): 0 | 1 | 2 {
  // A query word of four letters (one edit) can match three, one of eight (two edits) can match six.
  return length < 3 ? 0 : length < 6 ? 1 : 2
}

/** The letters to delete from a query word, so that it meets all indexed words that it matches. */
function maxQueryEdits({ length }: string): 0 | 1 | 2 {
  // Seven letters match eight with two edits; six match eight, too, but only as two missing letters.
  return length < 4 ? 0 : length < 7 ? 1 : 2
}

/** The variants under which a word is indexed. */
export function indexedDeleteVariants(word: string): Set<string> {
  return word.length < 3 ? new Set() : deleteVariants(word, maxIndexedEdits(word))
}

/** The variants to look a query word up by. */
export function queryDeleteVariants(word: string): Set<string> {
  return word.length < 3 ? new Set() : deleteVariants(word, maxQueryEdits(word))
}

/** The length of word prefixes that are indexed by delete variants of their own, for short unfinished words. */
export const FUZZY_PREFIX_LENGTH = 4

/** The variants of a short prefix, with up to one letter deleted. */
export function prefixDeleteVariants(prefix: string): Set<string> {
  return deleteVariants(prefix, 1)
}

function deleteVariants(word: string, edits: number): Set<string> {
  let level = [cutText(word, PREFIX_LENGTH)]
  const variants = new Set(level)
  for (let edit = 0; edit < edits; edit++) {
    const next: string[] = []
    for (const variant of level) {
      for (let i = 0; i < variant.length; i++) {
        // Both halves of a surrogate pair go together: half a pair has no UTF-8 form, in which keys are stored.
        const start = i
        if (isHighSurrogate(variant, i)) i++
        const shorter = variant.slice(0, start) + variant.slice(i + 1)
        if (variants.has(shorter)) continue
        variants.add(shorter)
        next.push(shorter)
      }
    }
    level = next
  }
  return variants
}

/** Longer words than any title has are not compared. */
const MAX_COMPARED_LENGTH = 64

/** Whether two words are within the edit distance that the longer one allows. */
export function isSimilar(query: string, word: string): boolean {
  const longest = Math.max(query.length, word.length)
  const limit = maxEdits(longest)
  return longest <= MAX_COMPARED_LENGTH && editDistance(query, word, limit) <= limit
}

/** Whether a query is within the edit distance of a prefix of a word. */
export function isSimilarPrefix(query: string, word: string): boolean {
  if (query.length > MAX_COMPARED_LENGTH || word.length > MAX_COMPARED_LENGTH) return false
  const distances = prefixDistances(query, word, 2)
  if (distances === undefined) return false
  const last = Math.min(word.length, query.length + 2)
  for (let length = Math.max(1, query.length - 2); length <= last; length++) {
    if ((distances[length] as number) <= maxEdits(Math.max(query.length, length))) return true
  }
  return false
}
