import type { Catalog } from '../catalog/catalog.ts'
import { fold } from '../catalog/index/analyzer.ts'
import { type DocSet, EMPTY_SET, intersection, union } from '../catalog/index/doc-set.ts'
import { isSimilar, isSimilarPrefix } from '../catalog/index/spelling-index.ts'
import { nameWords, term } from '../catalog/index/terms.ts'

/** The most names that are returned. */
export const MAX_PEOPLE = 50

/** The most shows whose people are read for one search. Of more shows, an even sample is read. */
const MAX_READ_SHOWS = 2_000

/** Up to this many shows of one person are counted by reading them; of more, by the words of the name alone. */
const MAX_COUNTED_SHOWS = 200

/** The most words of names that one range scan compares. */
const MAX_SCANNED_WORDS = 5_000

/** From this length on, a word may have typing errors. */
const MIN_FUZZY_LENGTH = 4

/** A person, and the number of shows that have them. */
export interface Person {
  /** The name as the first of the shows has it. */
  readonly name: string
  readonly showCount: number
}

/** How well a name matches: whole, with all words, the last one unfinished, with typing errors. Smaller is better. */
type NameTier = 0 | 1 | 2 | 3

interface NameMatch {
  readonly name: string
  readonly words: readonly string[]
  readonly tier: NameTier
  /** Of the shows that were read. */
  readonly docs: number[]
}

/** The names that match a query, the best first, and the shows that may have them. */
interface NameMatches {
  readonly matches: readonly NameMatch[]
  readonly docs: DocSet
  /** Whether there are more shows than were read. */
  readonly isSampled: boolean
}

/**
 * People by name: the same name first, then names with all of its words in any order, then with the last word unfinished,
 * then with typing errors. Within each, people with more shows come first. Only words of names are indexed, since most
 * people have few shows: the names are read from the shows that have all words.
 */
export function searchPeople(catalog: Catalog, name: string, limit: number): Person[] {
  const { matches, isSampled } = findNames(catalog, name)
  const best = matches
    .slice(0, limit)
    .map((match) => ({ ...match, showCount: isSampled ? countShows(catalog, match) : match.docs.length }))
  if (isSampled) best.sort((a, b) => a.tier - b.tier || b.showCount - a.showCount)
  return best.map(({ name, showCount }) => ({ name, showCount }))
}

/** The shows of a person: of all people whose names match best. Of very many, those that have all words of the name. */
export function findShowsOfPerson(catalog: Catalog, name: string): Iterable<number> {
  const { matches, docs, isSampled } = findNames(catalog, name)
  if (isSampled) return docs
  const best = matches.filter(({ tier }) => tier === matches[0]?.tier)
  return best.flatMap((match) => match.docs)
}

function findNames(catalog: Catalog, name: string): NameMatches {
  const words = nameWords(name)
  if (words.length === 0) return { matches: [], docs: EMPTY_SET, isSampled: false }
  const version = catalog.version()
  const docsOf = (known: Iterable<string>) =>
    union([...known].map((word) => catalog.docsWithTerm(term.person(word), version)))
  const literal = words.map((word, i) => (i < words.length - 1 ? [word] : indexedWords(catalog, word)))
  const found = readNames(catalog, words, intersection(literal.map(docsOf)), 2)
  if (found.matches.length > 0) return found
  const similar = words.map((word, i) => new Set([...(literal[i] as string[]), ...similarWords(catalog, word)]))
  return readNames(catalog, words, intersection(similar.map(docsOf)), 3)
}

/** Reads the names of shows, and keeps those that match. */
function readNames(catalog: Catalog, words: readonly string[], docs: DocSet, maxTier: NameTier): NameMatches {
  const step = Math.ceil(docs.size / MAX_READ_SHOWS)
  const byName = new Map<string, NameMatch>()
  const [first = ''] = words
  const all = docs.toUint32Array()
  for (let i = 0; i < all.length; i += step) {
    for (const name of new Set(catalog.documents.people(all[i] as number))) {
      // Most people of a show are others, which a comparison of texts tells at little cost.
      if (maxTier < 3 && !fold(name).includes(first)) continue
      const candidate = nameWords(name)
      const tier = matchName(words, candidate)
      if (tier === undefined || tier > maxTier) continue
      const key = candidate.join(' ')
      const match = byName.get(key)
      if (match === undefined) byName.set(key, { name, words: candidate, tier, docs: [all[i] as number] })
      else if (match.docs.at(-1) !== all[i]) match.docs.push(all[i] as number)
    }
  }
  const matches = [...byName.values()].sort(
    (a, b) => a.tier - b.tier || b.docs.length - a.docs.length || (a.name < b.name ? -1 : 1),
  )
  return { matches, docs, isSampled: step > 1 }
}

/** The number of shows of a person. */
function countShows(catalog: Catalog, { words }: NameMatch): number {
  const version = catalog.version()
  const docs = intersection(words.map((word) => catalog.docsWithTerm(term.person(word), version)))
  if (docs.size > MAX_COUNTED_SHOWS) return docs.size
  const key = words.join(' ')
  const hasPerson = (doc: number) => catalog.documents.people(doc).some((name) => nameWords(name).join(' ') === key)
  return docs.toArray().filter(hasPerson).length
}

/** Words of names that start with a prefix. */
function indexedWords(catalog: Catalog, prefix: string): string[] {
  const words: string[] = []
  for (const name of catalog.postings.termsWithPrefix(term.person(prefix))) {
    words.push(name.slice(PERSON_PREFIX.length))
    if (words.length === MAX_SCANNED_WORDS) break
  }
  return words
}

const PERSON_PREFIX = term.person('')

/** Words of names that a query word may be a misspelling of. Those that start like it are compared. */
function similarWords(catalog: Catalog, word: string): string[] {
  if (word.length < MIN_FUZZY_LENGTH) return []
  const [a, b, c] = word as unknown as [string, string, string]
  // The first two letters as typed, swapped, with one missing, with one too many.
  const starts = new Set([a + b, b + a, b + c, a + c])
  return [...starts].flatMap((start) => indexedWords(catalog, start).filter((known) => isNear(word, known)))
}

function isNear(query: string, word: string): boolean {
  return isSimilar(query, word) || (query.length >= MIN_FUZZY_LENGTH && isSimilarPrefix(query, word))
}

/** How well the words of a query match a name; undefined if they do not. */
function matchName(words: readonly string[], candidate: readonly string[]): NameTier | undefined {
  if (words.length === candidate.length && words.every((word, i) => word === candidate[i])) return 0
  let tier: NameTier = 1
  const rest = [...candidate]
  for (const [i, word] of words.entries()) {
    const isLast = i === words.length - 1
    const exact = rest.indexOf(word)
    const started = exact < 0 && isLast ? rest.findIndex((one) => one.startsWith(word)) : exact
    const near = started < 0 ? rest.findIndex((one) => isNear(word, one)) : started
    if (near < 0) return undefined
    rest.splice(near, 1)
    tier = Math.max(tier, exact >= 0 ? 1 : started >= 0 ? 2 : 3) as NameTier
  }
  return tier
}
