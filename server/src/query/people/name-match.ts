import { isSimilar, isSimilarPrefix } from '../../catalog/index/spelling-index.ts'

/** How well a name matches; smaller is better. */
export const TIERS = {
  same: 0,
  otherOrder: 1,
  allWords: 2,
  unfinished: 3,
  shortened: 4,
  misspelt: 5,
  mostWords: 6,
} as const
export type NameTier = (typeof TIERS)[keyof typeof TIERS]

/** From this length on, a word may have typing errors. */
export const MIN_FUZZY_LENGTH = 4

/** From so many words on, a name need not have one of them: "sir", "actor", or a second name that it does without. */
const MIN_WORDS_BUT_ONE = 3

/**
 * How well the words of a query match a name; undefined if they do not. A word that the name does not have is one too many only if
 * the others are all of the name: else the name is another one.
 */
export function matchName(words: readonly string[], candidate: readonly string[]): NameTier | undefined {
  if (words.length === candidate.length && words.every((word, i) => word === candidate[i])) return TIERS.same
  let tier: NameTier = words.length === candidate.length ? TIERS.otherOrder : TIERS.allWords
  const rest = [...candidate]
  let missing = 0
  for (const [i, word] of words.entries()) {
    const match = matchWord(word, rest, i === words.length - 1)
    if (match !== undefined) {
      rest.splice(match.index, 1)
      tier = Math.max(tier, match.tier) as NameTier
    } else if (++missing > 1 || words.length < MIN_WORDS_BUT_ONE) return undefined
  }
  if (missing === 0) return tier
  return rest.length === 0 ? TIERS.mostWords : undefined
}

/** The first of the words of a name that a word matches best. */
function matchWord(
  word: string,
  names: readonly string[],
  isLast: boolean,
): { readonly index: number; readonly tier: NameTier } | undefined {
  const exact = names.indexOf(word)
  if (exact >= 0) return { index: exact, tier: TIERS.same }
  const started = names.findIndex((name) => name.startsWith(word))
  if (started >= 0) return { index: started, tier: isLast ? TIERS.unfinished : TIERS.shortened }
  const near = names.findIndex((name) => isNear(word, name))
  if (near >= 0) return { index: near, tier: TIERS.misspelt }
  const initial = names.findIndex((name) => name.length === 1 && word.startsWith(name))
  return initial < 0 ? undefined : { index: initial, tier: TIERS.mostWords }
}

/** Whether a word may be a misspelling of another one, or of its start. */
export function isNear(query: string, word: string): boolean {
  return isSimilar(query, word) || (query.length >= MIN_FUZZY_LENGTH && isSimilarPrefix(query, word))
}

/** The shortest start of a word that is looked up where a name may be meant otherwise than it is written. */
const MIN_START_LENGTH = 2

/** Up to this length, a word may be several initials written together. */
const MAX_INITIALS = 3

/** The most words that one word is split into. */
const MAX_PARTS = 3

/**
 * The same name with its words divided in another way: two of them joined, one split, and initials apart: "di caprio", "deniro",
 * "jk simmons". Those with a word that is not known are left out; the last word of the name may be the start of one.
 */
export function* otherDivisions(
  words: readonly string[],
  isKnown: (word: string) => boolean,
): Generator<readonly string[]> {
  for (let i = 0; i < words.length; i++) {
    const word = words[i] as string
    const next = words[i + 1]
    const replace = (count: number, parts: readonly string[]) => words.toSpliced(i, count, ...parts)
    const isWord = (last: number) => (part: string) =>
      isKnown(part) || (last === words.length - 1 && part.length >= MIN_START_LENGTH)
    if (next !== undefined && isWord(i + 1)(word + next)) yield replace(2, [word + next])
    if (word.length > 1 && word.length <= MAX_INITIALS) yield replace(1, [...word])
    for (const parts of splitWord(word, isKnown, isWord(i), MAX_PARTS)) yield replace(1, parts)
  }
}

/** A word in two parts, or more if the rest behind a known one is not known. */
function* splitWord(
  word: string,
  isKnown: (word: string) => boolean,
  isLast: (word: string) => boolean,
  maxParts: number,
): Generator<string[]> {
  for (let cut = 1; cut < word.length; cut++) {
    const [head, tail] = [word.slice(0, cut), word.slice(cut)]
    if (!isKnown(head)) continue
    if (isLast(tail)) yield [head, tail]
    if (maxParts > 2 && !isKnown(tail)) {
      for (const rest of splitWord(tail, isKnown, isKnown, maxParts - 1)) yield [head, ...rest]
    }
  }
}
