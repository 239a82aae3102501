import { findCountry, findServiceInCountry, type Reference } from '../../catalog/storage/reference.ts'
import type { JsonObject } from '../../ingest/parse/fields.ts'
import { ownEntry } from '../../lib/objects.ts'
import type { OfferType, Quality } from '../../model/offer.ts'
import type { ShowType } from '../../model/show.ts'
import { findServiceName, type ProviderDirectory } from '../providers/provider-directory.ts'
import { parseGenres } from '../records/genres.ts'
import regionCurrencies from '../records/region-currencies.json' with { type: 'json' }
import { addOption, emptyOptions, type OptionsByCountry } from '../records/streaming-options.ts'
import {
  horizontalImage,
  numberField,
  objectListField,
  pickExternalIds,
  textField,
  toPrice,
  toText,
  toTexts,
  verticalImage,
  withRecordId,
  yearField,
} from '../records/values.ts'
import { findNumberProblem, SeriesBuilder } from '../streams/series-builder.ts'

/** What a record depends on beside the answer. */
export interface WatchmodeContext {
  readonly countries: readonly string[]
  readonly directory: ProviderDirectory
  /** Whether images are taken: Watchmode's are references to other sites, whose rights the operator has to check. */
  readonly images: boolean
}

/** Watchmode's source types. Those of television subscriptions (`tve`) have no counterpart. */
const OFFER_TYPES: Readonly<Record<string, OfferType>> = {
  sub: 'subscription',
  free: 'free',
  rent: 'rent',
  buy: 'buy',
  purchase: 'buy',
}

const QUALITIES: Readonly<Record<string, Quality>> = { SD: 'sd', HD: 'hd', '4K': 'uhd', UHD: 'uhd' }

const MAX_CAST = 12

/** Converts a title into a partial `show` record. */
export function buildShowRecord(title: JsonObject, context: WatchmodeContext): JsonObject {
  const showType = readShowType(title)
  const imdb = textField(title, 'imdb_id')
  const tmdb = numberField(title, 'tmdb_id')
  const ids = pickExternalIds(showType, {
    imdb: imdb === undefined ? [] : [imdb],
    tmdb: tmdb === undefined ? [] : [toText(tmdb)],
  })
  const name = textField(title, 'title') ?? textField(title, 'original_title') ?? ''
  const people = ['cast_crew', 'cast-crew', 'cast'].flatMap((field) => objectListField(title, field))
  const cast = pickNames(people, ({ type }) => type === 'Cast')
  const record = {
    kind: 'show',
    partial: true,
    showType,
    ...(ids.imdbId !== undefined && { imdbId: ids.imdbId }),
    ...(ids.tmdbId !== undefined && { tmdbId: ids.tmdbId }),
    title: name,
    overview: textField(title, 'plot_overview'),
    originalTitle: textField(title, 'original_title'),
    originalLanguage: textField(title, 'original_language'),
    genres: parseGenres(toTexts(title.genre_names)),
    ...(cast.length > 0 && { cast }),
    ...ratingField(title),
    ...(context.images && imagesField(title)),
    ...(showType === 'movie' ? movieFields(title, people) : {}),
    ...(showType === 'series' ? seriesFields(title, context) : { streamingOptions: readOptions(title, context) }),
  }
  return withRecordId(record, 'watchmode', toText(title.id)) as JsonObject
}

/** The type in TMDB decides, if the title is there: Watchmode counts specials and miniseries apart. */
function readShowType({ tmdb_type, type }: JsonObject): ShowType {
  if (tmdb_type === 'movie') return 'movie'
  return tmdb_type === 'tv' || type === 'tv_series' || type === 'tv_miniseries' ? 'series' : 'movie'
}

function movieFields(title: JsonObject, people: readonly JsonObject[]): object {
  const runtime = numberField(title, 'runtime_minutes')
  const directors = pickNames(people, ({ type, role }) => type === 'Crew' && role === 'Director')
  return {
    releaseYear: numberField(title, 'year'),
    ...(runtime !== undefined && runtime > 0 && { runtime }),
    ...(directors.length > 0 && { directors }),
  }
}

function seriesFields(title: JsonObject, context: WatchmodeContext): object {
  const series = new SeriesBuilder()
  for (const season of objectListField(title, 'seasons')) {
    const number = numberField(season, 'number')
    // Season 0 holds specials.
    if (findNumberProblem(number) !== undefined) continue
    const year = yearField(season, 'air_date')
    const fields = { title: textField(season, 'name'), firstAirYear: year, lastAirYear: year }
    series.addSeason(number as number, { fields, options: emptyOptions() })
  }
  for (const episode of objectListField(title, 'episodes')) {
    const [season, number] = [numberField(episode, 'season_number'), numberField(episode, 'episode_number')]
    if (number === undefined || findNumberProblem(season, number) !== undefined) continue
    const fields = {
      title: textField(episode, 'name'),
      overview: textField(episode, 'overview'),
      airYear: yearField(episode, 'release_date'),
    }
    series.addEpisode(season as number, number, { fields, options: readOptions(episode, context) })
  }
  return {
    firstAirYear: numberField(title, 'year'),
    lastAirYear: numberField(title, 'end_year'),
    streamingOptions: readOptions(title, context),
    // An answer without these parts says nothing of them: what is known of them stays.
    ...((Array.isArray(title.seasons) || Array.isArray(title.episodes)) && { seasons: series.toSeasons() }),
  }
}

/** The options of a title or episode in the wanted countries. */
function readOptions(item: JsonObject, { countries, directory }: WatchmodeContext): OptionsByCountry {
  const options = emptyOptions()
  for (const source of objectListField(item, 'sources')) {
    const country = textField(source, 'region')?.toLowerCase()
    const type = ownEntry(OFFER_TYPES, toText(source.type))
    const [id, name, link] = [numberField(source, 'source_id'), textField(source, 'name'), textField(source, 'web_url')]
    if (country === undefined || !countries.includes(country) || type === undefined || id === undefined) continue
    // Free plans have a sentence in place of some links.
    if (name === undefined || link === undefined || !/^https?:\/\//.test(link)) continue
    const mapped = directory.find(id, name, country)
    if (mapped === undefined) continue
    const isAddon = mapped.addon !== undefined && type !== 'rent' && type !== 'buy'
    const quality = ownEntry(QUALITIES, toText(source.format).toUpperCase())
    addOption(options, [country], {
      service: { id: mapped.service, name: findServiceName(mapped) },
      type: isAddon ? 'addon' : type,
      ...(isAddon && { addon: { id: mapped.addon, name: mapped.name ?? mapped.addon } }),
      link,
      ...(quality !== undefined && { quality }),
      ...priceField(source, type, country),
    })
  }
  return options
}

/** Prices have no currency; they are in that of the country. */
function priceField(source: JsonObject, type: OfferType, country: string): object {
  const amount = numberField(source, 'price')
  const currency = ownEntry<string>(regionCurrencies, country)
  if (amount === undefined || currency === undefined || (type !== 'rent' && type !== 'buy')) return {}
  return { price: toPrice(amount, currency) }
}

/** The user rating, from 0 to 10. */
function ratingField(title: JsonObject): object {
  const rating = numberField(title, 'user_rating') ?? 0
  return rating > 0 && rating <= 10 ? { rating: Math.round(rating * 10) } : {}
}

function imagesField(title: JsonObject): object {
  const [poster, backdrop] = [textField(title, 'poster'), textField(title, 'backdrop')]
  if (poster === undefined && backdrop === undefined) return {}
  return {
    imageSet: {
      ...(poster !== undefined && { verticalPoster: verticalImage(poster) }),
      ...(backdrop !== undefined && { horizontalPoster: horizontalImage(backdrop) }),
    },
  }
}

/** The names of people in billing order. */
function pickNames(people: readonly JsonObject[], isWanted: (person: JsonObject) => boolean): string[] {
  const billing = (person: JsonObject) => numberField(person, 'order') ?? Number.MAX_SAFE_INTEGER
  const wanted = people.filter(isWanted).sort((a, b) => billing(a) - billing(b))
  return [...new Set(wanted.flatMap((person) => textField(person, 'full_name') ?? []))].slice(0, MAX_CAST)
}

/**
 * The `country` records of services that the catalog does not have there yet, with their logos. They come after the known
 * ones, since Watchmode's list has no order.
 */
export function buildServiceRecords(
  sources: readonly JsonObject[],
  { countries, directory }: WatchmodeContext,
  reference: Reference,
): object[] {
  return countries.flatMap((countryCode) => {
    const added = new Map<string, object>()
    for (const source of sources) {
      const [id, name] = [numberField(source, 'id'), textField(source, 'name')]
      const inCountry = toTexts(source.regions).some((region) => region.toLowerCase() === countryCode)
      if (!inCountry || id === undefined || name === undefined || source.type === 'tve') continue
      const mapped = directory.find(id, name, countryCode)
      if (mapped === undefined || mapped.addon !== undefined || added.has(mapped.service)) continue
      if (findServiceInCountry(reference, mapped.service, countryCode) !== undefined) continue
      const logo = textField(source, 'logo_100px') ?? ''
      const imageSet = { lightThemeImage: logo, darkThemeImage: logo, whiteImage: logo }
      added.set(mapped.service, { id: mapped.service, name: findServiceName(mapped), imageSet })
    }
    const known = findCountry(reference, countryCode)?.services ?? []
    return added.size === 0 ? [] : [{ kind: 'country', countryCode, services: [...known, ...added.values()] }]
  })
}
