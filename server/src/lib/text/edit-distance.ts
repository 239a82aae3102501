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

/** The last three rows of the distance matrix, reused for every comparison, and made longer when a longer text comes. */
let rows = createRows(128)

function createRows(length: number): [Uint16Array, Uint16Array, Uint16Array] {
  return [new Uint16Array(length), new Uint16Array(length), new Uint16Array(length)]
}

/**
 * The last row of the matrix of optimal string alignment distances: insertions, deletions, substitutions and swaps of
 * neighbours. Entry j is the distance of `text` to the first j letters of `other`; those beyond the limit are not filled.
 * Undefined once all are above the limit. The row is valid until the next call.
 */
export function prefixDistances(text: string, other: string, limit: number): Uint16Array | undefined {
  if (other.length >= rows[0].length) rows = createRows(other.length * 2)
  let [beforePrevious, previous, current] = rows
  const width = Math.min(other.length, text.length + Math.floor(limit))
  for (let j = 0; j <= width; j++) previous[j] = j
  for (let i = 1; i <= text.length; i++) {
    const a = text.charCodeAt(i - 1)
    current[0] = i
    let minCost = i
    for (let j = 1; j <= width; j++) {
      const b = other.charCodeAt(j - 1)
      let cost = (previous[j - 1] as number) + (a === b ? 0 : 1)
      cost = Math.min(cost, (previous[j] as number) + 1, (current[j - 1] as number) + 1)
      if (i > 1 && j > 1 && a === other.charCodeAt(j - 2) && text.charCodeAt(i - 2) === b) {
        cost = Math.min(cost, (beforePrevious[j - 2] as number) + 1)
      }
      current[j] = cost
      if (cost < minCost) minCost = cost
    }
    if (minCost > limit) return undefined
    const free = beforePrevious
    beforePrevious = previous
    previous = current
    current = free
  }
  return previous
}

/** The optimal string alignment distance of two texts; infinite if it is more than the limit. */
export function editDistance(a: string, b: string, limit: number = a.length + b.length): number {
  if (Math.abs(a.length - b.length) > limit) return Number.POSITIVE_INFINITY
  const distance = prefixDistances(a, b, limit)?.[b.length] ?? Number.POSITIVE_INFINITY
  return distance <= limit ? distance : Number.POSITIVE_INFINITY
}
