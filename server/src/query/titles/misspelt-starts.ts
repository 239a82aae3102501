/** The letters among which one is wrong, and how many right ones must follow, so that few titles have the start. */
const MISSPELT_LENGTH = 4
const START_LENGTH = 8

/** Shorter and longer keys have no other starts: a short one has other ways to be found, and few titles are as long. */
const MIN_KEY_LENGTH = 7
const MAX_KEY_LENGTH = 64

const LETTERS = Array.from('abcdefghijklmnopqrstuvwxyz')
const LATIN_ONLY = /^[a-z0-9]+$/

/**
 * The starts of the titles that a key of joined words may be a misspelling of, with one of the first letters wrong: one too many,
 * two swapped, another one, or one missing. Delete variants of titles would take one look-up for most of them, but are not
 * indexed: only words are.
 */
export function misspeltStarts(key: string): ReadonlySet<string> {
  const starts = new Set<string>()
  if (key.length < MIN_KEY_LENGTH || key.length > MAX_KEY_LENGTH || !LATIN_ONLY.test(key)) return starts
  const add = (start: string) => starts.add(start.slice(0, START_LENGTH))
  for (let i = 0; i < MISSPELT_LENGTH; i++) {
    const [head, letter, tail] = [key.slice(0, i), key.charAt(i), key.slice(i + 1)]
    add(head + tail)
    add(head + tail.charAt(0) + letter + tail.slice(1))
    for (const other of LETTERS) {
      add(head + other + tail)
      add(head + other + letter + tail)
    }
  }
  starts.delete(key.slice(0, START_LENGTH))
  return starts
}
