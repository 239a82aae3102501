import { toSkeleton } from '../../catalog/identity/folded-title.ts'
import { hashText } from '../../catalog/identity/title-keys.ts'
import { fold } from '../../catalog/index/analyzer.ts'

const NOT_WORD = /[^\p{L}\p{N}]+/u
/** Words of a name that are often left out. */
const SUFFIXES: ReadonlySet<string> = new Set(['jr', 'sr', 'ii', 'iii', 'dr', 'sir'])
/** Skeletons shorter than this are those of many names: "Luke" and "Alice" differ in nothing but vowels. */
const MIN_SKELETON = 3

/** A person's name as hashes; two names mean the same person if they share one. */
export type NameKeys = readonly number[]

/**
 * The keys of a name: its words in any order, without initials, spelt by their sounds ("Bong Joon-ho", "Joon Ho Bong";
 * "Salmaan", "Salman"); and, if it has three words or more, its first and last one.
 */
export function nameKeys(name: string): NameKeys {
  const words = fold(name)
    .replace(/['.\u2019]/g, ' ')
    .split(NOT_WORD)
    .filter((word) => word !== '' && !SUFFIXES.has(word))
  const long = words.filter((word) => word.length > 2)
  const used = long.some((word) => word.length > 3) ? long : words
  if (used.length === 0) return []
  const keys = new Set([toKey(used)])
  if (used.length > 2) keys.add(toKey([used[0] as string, used.at(-1) as string]))
  // Some lists write a name without the space between its words.
  keys.add(hashText(`=${toSounds(words.join(''))}`))
  return [...keys]
}

function toKey(words: readonly string[]): number {
  return hashText(words.map(toSounds).sort().join(' '))
}

/** The consonants of a word, whether it starts with a vowel, and, if the consonants are few, the class of its first vowel. */
function toSounds(word: string): string {
  const skeleton = toSkeleton(word)
  if (!/^[a-z0-9]*$/.test(word)) return skeleton
  const start = /^[aeiouy]/.test(word) ? 'a' : ''
  if (skeleton.length >= MIN_SKELETON) return start + skeleton
  const vowel = /[aeiouy]/.exec(word)?.[0] ?? ''
  return `${start}${skeleton}.${VOWEL_CLASS[vowel] ?? vowel}`
}

/** Vowels that transliterations confuse: "Yusuf" and "Yousof", "Amir" and "Ameer". */
const VOWEL_CLASS: Readonly<Record<string, string>> = { i: 'e', y: 'e', u: 'o' }

/** The count of names that stand in both lists. */
export function countCommon(some: readonly NameKeys[], others: readonly NameKeys[]): number {
  if (some.length === 0 || others.length === 0) return 0
  const known = new Set(others.flat())
  return some.filter((keys) => keys.some((key) => known.has(key))).length
}
