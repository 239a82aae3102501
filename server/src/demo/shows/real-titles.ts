import { CLASSIC_MOVIES } from '../data/movies-classic.ts'
import { MODERN_MOVIES } from '../data/movies-modern.ts'
import { NINETIES_MOVIES } from '../data/movies-nineties.ts'
import { WORLD_MOVIES } from '../data/movies-world.ts'
import { COMEDY_SERIES } from '../data/series-comedy.ts'
import { DRAMA_SERIES } from '../data/series-drama.ts'
import { FANTASTIC_SERIES } from '../data/series-fantastic.ts'
import { WORLD_SERIES } from '../data/series-world.ts'

/** A well-known title under the id that the demo gives it. */
export interface RealEntry {
  readonly id: string
  readonly title: RealMovie | RealSeries
}

/** Ids follow from the positions in these lists: a new title goes to the end of its list's last part. */
const MOVIES: readonly RealMovie[] = [...CLASSIC_MOVIES, ...NINETIES_MOVIES, ...MODERN_MOVIES, ...WORLD_MOVIES]
const SERIES: readonly RealSeries[] = [...DRAMA_SERIES, ...FANTASTIC_SERIES, ...COMEDY_SERIES, ...WORLD_SERIES]
const FIRST_MOVIE_ID = 1001
const FIRST_SERIES_ID = 5001

/** All well-known titles, movies and series mixed, so that a small demo has some of both. */
export const REAL_TITLES: readonly RealEntry[] = interleave()

function interleave(): RealEntry[] {
  const entries = [
    ...MOVIES.map((title, i) => ({ id: String(FIRST_MOVIE_ID + i), title, place: (i + 0.5) / MOVIES.length })),
    ...SERIES.map((title, i) => ({ id: String(FIRST_SERIES_ID + i), title, place: (i + 0.5) / SERIES.length })),
  ]
  return entries
    .sort((a, b) => a.place - b.place || Number(a.id) - Number(b.id))
    .map(({ id, title }) => ({ id, title }))
}

/** A title and an overview in one language. */
export type LocalText = readonly [title: string, overview: string]

/** What is true of a well-known movie or series. Its availability is not here: that is invented. */
interface RealTitle {
  readonly imdb: string
  readonly tmdb: number
  /** The title in English. */
  readonly title: string
  /** The title it was made under, where that is another. */
  readonly original?: string
  /** ISO 639-1. */
  readonly language: string
  readonly genres: readonly string[]
  readonly cast: readonly string[]
  /** 0 to 100. */
  readonly rating: number
  readonly overview: string
  readonly es: LocalText
  readonly fr: LocalText
  readonly tr: LocalText
  /** Titles in further output languages. */
  readonly titles?: Readonly<Record<string, string>>
  /** The service that is most likely to have it. */
  readonly home?: string
}

export interface RealMovie extends RealTitle {
  readonly year: number
  /** In minutes. */
  readonly runtime: number
  readonly directors: readonly string[]
}

/** A season: the year it began, its episodes, and the year it ended where that is a later one. */
export type RealSeason = readonly [year: number, episodes: number, lastYear?: number]

export interface RealSeries extends RealTitle {
  readonly creators: readonly string[]
  readonly seasons: readonly RealSeason[]
}
