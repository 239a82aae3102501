import { isObject, type JsonObject } from '../../ingest/parse/fields.ts'
import type { ShowType } from '../../model/show.ts'
import { parseGenres } from '../records/genres.ts'
import { buildTranslations, type LocalText, parseCountry, preferredText } from '../records/locales.ts'
import {
  addOption,
  emptyOptions,
  fillTemplate,
  type LINK_PLACEHOLDERS,
  type OptionsByCountry,
} from '../records/streaming-options.ts'
import {
  horizontalImage,
  parseQuality,
  parseUnixSeconds,
  parseYear,
  pickExternalIds,
  posterSet,
  toObjects,
  toPrice,
  toText,
  toTexts,
  verticalImage,
} from '../records/values.ts'

type Fields = Record<string, unknown>

/** The fields of the native record of a movie or series, without its options and seasons. */
export function readShowAsset(asset: JsonObject, showType: ShowType, defaultLanguage: string | undefined): Fields {
  const titles = readLocalTexts(asset.titles, defaultLanguage)
  const overviews = readOverviews(asset, defaultLanguage)
  const genres = toTexts(asset.genres)
  return {
    kind: 'show',
    partial: true,
    showType,
    ...readExternalIds(asset, showType),
    title: preferredText(titles),
    overview: preferredText(overviews),
    translations: buildTranslations(titles, overviews),
    ...(showType === 'movie'
      ? {
          releaseYear: readReleaseYear(asset),
          runtime: readRuntime(asset),
          directors: readPeople(asset, /^director$/i),
        }
      : { firstAirYear: readReleaseYear(asset), creators: readPeople(asset, /^creator$/i) }),
    genres: genres.length === 0 ? undefined : parseGenres(genres),
    cast: readPeople(asset, /^(actor|actress|voice|host|narrator|anchor)$/i),
    imageSet: readImages(asset, defaultLanguage),
  }
}

/** The fields of a season. */
export function readSeasonAsset(asset: JsonObject, defaultLanguage: string | undefined): Fields {
  const year = readReleaseYear(asset)
  return { title: preferredText(readLocalTexts(asset.titles, defaultLanguage)), firstAirYear: year, lastAirYear: year }
}

/** The fields of an episode. */
export function readEpisodeAsset(asset: JsonObject, defaultLanguage: string | undefined): Fields {
  return {
    title: preferredText(readLocalTexts(asset.titles, defaultLanguage)),
    overview: preferredText(readOverviews(asset, defaultLanguage)),
    airYear: readReleaseYear(asset),
  }
}

/**
 * The texts of a list, each in all of its languages; without any, in the default language of the page. Older feeds have
 * one `language` instead of a list.
 */
function readLocalTexts(list: unknown, defaultLanguage: string | undefined): LocalText[] {
  return toObjects(list).flatMap(({ value, languages, language }) => {
    if (typeof value !== 'string' || value.trim() === '') return []
    const tags = toTexts(languages ?? [language])
    return (tags.length === 0 ? [defaultLanguage] : tags).map((language) => ({ language, text: value.trim() }))
  })
}

/** The long descriptions, then the short ones: the first of a language is used. */
function readOverviews(asset: JsonObject, defaultLanguage: string | undefined): LocalText[] {
  return [
    ...readLocalTexts(asset.longDescriptions, defaultLanguage),
    ...readLocalTexts(asset.shortDescriptions, defaultLanguage),
  ]
}

function readReleaseYear({ releaseDate, releaseYear }: JsonObject): number | undefined {
  return parseYear(releaseDate) ?? parseYear(releaseYear)
}

function readRuntime({ durationInSeconds, durationInMilliseconds }: JsonObject): number | undefined {
  if (typeof durationInSeconds === 'number') return Math.round(durationInSeconds / 60)
  return typeof durationInMilliseconds === 'number' ? Math.round(durationInMilliseconds / 60_000) : undefined
}

function readPeople({ credits }: JsonObject, rolePattern: RegExp): string[] | undefined {
  const names = toObjects(credits).flatMap(({ name, role }) =>
    typeof name === 'string' && name.trim() !== '' && rolePattern.test(toText(role)) ? [name.trim()] : [],
  )
  return names.length === 0 ? undefined : [...new Set(names)]
}

function readExternalIds({ externalIds }: JsonObject, showType: ShowType): Fields {
  const idsFrom = (name: string) =>
    toObjects(externalIds)
      .filter(({ source }) => toText(source).toUpperCase() === name)
      .map(({ id }) => toText(id))
  return pickExternalIds(showType, { imdb: idsFrom('IMDB'), tmdb: idsFrom('TMDB') })
}

/** The main image as posters and the background image as backdrops, preferably those in English. */
function readImages({ images }: JsonObject, defaultLanguage: string | undefined): object | undefined {
  const findUrl = (type: string) => {
    const matching = toObjects(images).filter((image) => toText(image.type ?? 'main').toLowerCase() === type)
    const texts = readLocalTexts(
      matching.map(({ url, languages, language }) => ({ value: url, languages, language })),
      defaultLanguage,
    )
    return preferredText(texts)
  }
  const [main, background] = [findUrl('main'), findUrl('background')]
  if (main === undefined && background === undefined) return undefined
  return {
    ...(main !== undefined && posterSet(main)),
    ...(background !== undefined && {
      verticalBackdrop: verticalImage(background),
      horizontalBackdrop: horizontalImage(background),
    }),
  }
}

/** What is known of a page before its play options are read. */
interface PlayOptionContext {
  /** The `service` of the options. */
  readonly service: object
  readonly linkTemplate: string
  /** The countries of play options that name none. */
  readonly countries: readonly string[]
}

/** Offer types by license. */
const OFFER_TYPES: ReadonlyMap<string, string> = new Map([
  ['free', 'free'],
  ['subscription', 'subscription'],
  ['rental', 'rent'],
  ['purchase', 'buy'],
])

/** The currency of a price that names none, by the format's rules. */
const DEFAULT_CURRENCY = 'USD'

/** The options of an asset, and the reasons why play options were skipped. */
interface PlayOptions {
  readonly options: OptionsByCountry
  readonly skipped: readonly string[]
}

/** Converts the play options of an asset. Invalid values are passed through: the importer reports them. */
export function readPlayOptions(asset: JsonObject, values: LinkValues, context: PlayOptionContext): PlayOptions {
  const options = emptyOptions()
  const skipped: string[] = []
  const { playOptions } = isObject(asset.content) ? asset.content : {}
  for (const play of toObjects(playOptions)) {
    const license = toText(play.license ?? '').toLowerCase()
    const type = OFFER_TYPES.get(license) ?? play.license
    const hasPrice = (type === 'rent' || type === 'buy') && play.price !== undefined && play.price !== null
    const playId = typeof play.playId === 'string' || typeof play.playId === 'number' ? play.playId : values.id
    const countries = readCountries(play, context)
    if (countries.size === 0) skipped.push('a play option names no country, and none is known: give --countries')
    addOption(options, countries, {
      service: context.service,
      type,
      link: fillLinkTemplate(context.linkTemplate, { ...values, playId }),
      quality:
        typeof play.quality === 'string' ? (parseQuality(play.quality) ?? play.quality.toLowerCase()) : play.quality,
      price: hasPrice ? toPrice(play.price, play.currency ?? DEFAULT_CURRENCY) : undefined,
      startsOn: parsePlayTime(play.availabilityStartTime, play.availabilityStartTimeStamp),
      expiresOn: parsePlayTime(play.availabilityEndTime, play.availabilityEndTimeStamp),
    })
  }
  return { options, skipped }
}

function readCountries({ availabilityInfo }: JsonObject, { countries }: PlayOptionContext): ReadonlySet<string> {
  const codes = isObject(availabilityInfo) ? toTexts(availabilityInfo.country) : []
  // An invalid code is passed through: the importer reports it.
  return new Set(codes.length === 0 ? countries : codes.map((code) => parseCountry(code) ?? code))
}

/** Unix seconds of an ISO 8601 time, or of a timestamp in milliseconds. */
function parsePlayTime(time: unknown, timestamp: unknown): unknown {
  if (time !== undefined && time !== null) return parseUnixSeconds(time)
  const milliseconds = typeof timestamp === 'string' && timestamp.trim() !== '' ? Number(timestamp) : timestamp
  return typeof milliseconds === 'number' ? Math.floor(milliseconds / 1000) : undefined
}

/** The values of the placeholders for an asset. */
export type LinkValues = Partial<
  Record<(typeof LINK_PLACEHOLDERS)['tv-search-feed'][number], string | number | undefined>
>

/** Fills a template; missing values become empty. */
export function fillLinkTemplate(template: string, values: LinkValues): string {
  return fillTemplate(template, (name) => toText(values[name as keyof LinkValues] ?? ''))
}
