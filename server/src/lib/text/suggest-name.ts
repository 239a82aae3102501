import { editDistance } from './edit-distance.ts'

/** Longer names are no typing errors, and comparing them would only cost time. */
const MAX_LENGTH = 40

/** Words that are too short to identify a name. */
const MIN_SHARED_WORD = 4

/**
 * The known name that was probably meant, the first of several; undefined if none is near. A name is near if at most a
 * third of its letters differ, or if all words of one are in the other (`year` and `year_min`, `countryCode` and
 * `country`). Case and separators make no difference.
 */
export function suggestName(name: string, known: readonly string[]): string | undefined {
  if (name.length > MAX_LENGTH) return undefined
  const words = splitWords(name)
  const joined = words.join('')
  let nearest: string | undefined
  let least = Number.POSITIVE_INFINITY
  for (const candidate of known) {
    const candidateWords = splitWords(candidate)
    const candidateJoined = candidateWords.join('')
    const distance = editDistance(joined, candidateJoined)
    const maxDistance = Math.max(1, Math.floor(Math.max(joined.length, candidateJoined.length) / 3))
    const isNear = (distance <= maxDistance && distance < joined.length) || sharesWords(words, candidateWords)
    if (isNear && distance < least) {
      least = distance
      nearest = candidate
    }
  }
  return nearest
}

/** The words of `yearMin`, `year_min` and `YEAR-MIN`, in lower case. */
function splitWords(name: string): string[] {
  return name
    .replace(/([a-z\d])(?=[A-Z])/g, '$1_')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
}

/** Whether all words of one name are in the other, and one of them is long enough to mean something. */
function sharesWords(a: readonly string[], b: readonly string[]): boolean {
  const [few, many] = a.length <= b.length ? [a, b] : [b, a]
  return few.every((word) => many.includes(word)) && few.some((word) => word.length >= MIN_SHARED_WORD)
}
