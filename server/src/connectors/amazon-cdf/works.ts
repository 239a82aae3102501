import type { ShowType } from '../../model/show.ts'
import { parseGenres } from '../records/genres.ts'
import { pickExternalIds } from '../records/ids.ts'
import { buildTranslations, type LocalText, parseTagLanguage, preferredText } from '../records/locales.ts'
import { parseYear, posterSet } from '../records/values.ts'
import { childrenNamed, childText, childTexts, type XmlElement } from '../streams/xml-reader.ts'

type Fields = Record<string, unknown>

/** The fields of the native record of a movie or series, without its options and seasons. */
export function readShowWork(work: XmlElement, showType: ShowType): Fields {
  const titles = readLocalTexts(work, 'Title', 'Titles')
  const overviews = readOverviews(work)
  const genres = childTexts(work, 'Genre', 'Genres')
  const image = readImage(work)
  const cast = readNames(work, 'CastMember')
  const year = readYear(work)
  return {
    kind: 'show',
    partial: true,
    showType,
    ...readExternalIds(work, showType),
    title: preferredText(titles),
    overview: preferredText(overviews),
    translations: buildTranslations(titles, overviews),
    originalLanguage: parseTagLanguage(childText(work, 'Language')),
    ...(showType === 'movie'
      ? { releaseYear: year, runtime: readRuntime(work), directors: readCrew(work, /^director$/i) }
      : { firstAirYear: year, creators: readCrew(work, /^creator$/i) }),
    genres: genres.length === 0 ? undefined : parseGenres(genres),
    cast: cast.length === 0 ? undefined : cast,
    rating: readRating(work),
    imageSet: image === undefined ? undefined : posterSet(image),
  }
}

/** The fields of a season. */
export function readSeasonWork(work: XmlElement): Fields {
  const year = readYear(work)
  return { title: preferredText(readLocalTexts(work, 'Title', 'Titles')), firstAirYear: year, lastAirYear: year }
}

/** The fields of an episode. */
export function readEpisodeWork(work: XmlElement): Fields {
  return {
    title: preferredText(readLocalTexts(work, 'Title', 'Titles')),
    overview: preferredText(readOverviews(work)),
    airYear: readYear(work),
  }
}

/** The texts of elements with a locale. From version 1.4 on, they are in an element that wraps them. */
export function readLocalTexts(work: XmlElement, name: string, wrapper: string): LocalText[] {
  return childrenNamed(work, name, wrapper)
    .filter(({ text }) => text !== '')
    .map(({ text, attributes }) => ({ language: attributes.locale, text }))
}

/** The synopses, then the short descriptions: the first of a language is used. */
function readOverviews(work: XmlElement): LocalText[] {
  const texts = [
    ...readLocalTexts(work, 'Synopsis', 'Synopses'),
    ...readLocalTexts(work, 'ShortDescription', 'ShortDescriptions'),
  ]
  // Longer texts are broken into indented lines.
  return texts.map(({ language, text }) => ({ language, text: text.replace(/\s+/g, ' ') }))
}

function readYear(work: XmlElement): number | undefined {
  const dates = [
    childText(work, 'ReleaseYear'),
    childText(work, 'ReleaseDate', 'ReleaseDates'),
    childText(work, 'OriginalAirDate', 'OriginalAirDates'),
    childText(work, 'ReleaseDate', 'ReleaseInfo'),
  ]
  return dates.map(parseYear).find((year) => year !== undefined)
}

function readRuntime(work: XmlElement): number | undefined {
  const minutes = Number(childText(work, 'RuntimeMinutes', 'Runtimes') ?? 0)
  return minutes > 0 ? Math.round(minutes) : undefined
}

/** The average of customers, from 0 to 100. */
function readRating(work: XmlElement): number | undefined {
  const [rating] = childrenNamed(work, 'CustomerRating')
  const [score, max] = [Number(rating && childText(rating, 'Score')), Number(rating && childText(rating, 'MaxValue'))]
  return score > 0 && max > 0 && score <= max ? Math.round((score / max) * 100) : undefined
}

function readExternalIds(work: XmlElement, showType: ShowType): Fields {
  const imdb = childrenNamed(work, 'ExternalID')
    .filter(({ attributes }) => attributes.scheme?.toLowerCase() === 'imdb')
    .map(({ text }) => text)
  return pickExternalIds(showType, { imdb, tmdb: [] })
}

/** The names of people, in English if there are several. */
function readNames(work: XmlElement, name: string, isWanted: (person: XmlElement) => boolean = () => true): string[] {
  const people = childrenNamed(work, name, 'Credits').filter(isWanted)
  return [...new Set(people.flatMap((person) => preferredText(readLocalTexts(person, 'Name', 'Names')) ?? []))]
}

function readCrew(work: XmlElement, job: RegExp): string[] | undefined {
  const names = readNames(work, 'CrewMember', (person) => childTexts(person, 'Job').some((text) => job.test(text)))
  return names.length === 0 ? undefined : names
}

/** The image of a work: older versions have one address, later ones several with a locale. */
function readImage(work: XmlElement): string | undefined {
  const images = childrenNamed(work, 'Image', 'Images').flatMap((image) => {
    const url = childText(image, 'Url')
    return url === undefined ? [] : [{ language: childText(image, 'Locale'), text: url }]
  })
  return preferredText(images) ?? childText(work, 'ImageUrl')
}
