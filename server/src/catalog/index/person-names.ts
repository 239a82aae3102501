import { tokenize } from './analyzer.ts'

/** Longer names are truncated to this many words, and longer words to this length: keys of LMDB are bounded. */
const MAX_NAME_WORDS = 6
const MAX_NAME_WORD_LENGTH = 32

/** The words by which a person is indexed: those of the name. Case, accents and punctuation make no difference. */
export function nameWords(name: string): readonly string[] {
  const words = tokenize(name)
  const isShort = words.length <= MAX_NAME_WORDS && name.length <= MAX_NAME_WORD_LENGTH
  return isShort ? words : words.slice(0, MAX_NAME_WORDS).map((word) => word.slice(0, MAX_NAME_WORD_LENGTH))
}
