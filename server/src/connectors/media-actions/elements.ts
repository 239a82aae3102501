import type { JsonObject } from '../../ingest/parse/fields.ts'
import type { ShowType } from '../../model/show.ts'
import { parseGenres } from '../records/genres.ts'
import { pickExternalIds } from '../records/ids.ts'
import { toText } from '../records/json-fields.ts'
import { buildTranslations, parseTagLanguage, preferredText, textsByLanguage } from '../records/locales.ts'
import { horizontalImage, parseDurationMinutes, parseYear, posterSet, verticalImage } from '../records/values.ts'
import { isWebLink, readLocalTexts, readNames, toArray, toNumber, toObjects } from './json-ld.ts'

type Fields = Record<string, unknown>

/** The fields of the native record of a movie or series, without its options and seasons. */
export function readShowElement(element: JsonObject, showType: ShowType): Fields {
  const [tag] = readNames(element.inLanguage)
  const originalLanguage = parseTagLanguage(tag)
  const typeFields =
    showType === 'movie'
      ? {
          releaseYear: readReleaseYear(element),
          runtime: parseDurationMinutes(element.duration),
          directors: readPeople(element.director ?? element.directors),
        }
      : {
          firstAirYear: readReleaseYear(element),
          lastAirYear: parseYear(element.endDate),
          creators: readPeople(element.creator ?? element.creators),
          seasonCount: toNumber(element.numberOfSeasons),
          episodeCount: toNumber(element.numberOfEpisodes),
        }
  const genres = readNames(element.genre ?? element.genres)
  return {
    kind: 'show',
    partial: true,
    showType,
    ...readExternalIds(element, showType),
    ...readTexts(element, originalLanguage),
    originalLanguage,
    ...typeFields,
    genres: genres.length === 0 ? undefined : parseGenres(genres),
    cast: readPeople(element.actor ?? element.actors),
    rating: readRating(element),
    imageSet: readImages(element.image),
  }
}

/** The fields of a season. `link` is for options that are rolled up from its episodes. */
export function readSeasonElement(element: JsonObject): Fields {
  const year = readReleaseYear(element)
  return {
    title: preferredText(readLocalTexts(element.name)),
    firstAirYear: year,
    lastAirYear: parseYear(element.endDate) ?? year,
    link: isWebLink(element.url) ? element.url : undefined,
  }
}

/** The fields of an episode. */
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

/** The year of the earliest release, else of the publication, the first episode or the copyright. */
function readReleaseYear(element: JsonObject): number | undefined {
  const years = toObjects(element.releasedEvent).flatMap(({ startDate }) => parseYear(startDate) ?? [])
  if (years.length > 0) return Math.min(...years)
  const { datePublished, startDate, dateCreated, copyrightYear } = element
  return [datePublished, startDate, dateCreated, copyrightYear].map(parseYear).find((year) => year !== undefined)
}

/** The aggregate rating, scaled to 0 to 100. Schema.org ratings go up to 5 by default. */
function readRating({ aggregateRating }: JsonObject): number | undefined {
  const [rating] = toObjects(aggregateRating)
  const [value, best, worst] = [rating?.ratingValue, rating?.bestRating ?? 5, rating?.worstRating ?? 0].map(toNumber)
  if (value === undefined || best === undefined || worst === undefined || best <= worst) return undefined
  return Math.round(Math.min(Math.max((value - worst) / (best - worst), 0), 1) * 100)
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

/** The IMDb and TMDB ids, from the identifiers or from links to their pages. */
function readExternalIds(element: JsonObject, showType: ShowType): Fields {
  const identifiers = toObjects(element.identifier).map(({ propertyID, value }) => [toText(propertyID), toText(value)])
  const links = toArray(element.sameAs).map(String)
  const identifier = (name: string) => identifiers.find(([id]) => id?.toUpperCase() === name)?.[1] ?? ''
  const linksTo = (site: string) => links.filter((link) => link.includes(site))
  return pickExternalIds(showType, {
    imdb: [identifier('IMDB_ID'), ...linksTo('imdb.com/')].map((text) => /tt\d+/.exec(text)?.[0] ?? ''),
    tmdb: [identifier('TMDB_ID'), ...linksTo('themoviedb.org/')].map(
      (text) => /(?:(?:movie|tv)\/)?\d+/.exec(text)?.[0] ?? '',
    ),
  })
}

/** Posters by their aspect ratio; an image of unknown size is used as both. */
function readImages(value: unknown): object | undefined {
  let set: Fields = {}
  for (const item of toArray(value)) {
    const object: JsonObject = typeof item === 'string' ? { url: item } : (toObjects(item)[0] ?? {})
    const url = object.contentUrl ?? object.url ?? object['@id']
    if (!isWebLink(url)) continue
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
