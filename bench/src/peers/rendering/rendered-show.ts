import type { FeedOption, FeedOptions, FeedSeason, FeedShow } from '../../support/feed.ts'
import { plain, wordsOf } from '../text.ts'
import type { Reference } from './reference.ts'

/** The spans for which popularity is counted, in the order of the columns. */
export const SPANS = ['alltime', '1year', '1month', '1week'] as const

/**
 * A show with its answers printed beforehand, so that a peer joins texts and builds nothing:
 * `head + options + seasons + '}'` is a show as the API prints it.
 */
export interface RenderedShow {
  readonly id: number
  readonly imdbId: string
  readonly tmdbId: string
  readonly movie: boolean
  readonly originalTitle: string
  readonly year: number | undefined
  readonly rating: number
  readonly language: string
  readonly genres: readonly string[]
  /** All that comes before the options. */
  readonly head: string
  /** Seasons and episodes without options, for countries where there are none; empty for a movie. */
  readonly outline: string
  readonly allOptions: string
  readonly allSeasons: string
  /** Its titles as they are compared. */
  readonly titles: readonly string[]
  /** What `keyword` looks at. */
  readonly words: readonly string[]
  readonly places: readonly RenderedPlace[]
  /** Popularity of all times, also in countries where it cannot be watched: titles are ranked by it. */
  readonly popularity: readonly (readonly [country: string, value: number])[]
}

/** A show in a country where it can be watched. */
export interface RenderedPlace {
  readonly country: string
  readonly options: string
  readonly seasons: string
  /** In its narrowest form: `prime.rent`, `prime.addon.starz`. */
  readonly catalogs: readonly string[]
  /** By span, as in SPANS. */
  readonly popularity: readonly number[]
}

/** Prints a show of a feed. */
export function renderShow(show: FeedShow, reference: Reference, now: number): RenderedShow {
  const movie = show.showType === 'movie'
  const printed = printOptions(show.streamingOptions, reference, now)
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
    head: headOf(show, reference),
    outline: seasonsOf(show, () => '{}'),
    allOptions: optionsObject(printed),
    allSeasons: seasonsOf(show, (options) => optionsObject(printOptions(options, reference, now))),
    titles: [...new Set([show.title, show.originalTitle, ...translatedTitles(show)].map(plain))],
    words: wordsOf(show.title, show.originalTitle, show.overview),
    places: [...printed].map(([country, options]) => ({
      country,
      options: `{"${country}":${options}}`,
      seasons: seasonsOf(show, (all) => {
        const own = all[country]
        return own === undefined ? '{}' : optionsObject(printOptions({ [country]: own }, reference, now))
      }),
      catalogs: [...new Set(live(show.streamingOptions[country]!).map(catalogOf))],
      popularity: SPANS.map((span) => show.popularity?.[country]?.[span] ?? 0),
    })),
    popularity: Object.entries(show.popularity ?? {}).map(([country, spans]) => [country, spans.alltime ?? 0]),
  }
}

/** Where an option is found: service and type, or service and addon. */
export function catalogOf({ service, type, addon }: FeedOption): string {
  return addon === undefined ? `${service}.${type}` : `${service}.addon.${addon}`
}

/** Options that can be watched now. */
export function live(options: readonly FeedOption[]): FeedOption[] {
  return options.filter(({ startsOn }) => startsOn === undefined)
}

function headOf(show: FeedShow, reference: Reference): string {
  const { kind: _, streamingOptions: __, seasons: ___, popularity, translations, originalLanguage, ...rest } = show
  const { genres, ...others } = rest
  const text = JSON.stringify({ ...others, genres: [] })
  const printed = genres.map((id) => reference.genres[id] ?? '{}').join(',')
  // Genres stand at the end here; the order of keys means nothing to a client, and the size is the same.
  return `${text.slice(0, -2)}${printed}],"streamingOptions":`
}

function seasonsOf(show: FeedShow, options: (all: FeedOptions) => string): string {
  if (show.seasons === undefined) return ''
  return `,"seasons":[${show.seasons.map((season) => seasonText(season, options)).join(',')}]`
}

function seasonText({ streamingOptions, episodes = [], ...season }: FeedSeason, options: (all: FeedOptions) => string) {
  const texts = episodes.map(({ streamingOptions, ...episode }) => {
    return `${JSON.stringify(episode).slice(0, -1)},"streamingOptions":${options(streamingOptions)}}`
  })
  const head = JSON.stringify(season).slice(0, -1)
  return `${head},"streamingOptions":${options(streamingOptions)},"episodes":[${texts.join(',')}]}`
}

function printOptions(all: FeedOptions, reference: Reference, now: number): Map<string, string> {
  const printed = new Map<string, string>()
  for (const [country, options] of Object.entries(all)) {
    const texts = live(options).map((option) => optionText(option, country, reference, now))
    if (texts.length > 0) printed.set(country, `[${texts.join(',')}]`)
  }
  return printed
}

function optionsObject(printed: Map<string, string>): string {
  return `{${[...printed].map(([country, options]) => `"${country}":${options}`).join(',')}}`
}

const MONTH = 31 * 86_400

function optionText(option: FeedOption, country: string, reference: Reference, now: number): string {
  const { service, addon, source: _, ...rest } = option
  const expiresSoon = rest.expiresOn === undefined ? rest.expiresSoon === true : rest.expiresOn <= now + MONTH
  const addonText = addon === undefined ? '' : `"addon":${reference.addons[country]?.[`${service}.${addon}`] ?? '{}'},`
  const text = JSON.stringify({ ...rest, expiresSoon })
  return `{"service":${reference.services[country]?.[service] ?? '{}'},${addonText}${text.slice(1)}`
}

function translatedTitles({ translations = {} }: FeedShow): string[] {
  return Object.values(translations).flatMap(({ title }) => title ?? [])
}
