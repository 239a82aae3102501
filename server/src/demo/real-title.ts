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
