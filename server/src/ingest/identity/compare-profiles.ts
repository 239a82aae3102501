import { compareTitles } from './compare-titles.ts'
import { countCommon, type Profile, yearGap } from './profile.ts'

/*
 * Record linkage after Fellegi and Sunter. Each field that can be compared adds a weight in bits: the logarithm of how much
 * more often it agrees, or differs, in two descriptions of one work than in descriptions of two works. A pair starts with
 * the odds of two works picked at random, and is a match if the odds turn clearly in its favour.
 */

/** The comparison of two profiles. */
export interface Comparison {
  /** The odds, as a power of two, that both describe the same work. */
  readonly bits: number
  /** What speaks for it, the title first: `title`, `year`, `director`, … */
  readonly evidence: readonly string[]
  /** What speaks against it. */
  readonly doubts: readonly string[]
  /** Whether a doubt rules it out whatever the odds: a record that had the show's id before is about another work now. */
  readonly isVetoed: boolean
  /** Whether a doubt forbids to join two records by evidence; one that had the show's id before may be a correction. */
  readonly isRefused: boolean
  /** Whether enough beside the title speaks for it. */
  readonly isCorroborated: boolean
}

/** The odds of two works of one type picked at random, in bits. */
const PRIOR = { movie: -14, series: -12.5 } as const

/** Cast lists shorter than this say little by what they lack. */
const MIN_CAST = 3

/**
 * Whether a film was made again: by the same director with some of its actors, or by another one. A list with a wrong year
 * agrees in people and runtime.
 */
function isRemake({ evidence, doubts }: Weights): boolean {
  const hasPeople = evidence.includes('director') || (evidence.includes('cast') && !doubts.includes('other director'))
  return doubts.includes('years') && !(hasPeople && evidence.includes('runtime'))
}

/** Whether a series was made again: its years lie outside of the run of the other one, and hardly anybody is in both. */
function isRevival({ evidence, doubts, castCount }: Weights): boolean {
  return doubts.includes('years') && !evidence.includes('director') && castCount < 2
}

/** Evidence of people. */
const PEOPLE: readonly string[] = ['director', 'cast', 'people']

/** Versions of a film differ by less than this share. */
const MAX_VERSION_GAP = 0.12
/** Runtimes that differ by more than this share are those of one film only if its people are the same. */
const MAX_UNNAMED_GAP = 0.2
/** Runtimes that differ by more than this share are those of two films, such as a film and one about its making. */
const MAX_FILM_GAP = 0.25

/** Minutes that say nothing of a short film. */
const MAX_SHORT_GAP = 8

/** Whether two films of one title differ too much in length to be one. */
function isOtherLength({ evidence, runtimeGap }: Weights): boolean {
  return runtimeGap > (evidence.some((reason) => PEOPLE.includes(reason)) ? MAX_FILM_GAP : MAX_UNNAMED_GAP)
}

/** Doubts by which a work with a subtitle is another part of a franchise than the one without it. */
const PART_VETOES: ReadonlySet<string> = new Set(['years', 'runtimes', 'other cast', 'other director'])

/** Evidence without which a work with a subtitle is not taken for the one without it. */
const PART_SUPPORTS: ReadonlySet<string> = new Set(['director', 'cast', 'people', 'runtime'])

/** A part of a title that agrees may be the name of a franchise, whose parts come out year by year. */
function addPart(a: Profile, b: Profile, weights: Weights): void {
  // A list that gives both lengths gives that of the part, too.
  const hasLengths = a.runtime !== undefined && b.runtime !== undefined
  if (a.showType === 'movie' && !hasLengths) weights.refuse('lengths unknown')
  const isOtherYear = weights.evidence.some((reason) => reason === 'year ±1' || reason === 'within the run')
  const isSupported = weights.evidence.some((reason) => PART_SUPPORTS.has(reason))
  const isDoubted = weights.doubts.some((doubt) => PART_VETOES.has(doubt))
  const shortest = Math.min(a.cast.length, b.cast.length)
  // Parts of a franchise have some of the cast in common, two lists of one work most of it.
  const isOtherCast = shortest > MIN_CAST && countCommon(a.cast, b.cast) * 2 < shortest
  if (isOtherYear || isDoubted || !isSupported || isOtherCast) weights.veto('another part')
}

/** A letter more or less may be a slip or a sequel ("Predators"); what came out in another year is a sequel. */
function hasSameYear({ evidence }: Weights): boolean {
  return evidence.includes('year') && evidence.some((reason) => PART_SUPPORTS.has(reason))
}

/** Collects the weights of a comparison. */
class Weights {
  bits: number
  readonly evidence: string[] = []
  readonly doubts: string[] = []
  isVetoed = false
  isRefused = false
  /** How many of the cast are in both. */
  castCount = 0
  /** The share by which the runtimes differ. */
  runtimeGap = 0

  constructor(bits: number) {
    this.bits = bits
  }

  /** Adds a weight: evidence if it is positive, a doubt if it is negative. */
  add(reason: string, bits: number): void {
    this.bits += bits
    if (bits > 0) this.evidence.push(reason)
    else if (bits < 0) this.doubts.push(reason)
  }

  veto(reason: string): void {
    this.isVetoed = true
    this.doubts.push(reason)
  }

  refuse(reason: string): void {
    this.isRefused = true
    this.doubts.push(reason)
  }
}

/** Compares two profiles of one type; undefined if no two titles agree. */
export function compareProfiles(a: Profile, b: Profile): Comparison | undefined {
  const title = compareTitles(a.titles, b.titles)
  if (title === undefined) return undefined
  const weights = new Weights(PRIOR[a.showType])
  weights.add(title.reason, title.bits)
  const titleEvidence = weights.evidence.length
  if (a.showType === 'movie') {
    addMovieYears(a, b, weights)
    addRuntimes(a, b, weights)
  } else addSeriesYears(a, b, weights)
  addPeople(a, b, weights)
  addGenres(a, b, weights)
  if (a.showType === 'movie' && isRemake(weights)) weights.veto('a remake')
  if (a.showType === 'series' && isRevival(weights)) weights.refuse('a remake')
  if (title.isPartial) addPart(a, b, weights)
  if (title.isMisspelt && !hasSameYear(weights)) weights.refuse('another title')
  if (isOtherLength(weights)) weights.refuse('another film')
  const { bits, evidence, doubts, isVetoed, isRefused } = weights
  const support = evidence.slice(titleEvidence)
  const isNamesake = (a.showType === 'movie' || hasOtherSeasons(a, b)) && support.every((one) => WEAK_SUPPORT.has(one))
  return { bits, evidence, doubts, isVetoed, isRefused, isCorroborated: support.length > 0 && !isNamesake }
}

/**
 * Evidence that a namesake has as often as the work itself: a film of the year before or after, a series that also has
 * another number of seasons, somebody who is everywhere.
 */
const WEAK_SUPPORT: ReadonlySet<string> = new Set(['year ±1', 'an actor'])

/** Whether two series are listed with different numbers of seasons. */
function hasOtherSeasons({ seasonCount: a }: Profile, { seasonCount: b }: Profile): boolean {
  return a !== undefined && b !== undefined && a !== b
}

function addMovieYears(a: Profile, b: Profile, weights: Weights): void {
  const gap = yearGap(a, b)
  if (gap === undefined) return
  if (gap === 0) weights.add('year', 4)
  // A year that is wrong has no years around it.
  else if (gap === 1 && !hasWrongYear(a) && !hasWrongYear(b)) weights.add('year ±1', 0.2)
  else if (gap <= 2) weights.add('years', -2)
  else weights.add('years', -7)
}

/** Whether a film is listed with years that cannot all be right. */
function hasWrongYear({ years }: Profile): boolean {
  return Math.max(...years) - Math.min(...years) > 2
}

/** Whether a series may be listed with a year. The count of seasons tells the length of a run without an end. */
function isWithinRun({ years: listed }: Profile, { years, lastYear, seasonCount = 1 }: Profile): boolean {
  const first = Math.min(...years)
  const from = Math.min(first, lastYear ?? first)
  const to = Math.max(...years, lastYear ?? first + seasonCount - 1)
  return listed.some((year) => year >= from - 1 && year <= to + 1)
}

/** Whether the years of a series lie in the run of the other. A run that is known to the end admits none before its start. */
function fitsRuns(a: Profile, b: Profile): boolean {
  const [isInB, isInA] = [isWithinRun(a, b), isWithinRun(b, a)]
  return (isInA || isInB) && (a.lastYear === undefined || isInA) && (b.lastYear === undefined || isInB)
}

function addSeriesYears(a: Profile, b: Profile, weights: Weights): void {
  if (a.seasonCount !== undefined && a.seasonCount === b.seasonCount && a.seasonCount > 1) weights.add('seasons', 1.2)
  const gap = yearGap(a, b)
  if (gap === undefined) return
  if (gap === 0) weights.add('year', 4)
  else if (gap === 1) weights.add('year ±1', 1.5)
  else if (fitsRuns(a, b)) {
    // Some lists name the first year of a series, others that of its newest season.
    const isKnownRun = a.lastYear !== undefined || b.lastYear !== undefined
    weights.add('within the run', (isKnownRun ? 1.7 : 0.7) - (hasOtherSeasons(a, b) ? 0.6 : 0))
  } else {
    const beyond = gap - Math.max(a.seasonCount ?? 1, b.seasonCount ?? 1)
    weights.add('years', beyond <= 2 ? -0.8 : beyond <= 5 ? -2.5 : -5)
  }
}

function addRuntimes({ runtime: a }: Profile, { runtime: b }: Profile, weights: Weights): void {
  if (a === undefined || b === undefined) return
  const gap = Math.abs(a - b)
  // Versions for television run four per cent faster.
  const share = gap / Math.max(a, b)
  weights.runtimeGap = gap <= MAX_SHORT_GAP ? 0 : share
  if (gap <= 2) weights.add('runtime', 3.2)
  else if (share <= 0.045) weights.add('runtime', 1)
  else if (share <= MAX_VERSION_GAP || gap <= MAX_SHORT_GAP) weights.add('runtimes', -1.6)
  else weights.add('runtimes', -4)
}

/** Two lists of one work have most of their cast in common. One name of many is often that of somebody who is everywhere. */
function castEvidence(common: number, shortest: number): [reason: string, bits: number] {
  if (common > 1) return ['cast', common * 2 >= shortest ? 8.5 : 6]
  return shortest > MIN_CAST ? ['an actor', 0.5] : ['cast', shortest < MIN_CAST ? 5.5 : 4]
}

function addPeople(a: Profile, b: Profile, weights: Weights): void {
  const hasLeaders = a.leaders.length > 0 && b.leaders.length > 0
  const leaders = countCommon(a.leaders, b.leaders)
  const cast = countCommon(a.cast, b.cast)
  weights.castCount = cast
  const shortest = Math.min(a.cast.length, b.cast.length)
  const isOtherCast = shortest > 0 && cast === 0
  // Dubbed versions of an animation are listed with other voices, but with its year and its seasons.
  const isAnimated =
    (a.genres.includes('animation') || b.genres.includes('animation')) && yearGap(a, b) === 0 && !hasOtherSeasons(a, b)
  if (leaders > 0) weights.add('director', 8)
  if (cast > 0) weights.add(...castEvidence(cast, shortest))
  if (leaders > 0) {
    if (isOtherCast && !isAnimated && shortest >= MIN_CAST) addOtherCast(a, b, weights)
  } else if (cast > 0) {
    const isMost = cast * 2 >= shortest
    if (hasLeaders) weights.add('other director', isMost ? (cast > 1 ? -1 : -2.5) : -7)
  } else if (hasLeaders && isOtherCast && !isAnimated && shortest >= 2) weights.veto('other people')
  else if (hasCommonPeople(a, b) && (!isOtherCast || shortest < MIN_CAST)) weights.add('people', 4)
  else {
    if (hasLeaders) weights.add('other director', -9)
    if (isOtherCast)
      weights.add(
        'other cast',
        isAnimated ? (shortest >= MIN_CAST ? -5 : -2) : shortest >= MIN_CAST ? -8 : shortest > 1 ? -7 : -5,
      )
  }
}

/** Whether anybody is in both, as director or in the cast: those of a concert or a comedian's programme are often both. */
function hasCommonPeople(a: Profile, b: Profile): boolean {
  return countCommon([...a.leaders, ...a.cast], [...b.leaders, ...b.cast]) > 0
}

/** The same director or creator with another cast: versions for other countries name those of the first one. */
function addOtherCast(a: Profile, b: Profile, weights: Weights): void {
  if (a.showType === 'series' && (yearGap(a, b) ?? 0) > 1) weights.veto('other cast')
  else weights.add('other cast', -5)
}

/** Genres that are seldom mistaken, so that a show which only one source puts there is another one. */
const TELLING_GENRES = [
  ['documentary', -2.5],
  ['animation', -2],
] as const

function addGenres({ genres: a }: Profile, { genres: b }: Profile, weights: Weights): void {
  if (a.length === 0 || b.length === 0) return
  for (const [genre, bits] of TELLING_GENRES) {
    if (a.includes(genre) !== b.includes(genre)) weights.add(`only one is ${genre}`, bits)
  }
}
