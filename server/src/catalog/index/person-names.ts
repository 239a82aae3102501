import { tokenize } from './analyzer.ts'

/** Longer names are truncated to this many words, and longer words to this length: keys of LMDB are bounded. */
const MAX_NAME_WORDS = 6
const MAX_NAME_WORD_LENGTH = 32

/** Separates, in a rotation of a name, its end from its start. */
const WRAP = '/'

/** Names recur by the thousand in an import. */
const MAX_KNOWN_NAMES = 20_000
const rotationsByName = new Map<string, readonly string[]>()

/**
 * The rotations of a name, so that a range scan finds it by any of its words: "Al Pacino" gives "al pacino/" and
 * "pacino/al". The first one is the name itself. Case, accents and punctuation make no difference.
 */
export function nameRotations(name: string): readonly string[] {
  let rotations = rotationsByName.get(name)
  if (rotations === undefined) {
    const words = nameWords(name)
    rotations = words.map((_, i) => words.slice(i).join(' ') + WRAP + words.slice(0, i).join(' '))
    if (rotationsByName.size >= MAX_KNOWN_NAMES) rotationsByName.clear()
    rotationsByName.set(name, rotations)
  }
  return rotations
}

/** What a rotation starts with that has the words in this order, from any word on: "al pacino", "pacino/al". */
export function rotationPrefixes(words: readonly string[]): string[] {
  return words.map((_, i) =>
    i === 0 ? words.join(' ') : words.slice(0, i).join(' ') + WRAP + words.slice(i).join(' '),
  )
}

/** The folded words of a name. */
export function nameWords(name: string): string[] {
  return tokenize(name)
    .slice(0, MAX_NAME_WORDS)
    .map((word) => word.slice(0, MAX_NAME_WORD_LENGTH))
}

/** The words of the name that a rotation is of, in their order. */
export function rotationWords(rotation: string): string[] {
  const wrap = rotation.indexOf(WRAP)
  const words = [...rotation.slice(wrap + 1).split(' '), ...rotation.slice(0, wrap).split(' ')]
  return words.filter((word) => word !== '')
}

/** The first word of a rotation. */
export function rotationStart(rotation: string): string {
  return /^[^ /]*/.exec(rotation)?.[0] ?? ''
}
