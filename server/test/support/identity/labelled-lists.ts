import { Random } from '../../../src/demo/random.ts'
import { addNameNoise, addTitleNoise, type TitleHabits } from './noise.ts'
import type { Work } from './work.ts'
import { makeWorks } from './works.ts'

/** An entry of a list: a record of a feed, the number of the work it is about, and what was done to it. */
export interface LabelledRecord {
  readonly label: number
  readonly record: Readonly<Record<string, unknown>> & { readonly recordId: string }
  readonly noise: readonly string[]
}

/** The list of a service, and its name as a source. */
export interface LabelledList {
  readonly source: string
  readonly records: readonly LabelledRecord[]
}

/** What a list tells of a work, and how carefully. */
interface ListHabits {
  readonly source: string
  /** The share of works that the list has. */
  readonly share: number
  readonly titles: TitleHabits
  /** The share of works with directors, with a cast, and the most names of a cast. */
  readonly directors: number
  readonly seriesLeaders: number
  readonly cast: number
  readonly maxCast: number
  readonly nameNoise: number
  /** The share of casts in another order, so that a short list has other names of it. */
  readonly reordered: number
  readonly runtimes: number
  readonly yearOff: number
  readonly yearWrong: number
  readonly yearMissing: number
  /** The year of a series is that of its newest season. */
  readonly newestSeason: number
  /** The share of works that the list has twice, under two ids: in two versions, or by mistake. */
  readonly repeated: number
  /** Gives the end of a series, the original title, the genre. */
  readonly details: boolean
}

/*
 * The habits are set so that comparing titles and years letter by letter finds about three pairs out of four and joins
 * about one pair in a hundred wrongly, as it does with lists that services publish.
 */
const careful: TitleHabits = {
  subtitles: 0.006,
  articles: 0.006,
  years: 0.006,
  seasons: 0.002,
  versions: 0.002,
  numerals: 0.15,
  ampersands: 0.2,
  punctuation: 0.05,
  transliteration: 0.03,
  accents: 0.15,
  typos: 0.002,
  originals: 0.005,
}

/** Five lists: one with all details, three of services as they publish them, one without any people. */
const LISTS: readonly ListHabits[] = [
  {
    source: 'catalog',
    share: 0.62,
    titles: { ...careful, transliteration: 0.06 },
    directors: 0.98,
    seriesLeaders: 0.8,
    cast: 0.95,
    maxCast: 6,
    nameNoise: 0.01,
    reordered: 0,
    runtimes: 0.97,
    yearOff: 0.02,
    yearWrong: 0,
    yearMissing: 0.002,
    newestSeason: 0,
    repeated: 0,
    details: true,
  },
  {
    source: 'red',
    share: 0.5,
    titles: careful,
    directors: 0.94,
    seriesLeaders: 0.08,
    cast: 0.92,
    maxCast: 10,
    nameNoise: 0.03,
    reordered: 0.1,
    runtimes: 0.99,
    yearOff: 0.03,
    yearWrong: 0.004,
    yearMissing: 0.002,
    newestSeason: 0.4,
    repeated: 0.002,
    details: false,
  },
  {
    source: 'blue',
    share: 0.5,
    titles: {
      ...careful,
      seasons: 0.04,
      versions: 0.015,
      years: 0.01,
      articles: 0.01,
      punctuation: 0.1,
      transliteration: 0.08,
      typos: 0.005,
      subtitles: 0.012,
    },
    directors: 0.93,
    seriesLeaders: 0.1,
    cast: 0.86,
    maxCast: 5,
    nameNoise: 0.06,
    reordered: 0.3,
    runtimes: 0.97,
    yearOff: 0.06,
    yearWrong: 0.015,
    yearMissing: 0.01,
    newestSeason: 0.15,
    repeated: 0.03,
    details: false,
  },
  {
    source: 'castle',
    share: 0.35,
    titles: { ...careful, years: 0.02 },
    directors: 0.8,
    seriesLeaders: 0.1,
    cast: 0.88,
    maxCast: 8,
    nameNoise: 0.02,
    reordered: 0.1,
    runtimes: 0.98,
    yearOff: 0.03,
    yearWrong: 0.002,
    yearMissing: 0.005,
    newestSeason: 0.1,
    repeated: 0,
    details: false,
  },
  {
    source: 'green',
    share: 0.4,
    titles: { ...careful, punctuation: 0.08 },
    directors: 0,
    seriesLeaders: 0,
    cast: 0,
    maxCast: 0,
    nameNoise: 0,
    reordered: 0,
    runtimes: 0.7,
    yearOff: 0.03,
    yearWrong: 0.005,
    yearMissing: 0.02,
    newestSeason: 0.08,
    repeated: 0.005,
    details: false,
  },
]

export interface LabelledListOptions {
  readonly works: number
  readonly seed: number
}

/** Makes five lists of overlapping works. Equal options give equal lists. */
export function makeLabelledLists({ works: count, seed }: LabelledListOptions): LabelledList[] {
  const random = new Random(seed, 1)
  const works = makeWorks(random, count)
  return LISTS.map((habits) => {
    const records = works.flatMap((work, label) => {
      if (!random.chance(habits.share)) return []
      const first = listWork(random, work, label, habits, '')
      return random.chance(habits.repeated) ? [first, listWork(random, work, label, habits, '-b')] : [first]
    })
    return { source: habits.source, records: shuffle(random, records) }
  })
}

function listWork(random: Random, work: Work, label: number, habits: ListHabits, suffix: string): LabelledRecord {
  const { title, noise } = addTitleNoise(random, work, habits.titles)
  const isMovie = work.showType === 'movie'
  const [year, yearNoise] = listedYear(random, work, habits)
  const hasLeaders = random.chance(isMovie ? habits.directors : habits.seriesLeaders)
  const names = (list: readonly string[]) => addNameNoise(random, list, habits.nameNoise, work.language)
  const leaders = hasLeaders ? names(work.directors) : []
  const order = random.chance(habits.reordered) ? shuffle(random, work.cast) : work.cast
  const cast = random.chance(habits.cast) ? names(order).slice(0, habits.maxCast) : []
  const runtime = random.chance(habits.runtimes) ? work.runtime + listedRuntimeGap(random) : undefined
  const record = {
    kind: 'show',
    showType: work.showType,
    recordId: `${habits.source}-${label}${suffix}`,
    title,
    ...(isMovie
      ? { releaseYear: year, directors: leaders, runtime }
      : { firstAirYear: year, creators: leaders, seasonCount: listedSeasons(random, work) }),
    cast,
    ...(habits.details && {
      originalTitle: work.original ?? work.title,
      genres: [work.genre],
      ...(!isMovie && { lastAirYear: work.lastYear }),
    }),
    streamingOptions: {
      us: [{ service: habits.source, type: 'subscription', link: `https://${habits.source}.test/${label}${suffix}` }],
    },
  }
  return {
    label,
    record,
    noise: [...noise, ...yearNoise, ...(leaders.length + cast.length === 0 ? ['no people'] : [])],
  }
}

function listedYear(random: Random, work: Work, habits: ListHabits): [year: number | undefined, noise: string[]] {
  const isNewest = work.showType === 'series' && random.chance(habits.newestSeason)
  const year = isNewest ? work.lastYear : work.year
  if (random.chance(habits.yearMissing)) return [undefined, ['no year']]
  if (random.chance(habits.yearWrong)) return [2021, ['wrong year']]
  if (random.chance(habits.yearOff)) return [year + (random.chance(0.7) ? 1 : -1), ['year off']]
  return [year, isNewest && year !== work.year ? ['newest season'] : []]
}

/** Services count the seasons that they have. */
function listedSeasons(random: Random, { seasons }: Work): number {
  return random.chance(0.3) ? 1 + random.int(seasons) : seasons
}

/** Most lists agree on a runtime to the minute or two; some have another cut. */
function listedRuntimeGap(random: Random): number {
  const u = random.next()
  if (u < 0.75) return random.int(3) - 1
  return u < 0.95 ? random.int(9) - 4 : random.int(31) - 15
}

function shuffle<T>(random: Random, list: readonly T[]): T[] {
  const shuffled = [...list]
  for (let i = shuffled.length - 1; i > 0; i--) {
    const j = random.int(i + 1)
    ;[shuffled[i], shuffled[j]] = [shuffled[j] as T, shuffled[i] as T]
  }
  return shuffled
}
