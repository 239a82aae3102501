import type { Show } from '../../model/show.ts'
import { type Comparison, compareProfiles } from './compare-profiles.ts'
import { type Described, toProfile } from './profile.ts'

/** Odds from which a pair is a match, in bits: about one in sixteen of those at the threshold is wrong. */
const MATCH_BITS = 3

/** The lead of the best candidate; with less, the record may be about either. */
const LEAD_BITS = 4

/** A candidate with its comparison. */
export interface ComparedShow {
  readonly show: Show
  readonly comparison: Comparison
}

/** What the candidates for a record come to. */
export interface MatchResult {
  /** The show that the record is about. */
  readonly match: ComparedShow | undefined
  /** Candidates between which nothing decides. */
  readonly ambiguous: readonly Show[]
}

const NO_MATCH: MatchResult = { match: undefined, ambiguous: [] }

/** Finds the show among candidates of similar titles that a record is about, by all evidence there is. */
export function findMatch(record: Described, candidates: readonly Show[]): MatchResult {
  if (candidates.length === 0) return NO_MATCH
  const compared = compareCandidates(record, candidates)
  const matches = compared.filter(({ comparison }) => isMatch(comparison))
  const [best, second] = matches.sort((a, b) => b.comparison.bits - a.comparison.bits)
  if (best === undefined) return NO_MATCH
  if (second === undefined || best.comparison.bits - second.comparison.bits >= LEAD_BITS) {
    return { match: best, ambiguous: [] }
  }
  const rivals = matches.filter(({ comparison }) => best.comparison.bits - comparison.bits < LEAD_BITS)
  if (rivals.slice(1).every((rival) => isSameWork(best.show, rival.show))) return { match: best, ambiguous: [] }
  return { match: undefined, ambiguous: matches.map(({ show }) => show) }
}

/** Evidence that two shows are one work, beyond title and year; the same runtime is, too. */
const PEOPLE: ReadonlySet<string> = new Set(['director', 'cast', 'people'])

/** Whether two shows are one work that a source has twice, in two versions for instance: it does not matter which is it. */
function isSameWork(one: Show, other: Show): boolean {
  if (one.imdbId !== '' && other.imdbId !== '' && one.imdbId !== other.imdbId) return false
  if (one.tmdbId !== '' && other.tmdbId !== '' && one.tmdbId !== other.tmdbId) return false
  const comparison = compareProfiles(toProfile(one), toProfile(other))
  if (comparison === undefined || !isMatch(comparison)) return false
  const { evidence } = comparison
  return evidence.some((reason) => PEOPLE.has(reason)) || (evidence.includes('year') && evidence.includes('runtime'))
}

/** Whether a comparison is good enough to join two descriptions. A title alone is not. */
export function isMatch({ bits, isVetoed, isRefused, isCorroborated }: Comparison): boolean {
  return bits >= MATCH_BITS && isCorroborated && !isVetoed && !isRefused
}

/** Compares a record with candidates of its type. A title that many shows have weighs less. */
export function compareCandidates(record: Described, candidates: readonly Show[]): ComparedShow[] {
  const profile = toProfile(record)
  const compared = candidates.flatMap((show): ComparedShow[] => {
    if (show.showType !== record.showType) return []
    const comparison = compareProfiles(profile, toProfile(show))
    return comparison === undefined ? [] : [{ show, comparison }]
  })
  const namesakes = compared.filter(({ comparison }) => comparison.evidence[0] === 'title').length
  if (namesakes < 2) return compared
  const penalty = Math.log2(namesakes)
  return compared.map(({ show, comparison }) => ({
    show,
    comparison: { ...comparison, bits: comparison.bits - penalty },
  }))
}
