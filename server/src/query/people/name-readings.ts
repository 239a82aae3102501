import { type DocSet, intersection, RoaringBitmap32, union } from '../../catalog/index/doc-set.ts'
import type { NameIndex } from './name-index.ts'
import { type NameTier, otherDivisions, TIERS } from './name-match.ts'

/** Of a shorter word, such as an initial, the names that it may be the start of are not looked up. */
const MIN_START_LENGTH = 3

/** Up to so many words, each may be wrong among its first letters. It takes a hundred range scans to find those. */
const MAX_MISSPELT_STARTS = 3

/** The most ways to read initials that are looked at with typing errors. */
const MAX_INITIAL_DIVISIONS = 3

/** The most shows that are read for names that lack one of the words. A name of more is a common one, which tells too little. */
const MAX_GUESSED_SHOWS = 1_000

/** One way to take a name: its words, the shows that may have it, and the worst tier in which a name matches. */
export interface NameReading {
  readonly words: readonly string[]
  readonly docs: DocSet
  readonly maxTier: NameTier
}

/** What a name may mean, the likeliest first. Each costs more than the one before, and is for when that matches nobody. */
export function* readName(index: NameIndex, words: readonly string[]): Generator<NameReading> {
  const literal = literalWords(index, words)
  yield { words, docs: index.docsWithAll(literal), maxTier: TIERS.unfinished }
  const divisions = [...otherDivisions(words, (word) => index.has(word))]
  for (const one of divisions) yield { words: one, docs: docsOfDivision(index, one, words), maxTier: TIERS.unfinished }
  // Initials may be of words in full, and beside a misspelt word, or one too many.
  const initials = divisions.filter((parts) => parts.some(({ length }) => length === 1)).slice(0, MAX_INITIAL_DIVISIONS)
  const all = [words, ...initials]
  for (const one of all) yield { words: one, docs: docsWithStarts(index, one), maxTier: TIERS.shortened }
  const wordsOf = (one: readonly string[]) => (one === words ? literal : one.map((word) => [word]))
  for (const one of all) {
    const docs = index.docsWithAll(similarWords(index, one, wordsOf(one)))
    yield { words: one, docs, maxTier: TIERS.misspelt }
  }
  if (words.length <= MAX_MISSPELT_STARTS) {
    const similar = similarWords(index, words, literal)
    const wider = words.map((word, i) => [...(similar[i] as ReadonlySet<string>), ...index.wordsWithSimilarStart(word)])
    yield { words, docs: index.docsWithAll(wider), maxTier: TIERS.misspelt }
  }
  for (const one of all) {
    if (one.length === 1) continue
    const docs = docsInAllButOne(wordsOf(one).map((known) => index.docsWithAny(known)))
    yield { words: one, docs, maxTier: TIERS.mostWords }
  }
}

/** The indexed words that each word of a query may be: itself, or, if it is the last one, the start of others. */
function literalWords(index: NameIndex, words: readonly string[]): readonly (readonly string[])[] {
  return words.map((word, i) => (i < words.length - 1 ? [word] : index.wordsWithPrefix(word)))
}

/** The same with those that it may be a misspelling of. */
function similarWords(
  index: NameIndex,
  words: readonly string[],
  literal: readonly (readonly string[])[],
): readonly ReadonlySet<string>[] {
  return words.map((word, i) => new Set([...(literal[i] as string[]), ...index.similarWords(word)]))
}

/** The documents that have the parts of a name, the last of which may be unfinished. One letter split off is not. */
function docsOfDivision(index: NameIndex, parts: readonly string[], words: readonly string[]): DocSet {
  const last = parts.at(-1) as string
  const isWhole = last.length === 1 && last !== words.at(-1)
  return index.docsWithAll(isWhole ? parts.map((part) => [part]) : literalWords(index, parts))
}

/** The documents that have a word with each of several starts. Initials are of any word. */
function docsWithStarts(index: NameIndex, words: readonly string[]): DocSet {
  const starts = words.filter(({ length }) => length >= MIN_START_LENGTH)
  if (starts.length === 0) return new RoaringBitmap32()
  return index.docsWithAll(starts.map((start) => index.wordsWithPrefix(start)))
}

/** The documents that are in all sets but one, where those are not too many. */
function docsInAllButOne(sets: readonly DocSet[]): DocSet {
  const all = sets.map((_, i) => intersection(sets.toSpliced(i, 1)))
  return union(all.filter(({ size }) => size <= MAX_GUESSED_SHOWS))
}
