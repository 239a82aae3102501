import type { Locale, Subtitle } from '../model/language.ts'
import type { OfferType, Quality, UNKNOWN_START } from '../model/offer.ts'
import type { LogoSet, PopularityWindow, ShowImageSet, ShowType, Translation } from '../model/show.ts'

/** The source name of the demo's feeds. */
export const DEMO_SOURCE = 'demo'

/** The number of countries in `data/countries.json`; a demo has all of them by default. */
export const DEMO_COUNTRY_COUNT = 44

/** The parameters of a demo catalog. Equal options generate equal bytes. */
export interface DemoOptions {
  /** Number of shows: real titles first, generated ones after them. */
  readonly shows: number
  /** About how many episodes all generated series have together; without it, most have one season. */
  readonly episodes?: number | undefined
  readonly seed: number
  /** Number of countries, the largest markets first. */
  readonly countries: number
  /** The time of the feed, in Unix seconds. */
  readonly at: number
  /** The public address of the service, which every URL of the catalog starts with. */
  readonly baseUrl: string
}

/** The header of a feed: its source, and whether it is a snapshot or a delta. */
export interface FeedHeader {
  readonly kind: 'feed'
  readonly source: string
  readonly mode: 'snapshot' | 'delta'
  readonly note?: string
}

/** A genre and its names by language. */
export interface GenreRecord {
  readonly kind: 'genre'
  readonly id: string
  readonly name: string
  readonly names: Readonly<Record<string, string>>
}

/** The brand of a service or an addon. */
interface FeedBrand {
  readonly name: string
  readonly homePage: string
  readonly themeColorCode: string
  readonly imageSet: LogoSet
}

export interface FeedAddon extends FeedBrand {
  readonly id: string
}

export type FeedOptionTypes = Readonly<Record<'addon' | 'buy' | 'rent' | 'free' | 'subscription', boolean>>

/** The properties of a service that a country can override. */
export interface FeedServiceDetails extends FeedBrand {
  readonly streamingOptionTypes: FeedOptionTypes
  readonly addons: readonly FeedAddon[]
  readonly names?: Readonly<Record<string, string>>
}

export interface ServiceRecord extends FeedServiceDetails {
  readonly kind: 'service'
  readonly id: string
  readonly hasTopList: boolean
  readonly hasUpcoming: boolean
  readonly countries?: Readonly<Record<string, Partial<FeedServiceDetails>>>
}

export interface CountryRecord {
  readonly kind: 'country'
  readonly countryCode: string
  /** Service ids, most popular first. */
  readonly services: readonly string[]
}

export interface FeedPrice {
  readonly amount: string
  readonly currency: string
  readonly formatted: string
}

/** One way to watch an item. The keys have the order of the public API; `startsOn` follows them. */
export interface FeedOption {
  service: string
  type: OfferType
  addon?: string
  link: string
  videoLink?: string
  quality?: Quality
  audios: readonly Locale[]
  subtitles: readonly Subtitle[]
  price?: FeedPrice
  expiresSoon: boolean
  expiresOn?: number
  availableSince: number
  startsOn?: number | typeof UNKNOWN_START
}

/** Options by lower-case country code. */
export type FeedOptions = Record<string, FeedOption[]>

export interface FeedEpisode {
  itemType: 'episode'
  title: string
  overview?: string
  airYear: number
  streamingOptions: FeedOptions
}

export interface FeedSeason {
  itemType: 'season'
  title: string
  firstAirYear: number
  lastAirYear: number
  streamingOptions: FeedOptions
  episodes: FeedEpisode[]
}

export type FeedPopularity = Record<string, Record<PopularityWindow, number>>

/** A movie or a series with its offers in all countries. */
export interface ShowRecord {
  kind: 'show'
  itemType: 'show'
  showType: ShowType
  id: string
  imdbId: string
  tmdbId: string
  title: string
  overview: string
  releaseYear?: number
  firstAirYear?: number
  lastAirYear?: number
  originalTitle: string
  genres: readonly string[]
  directors?: readonly string[]
  creators?: readonly string[]
  cast: readonly string[]
  rating: number
  runtime?: number
  seasonCount?: number
  episodeCount?: number
  imageSet: ShowImageSet
  streamingOptions: FeedOptions
  seasons?: FeedSeason[]
  originalLanguage: string
  translations: Record<string, Translation>
  popularity: FeedPopularity
}

export interface TopRecord {
  readonly kind: 'top'
  readonly country: string
  readonly service: string
  readonly showType: ShowType
  /** Show ids in rank order. */
  readonly shows: readonly string[]
}

/** A record of a demo feed: one line of a native feed. */
export type FeedRecord = FeedHeader | GenreRecord | ServiceRecord | CountryRecord | ShowRecord | TopRecord
