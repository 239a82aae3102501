import type { JsonObject } from '../../ingest/parse/fields.ts'
import type { ShowType } from '../../model/show.ts'
import { parseGenres } from '../records/genres.ts'
import { pickExternalIds } from '../records/ids.ts'
import { toObjects, toText, toTexts } from '../records/json-fields.ts'
import { buildTranslations, type LocalText, preferredText } from '../records/locales.ts'
import { horizontalImage, parseYear, posterSet, verticalImage } from '../records/values.ts'

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
