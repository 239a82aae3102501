import { tokenize } from './analyzer.ts'

/** Longer names are truncated to this many words, and longer words to this length: keys of LMDB are bounded. */
const MAX_NAME_WORDS = 6
const MAX_NAME_WORD_LENGTH = 32

/** Names recur by the thousand in an import. */
const MAX_KNOWN_NAMES = 20_000
const wordsByName = new Map<string, readonly string[]>()

/** The words by which a person is indexed: those of the name. Case, accents and punctuation make no difference. */
export function nameWords(name: string): readonly string[] {
  let words = wordsByName.get(name)
  if (words === undefined) {
    words = tokenize(name)
      .slice(0, MAX_NAME_WORDS)
      .map((word) => word.slice(0, MAX_NAME_WORD_LENGTH))
    if (wordsByName.size >= MAX_KNOWN_NAMES) wordsByName.clear()
    wordsByName.set(name, words)
  }
  return words
}
