import { isObject, type JsonObject } from '../../ingest/parse/fields.ts'
import { isImdbId, isTmdbId, type ShowType } from '../../model/show.ts'
import { parseGenres } from '../records/genres.ts'
import { buildTranslations, type LocalText, preferredText } from '../records/locales.ts'
import { horizontalImage, parseYear, posterSet, verticalImage } from '../records/values.ts'

type Fields = Record<string, unknown>

/** The objects of a list; anything else is no list. */
export function toObjects(value: unknown): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter(isObject) : []
}

/** The texts of a list. */
export function toTexts(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : []
}

/** What an asset says of a movie or a series, as a native feed states it; without its options and seasons. */
export function readShowAsset(asset: JsonObject, showType: ShowType, defaultLanguage: string | undefined): Fields {
  const titles = readLocalTexts(asset.titles, defaultLanguage)
  const overviews = readOverviews(asset, defaultLanguage)
  const genres = toTexts(asset.genres)
  const movie = showType === 'movie'
  return {
    kind: 'show',
    partial: true,
    showType,
    ...readExternalIds(asset, showType),
    title: preferredText(titles),
    overview: preferredText(overviews),
    translations: buildTranslations(titles, overviews),
    ...(movie
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

/** What an asset says of a season. */
export function readSeasonAsset(asset: JsonObject, defaultLanguage: string | undefined): Fields {
  const year = readReleaseYear(asset)
  return { title: preferredText(readLocalTexts(asset.titles, defaultLanguage)), firstAirYear: year, lastAirYear: year }
}

/** What an asset says of an episode. */
export function readEpisodeAsset(asset: JsonObject, defaultLanguage: string | undefined): Fields {
  return {
    title: preferredText(readLocalTexts(asset.titles, defaultLanguage)),
    overview: preferredText(readOverviews(asset, defaultLanguage)),
    airYear: readReleaseYear(asset),
  }
}

function readLocalTexts(list: unknown, defaultLanguage: string | undefined): LocalText[] {
  return toObjects(list).flatMap(({ value, languages }) => {
    if (typeof value !== 'string' || value.trim() === '') return []
    const tags = toTexts(languages)
    return (tags.length === 0 ? [defaultLanguage] : tags).map((language) => ({ language, text: value.trim() }))
  })
}

/** The long description, and the short one in languages that have no long one. */
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

function readPeople({ credits }: JsonObject, role: RegExp): string[] | undefined {
  const names = toObjects(credits).flatMap(({ name, role: stated }) =>
    typeof name === 'string' && name.trim() !== '' && role.test(String(stated)) ? [name.trim()] : [],
  )
  return names.length === 0 ? undefined : [...new Set(names)]
}

function readExternalIds({ externalIds }: JsonObject, showType: ShowType): Fields {
  const stated = (name: string) =>
    toObjects(externalIds)
      .filter(({ source }) => String(source).toUpperCase() === name)
      .map(({ id }) => String(id))
  const prefix = showType === 'movie' ? 'movie/' : 'tv/'
  return {
    imdbId: stated('IMDB').find(isImdbId),
    tmdbId: stated('TMDB')
      .map((id) => (id.includes('/') ? id : prefix + id))
      .find((id) => isTmdbId(id, showType)),
  }
}

/** The main image as posters, and the one for the background as backdrops; in English, or in the feed's language. */
function readImages({ images }: JsonObject, defaultLanguage: string | undefined): object | undefined {
  const urlOf = (type: string) => {
    const fitting = toObjects(images).filter((image) => String(image.type ?? 'main').toLowerCase() === type)
    const texts = readLocalTexts(
      fitting.map(({ url, languages }) => ({ value: url, languages })),
      defaultLanguage,
    )
    return preferredText(texts)
  }
  const [main, background] = [urlOf('main'), urlOf('background')]
  if (main === undefined && background === undefined) return undefined
  return {
    ...(main !== undefined && posterSet(main)),
    ...(background !== undefined && {
      verticalBackdrop: verticalImage(background),
      horizontalBackdrop: horizontalImage(background),
    }),
  }
}
