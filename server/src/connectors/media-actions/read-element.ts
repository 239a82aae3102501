import type { JsonObject } from '../../ingest/parse/fields.ts'
import { isImdbId, isTmdbId, type ShowType } from '../../model/show.ts'
import { genresOf } from '../genre-of.ts'
import { horizontalImage, posterSet, verticalImage } from '../image-set.ts'
import { minutesOf, yearOf } from '../iso-time.ts'
import { languageOfTag, preferredText, textsByLanguage, translationsOf } from '../local-texts.ts'
import { listOf, localTextsOf, namesOf, numberOf, objectsOf } from './json-ld.ts'

type Fields = Record<string, unknown>

/** What an element says of a movie or a series, as a native feed states it; without its options and seasons. */
export function readShowElement(element: JsonObject, showType: ShowType): Fields {
  const [tag] = namesOf(element.inLanguage)
  const originalLanguage = languageOfTag(tag)
  const movie = showType === 'movie'
  const years = movie
    ? { releaseYear: releaseYear(element), runtime: minutesOf(element.duration), directors: people(element.director) }
    : {
        firstAirYear: releaseYear(element) ?? yearOf(element.startDate),
        lastAirYear: yearOf(element.endDate),
        creators: people(element.creator),
        seasonCount: numberOf(element.numberOfSeasons),
        episodeCount: numberOf(element.numberOfEpisodes),
      }
  const genres = namesOf(element.genre)
  return {
    kind: 'show',
    partial: true,
    showType,
    ...externalIds(element, showType),
    ...textsOf(element, originalLanguage),
    originalLanguage,
    ...years,
    genres: genres.length === 0 ? undefined : genresOf(genres),
    cast: people(element.actor),
    rating: ratingOf(element),
    imageSet: imagesOf(element.image),
  }
}

/** What an element says of a season. */
export function readSeasonElement(element: JsonObject): Fields {
  const year = releaseYear(element) ?? yearOf(element.startDate)
  return {
    title: preferredText(localTextsOf(element.name)),
    firstAirYear: year,
    lastAirYear: yearOf(element.endDate) ?? year,
    link: typeof element.url === 'string' ? element.url : undefined,
  }
}

/** What an element says of an episode. */
export function readEpisodeElement(element: JsonObject): Fields {
  return {
    title: preferredText(localTextsOf(element.name)),
    overview: preferredText(localTextsOf(element.description)),
    airYear: releaseYear(element),
  }
}

function people(value: unknown): string[] | undefined {
  const names = [...new Set(namesOf(value))]
  return names.length === 0 ? undefined : names
}

/** The year of the earliest release. */
function releaseYear(element: JsonObject): number | undefined {
  const dates = objectsOf(element.releasedEvent).map(({ startDate }) => startDate)
  const years = [...dates, ...(dates.length === 0 ? [element.datePublished] : [])].flatMap((date) => yearOf(date) ?? [])
  return years.length === 0 ? undefined : Math.min(...years)
}

function ratingOf({ aggregateRating }: JsonObject): number | undefined {
  const [rating] = objectsOf(aggregateRating)
  const [value, best, worst] = [rating?.ratingValue, rating?.bestRating ?? 5, rating?.worstRating ?? 0].map(numberOf)
  if (value === undefined || best === undefined || worst === undefined || best <= worst) return undefined
  const least = rating?.worstRating === undefined ? 0 : worst
  return Math.round(Math.min(Math.max((value - least) / (best - least), 0), 1) * 100)
}

/** Title, overview, original title and translations. */
function textsOf(element: JsonObject, originalLanguage: string | undefined): Fields {
  const [titles, overviews] = [localTextsOf(element.name), localTextsOf(element.description)]
  return {
    title: preferredText(titles),
    overview: preferredText(overviews),
    originalTitle: originalLanguage === undefined ? undefined : textsByLanguage(titles).get(originalLanguage),
    translations: translationsOf(titles, overviews),
  }
}

/** IMDb and TMDB ids, from the identifiers or from links to their pages. */
function externalIds(element: JsonObject, showType: ShowType): Fields {
  const identifiers = objectsOf(element.identifier).map(({ propertyID, value }) => [String(propertyID), String(value)])
  const links = listOf(element.sameAs).map(String)
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
function imagesOf(value: unknown): object | undefined {
  let set: Fields = {}
  for (const one of listOf(value)) {
    const object: JsonObject = typeof one === 'string' ? { url: one } : (objectsOf(one)[0] ?? {})
    const url = object.contentUrl ?? object.url ?? object['@id']
    if (typeof url !== 'string' || url === '') continue
    const [width, height] = [numberOf(object.width), numberOf(object.height)]
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
