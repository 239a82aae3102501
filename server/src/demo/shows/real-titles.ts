import movies from '../data/movies.json' with { type: 'json' }
import series from '../data/series.json' with { type: 'json' }

/** A title and an overview in one language. */
export type LocalText = readonly [title: string, overview: string]

/** The facts about a real movie or series. Its availability is invented, so it is not part of the data. */
interface RealTitle {
  readonly imdb: string
  readonly tmdb: number
  /** The title in English. */
  readonly title: string
  /** The original title, if it differs. */
  readonly original?: string
  /** The original language, ISO 639-1. */
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
  /** The service that is most likely to offer it. */
  readonly home?: string
}

/** A real movie: an entry of `data/movies.json`. */
export interface RealMovie extends RealTitle {
  readonly year: number
  /** In minutes. */
  readonly runtime: number
  readonly directors: readonly string[]
}

/** A season: its first year, its number of episodes, and its last year if that is a later one. */
type RealSeason = readonly [year: number, episodes: number, lastYear?: number]

/** A real series: an entry of `data/series.json`. */
export interface RealSeries extends RealTitle {
  readonly creators: readonly string[]
  readonly seasons: readonly RealSeason[]
}

/** A real title with the show id that the demo assigns to it. */
interface RealEntry {
  readonly id: string
  readonly title: RealMovie | RealSeries
}

const FIRST_MOVIE_ID = 1001
const FIRST_SERIES_ID = 5001

/** All real titles. Movies and series are interleaved, so that a small demo has some of both. */
export const REAL_TITLES: readonly RealEntry[] = interleave(
  movies as unknown as readonly RealMovie[],
  series as unknown as readonly RealSeries[],
)

/** Ids follow from the positions in the JSON files, so a new title goes to the end of its file. */
function interleave(movies: readonly RealMovie[], series: readonly RealSeries[]): RealEntry[] {
  const entries = [
    ...movies.map((title, i) => ({ id: String(FIRST_MOVIE_ID + i), title, rank: (i + 0.5) / movies.length })),
    ...series.map((title, i) => ({ id: String(FIRST_SERIES_ID + i), title, rank: (i + 0.5) / series.length })),
  ]
  return entries.sort((a, b) => a.rank - b.rank || Number(a.id) - Number(b.id)).map(({ id, title }) => ({ id, title }))
}
