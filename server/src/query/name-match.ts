import { isSimilar, isSimilarPrefix } from '../catalog/index/spelling-index.ts'

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

/** How well the words of a query match a name; undefined if they do not. */
export function matchName(words: readonly string[], candidate: readonly string[]): NameTier | undefined {
  if (words.length === candidate.length && words.every((word, i) => word === candidate[i])) return TIERS.same
  let tier: NameTier = words.length === candidate.length ? TIERS.otherOrder : TIERS.allWords
  const rest = [...candidate]
  let missing = 0
  for (const [i, word] of words.entries()) {
    const exact = rest.indexOf(word)
    const started = exact < 0 ? rest.findIndex((one) => one.startsWith(word)) : exact
    const near = started < 0 ? rest.findIndex((one) => isNear(word, one)) : started
    if (near >= 0) rest.splice(near, 1)
    else if (++missing > 1 || words.length < MIN_WORDS_BUT_ONE) return undefined
    if (exact < 0) tier = Math.max(tier, wordTier(started >= 0, near >= 0, i === words.length - 1)) as NameTier
  }
  return tier
}

/** The tier of a word that is not a word of the name as it is written. */
function wordTier(isStart: boolean, isNearOne: boolean, isLast: boolean): NameTier {
  if (isStart) return isLast ? TIERS.unfinished : TIERS.shortened
  return isNearOne ? TIERS.misspelt : TIERS.mostWords
}

/** Whether a word may be a misspelling of another one, or of its start. */
export function isNear(query: string, word: string): boolean {
  return isSimilar(query, word) || (query.length >= MIN_FUZZY_LENGTH && isSimilarPrefix(query, word))
}

/** The shortest start of a word that is looked up where a name may be meant otherwise than it is written. */
export const MIN_START_LENGTH = 3

/** Up to this length, a word may be several initials written together. */
const MAX_INITIALS = 3

/**
 * The same name with its words divided in another way: two of them joined, one split in two, and initials apart: "di caprio", "deniro",
 * "jk simmons". Those with a word that is not known are left out; of a split word, the second part may be the start of one.
 */
export function* otherDivisions(
  words: readonly string[],
  isKnown: (word: string) => boolean,
): Generator<readonly string[]> {
  const isStart = (i: number, part: string) => i === words.length - 1 && part.length >= MIN_START_LENGTH
  for (let i = 0; i < words.length; i++) {
    const word = words[i] as string
    const replace = (count: number, ...parts: string[]) => words.toSpliced(i, count, ...parts)
    const joined = word + (words[i + 1] ?? '')
    if (i + 1 < words.length && (isKnown(joined) || isStart(i + 1, joined))) yield replace(2, joined)
    if (word.length > 1 && word.length <= MAX_INITIALS) yield replace(1, ...word)
    for (let cut = 1; cut < word.length; cut++) {
      const [head, tail] = [word.slice(0, cut), word.slice(cut)]
      if (isKnown(head) && (isKnown(tail) || isStart(i, tail))) yield replace(1, head, tail)
    }
  }
}
