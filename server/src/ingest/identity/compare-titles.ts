import { type FoldedTitle, toSkeleton } from '../../catalog/identity/folded-title.ts'
import { editDistance } from '../../lib/text/edit-distance.ts'

/** How far two titles agree. */
export interface TitleMatch {
  readonly reason: 'title' | 'word order' | 'main title' | 'subtitle' | 'title without brand' | 'similar title'
  /** The weight of the agreement in bits: long titles agree by chance more seldom than short ones. */
  readonly bits: number
  /** Whether only a part of one title agrees with the other. */
  readonly isPartial: boolean
  /** Whether the titles differ in letters that no two spellings of a word differ in. */
  readonly isMisspelt: boolean
}

/** What is taken off the weight of an equal title if the two agree only in this way. */
const PENALTY = {
  article: 0.7,
  parts: 1,
  wordOrder: 1.5,
  brand: 3,
  main: 4.5,
  subtitle: 5.5,
  similar: 5,
} as const

/** The smallest share of equal letters of two similar titles. */
const MIN_SIMILARITY = 0.72
const MIN_SIMILAR_CHARS = 6

/** The best agreement between any two titles of two profiles; undefined if they have none. */
export function compareTitles(some: readonly FoldedTitle[], others: readonly FoldedTitle[]): TitleMatch | undefined {
  let best: TitleMatch | undefined
  for (const a of some) {
    for (const b of others) {
      const match = comparePair(a, b)
      if (match !== undefined && (best === undefined || match.bits > best.bits)) best = match
    }
  }
  return best
}

function comparePair(a: FoldedTitle, b: FoldedTitle): TitleMatch | undefined {
  // The Office (U.S.) is not The Office (UK).
  if (a.country !== '' && b.country !== '' && a.country !== b.country) return undefined
  const marks = markPenalty(a, b)
  const match = (reason: TitleMatch['reason'], text: string, penalty: number): TitleMatch => {
    const isPartial = reason === 'main title' || reason === 'subtitle'
    const isMisspelt = reason === 'similar title' && !areSpellings(a.full, b.full)
    return { reason, bits: titleBits(text) - penalty - marks, isPartial, isMisspelt }
  }
  if (a.strict === b.strict) return match('title', a.full, 0)
  if (a.full === b.full) return match('title', a.full, PENALTY.article)
  if (isYearOnly(a, b) || isYearOnly(b, a)) return match('title', a.yearless || b.yearless, PENALTY.article)
  // Sequels differ in nothing but a number.
  if (a.numbers !== b.numbers) return undefined
  if (a.sorted === b.sorted) return match('word order', a.full, PENALTY.wordOrder)
  if (a.main !== '' && a.main === b.main && a.tail === b.tail) return match('title', a.main + a.tail, PENALTY.parts)
  if (a.full === b.brandless || a.brandless === b.full) {
    return match('title without brand', a.full === b.brandless ? a.full : b.full, PENALTY.brand)
  }
  // If both have a subtitle and the two differ, they are two parts of a franchise.
  if (a.main === '' && a.full === b.main) return match('main title', a.full, PENALTY.main)
  if (b.main === '' && b.full === a.main) return match('main title', b.full, PENALTY.main)
  if (a.main === '' && a.full === b.tail) return match('subtitle', a.full, PENALTY.subtitle)
  if (b.main === '' && b.full === a.tail) return match('subtitle', b.full, PENALTY.subtitle)
  return isSimilar(a, b) ? match('similar title', a.full, PENALTY.similar) : undefined
}

/** Whether one title is the other with a year at its end. */
function isYearOnly(a: FoldedTitle, b: FoldedTitle): boolean {
  return a.yearless !== '' && a.yearless === b.full
}

/** A version or country that only one title names, or two different versions. */
function markPenalty(a: FoldedTitle, b: FoldedTitle): number {
  const country = a.country === b.country ? 0 : 1.5
  if (a.version === b.version) return country
  return country + (a.version === '' || b.version === '' ? 1 : 4)
}

/** Equal titles agree by chance about once in two to the power of these bits. */
function titleBits(text: string): number {
  // A character of a script without letters says more than a letter does.
  const length = /^[\x20-\x7e]*$/.test(text) ? text.length : text.length * 1.8
  if (length <= 4) return 13
  if (length <= 7) return 14.2
  if (length <= 10) return 15.7
  return length <= 14 ? 17 : 18.5
}

function isSimilar(a: FoldedTitle, b: FoldedTitle): boolean {
  const [one, other] = [a.full, b.full]
  if (Math.min(one.length, other.length) < MIN_SIMILAR_CHARS) return false
  if ((a.main === '') !== (b.main === '')) return false
  const longest = Math.max(one.length, other.length)
  const isSpelling = areSpellings(one, other)
  // A word more is another work: "Dragon Ball Z".
  if (!isSpelling && a.wordCount !== b.wordCount) return false
  const maxDistance = isSpelling ? longest * (1 - MIN_SIMILARITY) : Math.floor(longest / 8)
  return editDistance(one, other, maxDistance) <= maxDistance
}

/** Whether two texts are one in two transliterations. A consonant at the end of one makes a plural, or the next part. */
function areSpellings(one: string, other: string): boolean {
  if (toSkeleton(one) !== toSkeleton(other)) return false
  const [short, long] = one.length < other.length ? [one, other] : [other, one]
  if (!long.startsWith(short)) return true
  const end = long.slice(short.length)
  return /^[aeiouyh]*$/.test(end) || end === short.at(-1)
}
