import type { JsonObject } from '../../ingest/parse/fields.ts'
import { isImdbId, isTmdbId, type ShowType } from '../../model/show.ts'
import { parseGenres } from '../records/genres.ts'
import { buildTranslations, parseTagLanguage, preferredText, textsByLanguage } from '../records/locales.ts'
import { horizontalImage, parseDurationMinutes, parseYear, posterSet, verticalImage } from '../records/values.ts'
import { readLocalTexts, readNames, toArray, toNumber, toObjects } from './json-ld.ts'

type Fields = Record<string, unknown>

/** What an element says of a movie or a series, as a native feed states it; without its options and seasons. */
export function readShowElement(element: JsonObject, showType: ShowType): Fields {
  const [tag] = readNames(element.inLanguage)
  const originalLanguage = parseTagLanguage(tag)
  const movie = showType === 'movie'
  const years = movie
    ? {
        releaseYear: readReleaseYear(element),
        runtime: parseDurationMinutes(element.duration),
        directors: readPeople(element.director),
      }
    : {
        firstAirYear: readReleaseYear(element) ?? parseYear(element.startDate),
        lastAirYear: parseYear(element.endDate),
        creators: readPeople(element.creator),
        seasonCount: toNumber(element.numberOfSeasons),
        episodeCount: toNumber(element.numberOfEpisodes),
      }
  const genres = readNames(element.genre)
  return {
    kind: 'show',
    partial: true,
    showType,
    ...readExternalIds(element, showType),
    ...readTexts(element, originalLanguage),
    originalLanguage,
    ...years,
    genres: genres.length === 0 ? undefined : parseGenres(genres),
    cast: readPeople(element.actor),
    rating: readRating(element),
    imageSet: readImages(element.image),
  }
}

/** What an element says of a season. */
export function readSeasonElement(element: JsonObject): Fields {
  const year = readReleaseYear(element) ?? parseYear(element.startDate)
  return {
    title: preferredText(readLocalTexts(element.name)),
    firstAirYear: year,
    lastAirYear: parseYear(element.endDate) ?? year,
    link: typeof element.url === 'string' ? element.url : undefined,
  }
}

/** What an element says of an episode. */
export function readEpisodeElement(element: JsonObject): Fields {
  return {
    title: preferredText(readLocalTexts(element.name)),
    overview: preferredText(readLocalTexts(element.description)),
    airYear: readReleaseYear(element),
  }
}

function readPeople(value: unknown): string[] | undefined {
  const names = [...new Set(readNames(value))]
  return names.length === 0 ? undefined : names
}

/** The year of the earliest release. */
function readReleaseYear(element: JsonObject): number | undefined {
  const dates = toObjects(element.releasedEvent).map(({ startDate }) => startDate)
  const years = [...dates, ...(dates.length === 0 ? [element.datePublished] : [])].flatMap(
    (date) => parseYear(date) ?? [],
  )
  return years.length === 0 ? undefined : Math.min(...years)
}

function readRating({ aggregateRating }: JsonObject): number | undefined {
  const [rating] = toObjects(aggregateRating)
  const [value, best, worst] = [rating?.ratingValue, rating?.bestRating ?? 5, rating?.worstRating ?? 0].map(toNumber)
  if (value === undefined || best === undefined || worst === undefined || best <= worst) return undefined
  const least = rating?.worstRating === undefined ? 0 : worst
  return Math.round(Math.min(Math.max((value - least) / (best - least), 0), 1) * 100)
}

/** Title, overview, original title and translations. */
function readTexts(element: JsonObject, originalLanguage: string | undefined): Fields {
  const [titles, overviews] = [readLocalTexts(element.name), readLocalTexts(element.description)]
  return {
    title: preferredText(titles),
    overview: preferredText(overviews),
    originalTitle: originalLanguage === undefined ? undefined : textsByLanguage(titles).get(originalLanguage),
    translations: buildTranslations(titles, overviews),
  }
}

/** IMDb and TMDB ids, from the identifiers or from links to their pages. */
function readExternalIds(element: JsonObject, showType: ShowType): Fields {
  const identifiers = toObjects(element.identifier).map(({ propertyID, value }) => [String(propertyID), String(value)])
  const links = toArray(element.sameAs).map(String)
  const stated = (name: string) => identifiers.find(([id]) => id?.toUpperCase() === name)?.[1]
  const imdbId = [stated('IMDB_ID'), ...links.filter((link) => link.includes('imdb.com/'))]
    .map((text) => /tt\d+/.exec(text ?? '')?.[0] ?? '')
    .find(isImdbId)
  const prefix = showType === 'movie' ? 'movie/' : 'tv/'
  const tmdbId = [stated('TMDB_ID'), ...links.filter((link) => link.includes('themoviedb.org/'))]
    .map((text) => /(?:(movie|tv)\/)?(\d+)/.exec(text ?? ''))
    .map((match) => (match === null ? '' : `${match[1] === undefined ? prefix : `${match[1]}/`}${match[2]}`))
    .find((id) => isTmdbId(id, showType))
  return { imdbId, tmdbId }
}

/** Images by their shape, where it is told; one of unknown shape stands for both. */
function readImages(value: unknown): object | undefined {
  let set: Fields = {}
  for (const one of toArray(value)) {
    const object: JsonObject = typeof one === 'string' ? { url: one } : (toObjects(one)[0] ?? {})
    const url = object.contentUrl ?? object.url ?? object['@id']
    if (typeof url !== 'string' || url === '') continue
    const [width, height] = [toNumber(object.width), toNumber(object.height)]
    const images =
      width === undefined || height === undefined
        ? posterSet(url)
        : height > width
          ? { verticalPoster: verticalImage(url) }
          : { horizontalPoster: horizontalImage(url) }
    set = { ...images, ...set }
  }
  return Object.keys(set).length === 0 ? undefined : set
}
