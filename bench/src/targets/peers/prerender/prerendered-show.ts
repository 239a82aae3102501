import type { FeedOption, FeedOptions, FeedSeason, FeedShow } from '../../../data/feed.ts'
import { normalize, tokenize } from '../analyzer.ts'
import type { Reference } from './reference.ts'

/** Popularity spans in the order of the columns. */
const SPANS = ['alltime', '1year', '1month', '1week'] as const

/** A show as JSON fragments: `head + options + seasons + '}'` is the show in the format of the API. */
export interface PrerenderedShow {
  readonly id: number
  readonly imdbId: string
  readonly tmdbId: string
  readonly movie: boolean
  readonly originalTitle: string
  readonly year: number | undefined
  readonly rating: number
  readonly language: string
  readonly genres: readonly string[]
  /** Everything before the options. */
  readonly head: string
  /** Seasons and episodes without options, for countries without offers; empty for a movie. */
  readonly outline: string
  readonly allOptions: string
  readonly allSeasons: string
  /** Normalized titles. */
  readonly titles: readonly string[]
  /** Words that `keyword` searches. */
  readonly words: readonly string[]
  readonly listings: readonly Listing[]
  /** All-time popularity by country, also where the show is not available: the rank of title searches. */
  readonly popularity: readonly (readonly [country: string, value: number])[]
}

/** A show in a country where it is available. */
export interface Listing {
  readonly country: string
  readonly options: string
  readonly seasons: string
  /** Most specific form: `prime.rent`, `prime.addon.starz`. */
  readonly catalogs: readonly string[]
  /** In the order of SPANS. */
  readonly popularity: readonly number[]
}

/** Prerenders a show record. */
export function prerenderShow(show: FeedShow, reference: Reference, now: number): PrerenderedShow {
  const movie = show.showType === 'movie'
  const printed = renderOptions(show.streamingOptions, reference, now)
  return {
    id: Number(show.id),
    imdbId: show.imdbId,
    tmdbId: show.tmdbId,
    movie,
    originalTitle: show.originalTitle,
    year: movie ? show.releaseYear : show.firstAirYear,
    rating: show.rating,
    language: show.originalLanguage ?? '',
    genres: show.genres,
    head: renderHead(show, reference),
    outline: renderSeasons(show, () => '{}'),
    allOptions: joinOptions(printed),
    allSeasons: renderSeasons(show, (options) => joinOptions(renderOptions(options, reference, now))),
    titles: [...new Set([show.title, show.originalTitle, ...translatedTitles(show)].map(normalize))],
    words: tokenize(show.title, show.originalTitle, show.overview),
    listings: [...printed].map(([country, options]) => ({
      country,
      options: `{"${country}":${options}}`,
      seasons: renderSeasons(show, (all) => {
        const own = all[country]
        return own === undefined ? '{}' : joinOptions(renderOptions({ [country]: own }, reference, now))
      }),
      catalogs: [...new Set(liveOptions(show.streamingOptions[country]!).map(optionCatalog))],
      popularity: SPANS.map((span) => show.popularity?.[country]?.[span] ?? 0),
    })),
    popularity: Object.entries(show.popularity ?? {}).map(([country, spans]) => [country, spans.alltime ?? 0]),
  }
}

/** The value of `catalogs` that selects an option. */
function optionCatalog({ service, type, addon }: FeedOption): string {
  return addon === undefined ? `${service}.${type}` : `${service}.addon.${addon}`
}

/** Options that are available now. */
function liveOptions(options: readonly FeedOption[]): FeedOption[] {
  return options.filter(({ startsOn }) => startsOn === undefined)
}

function renderHead(show: FeedShow, reference: Reference): string {
  const { kind: _, streamingOptions: __, seasons: ___, popularity, translations, originalLanguage, ...rest } = show
  const { genres, ...others } = rest
  const text = JSON.stringify({ ...others, genres: [] })
  const printed = genres.map((id) => reference.genres[id] ?? '{}').join(',')
  // Genres come last; clients ignore the order of keys, and the size is the same.
  return `${text.slice(0, -2)}${printed}],"streamingOptions":`
}

function renderSeasons(show: FeedShow, options: (all: FeedOptions) => string): string {
  if (show.seasons === undefined) return ''
  return `,"seasons":[${show.seasons.map((season) => renderSeason(season, options)).join(',')}]`
}

function renderSeason(
  { streamingOptions, episodes = [], ...season }: FeedSeason,
  options: (all: FeedOptions) => string,
) {
  const texts = episodes.map(({ streamingOptions, ...episode }) => {
    return `${JSON.stringify(episode).slice(0, -1)},"streamingOptions":${options(streamingOptions)}}`
  })
  const head = JSON.stringify(season).slice(0, -1)
  return `${head},"streamingOptions":${options(streamingOptions)},"episodes":[${texts.join(',')}]}`
}

function renderOptions(all: FeedOptions, reference: Reference, now: number): Map<string, string> {
  const printed = new Map<string, string>()
  for (const [country, options] of Object.entries(all)) {
    const texts = liveOptions(options).map((option) => renderOption(option, country, reference, now))
    if (texts.length > 0) printed.set(country, `[${texts.join(',')}]`)
  }
  return printed
}

function joinOptions(printed: Map<string, string>): string {
  return `{${[...printed].map(([country, options]) => `"${country}":${options}`).join(',')}}`
}

const MONTH = 31 * 86_400

function renderOption(option: FeedOption, country: string, reference: Reference, now: number): string {
  const { service, addon, source: _, ...rest } = option
  const expiresSoon = rest.expiresOn === undefined ? rest.expiresSoon === true : rest.expiresOn <= now + MONTH
  const addonText = addon === undefined ? '' : `"addon":${reference.addons[country]?.[`${service}.${addon}`] ?? '{}'},`
  const text = JSON.stringify({ ...rest, expiresSoon })
  return `{"service":${reference.services[country]?.[service] ?? '{}'},${addonText}${text.slice(1)}`
}

function translatedTitles({ translations = {} }: FeedShow): string[] {
  return Object.values(translations).flatMap(({ title }) => title ?? [])
}
