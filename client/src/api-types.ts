/**
 * What requests take and answers hold.
 * Made from `spec/openapi.json` by `npm run types`: do not edit.
 */

/** A movie or a series. */
export type Show = Movie | Series

/** A movie. */
export interface Movie {
  /** Always `show`. */
  itemType: 'show'
  /** Always `movie`. */
  showType: 'movie'
  /** Id of the show. */
  id: string
  /** IMDb id; empty if there is none. */
  imdbId: string
  /** TMDB id. */
  tmdbId: string
  /** Title in the output language. */
  title: string
  /** What it is about. */
  overview: string
  /** Year of release. */
  releaseYear?: number
  /** Title in the original language. */
  originalTitle: string
  /** Its genres. */
  genres: Genre[]
  /** Its directors. */
  directors?: string[]
  /** Its cast. */
  cast: string[]
  /** Average rating; 0 means unknown. */
  rating: number
  /** Length in minutes. */
  runtime?: number
  /** Posters carry the title; backdrops carry no text. */
  imageSet: ShowImageSet
  /** Streaming options by lower-case country code; a country without options has no entry. */
  streamingOptions: { [key: string]: StreamingOption[] | undefined }
  /** Its alternative titles. Only with `include=aliases`. */
  aliases?: string[]
  /** ISO 639-1 code of the original language, if it is known. Only with `include=originalLanguage`. */
  originalLanguage?: string
  /** Its popularity by country. Only with `include=popularity`. */
  popularity?: { [key: string]: Popularity | undefined }
  /** The cheapest option by country: on a subscription of `services`, else free, else the cheapest rental, else the cheapest purchase. Of several currencies, in the one that most of them have. Only with `include=bestOffer`. */
  bestOffer?: { [key: string]: StreamingOption | undefined }
  /** When it was live, by country: its places as in `/shows/{id}/history`, as far down as the seasons and episodes of the answer. Only with `include=history`. */
  history?: { [key: string]: PlaceHistory[] | undefined }
}

/** A series. */
export interface Series {
  /** Always `show`. */
  itemType: 'show'
  /** Always `series`. */
  showType: 'series'
  /** Id of the show. */
  id: string
  /** IMDb id; empty if there is none. */
  imdbId: string
  /** TMDB id. */
  tmdbId: string
  /** Title in the output language. */
  title: string
  /** What it is about. */
  overview: string
  /** First year on air. */
  firstAirYear?: number
  /** Last year on air. */
  lastAirYear?: number
  /** Title in the original language. */
  originalTitle: string
  /** Its genres. */
  genres: Genre[]
  /** Its creators. */
  creators?: string[]
  /** Its cast. */
  cast: string[]
  /** Average rating; 0 means unknown. */
  rating: number
  /** Seasons aired or announced. */
  seasonCount?: number
  /** Episodes aired or announced. */
  episodeCount?: number
  /** Posters carry the title; backdrops carry no text. */
  imageSet: ShowImageSet
  /** Streaming options by lower-case country code; a country without options has no entry. */
  streamingOptions: { [key: string]: StreamingOption[] | undefined }
  /** Its seasons, at granularity `season` or `episode`. */
  seasons?: Season[]
  /** Its alternative titles. Only with `include=aliases`. */
  aliases?: string[]
  /** ISO 639-1 code of the original language, if it is known. Only with `include=originalLanguage`. */
  originalLanguage?: string
  /** Its popularity by country. Only with `include=popularity`. */
  popularity?: { [key: string]: Popularity | undefined }
  /** The cheapest option by country: on a subscription of `services`, else free, else the cheapest rental, else the cheapest purchase. Of several currencies, in the one that most of them have. Only with `include=bestOffer`. */
  bestOffer?: { [key: string]: StreamingOption | undefined }
  /** When it was live, by country: its places as in `/shows/{id}/history`, as far down as the seasons and episodes of the answer. Only with `include=history`. */
  history?: { [key: string]: PlaceHistory[] | undefined }
}

/** A season of a series. */
export interface Season {
  /** Always `season`. */
  itemType: 'season'
  /** Title of the season. */
  title: string
  /** First year on air. */
  firstAirYear: number
  /** Last year on air. */
  lastAirYear: number
  /** Streaming options by lower-case country code; a country without options has no entry. */
  streamingOptions: { [key: string]: StreamingOption[] | undefined }
  /** Its episodes, at granularity `episode`. */
  episodes?: Episode[]
  /** Number of the season, from 1. Only with `include=numbers`. */
  number?: number
}

/** An episode of a season. */
export interface Episode {
  /** Always `episode`. */
  itemType: 'episode'
  /** Title of the episode. */
  title: string
  /** What it is about. */
  overview?: string
  /** Year on air. */
  airYear: number
  /** Streaming options by lower-case country code; a country without options has no entry. */
  streamingOptions: { [key: string]: StreamingOption[] | undefined }
  /** Number of the episode, from 1. Only with `include=numbers`. */
  number?: number
}

/** A movie or a series. */
export type ShowType = 'movie' | 'series'

/** A whole show, a season or an episode. */
export type ItemType = 'show' | 'season' | 'episode'

/** One way to watch something in one country. */
export interface StreamingOption {
  /** A streaming service as it is in a country. */
  service: ServiceInfo
  /** How a service lets something be watched. */
  type: StreamingOptionType
  /** A channel that is subscribed to through a service. */
  addon?: Addon
  /** Deep link to it in the service's web app. */
  link: string
  /** Deep link to the player. */
  videoLink?: string
  /** The best video quality. */
  quality?: Quality
  /** Audio languages. */
  audios: Locale[]
  /** Subtitles. */
  subtitles: Subtitle[]
  /** What renting or buying costs. */
  price?: Price
  /** Whether it ends within 31 days, or shortly on a day that is not known. */
  expiresSoon: boolean
  /** When it ends, if that is known (Unix seconds). */
  expiresOn?: number
  /** When it was first seen (Unix seconds). */
  availableSince: number
  /** The sources that state it. Only with `include=provenance`. */
  provenance?: Provenance[]
}

/** A source that states an option. */
export interface Provenance {
  /** Name of the source. */
  source: string
  /** Since when it states the option (Unix seconds). */
  firstConfirmed: number
  /** When its last complete feed for the option's country and service was imported, if there was one since (Unix seconds). */
  lastConfirmed?: number
}

/** Popularity in a country by span of time: higher is more popular. */
export interface Popularity {
  /** Of all time. */
  alltime?: number
  /** Of the last year. */
  '1year'?: number
  /** Of the last month. */
  '1month'?: number
  /** Of the last week. */
  '1week'?: number
}

/** How a service lets something be watched. */
export type StreamingOptionType = 'subscription' | 'free' | 'rent' | 'buy' | 'addon'

/** What renting or buying costs. */
export interface Price {
  /** The amount as a decimal number. */
  amount: string
  /** ISO 4217 code of the currency. */
  currency: string
  /** Amount and currency. */
  formatted: string
}

/** A language, and where it is spoken if that matters. */
export interface Locale {
  /** ISO 639-2 or 639-3 code. */
  language: string
  /** ISO 3166-1 alpha-3 or UN M49 code. */
  region?: string
}

/** A subtitle track. */
export interface Subtitle {
  /** Whether it describes sounds too. */
  closedCaptions: boolean
  /** A language, and where it is spoken if that matters. */
  locale: Locale
}

/** Posters carry the title; backdrops carry no text. */
export interface ShowImageSet {
  /** A vertical image by width. */
  verticalPoster: VerticalImage
  /** A horizontal image by width. */
  horizontalPoster: HorizontalImage
  /** A vertical image by width. */
  verticalBackdrop?: VerticalImage
  /** A horizontal image by width. */
  horizontalBackdrop?: HorizontalImage
}

/** A vertical image by width. */
export interface VerticalImage {
  /** The image, 240 pixels wide. */
  w240: string
  /** The image, 360 pixels wide. */
  w360: string
  /** The image, 480 pixels wide. */
  w480: string
  /** The image, 600 pixels wide. */
  w600: string
  /** The image, 720 pixels wide. */
  w720: string
}

/** A horizontal image by width. */
export interface HorizontalImage {
  /** The image, 360 pixels wide. */
  w360: string
  /** The image, 480 pixels wide. */
  w480: string
  /** The image, 720 pixels wide. */
  w720: string
  /** The image, 1080 pixels wide. */
  w1080: string
  /** The image, 1440 pixels wide. */
  w1440: string
}

/** A streaming service as it is in a country. */
export interface ServiceInfo {
  /** Id of the service. */
  id: string
  /** Name of the service. */
  name: string
  /** Address of its home page. */
  homePage: string
  /** Its colour as a hex code. */
  themeColorCode: string
  /** Logos. */
  imageSet: ServiceImageSet
  /** Its ids in the provider lists of TMDB, ascending. Only with `include=tmdbProviderIds`. */
  tmdbProviderIds?: number[]
}

/** A channel that is subscribed to through a service. */
export interface Addon {
  /** Id of the addon. */
  id: string
  /** Name of the addon. */
  name: string
  /** Address of its home page. */
  homePage: string
  /** Its colour as a hex code. */
  themeColorCode: string
  /** Logos. */
  imageSet: ServiceImageSet
}

/** A streaming service in a country, with all that it offers there. */
export interface Service {
  /** Id of the service. */
  id: string
  /** Name of the service. */
  name: string
  /** Address of its home page. */
  homePage: string
  /** Its colour as a hex code. */
  themeColorCode: string
  /** Logos. */
  imageSet: ServiceImageSet
  /** Which option types a service has in a country. */
  streamingOptionTypes: StreamingOptionTypes
  /** Its addons in this country. */
  addons: Addon[]
  /** Its ids in the provider lists of TMDB, ascending. Only with `include=tmdbProviderIds`. */
  tmdbProviderIds?: number[]
}

/** Logos. */
export interface ServiceImageSet {
  /** For light backgrounds. */
  lightThemeImage: string
  /** For dark backgrounds. */
  darkThemeImage: string
  /** All white. */
  whiteImage: string
}

/** Which option types a service has in a country. */
export interface StreamingOptionTypes {
  /** Has `addon`. */
  addon: boolean
  /** Has `buy`. */
  buy: boolean
  /** Has `rent`. */
  rent: boolean
  /** Has `free`. */
  free: boolean
  /** Has `subscription`. */
  subscription: boolean
}

/** A country of the catalog. */
export interface Country {
  /** ISO 3166-1 alpha-2 code in lower case. */
  countryCode: string
  /** Name in the output language. */
  name: string
  /** Its services, the most popular first. */
  services: Service[]
}

/** A genre. */
export interface Genre {
  /** Id of the genre. */
  id: string
  /** Name in the output language. */
  name: string
}

/** Somebody in the cast of a show, or its director or creator. */
export interface Person {
  /** Name. */
  name: string
  /** In how many shows of the catalog. */
  showCount: number
}

/** Something that happened, or will, to the options of one item on one service. */
export interface Change {
  /** What happened or will happen. */
  changeType: ChangeType
  /** A whole show, a season or an episode. */
  itemType: ItemType
  /** Id of the show; the show itself is under it in `shows`. */
  showId: string
  /** A movie or a series. */
  showType: ShowType
  /** Number of the season, of seasons and episodes. */
  season?: number
  /** Number of the episode, of episodes. */
  episode?: number
  /** A streaming service as it is in a country. */
  service: ServiceInfo
  /** How a service lets something be watched. */
  streamingOptionType: StreamingOptionType
  /** A channel that is subscribed to through a service. */
  addon?: Addon
  /** When; left out only of future changes whose date is not known (Unix seconds). */
  timestamp?: number
  /** Deep link; left out only of upcoming changes whose link is not known. */
  link?: string
  /** The country; only in answers to requests for several countries, or for `any`. */
  country?: string
}

/** The data of an event of a stream: a change with its show. */
export interface StreamedChange {
  /** What happened or will happen. */
  changeType: ChangeType
  /** A whole show, a season or an episode. */
  itemType: ItemType
  /** Id of the show; the show itself is under it in `shows`. */
  showId: string
  /** A movie or a series. */
  showType: ShowType
  /** Number of the season, of seasons and episodes. */
  season?: number
  /** Number of the episode, of episodes. */
  episode?: number
  /** A streaming service as it is in a country. */
  service: ServiceInfo
  /** How a service lets something be watched. */
  streamingOptionType: StreamingOptionType
  /** A channel that is subscribed to through a service. */
  addon?: Addon
  /** When; left out only of future changes whose date is not known (Unix seconds). */
  timestamp?: number
  /** Deep link; left out only of upcoming changes whose link is not known. */
  link?: string
  /** The country; only in answers to requests for several countries, or for `any`. */
  country?: string
  /** A movie or a series. */
  show: Show
}

/** What happened or will happen. */
export type ChangeType = 'new' | 'updated' | 'removed' | 'expiring' | 'upcoming'

/** A page of shows. */
export interface SearchResult {
  /** The shows. */
  shows: Show[]
  /** Whether there is a next page. */
  hasMore: boolean
  /** The cursor of the next page; there only if there is one. */
  nextCursor?: string
}

/** How many shows pass filters. */
export interface ShowCount {
  /** How many shows. */
  count: number
  /** Counts by value, the highest first. Values that no show has are left out, and so are facets that were not asked for. */
  facets: Facets
  /** Counts with other values of filters, in the order of `steps`, if that was given. */
  steps?: StepCount[]
}

/** Counts by value, the highest first. Values that no show has are left out, and so are facets that were not asked for. */
export interface Facets {
  /** By service. */
  services?: FacetCount[]
  /** By type of show. */
  showTypes?: FacetCount[]
  /** By genre. */
  genres?: FacetCount[]
  /** By release year of movies and first air year of series. */
  years?: FacetCount[]
  /** By original language. */
  languages?: FacetCount[]
}

/** How many shows have a value. */
export interface FacetCount {
  /** Id of a service or genre, a type of show, a year, or an ISO 639-1 code. */
  value: string
  /** How many shows. */
  count: number
}

/** How many shows there are with another value of a filter. */
export interface StepCount {
  /** Name of the filter. */
  filter: string
  /** Its value. */
  value: string
  /** How many shows. */
  count: number
}

/** When a show was live in a country. */
export interface ShowHistory {
  /** Id of the show. */
  showId: string
  /** The country. */
  country: string
  /** By season, episode, service, option type and addon. */
  places: PlaceHistory[]
}

/** When a show, a season or an episode was live on a service, by option type and addon. */
export interface PlaceHistory {
  /** A whole show, a season or an episode. */
  itemType: ItemType
  /** Number of the season, of seasons and episodes. */
  season?: number
  /** Number of the episode, of episodes. */
  episode?: number
  /** A streaming service as it is in a country. */
  service: ServiceInfo
  /** How a service lets something be watched. */
  streamingOptionType: StreamingOptionType
  /** A channel that is subscribed to through a service. */
  addon?: Addon
  /** The spans, the earliest first. */
  spans: Span[]
}

/** A time in which something was live without a break. */
export interface Span {
  /** When it began (Unix seconds). */
  from: number
  /** When it ended; absent while it is live (Unix seconds). */
  to?: number
  /** Its prices, the earliest first; empty where there are none. */
  prices: PriceSpan[]
}

/** A price, and when it held. */
export interface PriceSpan {
  /** Since when (Unix seconds). */
  from: number
  /** Until when; absent while it holds (Unix seconds). */
  to?: number
  /** The best video quality. */
  quality?: Quality
  /** What renting or buying costs. */
  price: Price
}

/** A page of changes. */
export interface ChangesResult {
  /** The changes, by date. */
  changes: Change[]
  /** The shows that the changes are about, by id. */
  shows: { [key: string]: Show | undefined }
  /** Whether there is a next page. */
  hasMore: boolean
  /** The cursor of the next page; there only if there is one. */
  nextCursor?: string
  /** The token of the answer: with `since`, what happens after it. Only in answers to requests with `since`. */
  since?: string
}

/** A line of an export: a show, or an object whose `kind` says what it is. */
export type ExportLine = Show | ExportHead | ExportRemoval | ExportCheckpoint | ExportEnd

/** The first line of an export. */
export interface ExportHead {
  /** Always `export`. */
  kind: 'export'
  /** The country. */
  country: string
  /** How much of a series the lines have. */
  seriesGranularity: SeriesGranularity
  /** The language of the lines. */
  outputLanguage: string
  /** The token that was asked for: the export has what was altered after it. */
  from?: string
  /** The token of the export, for the next one. */
  since: string
}

/** A show that can no longer be watched in the country. */
export interface ExportRemoval {
  /** Always `remove`. */
  kind: 'remove'
  /** Id of the show. */
  id: string
}

/** A place from which the export can go on after it was cut off. */
export interface ExportCheckpoint {
  /** Always `checkpoint`. */
  kind: 'checkpoint'
  /** For the parameter `cursor`. */
  cursor: string
}

/** The last line of an export. */
export interface ExportEnd {
  /** Always `end`. */
  kind: 'end'
  /** Whether this is all; otherwise the rest follows at the cursor. */
  complete: boolean
  /** How many shows came in this part. */
  shows: number
  /** For the parameter `cursor`. */
  cursor?: string
}

/** What went wrong. The headers `X-Error-Code` and `X-Error-Parameter` say it to programs. */
export interface ErrorBody {
  /** For people. */
  message: string
}

/** What went wrong, as problem details (RFC 9457): for requests that accept them. */
export interface Problem {
  /** Address of the documentation of the error. */
  type: string
  /** What the code means. */
  title: string
  /** The status of the response. */
  status: number
  /** What is wrong with this request, for people. */
  detail: string
  /** For programs. */
  code: ErrorCode | (string & {})
  /** The parameter at fault. */
  parameter?: string
  /** Seconds after which it is worth trying again. */
  retryAfter?: number
  /** Finds the request in the log of the service. */
  requestId: string
  /** The base address that the key belongs to. */
  base?: string
  /** The header that the key belongs in. */
  header?: string
}

/** Parameters of "Get a show". */
export interface GetShowParameters {
  /** Only the options of this country (ISO 3166-1 alpha-2), or of up to 10, such as `us,gb,de`. `any` is the same as leaving it out. */
  country?: string | undefined
  /** How much of a series is answered: no seasons, seasons, or seasons with episodes. Movies are not affected. By default `episode`. */
  seriesGranularity?: SeriesGranularity | undefined
  /** ISO 639-1 code of the language in which names and texts are answered, in any case. By default `en`. */
  outputLanguage?: OutputLanguage | undefined
  /** Only these members, up to 100, in the order in which answers have them; dots lead into objects, also through lists and by country (`streamingOptions.link`). Members that are not named are left out, required ones too. */
  fields?: readonly string[] | undefined
  /** Members to add: `numbers`, `provenance`, `tmdbProviderIds`, `aliases`, `originalLanguage`, `popularity`, `bestOffer`, `history`. `numbers` are those of seasons and episodes, `provenance` is of options, `tmdbProviderIds` are of services, all else is of shows. */
  include?: readonly string[] | undefined
  /** For `bestOffer`: up to 32 subscriptions that the viewer has, each `<service>` or `<service>.addon.<addon>`. */
  services?: readonly string[] | undefined
}

/** Parameters of "Get several shows". */
export interface GetShowsParameters {
  /** Up to 100 ids of any kind: of the show itself, IMDb ids (`tt…`), TMDB ids (`movie/…`, `tv/…`). */
  ids: readonly string[]
  /** Only the options of this country (ISO 3166-1 alpha-2), or of up to 10, such as `us,gb,de`. `any` is the same as leaving it out. */
  country?: string | undefined
  /** How much of a series is answered: no seasons, seasons, or seasons with episodes. Movies are not affected. By default `episode`. */
  seriesGranularity?: SeriesGranularity | undefined
  /** ISO 639-1 code of the language in which names and texts are answered, in any case. By default `en`. */
  outputLanguage?: OutputLanguage | undefined
  /** Only these members, up to 100, in the order in which answers have them; dots lead into objects, also through lists and by country (`streamingOptions.link`). Members that are not named are left out, required ones too. */
  fields?: readonly string[] | undefined
  /** Members to add: `numbers`, `provenance`, `tmdbProviderIds`, `aliases`, `originalLanguage`, `popularity`, `bestOffer`, `history`. `numbers` are those of seasons and episodes, `provenance` is of options, `tmdbProviderIds` are of services, all else is of shows. */
  include?: readonly string[] | undefined
  /** For `bestOffer`: up to 32 subscriptions that the viewer has, each `<service>` or `<service>.addon.<addon>`. */
  services?: readonly string[] | undefined
}

/** Parameters of "Get similar shows". */
export interface SimilarShowsParameters {
  /** ISO 3166-1 alpha-2 code of the country, in any case; or a list of up to 10 of them, such as `us,gb,de`; or `any` for all countries. With several, a show must be in one of them, and has the options of just those. */
  country: string
  /** Catalogs to look in; all of the country if left out. Each is `<service>` (everything on it), `<service>.<type>` (type: subscription, free, rent, buy, addon) or `<service>.addon.<addon>`. Ids come from `/countries`; one that the country does not have matches nothing. */
  catalogs?: readonly string[] | undefined
  /** Only movies or only series; both if left out. */
  showType?: ShowType | undefined
  /** The most shows, from 1 to 20. By default `20`. */
  limit?: number | undefined
  /** How much of a series is answered: no seasons, seasons, or seasons with episodes. Movies are not affected. By default `show`. */
  seriesGranularity?: SeriesGranularity | undefined
  /** ISO 639-1 code of the language in which names and texts are answered, in any case. By default `en`. */
  outputLanguage?: OutputLanguage | undefined
  /** Only these members, up to 100, in the order in which answers have them; dots lead into objects, also through lists and by country (`streamingOptions.link`). Members that are not named are left out, required ones too. */
  fields?: readonly string[] | undefined
  /** Members to add: `numbers`, `provenance`, `tmdbProviderIds`, `aliases`, `originalLanguage`, `popularity`, `bestOffer`, `history`. `numbers` are those of seasons and episodes, `provenance` is of options, `tmdbProviderIds` are of services, all else is of shows. */
  include?: readonly string[] | undefined
  /** For `bestOffer`: up to 32 subscriptions that the viewer has, each `<service>` or `<service>.addon.<addon>`. */
  services?: readonly string[] | undefined
}

/** Parameters of "Get the history of a show". */
export interface ShowHistoryParameters {
  /** ISO 3166-1 alpha-2 code of the country, in any case. */
  country: string
  /** How much of a series is answered: no seasons, seasons, or seasons with episodes. Movies are not affected. By default `episode`. */
  seriesGranularity?: SeriesGranularity | undefined
  /** ISO 639-1 code of the language in which names and texts are answered, in any case. By default `en`. */
  outputLanguage?: OutputLanguage | undefined
}

/** Parameters of "Search shows by filters". */
export interface FilterShowsParameters {
  /** ISO 3166-1 alpha-2 code of the country, in any case; or a list of up to 10 of them, such as `us,gb,de`; or `any` for all countries. With several, a show must be in one of them, and has the options of just those. */
  country: string
  /** Catalogs to look in; all of the country if left out. Each is `<service>` (everything on it), `<service>.<type>` (type: subscription, free, rent, buy, addon) or `<service>.addon.<addon>`. Ids come from `/countries`; one that the country does not have matches nothing. */
  catalogs?: readonly string[] | undefined
  /** ISO 639-1 code of the language in which names and texts are answered, in any case. By default `en`. */
  outputLanguage?: OutputLanguage | undefined
  /** Only movies or only series; both if left out. */
  showType?: ShowType | undefined
  /** Ids of genres, from `/genres`. */
  genres?: readonly string[] | undefined
  /** Whether a show must have one of the genres or all of them. By default `and`. */
  genresRelation?: GenresRelation | undefined
  /** ISO 639-1 code of the original language, in any case. */
  showOriginalLanguage?: string | undefined
  /** Least release year of a movie, or first air year of a series. */
  yearMin?: number | undefined
  /** Greatest release year of a movie, or first air year of a series. */
  yearMax?: number | undefined
  /** Least rating, from 0 to 100. */
  ratingMin?: number | undefined
  /** Greatest rating, from 0 to 100. */
  ratingMax?: number | undefined
  /** Words that all occur in the title or the overview. */
  keyword?: string | undefined
  /** Names of people, all of whom must be in the cast, or direct, or have created the show. Case, accents and the order of the words make no difference; a name that nobody has is taken for the nearest one. */
  people?: readonly string[] | undefined
  /** Least runtime in minutes, from 0 to 10000. Only movies whose runtime is known have one. */
  runtimeMin?: number | undefined
  /** Greatest runtime in minutes, from 0 to 10000. Only movies whose runtime is known have one. */
  runtimeMax?: number | undefined
  /** The most seasons, from 1 to 10000. Only series whose count of seasons is known have one. */
  seasonsMax?: number | undefined
  /** Ids of up to 32 genres, from `/genres`, none of which a show may have. */
  excludeGenres?: readonly string[] | undefined
  /** Only these shows. Up to 100 ids of any kind: of the show itself, IMDb ids (`tt…`), TMDB ids (`movie/…`, `tv/…`). */
  ids?: readonly string[] | undefined
  /** None of these shows. Up to 100 ids of any kind: of the show itself, IMDb ids (`tt…`), TMDB ids (`movie/…`, `tv/…`). */
  excludeIds?: readonly string[] | undefined
  /** Types of options on any service, at least one of which a show must have: subscription, free, rent, buy, addon. All filters on options, `catalogs` included, must hold for one and the same option. */
  optionTypes?: readonly string[] | undefined
  /** Up to 16 languages (ISO 639-1 or 639-2), one of which the option must have as audio. All filters on options, `catalogs` included, must hold for one and the same option. */
  audios?: readonly string[] | undefined
  /** Up to 16 languages (ISO 639-1 or 639-2), one of which the option must have as subtitles; with `-cc` behind it, as closed captions. All filters on options, `catalogs` included, must hold for one and the same option. */
  subtitles?: readonly string[] | undefined
  /** The least video quality; an option whose quality is not known has none. All filters on options, `catalogs` included, must hold for one and the same option. */
  qualityMin?: QualityMin | undefined
  /** The highest price to rent or buy; needs `currency`. Options without a price do not match. All filters on options, `catalogs` included, must hold for one and the same option. */
  priceMax?: string | undefined
  /** ISO 4217 code of the currency of `price_max`. Prices in other currencies do not match. */
  currency?: string | undefined
  /** The option was first seen at this time (Unix seconds) or later: what is new. All filters on options, `catalogs` included, must hold for one and the same option. */
  availableSinceMin?: number | Date | undefined
  /** The option ends before this time (Unix seconds), which must be known: what is leaving. All filters on options, `catalogs` included, must hold for one and the same option. */
  leavingBefore?: number | Date | undefined
  /** How much of a series is answered: no seasons, seasons, or seasons with episodes. Movies are not affected. By default `show`. */
  seriesGranularity?: SeriesGranularity | undefined
  /** What the shows are ordered by. Popularity is that in the country, or the highest in the countries. `available_since` is when the newest option was first seen, `leaving` when the first option ends (last those without a known end), each of the options that pass the filters. `random` needs `seed`. Ties are ordered by id. By default `original_title`. */
  orderBy?: OrderBy | undefined
  /** Chooses one of the random orders, from 0 to 4294967295: the same seed is the same order, on all pages. */
  seed?: number | undefined
  /** Direction of the order. By default descending for rating and popularity, ascending for all else. */
  orderDirection?: OrderDirection | undefined
  /** The most shows on a page. A number above the page size, which is 20, 15 or 10, changes nothing. */
  limit?: number | undefined
  /** The `nextCursor` of the page before, URL-encoded; the other parameters stay the same. */
  cursor?: string | undefined
  /** Only these members, up to 100, in the order in which answers have them; dots lead into objects, also through lists and by country (`streamingOptions.link`). Members that are not named are left out, required ones too. */
  fields?: readonly string[] | undefined
  /** Members to add: `numbers`, `provenance`, `tmdbProviderIds`, `aliases`, `originalLanguage`, `popularity`, `bestOffer`, `history`. `numbers` are those of seasons and episodes, `provenance` is of options, `tmdbProviderIds` are of services, all else is of shows. */
  include?: readonly string[] | undefined
  /** For `bestOffer`: up to 32 subscriptions that the viewer has, each `<service>` or `<service>.addon.<addon>`. */
  services?: readonly string[] | undefined
}

/** Parameters of "Count shows by filters". */
export interface CountShowsParameters {
  /** ISO 3166-1 alpha-2 code of the country, in any case; or a list of up to 10 of them, such as `us,gb,de`; or `any` for all countries. With several, a show must be in one of them, and has the options of just those. */
  country: string
  /** Catalogs to look in; all of the country if left out. Each is `<service>` (everything on it), `<service>.<type>` (type: subscription, free, rent, buy, addon) or `<service>.addon.<addon>`. Ids come from `/countries`; one that the country does not have matches nothing. */
  catalogs?: readonly string[] | undefined
  /** ISO 639-1 code of the language in which names and texts are answered, in any case. By default `en`. */
  outputLanguage?: OutputLanguage | undefined
  /** Only movies or only series; both if left out. */
  showType?: ShowType | undefined
  /** Ids of genres, from `/genres`. */
  genres?: readonly string[] | undefined
  /** Whether a show must have one of the genres or all of them. By default `and`. */
  genresRelation?: GenresRelation | undefined
  /** ISO 639-1 code of the original language, in any case. */
  showOriginalLanguage?: string | undefined
  /** Least release year of a movie, or first air year of a series. */
  yearMin?: number | undefined
  /** Greatest release year of a movie, or first air year of a series. */
  yearMax?: number | undefined
  /** Least rating, from 0 to 100. */
  ratingMin?: number | undefined
  /** Greatest rating, from 0 to 100. */
  ratingMax?: number | undefined
  /** Words that all occur in the title or the overview. */
  keyword?: string | undefined
  /** Names of people, all of whom must be in the cast, or direct, or have created the show. Case, accents and the order of the words make no difference; a name that nobody has is taken for the nearest one. */
  people?: readonly string[] | undefined
  /** Least runtime in minutes, from 0 to 10000. Only movies whose runtime is known have one. */
  runtimeMin?: number | undefined
  /** Greatest runtime in minutes, from 0 to 10000. Only movies whose runtime is known have one. */
  runtimeMax?: number | undefined
  /** The most seasons, from 1 to 10000. Only series whose count of seasons is known have one. */
  seasonsMax?: number | undefined
  /** Ids of up to 32 genres, from `/genres`, none of which a show may have. */
  excludeGenres?: readonly string[] | undefined
  /** Only these shows. Up to 100 ids of any kind: of the show itself, IMDb ids (`tt…`), TMDB ids (`movie/…`, `tv/…`). */
  ids?: readonly string[] | undefined
  /** None of these shows. Up to 100 ids of any kind: of the show itself, IMDb ids (`tt…`), TMDB ids (`movie/…`, `tv/…`). */
  excludeIds?: readonly string[] | undefined
  /** Types of options on any service, at least one of which a show must have: subscription, free, rent, buy, addon. All filters on options, `catalogs` included, must hold for one and the same option. */
  optionTypes?: readonly string[] | undefined
  /** Up to 16 languages (ISO 639-1 or 639-2), one of which the option must have as audio. All filters on options, `catalogs` included, must hold for one and the same option. */
  audios?: readonly string[] | undefined
  /** Up to 16 languages (ISO 639-1 or 639-2), one of which the option must have as subtitles; with `-cc` behind it, as closed captions. All filters on options, `catalogs` included, must hold for one and the same option. */
  subtitles?: readonly string[] | undefined
  /** The least video quality; an option whose quality is not known has none. All filters on options, `catalogs` included, must hold for one and the same option. */
  qualityMin?: QualityMin | undefined
  /** The highest price to rent or buy; needs `currency`. Options without a price do not match. All filters on options, `catalogs` included, must hold for one and the same option. */
  priceMax?: string | undefined
  /** ISO 4217 code of the currency of `price_max`. Prices in other currencies do not match. */
  currency?: string | undefined
  /** The option was first seen at this time (Unix seconds) or later: what is new. All filters on options, `catalogs` included, must hold for one and the same option. */
  availableSinceMin?: number | Date | undefined
  /** The option ends before this time (Unix seconds), which must be known: what is leaving. All filters on options, `catalogs` included, must hold for one and the same option. */
  leavingBefore?: number | Date | undefined
  /** What to count by: services, showTypes, genres, years, languages. All of them if left out. */
  facets?: readonly string[] | undefined
  /** Which filters facets are counted with. `others` leaves out the one on what a facet counts by: services without `catalogs`, showTypes without `show_type`, genres without `genres` if `genres_relation` is `or`, years without `year_min` and `year_max`, languages without `show_original_language`. By default `all`. */
  facetFilters?: FacetFilters | undefined
  /** Up to 12 other values of filters, each `<filter>:<value>`, with which shows are counted in place of the value that the filter has. The filters are `show_type`, `year_min`, `year_max`, `rating_min`, `rating_max`, `runtime_min`, `runtime_max`, `seasons_max`, `quality_min`, `price_max`, `available_since_min`, `leaving_before`. */
  steps?: readonly string[] | undefined
}

/** Parameters of "Search shows by title". */
export interface SearchShowsParameters {
  /** The title, or a part of it. */
  title: string
  /** ISO 3166-1 alpha-2 code of the country, in any case; or a list of up to 10 of them, such as `us,gb,de`; or `any` for all countries. With several, a show must be in one of them, and has the options of just those. Equally good matches are ordered by their popularity in the first of them. */
  country: string
  /** Catalogs to look in; all of the country if left out. Each is `<service>` (everything on it), `<service>.<type>` (type: subscription, free, rent, buy, addon) or `<service>.addon.<addon>`. Ids come from `/countries`; one that the country does not have matches nothing. */
  catalogs?: readonly string[] | undefined
  /** Only movies or only series; both if left out. */
  showType?: ShowType | undefined
  /** Ids of genres, from `/genres`. */
  genres?: readonly string[] | undefined
  /** Least release year of a movie, or first air year of a series. */
  yearMin?: number | undefined
  /** Greatest release year of a movie, or first air year of a series. */
  yearMax?: number | undefined
  /** The most shows, from 1 to 20. If left out, 20, or all whose title equals the phrase. */
  limit?: number | undefined
  /** How much of a series is answered: no seasons, seasons, or seasons with episodes. Movies are not affected. By default `show`. */
  seriesGranularity?: SeriesGranularity | undefined
  /** ISO 639-1 code of the language in which names and texts are answered, in any case. By default `en`. */
  outputLanguage?: OutputLanguage | undefined
  /** Only these members, up to 100, in the order in which answers have them; dots lead into objects, also through lists and by country (`streamingOptions.link`). Members that are not named are left out, required ones too. */
  fields?: readonly string[] | undefined
  /** Members to add: `numbers`, `provenance`, `tmdbProviderIds`, `aliases`, `originalLanguage`, `popularity`, `bestOffer`, `history`. `numbers` are those of seasons and episodes, `provenance` is of options, `tmdbProviderIds` are of services, all else is of shows. */
  include?: readonly string[] | undefined
  /** For `bestOffer`: up to 32 subscriptions that the viewer has, each `<service>` or `<service>.addon.<addon>`. */
  services?: readonly string[] | undefined
}

/** Parameters of "Get the top shows of a service". */
export interface TopShowsParameters {
  /** ISO 3166-1 alpha-2 code of the country, in any case. */
  country: string
  /** Id of the service, from `/countries`. */
  service: string
  /** Only movies or only series; both if left out. */
  showType?: ShowType | undefined
  /** ISO 639-1 code of the language in which names and texts are answered, in any case. By default `en`. */
  outputLanguage?: OutputLanguage | undefined
  /** Only these members, up to 100, in the order in which answers have them; dots lead into objects, also through lists and by country (`streamingOptions.link`). Members that are not named are left out, required ones too. */
  fields?: readonly string[] | undefined
  /** Members to add: `numbers`, `provenance`, `tmdbProviderIds`, `aliases`, `originalLanguage`, `popularity`, `bestOffer`, `history`. `numbers` are those of seasons and episodes, `provenance` is of options, `tmdbProviderIds` are of services, all else is of shows. */
  include?: readonly string[] | undefined
  /** For `bestOffer`: up to 32 subscriptions that the viewer has, each `<service>` or `<service>.addon.<addon>`. */
  services?: readonly string[] | undefined
}

/** Parameters of "Search people by name". */
export interface SearchPeopleParameters {
  /** The name, or a part of it. */
  name: string
  /** The most people, from 1 to 50. By default `20`. */
  limit?: number | undefined
}

/** Parameters of "Get changes". */
export interface ListChangesParameters {
  /** ISO 3166-1 alpha-2 code of the country, in any case; or a list of up to 10 of them, such as `us,gb,de`; or `any` for all countries. With a list of several or `any`, each change says its `country`, and shows have the options of just those countries. */
  country: string
  /** What happened (`new`, `updated`, `removed`) or will happen (`expiring`, `upcoming`); one or several. */
  changeType: ChangeType | readonly ChangeType[]
  /** What it happened to (`show`, `season`, `episode`); one or several. */
  itemType: ItemType | readonly ItemType[]
  /** Catalogs to look in; all of the country if left out. Each is `<service>` (everything on it), `<service>.<type>` (type: subscription, free, rent, buy, addon) or `<service>.addon.<addon>`. Ids come from `/countries`; one that the country does not have matches nothing. */
  catalogs?: readonly string[] | undefined
  /** Only movies or only series; both if left out. */
  showType?: ShowType | undefined
  /** The earliest change (Unix seconds). Past changes: from the start of the day 31 days ago to the end of today; future changes: from the start of today to the end of the day 31 days ahead. Days are UTC. */
  from?: number | Date | undefined
  /** The latest change (Unix seconds). Past changes: from the start of the day 31 days ago to the end of today; future changes: from the start of today to the end of the day 31 days ahead. Days are UTC. */
  to?: number | Date | undefined
  /** Whether future changes without a date are answered; they count as timestamp 0. By default `false`. */
  includeUnknownDates?: boolean | undefined
  /** The `since` of an earlier answer, or of an export: only what has happened after it. `now` answers the token of this moment. For past changes; not together with `from`, `to` and `order_direction`. */
  since?: string | undefined
  /** The `nextCursor` of the page before, URL-encoded; the other parameters stay the same. */
  cursor?: string | undefined
  /** Direction of the order. Ascending by default. */
  orderDirection?: OrderDirection | undefined
  /** ISO 639-1 code of the language in which names and texts are answered, in any case. By default `en`. */
  outputLanguage?: OutputLanguage | undefined
  /** Only these members, up to 100, in the order in which answers have them; dots lead into objects, also through lists and by country (`streamingOptions.link`). Members that are not named are left out, required ones too. Members of the show begin with `show.`; without any, `shows` is empty. */
  fields?: readonly string[] | undefined
  /** Members to add: `numbers`, `provenance`, `tmdbProviderIds`, `aliases`, `originalLanguage`, `popularity`, `bestOffer`, `history`. `numbers` are those of seasons and episodes, `provenance` is of options, `tmdbProviderIds` are of services, all else is of shows. */
  include?: readonly string[] | undefined
  /** For `bestOffer`: up to 32 subscriptions that the viewer has, each `<service>` or `<service>.addon.<addon>`. */
  services?: readonly string[] | undefined
}

/** Parameters of "Stream changes". */
export interface StreamChangesParameters {
  /** ISO 3166-1 alpha-2 code of the country, in any case. */
  country: string
  /** What happened (`new`, `updated`, `removed`); one or several. */
  changeType: ChangeType | readonly ChangeType[]
  /** What it happened to (`show`, `season`, `episode`); one or several. */
  itemType: ItemType | readonly ItemType[]
  /** Catalogs to look in; all of the country if left out. Each is `<service>` (everything on it), `<service>.<type>` (type: subscription, free, rent, buy, addon) or `<service>.addon.<addon>`. Ids come from `/countries`; one that the country does not have matches nothing. */
  catalogs?: readonly string[] | undefined
  /** Only movies or only series; both if left out. */
  showType?: ShowType | undefined
  /** Where to begin: the `since` of an answer of `/changes`, of an export, or the id of an event. `now` by default. The header `Last-Event-ID` takes precedence. */
  since?: string | undefined
  /** ISO 639-1 code of the language in which names and texts are answered, in any case. By default `en`. */
  outputLanguage?: OutputLanguage | undefined
}

/** Parameters of "Export a country". */
export interface ExportCatalogParameters {
  /** ISO 3166-1 alpha-2 code of the country, in any case. */
  country: string
  /** The `since` of an earlier export: only what was altered after it. */
  since?: string | undefined
  /** How much of a series is answered: no seasons, seasons, or seasons with episodes. Movies are not affected. By default `episode`. */
  seriesGranularity?: SeriesGranularity | undefined
  /** ISO 639-1 code of the language in which names and texts are answered, in any case. By default `en`. */
  outputLanguage?: OutputLanguage | undefined
  /** The cursor of the last line of an export that was cut off; the other parameters stay the same. */
  cursor?: string | undefined
}

/** Parameters of "Get all countries". */
export interface ListCountriesParameters {
  /** ISO 639-1 code of the language in which names and texts are answered, in any case. By default `en`. */
  outputLanguage?: OutputLanguage | undefined
  /** Members to add: `tmdbProviderIds`, the ids of services in the provider lists of TMDB. */
  include?: readonly string[] | undefined
}

/** Parameters of "Get a country". */
export interface GetCountryParameters {
  /** ISO 639-1 code of the language in which names and texts are answered, in any case. By default `en`. */
  outputLanguage?: OutputLanguage | undefined
  /** Members to add: `tmdbProviderIds`, the ids of services in the provider lists of TMDB. */
  include?: readonly string[] | undefined
}

/** Parameters of "Get all genres". */
export interface ListGenresParameters {
  /** ISO 639-1 code of the language in which names and texts are answered, in any case. By default `en`. */
  outputLanguage?: OutputLanguage | undefined
}

/** The best video quality. */
export type Quality = 'sd' | 'hd' | 'qhd' | 'uhd'

/** How much of a series is answered: no seasons, seasons, or seasons with episodes. */
export type SeriesGranularity = 'show' | 'season' | 'episode'

/** What went wrong, for programs. */
export type ErrorCode = 'invalid_parameter' | 'missing_parameter' | 'unknown_parameter' | 'invalid_cursor' | 'malformed_request' | 'missing_key' | 'invalid_key' | 'wrong_key_source' | 'key_revoked' | 'origin_not_allowed' | 'not_in_plan' | 'not_found' | 'method_not_allowed' | 'request_timeout' | 'token_expired' | 'uri_too_long' | 'quota_exceeded' | 'rate_limited' | 'too_many_streams' | 'headers_too_large' | 'internal' | 'unavailable' | 'overloaded'

/** Languages in which names and texts are answered (ISO 639-1). */
export type OutputLanguage = 'en' | 'es' | 'fr' | 'tr' | 'de' | 'it' | 'pt' | 'nl' | 'pl' | 'sv' | 'ja' | 'ko'

/** Whether a show must have one of several genres or all of them. */
export type GenresRelation = 'or' | 'and'

export type QualityMin = 'sd' | 'hd' | 'qhd' | 'uhd'

/** What shows are ordered by. */
export type OrderBy = 'original_title' | 'release_date' | 'rating' | 'popularity_alltime' | 'popularity_1year' | 'popularity_1month' | 'popularity_1week' | 'runtime' | 'available_since' | 'leaving' | 'random'

/** Direction of an order. */
export type OrderDirection = 'asc' | 'desc'

export type FacetFilters = 'all' | 'others'
