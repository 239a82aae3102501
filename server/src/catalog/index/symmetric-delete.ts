import { cutText, isHighSurrogate } from '../../lib/text/cut-text.ts'
import { editDistance, prefixDistances } from '../../lib/text/edit-distance.ts'

/*
 * Symmetric delete spelling correction (SymSpell): two words are within an edit distance only if deleting up to that
 * many letters from each can give the same text. The delete variants of all title words are indexed, so a misspelt word
 * costs one look-up for each of its own delete variants, however many words there are.
 */

/** Letters are deleted from this prefix of a word only, which limits the variants; the distance counts the whole word. */
const PREFIX_LENGTH = 7

/** The edit distance within which two words match, by the length of the longer one. */
export function maxEdits(length: number): 0 | 1 | 2 {
  return length < 4 ? 0 : length < 8 ? 1 : 2
}

/** The largest edit distance at which any query word can match an indexed word of this length. */
function maxIndexedEdits({ length }: string): 0 | 1 | 2 {
  // A query word of four letters (one edit) can match three, one of eight (two edits) can match six.
  return length < 3 ? 0 : length < 6 ? 1 : 2
}

/** The letters to delete from a query word, so that it meets all indexed words that it matches. */
function maxQueryEdits({ length }: string): 0 | 1 | 2 {
  // Seven letters match eight with two edits; six match eight, too, but only as two missing letters.
  return length < 4 ? 0 : length < 7 ? 1 : 2
}

/** The variants under which a word is indexed. */
export function indexedDeleteVariants(word: string): Set<string> {
  return word.length < 3 ? new Set() : deleteVariants(word, maxIndexedEdits(word))
}

/** The variants to look a query word up by. */
export function queryDeleteVariants(word: string): Set<string> {
  return word.length < 3 ? new Set() : deleteVariants(word, maxQueryEdits(word))
}

/** The length of word prefixes that are indexed by delete variants of their own, for short unfinished words. */
export const FUZZY_PREFIX_LENGTH = 4

/** The variants of a short prefix, with up to one letter deleted. */
export function prefixDeleteVariants(prefix: string): Set<string> {
  return deleteVariants(prefix, 1)
}

function deleteVariants(word: string, edits: number): Set<string> {
  let level = [cutText(word, PREFIX_LENGTH)]
  const variants = new Set(level)
  for (let edit = 0; edit < edits; edit++) {
    const next: string[] = []
    for (const variant of level) {
      for (let i = 0; i < variant.length; i++) {
        // Both halves of a surrogate pair go together: half a pair has no UTF-8 form, in which keys are stored.
        const start = i
        if (isHighSurrogate(variant, i)) i++
        const shorter = variant.slice(0, start) + variant.slice(i + 1)
        if (variants.has(shorter)) continue
        variants.add(shorter)
        next.push(shorter)
      }
    }
    level = next
  }
  return variants
}

/** Longer words than any title has are not compared. */
const MAX_COMPARED_LENGTH = 64

/** Whether two words are within the edit distance that the longer one allows. */
export function isSimilar(query: string, word: string): boolean {
  const longest = Math.max(query.length, word.length)
  const limit = maxEdits(longest)
  return longest <= MAX_COMPARED_LENGTH && editDistance(query, word, limit) <= limit
}

/** Whether a query is within the edit distance of a prefix of a word. */
export function isSimilarPrefix(query: string, word: string): boolean {
  if (query.length > MAX_COMPARED_LENGTH || word.length > MAX_COMPARED_LENGTH) return false
  const distances = prefixDistances(query, word, 2)
  if (distances === undefined) return false
  const last = Math.min(word.length, query.length + 2)
  for (let length = Math.max(1, query.length - 2); length <= last; length++) {
    if ((distances[length] as number) <= maxEdits(Math.max(query.length, length))) return true
  }
  return false
}
