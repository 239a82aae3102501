import type { Catalog } from '../../catalog/catalog.ts'
import { type DocSet, intersection, union } from '../../catalog/index/doc-set.ts'
import { term } from '../../catalog/index/terms.ts'
import { misspeltStarts } from '../misspelt-starts.ts'
import { isNear, MIN_FUZZY_LENGTH } from './name-match.ts'

/** The most words of names that one range scan compares. */
const MAX_SCANNED_WORDS = 5_000

const PERSON_PREFIX = term.person('')

/** The letters of a word among which one may be wrong, and how long the start is by then, so that few words have it. */
const MISSPELT_LENGTH = 2
const MISSPELT_START_LENGTH = 3

/** The words of the names of people, each with the shows that have it. */
export class NameIndex {
  private readonly catalog: Catalog

  constructor(catalog: Catalog) {
    this.catalog = catalog
  }

  /** Whether a name has the word. */
  has(word: string): boolean {
    return this.catalog.postings.has(term.person(word))
  }

  /** The documents that have one of several words for each word of a name. */
  docsWithAll(words: readonly Iterable<string>[]): DocSet {
    return intersection(words.map((known) => this.docsWithAny(known)))
  }

  /** The documents that have one of several words. */
  docsWithAny(words: Iterable<string>): DocSet {
    const version = this.catalog.version()
    return union([...words].map((word) => this.catalog.docsWithTerm(term.person(word), version)))
  }

  /** The words that start with a prefix. */
  wordsWithPrefix(prefix: string): string[] {
    const words: string[] = []
    for (const name of this.catalog.postings.termsWithPrefix(term.person(prefix))) {
      words.push(name.slice(PERSON_PREFIX.length))
      if (words.length === MAX_SCANNED_WORDS) break
    }
    return words
  }

  /** The words that a word may be a misspelling of, of those that start like it. */
  similarWords(word: string): string[] {
    if (word.length < MIN_FUZZY_LENGTH) return []
    const [a, b, c] = word as unknown as [string, string, string]
    // The first two letters as typed, swapped, with one missing, with one too many.
    const starts = new Set([a + b, b + a, b + c, a + c])
    return [...starts].flatMap((start) => this.nearWords(word, start))
  }

  /** The words that a word may be a misspelling of, with one of its first two letters wrong. */
  wordsWithSimilarStart(word: string): string[] {
    if (word.length < MIN_FUZZY_LENGTH) return []
    const starts = misspeltStarts(word, MISSPELT_LENGTH, MISSPELT_START_LENGTH)
    return [...starts].flatMap((start) => this.nearWords(word, start))
  }

  private nearWords(word: string, start: string): string[] {
    return this.wordsWithPrefix(start).filter((known) => isNear(word, known))
  }
}
