/*
 * Typing errors are found through deletions: two words are within a distance of each other only if some deletions
 * from the one and some from the other lead to the same letters. All deletions of the known words are stored, so a
 * misspelt word costs a look-up for each of its own deletions, however many words there are.
 */

/** Deletions are taken from the beginning of a word only; the distance is checked on the whole word. */
const PREFIX_LENGTH = 7

/** How many typing errors are forgiven in a word that was asked for. */
export function maxEdits(word: string): 0 | 1 | 2 {
  const { length } = word
  return length < 4 ? 0 : length < 8 ? 1 : 2
}

/** A known word of this length can be meant by a misspelt one with at most so many errors. */
function maxIndexedEdits(word: string): 0 | 1 | 2 {
  // Three letters can be meant by four (one error), six by eight (two errors).
  const { length } = word
  return length < 3 ? 0 : length < 6 ? 1 : 2
}

/** The forms under which a known word is stored. */
export function indexedDeleteVariants(word: string): Set<string> {
  return deleteVariants(word, maxIndexedEdits(word))
}

/** The forms under which the words that may be meant are stored. */
export function queryDeleteVariants(word: string): Set<string> {
  return deleteVariants(word, maxEdits(word))
}

function deleteVariants(word: string, errors: number): Set<string> {
  const forms = new Set<string>()
  if (errors === 0) return forms
  let level = new Set([word.slice(0, PREFIX_LENGTH)])
  for (const form of level) forms.add(form)
  for (let error = 0; error < errors; error++) {
    const next = new Set<string>()
    for (const form of level) {
      for (let i = 0; i < form.length; i++) next.add(form.slice(0, i) + form.slice(i + 1))
    }
    for (const form of next) forms.add(form)
    level = next
  }
  return forms
}

/**
 * Whether two words are at most `most` typing errors apart: a letter too many, too few or wrong, or two neighbours
 * swapped.
 */
export function isWithinEdits(a: string, b: string, most: number): boolean {
  if (Math.abs(a.length - b.length) > most) return false
  const width = b.length + 1
  let before: number[] = []
  let previous = Array.from({ length: width }, (_, j) => j)
  for (let i = 1; i <= a.length; i++) {
    const current = [i]
    let least = i
    for (let j = 1; j < width; j++) {
      const same = a.charCodeAt(i - 1) === b.charCodeAt(j - 1)
      let cost = Math.min(
        (previous[j] as number) + 1,
        (current[j - 1] as number) + 1,
        (previous[j - 1] as number) + (same ? 0 : 1),
      )
      if (
        i > 1 &&
        j > 1 &&
        a.charCodeAt(i - 1) === b.charCodeAt(j - 2) &&
        a.charCodeAt(i - 2) === b.charCodeAt(j - 1)
      ) {
        cost = Math.min(cost, (before[j - 2] as number) + 1)
      }
      current.push(cost)
      if (cost < least) least = cost
    }
    if (least > most) return false
    before = previous
    previous = current
  }
  return (previous[b.length] as number) <= most
}
