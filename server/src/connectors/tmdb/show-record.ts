import type { JsonObject } from '../../ingest/parse/fields.ts'
import { ownEntry } from '../../lib/objects.ts'
import type { Translation } from '../../model/show.ts'
import type { ProviderDirectory } from '../providers/provider-directory.ts'
import type { GenreRecord } from '../records/genres.ts'
import { listAliases } from '../records/names.ts'
import { numberField, objectField, objectListField, slugify, textField, toText, yearField } from '../records/values.ts'
import { buildImageSet, hasImages } from './images.ts'
import { buildOffers } from './offers.ts'
import genreIds from './records/genre-ids.json' with { type: 'json' }
import { type FetchedSeason, type FetchedTitle, parseTitleKey } from './tmdb-client.ts'

/** TMDB lists hundreds of names; the API prints the first ones. */
const MAX_CAST = 12

/** Converts a title into a `show` record. */
export function buildShowRecord(title: FetchedTitle, scope: RecordScope, directory: ProviderDirectory): JsonObject {
  const { key, details } = title
  const { kind } = parseTitleKey(key)
  const name = textField(details, kind === 'movie' ? 'title' : 'name') ?? key
  const imdbId = textField(objectField(details, 'external_ids'), 'imdb_id') ?? textField(details, 'imdb_id')
  return {
    kind: 'show',
    showType: kind === 'movie' ? 'movie' : 'series',
    ...(imdbId !== undefined && { imdbId }),
    tmdbId: key,
    title: name,
    overview: textField(details, 'overview') ?? '',
    originalTitle: textField(details, originalTitleField(details)) ?? name,
    ...optionalField('originalLanguage', textField(details, 'original_language')),
    genres: readGenres(details),
    ...(kind === 'movie' ? movieFields(details) : seriesFields(title, scope, directory)),
    ...ratingField(details),
    ...optionalField('imageSet', buildImageSet(details, 'en')),
    translations: buildTranslations(details, name, scope),
    ...aliasesField(details, name, scope),
    popularity: buildPopularity(details, scope.countries),
    streamingOptions: buildOffers(objectField(details, 'watch/providers'), scope.countries, directory),
  }
}

function movieFields(details: JsonObject): object {
  const credits = objectField(details, 'credits')
  const directors = objectListField(credits, 'crew').filter(({ job }) => job === 'Director')
  const runtime = Math.round(numberField(details, 'runtime') ?? 0)
  return {
    ...optionalField('releaseYear', yearField(details, 'release_date')),
    directors: distinctNames(directors),
    cast: readCast(sortByBilling(objectListField(credits, 'cast'))),
    ...(runtime > 0 && { runtime }),
  }
}

function seriesFields({ details, seasons }: FetchedTitle, scope: RecordScope, directory: ProviderDirectory): object {
  return {
    ...optionalField('firstAirYear', yearField(details, 'first_air_date')),
    ...optionalField('lastAirYear', yearField(details, 'last_air_date')),
    creators: distinctNames(objectListField(details, 'created_by')),
    // In the order of the list: `order` is that of one season or episode, so that guests have low numbers, too.
    cast: readCast(objectListField(objectField(details, 'aggregate_credits'), 'cast')),
    ...optionalField('seasonCount', numberField(details, 'number_of_seasons')),
    ...optionalField('episodeCount', numberField(details, 'number_of_episodes')),
    seasons: buildSeasons(seasons, scope.countries, directory),
  }
}

/** TMDB's average vote, scaled from 10 to 100; nothing without votes. */
function ratingField(details: JsonObject): object {
  const votes = numberField(details, 'vote_count') ?? 0
  const average = numberField(details, 'vote_average') ?? 0
  return votes > 0 && average > 0 && average <= 10 ? { rating: Math.round(average * 10) } : {}
}

/**
 * TMDB has one current popularity for the whole world, and a vote count that only grows. The former is used for the
 * recent spans, the latter for all time, both for every country.
 */
function buildPopularity(details: JsonObject, countries: readonly string[]): object {
  const current = Math.max(numberField(details, 'popularity') ?? 0, 0)
  const votes = Math.max(numberField(details, 'vote_count') ?? 0, 0)
  const spans = { alltime: votes, '1year': current, '1month': current, '1week': current }
  return Object.fromEntries(countries.map((country) => [country, spans]))
}

/** The first names of the cast. */
function readCast(cast: readonly JsonObject[]): string[] {
  return distinctNames(cast).slice(0, MAX_CAST)
}

function sortByBilling(cast: readonly JsonObject[]): JsonObject[] {
  const billing = (person: JsonObject) => numberField(person, 'order') ?? Number.MAX_SAFE_INTEGER
  return [...cast].sort((a, b) => billing(a) - billing(b))
}

function distinctNames(people: readonly JsonObject[]): string[] {
  return [...new Set(people.flatMap((person) => textField(person, 'name') ?? []))]
}

function optionalField<K extends string, T>(name: K, value: T | undefined): { [key in K]?: T } {
  return value === undefined ? {} : ({ [name]: value } as { [key in K]: T })
}

/**
 * The genres of a title by TMDB's genre ids. Some ids of series mean two genres; 10770, a television film, means none.
 * An id that is not in the table is taken by its name.
 */
function readGenres(details: JsonObject): GenreRecord[] {
  const genres = objectListField(details, 'genres').flatMap((genre): readonly GenreRecord[] => {
    const known = ownEntry<readonly string[]>(genreIds, String(numberField(genre, 'id')))
    const name = textField(genre, 'name')
    if (known !== undefined || name === undefined) return known ?? []
    const id = slugify(name)
    return id === undefined ? [] : [{ id, name }]
  })
  return [...new Set(genres)]
}

/** The seasons of a series. TMDB has offers of seasons, but none of episodes. */
function buildSeasons(
  seasons: readonly FetchedSeason[],
  countries: readonly string[],
  directory: ProviderDirectory,
): object[] {
  return placeByNumber(seasons, ({ number }) => number).map((season, i) => {
    if (season === undefined) return { title: `Season ${i + 1}`, streamingOptions: {}, episodes: [] }
    const { number, summary, details = {}, providers } = season
    const episodes = objectListField(details, 'episodes')
    const years = episodes.flatMap((episode) => yearField(episode, 'air_date') ?? [])
    const firstAirYear = yearField(summary, 'air_date') ?? (years.length > 0 ? Math.min(...years) : 0)
    return {
      title: textField(details, 'name') ?? textField(summary, 'name') ?? `Season ${number}`,
      firstAirYear,
      lastAirYear: Math.max(firstAirYear, ...years),
      streamingOptions: buildOffers(providers, countries, directory),
      episodes: placeByNumber(episodes, (episode) => numberField(episode, 'episode_number') ?? 0).map(buildEpisode),
    }
  })
}

function buildEpisode(episode: JsonObject | undefined, i: number): object {
  const overview = episode && textField(episode, 'overview')
  return {
    title: (episode && textField(episode, 'name')) ?? `Episode ${i + 1}`,
    ...(overview !== undefined && { overview }),
    airYear: (episode && yearField(episode, 'air_date')) ?? 0,
    streamingOptions: {},
  }
}

/**
 * Places items in a list by their numbers, which start at 1; gaps are undefined. If the numbers are years, or continue
 * those of the season before, the items are only sorted.
 */
export function placeByNumber<T>(items: readonly T[], number: (item: T) => number): (T | undefined)[] {
  const sorted = [...items].sort((a, b) => number(a) - number(b))
  const highest = Math.max(0, ...sorted.map(number))
  const lowest = Math.min(...sorted.map(number))
  if (lowest < 1 || highest > items.length * 2 + 2) return sorted
  const placed: (T | undefined)[] = Array.from({ length: highest }, () => undefined)
  for (const item of sorted) placed[number(item) - 1] ??= item
  return placed
}

/** The countries and languages that records cover. */
export interface RecordScope {
  /** Country codes in lower case. */
  readonly countries: readonly string[]
  readonly languages: readonly string[]
}

/**
 * The titles, overviews and images in the languages of the scope, except English. TMDB has a translation for each
 * country of a language, with empty texts where they equal the original. So each text is the first that is not empty,
 * with the countries of the scope first.
 */
function buildTranslations(
  details: JsonObject,
  title: string,
  { languages, countries }: RecordScope,
): Record<string, Translation> {
  const all = objectListField(objectField(details, 'translations'), 'translations')
  const inScope = (translation: JsonObject) => countries.includes(readCountry(translation))
  const translations: Record<string, Translation> = {}
  for (const language of languages) {
    if (language === 'en') continue
    const candidates = all
      .filter((translation) => translation.iso_639_1 === language)
      .sort((a, b) => Number(inScope(b)) - Number(inScope(a)))
      .map((translation) => objectField(translation, 'data'))
    const firstText = (...names: string[]) =>
      candidates.flatMap((data) => names.flatMap((name) => textField(data, name) ?? []))[0]
    const isOriginal = details.original_language === language
    const translatedTitle =
      firstText('title', 'name') ?? (isOriginal ? textField(details, originalTitleField(details)) : undefined)
    const overview = firstText('overview')
    const imageSet = hasImages(details, language) ? buildImageSet(details, language) : undefined
    if (translatedTitle === undefined && overview === undefined && imageSet === undefined) continue
    translations[language] = {
      title: translatedTitle ?? title,
      overview: overview ?? '',
      ...(imageSet !== undefined && { imageSet }),
    }
  }
  return translations
}

/** The field with the title in the original language. */
function originalTitleField(details: JsonObject): 'original_title' | 'original_name' {
  return 'original_title' in details ? 'original_title' : 'original_name'
}

/**
 * Titles by which a show is found, too: what TMDB calls it in other countries of a language, its alternative titles, and
 * its titles in languages that are not in the scope. Those of the scope come first.
 */
function aliasesField(details: JsonObject, title: string, scope: RecordScope): object {
  const translations = objectListField(objectField(details, 'translations'), 'translations')
  const inLanguages = translations.filter(({ iso_639_1 }) => scope.languages.includes(toText(iso_639_1)))
  const alternatives = objectField(details, 'alternative_titles')
  // The list of a movie is `titles`, that of a series `results`.
  const alternative = [...objectListField(alternatives, 'titles'), ...objectListField(alternatives, 'results')]
  const inCountries = alternative.filter((one) => scope.countries.includes(readCountry(one)))
  const candidates = [
    ...inLanguages.map(readTranslatedTitle),
    ...[...inCountries, ...alternative].map((one) => textField(one, 'title')),
    ...translations.map(readTranslatedTitle),
  ]
  const printed = Object.values(buildTranslations(details, title, scope)).map((translation) => translation.title)
  return listAliases(candidates, [title, textField(details, originalTitleField(details)), ...printed])
}

function readTranslatedTitle(translation: JsonObject): string | undefined {
  const data = objectField(translation, 'data')
  return textField(data, 'title') ?? textField(data, 'name')
}

function readCountry(item: JsonObject): string {
  return toText(item.iso_3166_1).toLowerCase()
}
