import type { Catalog } from '../catalog/catalog.ts'
import { nameWords, rotationPrefixes, rotationStart, rotationWords } from '../catalog/index/person-names.ts'
import type { PostingList } from '../catalog/index/posting-list.ts'
import { isSimilar, isSimilarPrefix } from '../catalog/index/symmetric-delete.ts'
import { term } from '../catalog/index/terms.ts'

/** The most names that are returned. */
export const MAX_PEOPLE = 50

/** The most names that one range scan compares. */
const MAX_SCANNED_NAMES = 5_000

/** From this length on, a word may have typing errors. */
const MIN_FUZZY_LENGTH = 4

/** A person, and the shows that have them. */
export interface Person {
  /** The name as the first of the shows has it. */
  readonly name: string
  readonly shows: PostingList
}

/** How well a name matches: whole, with all words, the last one unfinished, with typing errors. Smaller is better. */
type NameTier = 0 | 1 | 2 | 3

interface NameMatch {
  readonly words: string
  readonly tier: NameTier
  readonly shows: PostingList
}

/**
 * People by name: the same name first, then names with all of its words in any order, then with the last word unfinished,
 * then with typing errors. Within each, people with more shows come first.
 */
export function searchPeople(catalog: Catalog, name: string, limit: number): Person[] {
  return findNames(catalog, name)
    .slice(0, limit)
    .map(({ words, shows }) => ({ name: displayName(catalog, words, shows), shows }))
}

/** The shows of a person: of all people whose names match best. */
export function findShowsOfPerson(catalog: Catalog, name: string): number[] {
  const matches = findNames(catalog, name)
  const best = matches.filter(({ tier }) => tier === matches[0]?.tier)
  return best.flatMap(({ shows }) => [...shows.toDocs()])
}

function findNames(catalog: Catalog, name: string): NameMatch[] {
  const words = nameWords(name)
  if (words.length === 0) return []
  const matches = new Map<string, NameMatch>()
  const scan = (prefix: string, isAnchor: (word: string) => boolean, maxTier: NameTier) => {
    for (const { term: found, decode } of catalog.postings.scan(term.person(prefix), MAX_SCANNED_NAMES)) {
      const rotation = found.slice(PERSON_PREFIX.length)
      if (!isAnchor(rotationStart(rotation))) continue
      const candidate = rotationWords(rotation)
      const tier = matchName(words, candidate)
      if (tier === undefined || tier > maxTier) continue
      const key = candidate.join(' ')
      if (!matches.has(key)) matches.set(key, { words: key, tier, shows: decode() })
    }
  }
  // Most names are typed in order, or with the last one first: few names have such a rotation.
  const first = words[0] as string
  for (const prefix of rotationPrefixes(words)) scan(prefix, (word) => word.startsWith(first), 2)
  // Otherwise all words but the last one are whole, and the longest of them is in the fewest names.
  const [whole] = words.slice(0, -1).sort((a, b) => b.length - a.length)
  if (whole !== undefined) scan(whole, (word) => word === whole, 2)
  // One word may be right where another has errors.
  if (matches.size === 0) for (const one of words) scan(one, (word) => word === one, 3)
  if (matches.size === 0) {
    for (const one of words) for (const prefix of fuzzyPrefixes(one)) scan(prefix, (word) => isNear(one, word), 3)
  }
  return [...matches.values()].sort(
    (a, b) => a.tier - b.tier || b.shows.size - a.shows.size || (a.words < b.words ? -1 : 1),
  )
}

const PERSON_PREFIX = term.person('')

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

function isNear(query: string, word: string): boolean {
  return isSimilar(query, word) || (query.length >= MIN_FUZZY_LENGTH && isSimilarPrefix(query, word))
}

/** The first two letters that a misspelt word may really have: as typed, swapped, one missing, one too many. */
function fuzzyPrefixes(word: string): Set<string> {
  if (word.length < MIN_FUZZY_LENGTH) return new Set()
  const [a, b, c] = word as unknown as [string, string, string]
  return new Set([a + b, b + a, b + c, a + c])
}

/** A name as one of its shows writes it. */
function displayName(catalog: Catalog, words: string, shows: PostingList): string {
  for (const doc of shows.toDocs()) {
    const name = catalog.documents.people(doc).find((one) => nameWords(one).join(' ') === words)
    if (name !== undefined) return name
  }
  return words
}
