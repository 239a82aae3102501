import type { JsonObject } from '../ingest/parse/fields.ts'
import { numberIn, objectIn, objectsIn, textIn, yearIn } from './answer-fields.ts'
import type { FetchedTitle } from './fetched-title.ts'
import { genresOf } from './genre-ids.ts'
import { imageSetOf } from './image-addresses.ts'
import { offersOf } from './offers-of.ts'
import type { ProviderDirectory } from './provider-directory.ts'
import { seasonsOf } from './seasons-of.ts'
import type { SyncScope } from './sync-scope.ts'
import { keyParts } from './title-key.ts'
import { originalName, translationsOf } from './translations-of.ts'

/** Whole casts have hundreds of names; answers print the first. */
const MOST_CAST = 12

/** A title of TMDB as a `show` record of a native feed. */
export function showRecord(title: FetchedTitle, scope: SyncScope, directory: ProviderDirectory): object {
  const { key, details } = title
  const { kind } = keyParts(key)
  const name = textIn(details, kind === 'movie' ? 'title' : 'name') ?? key
  const imdbId = textIn(objectIn(details, 'external_ids'), 'imdb_id') ?? textIn(details, 'imdb_id')
  const imageSet = imageSetOf(details, 'en')
  return {
    kind: 'show',
    showType: kind === 'movie' ? 'movie' : 'series',
    ...(imdbId !== undefined && { imdbId }),
    tmdbId: key,
    title: name,
    overview: textIn(details, 'overview') ?? '',
    originalTitle: textIn(details, originalName(details)) ?? name,
    ...ifAny('originalLanguage', textIn(details, 'original_language')),
    genres: genresOf(details),
    ...(kind === 'movie' ? movieFields(details) : seriesFields(title, scope, directory)),
    ...ratingOf(details),
    ...ifAny('imageSet', imageSet),
    translations: translationsOf(details, name, scope),
    popularity: popularityOf(details, scope.countries),
    streamingOptions: offersOf(objectIn(details, 'watch/providers'), scope.countries, directory),
  }
}

function movieFields(details: JsonObject): object {
  const { cast, crew } = objectIn(details, 'credits')
  const directors = objectsIn({ crew }, 'crew').filter(({ job }) => job === 'Director')
  const runtime = Math.round(numberIn(details, 'runtime') ?? 0)
  return {
    ...ifAny('releaseYear', yearIn(details, 'release_date')),
    directors: namesOf(directors),
    cast: castOf(objectsIn({ cast }, 'cast')),
    ...(runtime > 0 && { runtime }),
  }
}

function seriesFields({ details, seasons }: FetchedTitle, scope: SyncScope, directory: ProviderDirectory): object {
  return {
    ...ifAny('firstAirYear', yearIn(details, 'first_air_date')),
    ...ifAny('lastAirYear', yearIn(details, 'last_air_date')),
    creators: namesOf(objectsIn(details, 'created_by')),
    cast: castOf(objectsIn(objectIn(details, 'aggregate_credits'), 'cast')),
    ...ifAny('seasonCount', numberIn(details, 'number_of_seasons')),
    ...ifAny('episodeCount', numberIn(details, 'number_of_episodes')),
    seasons: seasonsOf(seasons, scope.countries, directory),
  }
}

/** TMDB's part of a rating: its average of 0 to 10, if anybody has voted. */
function ratingOf(details: JsonObject): object {
  const votes = numberIn(details, 'vote_count') ?? 0
  const average = numberIn(details, 'vote_average') ?? 0
  return votes > 0 && average > 0 && average <= 10 ? { rating: Math.round(average * 10) } : {}
}

/**
 * TMDB has one figure for the whole world and for the present, and a count of votes, which grows for ever. The former
 * stands for the spans that end today, the latter for all time, in every chosen country alike.
 */
function popularityOf(details: JsonObject, countries: readonly string[]): object {
  const now = Math.max(numberIn(details, 'popularity') ?? 0, 0)
  const votes = Math.max(numberIn(details, 'vote_count') ?? 0, 0)
  const spans = { alltime: votes, '1year': now, '1month': now, '1week': now }
  return Object.fromEntries(countries.map((country) => [country, spans]))
}

function castOf(cast: readonly JsonObject[]): string[] {
  const billing = (person: JsonObject) => numberIn(person, 'order') ?? Number.MAX_SAFE_INTEGER
  return namesOf([...cast].sort((a, b) => billing(a) - billing(b))).slice(0, MOST_CAST)
}

function namesOf(people: readonly JsonObject[]): string[] {
  return [...new Set(people.flatMap((person) => textIn(person, 'name') ?? []))]
}

function ifAny<K extends string, T>(name: K, value: T | undefined): { [key in K]?: T } {
  return value === undefined ? {} : ({ [name]: value } as { [key in K]: T })
}
