import type { ShowImageSet } from './image.ts'
import type { OffersByCountry } from './offer.ts'
import type { Ratings } from './rating.ts'

export const SHOW_TYPES = ['movie', 'series'] as const
export type ShowType = (typeof SHOW_TYPES)[number]

/** How much of a series an answer holds. */
export const GRANULARITIES = ['show', 'season', 'episode'] as const
export type Granularity = (typeof GRANULARITIES)[number]

export const ITEM_TYPES = ['show', 'season', 'episode'] as const
export type ItemType = (typeof ITEM_TYPES)[number]

/** The spans of time over which popularity is counted. */
export const POPULARITY_WINDOWS = ['alltime', '1year', '1month', '1week'] as const
export type PopularityWindow = (typeof POPULARITY_WINDOWS)[number]
export type Popularity = Readonly<Partial<Record<PopularityWindow, number>>>

/** What a show is called and about in one language. */
export interface Translation {
  readonly title: string
  readonly overview: string
  readonly imageSet?: ShowImageSet
}

export interface Episode {
  readonly title: string
  readonly overview?: string
  readonly airYear: number
  readonly offers: OffersByCountry
}

export interface Season {
  readonly title: string
  readonly firstAirYear: number
  readonly lastAirYear: number
  readonly offers: OffersByCountry
  readonly episodes?: readonly Episode[]
}

/** A movie or a series with everything that is known of it, offers of every source and country included. */
export interface Show {
  readonly id: string
  readonly showType: ShowType
  /** Empty when the show has none. */
  readonly imdbId: string
  readonly tmdbId: string
  /** Title, overview and images in English, or whatever stands in for it. */
  readonly title: string
  readonly overview: string
  readonly imageSet: ShowImageSet
  readonly originalTitle: string
  readonly originalLanguage?: string
  readonly translations: Readonly<Record<string, Translation>>
  /** Release year of a movie, first air year of a series. */
  readonly year?: number
  readonly lastAirYear?: number
  readonly genres: readonly string[]
  readonly directors?: readonly string[]
  readonly creators?: readonly string[]
  readonly cast: readonly string[]
  /** The average of `ratings`. */
  readonly rating: number
  /** What each source says; empty where nobody says anything. */
  readonly ratings: Ratings
  readonly runtime?: number
  readonly seasonCount?: number
  readonly episodeCount?: number
  readonly popularity: Readonly<Record<string, Popularity>>
  readonly offers: OffersByCountry
  readonly seasons?: readonly Season[]
  /** Own ids of shows that turned out to be this one; they still lead here. */
  readonly formerIds?: readonly string[]
  /** Taken out of the catalog: no longer found, kept only so that its past changes can still be told. */
  readonly withdrawn?: true
  /** Withdrawn because it turned out to be this other show, which its ids now lead to. */
  readonly mergedInto?: string
}

/** Ids that are derived from those of a source; new ids are counted up below them. */
export const DERIVED_IDS = { first: 900_000_000_000_000, last: 999_999_999_999_999 } as const

/** The higher of the highest id given so far and a show's, were it one that is counted up. */
export function higherId(highest: number, id: string): number {
  return Number(id) >= DERIVED_IDS.first ? highest : Math.max(highest, Number(id))
}

/** The ids that lead to a show: none, once it was merged into another one. */
export function leadingIds({ id, imdbId, tmdbId, formerIds = [], mergedInto }: Show): string[] {
  return mergedInto !== undefined ? [] : [id, imdbId, tmdbId, ...formerIds].filter((one) => one !== '')
}

export function isShowId(id: string): boolean {
  return /^(0|[1-9]\d{0,14})$/.test(id)
}

export function isImdbId(id: string): boolean {
  return /^tt\d{1,15}$/.test(id)
}

export function isTmdbId(id: string, showType?: ShowType): boolean {
  const match = /^(movie|tv)\/\d{1,15}$/.exec(id)
  return match !== null && (showType === undefined || (match[1] === 'movie') === (showType === 'movie'))
}
