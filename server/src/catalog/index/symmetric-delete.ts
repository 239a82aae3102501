/*
 * Symmetric delete spelling correction (SymSpell): two words are within an edit distance only if deleting up to that
 * many letters from each can give the same text. The delete variants of all title words are indexed, so a misspelt word
 * costs one look-up for each of its own delete variants, however many words there are.
 */

/** Letters are deleted from this prefix of a word only, which limits the variants; the distance counts the whole word. */
const PREFIX_LENGTH = 7

/** The edit distance within which a query word matches, by its length. */
export function maxEdits(word: string): 0 | 1 | 2 {
  const { length } = word
  return length < 4 ? 0 : length < 8 ? 1 : 2
}

/** The largest edit distance at which any query word can match an indexed word of this length. */
function maxIndexedEdits(word: string): 0 | 1 | 2 {
  // A query word of four letters (one edit) can match three, one of eight (two edits) can match six.
  const { length } = word
  return length < 3 ? 0 : length < 6 ? 1 : 2
}

/** The variants under which a word is indexed. */
export function indexedDeleteVariants(word: string): Set<string> {
  return deleteVariants(word, maxIndexedEdits(word))
}

/** The variants to look a query word up by. */
export function queryDeleteVariants(word: string): Set<string> {
  return deleteVariants(word, maxEdits(word))
}

function deleteVariants(word: string, edits: number): Set<string> {
  const variants = new Set<string>()
  if (edits === 0) return variants
  let level = new Set([word.slice(0, PREFIX_LENGTH)])
  for (const variant of level) variants.add(variant)
  for (let edit = 0; edit < edits; edit++) {
    const next = new Set<string>()
    for (const variant of level) {
      for (let i = 0; i < variant.length; i++) next.add(variant.slice(0, i) + variant.slice(i + 1))
    }
    for (const variant of next) variants.add(variant)
    level = next
  }
  return variants
}

/** Whether two words are within a Damerau-Levenshtein distance: insertions, deletions, substitutions, adjacent swaps. */
export function isWithinEdits(a: string, b: string, maxDistance: number): boolean {
  if (Math.abs(a.length - b.length) > maxDistance) return false
  const width = b.length + 1
  /** The last three rows of the distance matrix. */
  let beforePrevious: number[] = []
  let previous = Array.from({ length: width }, (_, j) => j)
  for (let i = 1; i <= a.length; i++) {
    const current = [i]
    let minCost = i
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
        cost = Math.min(cost, (beforePrevious[j - 2] as number) + 1)
      }
      current.push(cost)
      if (cost < minCost) minCost = cost
    }
    if (minCost > maxDistance) return false
    beforePrevious = previous
    previous = current
  }
  return (previous[b.length] as number) <= maxDistance
}
