import type { JsonObject } from '../../../ingest/parse/fields.ts'
import type { Translation } from '../../../model/show.ts'
import { slugify } from '../../records/ids.ts'
import { numberField, objectField, objectListField, textField, yearField } from '../../records/json-fields.ts'
import { type FetchedSeason, type FetchedTitle, parseTitleKey } from '../client/fetch-title.ts'
import type { SyncScope } from '../sync/sync-plan.ts'
import { buildImageSet, hasImages } from './images.ts'
import { buildOffers } from './offers.ts'
import type { ProviderDirectory } from './provider-directory.ts'

/** Whole casts have hundreds of names; answers print the first. */
const MAX_CAST = 12

/** A title of TMDB as a `show` record of a native feed. */
export function buildShowRecord(title: FetchedTitle, scope: SyncScope, directory: ProviderDirectory): object {
  const { key, details } = title
  const { kind } = parseTitleKey(key)
  const name = textField(details, kind === 'movie' ? 'title' : 'name') ?? key
  const imdbId = textField(objectField(details, 'external_ids'), 'imdb_id') ?? textField(details, 'imdb_id')
  const imageSet = buildImageSet(details, 'en')
  return {
    kind: 'show',
    showType: kind === 'movie' ? 'movie' : 'series',
    ...(imdbId !== undefined && { imdbId }),
    tmdbId: key,
    title: name,
    overview: textField(details, 'overview') ?? '',
    originalTitle: textField(details, originalName(details)) ?? name,
    ...optionalField('originalLanguage', textField(details, 'original_language')),
    genres: readGenres(details),
    ...(kind === 'movie' ? movieFields(details) : seriesFields(title, scope, directory)),
    ...readRating(details),
    ...optionalField('imageSet', imageSet),
    translations: translationsOf(details, name, scope),
    popularity: buildPopularity(details, scope.countries),
    streamingOptions: buildOffers(objectField(details, 'watch/providers'), scope.countries, directory),
  }
}

function movieFields(details: JsonObject): object {
  const { cast, crew } = objectField(details, 'credits')
  const directors = objectListField({ crew }, 'crew').filter(({ job }) => job === 'Director')
  const runtime = Math.round(numberField(details, 'runtime') ?? 0)
  return {
    ...optionalField('releaseYear', yearField(details, 'release_date')),
    directors: distinctNames(directors),
    cast: readCast(objectListField({ cast }, 'cast')),
    ...(runtime > 0 && { runtime }),
  }
}

function seriesFields({ details, seasons }: FetchedTitle, scope: SyncScope, directory: ProviderDirectory): object {
  return {
    ...optionalField('firstAirYear', yearField(details, 'first_air_date')),
    ...optionalField('lastAirYear', yearField(details, 'last_air_date')),
    creators: distinctNames(objectListField(details, 'created_by')),
    cast: readCast(objectListField(objectField(details, 'aggregate_credits'), 'cast')),
    ...optionalField('seasonCount', numberField(details, 'number_of_seasons')),
    ...optionalField('episodeCount', numberField(details, 'number_of_episodes')),
    seasons: buildSeasons(seasons, scope.countries, directory),
  }
}

/** TMDB's part of a rating: its average of 0 to 10, if anybody has voted. */
function readRating(details: JsonObject): object {
  const votes = numberField(details, 'vote_count') ?? 0
  const average = numberField(details, 'vote_average') ?? 0
  return votes > 0 && average > 0 && average <= 10 ? { rating: Math.round(average * 10) } : {}
}

/**
 * TMDB has one figure for the whole world and for the present, and a count of votes, which grows for ever. The former
 * stands for the spans that end today, the latter for all time, in every chosen country alike.
 */
function buildPopularity(details: JsonObject, countries: readonly string[]): object {
  const now = Math.max(numberField(details, 'popularity') ?? 0, 0)
  const votes = Math.max(numberField(details, 'vote_count') ?? 0, 0)
  const spans = { alltime: votes, '1year': now, '1month': now, '1week': now }
  return Object.fromEntries(countries.map((country) => [country, spans]))
}

function readCast(cast: readonly JsonObject[]): string[] {
  const billing = (person: JsonObject) => numberField(person, 'order') ?? Number.MAX_SAFE_INTEGER
  return distinctNames([...cast].sort((a, b) => billing(a) - billing(b))).slice(0, MAX_CAST)
}

function distinctNames(people: readonly JsonObject[]): string[] {
  return [...new Set(people.flatMap((person) => textField(person, 'name') ?? []))]
}

function optionalField<K extends string, T>(name: K, value: T | undefined): { [key in K]?: T } {
  return value === undefined ? {} : ({ [name]: value } as { [key in K]: T })
}

/** TMDB's genres by id. Some of those of series are two at once, some are nearest to another one. */
const GENRES_BY_ID: Readonly<Record<number, readonly string[]>> = {
  28: ['action'],
  12: ['adventure'],
  16: ['animation'],
  35: ['comedy'],
  80: ['crime'],
  99: ['documentary'],
  18: ['drama'],
  10751: ['family'],
  14: ['fantasy'],
  36: ['history'],
  27: ['horror'],
  10402: ['music'],
  9648: ['mystery'],
  10749: ['romance'],
  878: ['scifi'],
  53: ['thriller'],
  10752: ['war'],
  37: ['western'],
  10759: ['action', 'adventure'],
  10762: ['family'],
  10763: ['news'],
  10764: ['reality'],
  10765: ['scifi', 'fantasy'],
  10766: ['drama'],
  10767: ['talk'],
  10768: ['war'],
  // A film that was made for television is no genre of its own.
  10770: [],
}

/** A genre as a native feed names it: by its id, or with a name where nobody may know it yet. */
type GenreRecord = string | { readonly id: string; readonly name: string }

/** The genres of a title; one that TMDB has brought up since is taken by its name. */
export function readGenres(details: JsonObject): GenreRecord[] {
  const genres = objectListField(details, 'genres').flatMap((genre): readonly GenreRecord[] => {
    const known = GENRES_BY_ID[numberField(genre, 'id') ?? 0]
    const name = textField(genre, 'name')
    if (known !== undefined || name === undefined) return known ?? []
    const id = slugify(name)
    return id === undefined ? [] : [{ id, name }]
  })
  return [...new Set(genres)]
}

/**
 * Numbered things as a list in which each stands at its number: seasons and episodes are known by their place. Where
 * the numbers are no count but a year, or go on from season to season, the order alone decides.
 */
export function toNumberedList<T>(things: readonly T[], numberOf: (thing: T) => number): (T | undefined)[] {
  const sorted = [...things].sort((a, b) => numberOf(a) - numberOf(b))
  const highest = Math.max(0, ...sorted.map(numberOf))
  const lowest = Math.min(...sorted.map(numberOf))
  if (lowest < 1 || highest > things.length * 2 + 2) return sorted
  const places: (T | undefined)[] = Array.from({ length: highest }, () => undefined)
  for (const thing of sorted) places[numberOf(thing) - 1] ??= thing
  return places
}

/** The seasons of a series as a native feed states them. TMDB has offers of seasons, and none of episodes. */
export function buildSeasons(
  seasons: readonly FetchedSeason[],
  countries: readonly string[],
  directory: ProviderDirectory,
): object[] {
  return toNumberedList(seasons, ({ number }) => number).map((season, i) => {
    if (season === undefined) return { title: `Season ${i + 1}`, streamingOptions: {}, episodes: [] }
    const { number, summary, details = {}, providers } = season
    const episodes = objectListField(details, 'episodes')
    const years = episodes.flatMap((episode) => yearField(episode, 'air_date') ?? [])
    const first = yearField(summary, 'air_date') ?? (years.length > 0 ? Math.min(...years) : 0)
    return {
      title: textField(details, 'name') ?? textField(summary, 'name') ?? `Season ${number}`,
      firstAirYear: first,
      lastAirYear: Math.max(first, ...years),
      streamingOptions: buildOffers(providers, countries, directory),
      episodes: toNumberedList(episodes, (episode) => numberField(episode, 'episode_number') ?? 0).map(buildEpisode),
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
 * What a title is called and about in the chosen languages. TMDB has a language once for each country that speaks it,
 * and leaves empty what is like the original: so each text is taken from the first that has it, chosen countries first.
 */
export function translationsOf(
  details: JsonObject,
  title: string,
  { languages, countries }: SyncScope,
): Record<string, Translation> {
  const all = objectListField(objectField(details, 'translations'), 'translations')
  const translations: Record<string, Translation> = {}
  for (const language of languages) {
    if (language === 'en') continue
    const ofLanguage = all
      .filter((one) => one.iso_639_1 === language)
      .sort((a, b) => Number(isChosen(b, countries)) - Number(isChosen(a, countries)))
      .map((one) => objectField(one, 'data'))
    const first = (...names: string[]) =>
      ofLanguage.flatMap((data) => names.flatMap((name) => textField(data, name) ?? []))[0]
    const original = details.original_language === language ? textField(details, originalName(details)) : undefined
    const named = first('title', 'name') ?? original
    const overview = first('overview')
    const images = hasImages(details, language) ? buildImageSet(details, language) : undefined
    if (named === undefined && overview === undefined && images === undefined) continue
    translations[language] = {
      title: named ?? title,
      overview: overview ?? '',
      ...(images !== undefined && { imageSet: images }),
    }
  }
  return translations
}

/** The field in which a title stands in its own language. */
export function originalName(details: JsonObject): 'original_title' | 'original_name' {
  return 'original_title' in details ? 'original_title' : 'original_name'
}

function isChosen(translation: JsonObject, countries: readonly string[]): boolean {
  return countries.includes(String(translation.iso_3166_1).toLowerCase())
}
