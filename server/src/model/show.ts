import type { ShowHistory } from './history.ts'
import type { ShowIdentity } from './identity.ts'
import type { OffersByCountry } from './offer.ts'

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

/** Title, overview and images of a show in one language. */
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

/** A movie or a series with all its details and the offers of every source and country. */
export interface Show extends ShowIdentity {
  readonly id: string
  readonly showType: ShowType
  /** Empty when the show has none. */
  readonly imdbId: string
  readonly tmdbId: string
  /** Title, overview and images in English, or in the fallback language. */
  readonly title: string
  readonly overview: string
  readonly imageSet: ShowImageSet
  readonly originalTitle: string
  readonly originalLanguage?: string
  readonly translations: Readonly<Record<string, Translation>>
  /** Alternative titles: found by title search, not printed. */
  readonly aliases?: readonly string[]
  /** Release year of a movie, first air year of a series. */
  readonly year?: number
  readonly lastAirYear?: number
  readonly genres: readonly string[]
  readonly directors?: readonly string[]
  readonly creators?: readonly string[]
  readonly cast: readonly string[]
  /** The average of `ratings`. */
  readonly rating: number
  /** Ratings by source. */
  readonly ratings: Ratings
  readonly runtime?: number
  readonly seasonCount?: number
  readonly episodeCount?: number
  readonly popularity: Readonly<Record<string, Popularity>>
  readonly offers: OffersByCountry
  readonly seasons?: readonly Season[]
  /** Ids of duplicates that were merged into this show; look-ups by them still find it. */
  readonly formerIds?: readonly string[]
  /** Tombstone: the show is found by no query, and is kept so that its past changes can be printed. */
  readonly deleted?: true
  /** The id of the show that this duplicate was merged into; look-ups by its ids find that one. */
  readonly mergedInto?: string
  /** What was live in the past. */
  readonly history?: ShowHistory
}

/** The range of ids that are derived from a source's ids; new ids are counted up below it. */
export const DERIVED_IDS = { first: 900_000_000_000_000, last: 999_999_999_999_999 } as const

/** The larger of the highest counted id so far and a show's id; derived ids do not count. */
export function maxCountedId(highest: number, id: string): number {
  return Number(id) >= DERIVED_IDS.first ? highest : Math.max(highest, Number(id))
}

/** The ids under which a show is found; none once it was merged into another. */
export function lookupIds({ id, imdbId, tmdbId, formerIds = [], mergedInto }: Show): string[] {
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

/** A part of a show that has offers of its own: the show itself, a season or an episode (counted from 1). */
export interface Item {
  readonly itemType: ItemType
  readonly season?: number
  readonly episode?: number
}

/** The items of a show in order, each with its offers. */
export function* showItems(show: Show): Iterable<[item: Item, offers: OffersByCountry]> {
  yield [{ itemType: 'show' }, show.offers]
  let s = 0
  for (const season of show.seasons ?? []) {
    s++
    yield [{ itemType: 'season', season: s }, season.offers]
    let e = 0
    for (const episode of season.episodes ?? []) {
      yield [{ itemType: 'episode', season: s, episode: ++e }, episode.offers]
    }
  }
}

/** Replaces the offers of every item of a show. */
export function mapItems(show: Show, change: (offers: OffersByCountry, item: Item) => OffersByCountry): Show {
  return {
    ...show,
    offers: change(show.offers, { itemType: 'show' }),
    ...(show.seasons !== undefined && {
      seasons: show.seasons.map((season, s) => ({
        ...season,
        offers: change(season.offers, { itemType: 'season', season: s + 1 }),
        ...(season.episodes !== undefined && {
          episodes: season.episodes.map((episode, e) => ({
            ...episode,
            offers: change(episode.offers, { itemType: 'episode', season: s + 1, episode: e + 1 }),
          })),
        }),
      })),
    }),
  }
}

/** Ratings of a show from 1 to 100, by source. */
export type Ratings = Readonly<Record<string, number>>

/** The rating that answers print: the rounded average over the sources, or 0 without any. */
export function averageRating(ratings: Ratings): number {
  const parts = Object.values(ratings)
  return parts.length === 0 ? 0 : Math.round(parts.reduce((sum, part) => sum + part, 0) / parts.length)
}

/** The ratings with one source's replaced; 0 removes it. */
export function withRating(ratings: Ratings, source: string, rating: number): Ratings {
  const { [source]: _, ...others } = ratings
  return rating === 0 ? others : { ...others, [source]: rating }
}

/** Widths of the vertical and of the horizontal kinds of image, in the order in which answers print them. */
export const VERTICAL_WIDTHS = ['w240', 'w360', 'w480', 'w600', 'w720'] as const
export const HORIZONTAL_WIDTHS = ['w360', 'w480', 'w720', 'w1080', 'w1440'] as const

export type VerticalImage = Readonly<Record<(typeof VERTICAL_WIDTHS)[number], string>>
export type HorizontalImage = Readonly<Record<(typeof HORIZONTAL_WIDTHS)[number], string>>

/** The images of a show: posters carry its title, backdrops carry no text. */
export interface ShowImageSet {
  readonly verticalPoster: VerticalImage
  readonly horizontalPoster: HorizontalImage
  readonly verticalBackdrop?: VerticalImage
  readonly horizontalBackdrop?: HorizontalImage
}

/** The kinds of image of a show, in the order in which answers print them. */
export const SHOW_IMAGE_KINDS = [
  { kind: 'verticalPoster', widths: VERTICAL_WIDTHS, required: true },
  { kind: 'horizontalPoster', widths: HORIZONTAL_WIDTHS, required: true },
  { kind: 'verticalBackdrop', widths: VERTICAL_WIDTHS, required: false },
  { kind: 'horizontalBackdrop', widths: HORIZONTAL_WIDTHS, required: false },
] as const

/** Addresses of every width, all of them empty. */
export function emptyUrls(widths: readonly string[]): Record<string, string> {
  return Object.fromEntries(widths.map((width) => [width, '']))
}

/** The image set of a show without posters: answers always hold both kinds of poster. */
export const EMPTY_IMAGE_SET = Object.fromEntries(
  SHOW_IMAGE_KINDS.filter(({ required }) => required).map(({ kind, widths }) => [kind, emptyUrls(widths)]),
) as unknown as ShowImageSet

/** The logos of a service or an addon. */
export interface LogoSet {
  readonly lightThemeImage: string
  readonly darkThemeImage: string
  readonly whiteImage: string
}
