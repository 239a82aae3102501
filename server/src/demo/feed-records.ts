import type { LogoSet, ShowImageSet } from '../model/image.ts'
import type { Locale, Subtitle } from '../model/language.ts'
import type { OfferType, Quality, UNKNOWN_START } from '../model/offer.ts'
import type { PopularityWindow, ShowType, Translation } from '../model/show.ts'

/** The first record of a feed: who speaks, and whether the feed is everything or only what it names. */
export interface FeedHeader {
  readonly kind: 'feed'
  readonly source: string
  readonly mode: 'snapshot' | 'delta'
  readonly note?: string
}

export interface GenreRecord {
  readonly kind: 'genre'
  readonly id: string
  readonly name: string
  readonly names: Readonly<Record<string, string>>
}

/** What a service or an addon shows of itself. */
export interface FeedBrand {
  readonly name: string
  readonly homePage: string
  readonly themeColorCode: string
  readonly imageSet: LogoSet
}

export interface FeedAddon extends FeedBrand {
  readonly id: string
}

export type FeedOptionTypes = Readonly<Record<'addon' | 'buy' | 'rent' | 'free' | 'subscription', boolean>>

/** What a service has in a country, or everywhere unless a country says otherwise. */
export interface FeedServiceLooks extends FeedBrand {
  readonly streamingOptionTypes: FeedOptionTypes
  readonly addons: readonly FeedAddon[]
  readonly names?: Readonly<Record<string, string>>
}

export interface ServiceRecord extends FeedServiceLooks {
  readonly kind: 'service'
  readonly id: string
  readonly hasTopList: boolean
  readonly hasUpcoming: boolean
  readonly countries?: Readonly<Record<string, Partial<FeedServiceLooks>>>
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

/** One way to watch an item. Keys come in the order of the public interface, `startsOn` after them. */
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

/** OptionsByCountry by lower-case country code. */
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

/** A movie or a series with its offers everywhere. */
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

/** A line of a native feed, as the demo writes it. */
export type FeedRecord = FeedHeader | GenreRecord | ServiceRecord | CountryRecord | ShowRecord | TopRecord

/** The source under which the demo states its offers. */
export const DEMO_SOURCE = 'demo'

/** What a demo catalog is made from. The same options give the same catalog to the byte. */
export interface DemoOptions {
  /** How many shows: the well-known ones first, made-up ones after them. */
  readonly shows: number
  readonly seed: number
  /** How many countries, the largest markets first. */
  readonly countries: number
  /** The instant the feed speaks of, in Unix seconds. */
  readonly at: number
  /** Where the service is reached; every URL of the catalog starts with it. */
  readonly baseUrl: string
}
