import { isObject, type JsonObject } from '../../ingest/parse/fields.ts'
import { isImdbId, isTmdbId, type ShowType } from '../../model/show.ts'
import { genresOf } from '../genre-of.ts'
import { horizontalImage, posterSet, verticalImage } from '../image-set.ts'
import { yearOf } from '../iso-time.ts'
import { type LocalText, preferredText, translationsOf } from '../local-texts.ts'

type Fields = Record<string, unknown>

/** The objects of a list; anything else is no list. */
export function objectsIn(value: unknown): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter(isObject) : []
}

/** The texts of a list. */
export function textsIn(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : []
}

/** What an asset says of a movie or a series, as a native feed states it; without its options and seasons. */
export function readShowAsset(asset: JsonObject, showType: ShowType, defaultLanguage: string | undefined): Fields {
  const titles = localTexts(asset.titles, defaultLanguage)
  const overviews = overviewsOf(asset, defaultLanguage)
  const genres = textsIn(asset.genres)
  const movie = showType === 'movie'
  return {
    kind: 'show',
    partial: true,
    showType,
    ...externalIds(asset, showType),
    title: preferredText(titles),
    overview: preferredText(overviews),
    translations: translationsOf(titles, overviews),
    ...(movie
      ? { releaseYear: releaseYear(asset), runtime: runtimeOf(asset), directors: people(asset, /^director$/i) }
      : { firstAirYear: releaseYear(asset), creators: people(asset, /^creator$/i) }),
    genres: genres.length === 0 ? undefined : genresOf(genres),
    cast: people(asset, /^(actor|actress|voice|host|narrator|anchor)$/i),
    imageSet: imagesOf(asset, defaultLanguage),
  }
}

/** What an asset says of a season. */
export function readSeasonAsset(asset: JsonObject, defaultLanguage: string | undefined): Fields {
  const year = releaseYear(asset)
  return { title: preferredText(localTexts(asset.titles, defaultLanguage)), firstAirYear: year, lastAirYear: year }
}

/** What an asset says of an episode. */
export function readEpisodeAsset(asset: JsonObject, defaultLanguage: string | undefined): Fields {
  return {
    title: preferredText(localTexts(asset.titles, defaultLanguage)),
    overview: preferredText(overviewsOf(asset, defaultLanguage)),
    airYear: releaseYear(asset),
  }
}

function localTexts(list: unknown, defaultLanguage: string | undefined): LocalText[] {
  return objectsIn(list).flatMap(({ value, languages }) => {
    if (typeof value !== 'string' || value.trim() === '') return []
    const tags = textsIn(languages)
    return (tags.length === 0 ? [defaultLanguage] : tags).map((language) => ({ language, text: value.trim() }))
  })
}

/** The long description, and the short one in languages that have no long one. */
function overviewsOf(asset: JsonObject, defaultLanguage: string | undefined): LocalText[] {
  return [
    ...localTexts(asset.longDescriptions, defaultLanguage),
    ...localTexts(asset.shortDescriptions, defaultLanguage),
  ]
}

function releaseYear({ releaseDate, releaseYear }: JsonObject): number | undefined {
  return yearOf(releaseDate) ?? yearOf(releaseYear)
}

function runtimeOf({ durationInSeconds, durationInMilliseconds }: JsonObject): number | undefined {
  if (typeof durationInSeconds === 'number') return Math.round(durationInSeconds / 60)
  return typeof durationInMilliseconds === 'number' ? Math.round(durationInMilliseconds / 60_000) : undefined
}

function people({ credits }: JsonObject, role: RegExp): string[] | undefined {
  const names = objectsIn(credits).flatMap(({ name, role: stated }) =>
    typeof name === 'string' && name.trim() !== '' && role.test(String(stated)) ? [name.trim()] : [],
  )
  return names.length === 0 ? undefined : [...new Set(names)]
}

function externalIds({ externalIds }: JsonObject, showType: ShowType): Fields {
  const stated = (name: string) =>
    objectsIn(externalIds)
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
function imagesOf({ images }: JsonObject, defaultLanguage: string | undefined): object | undefined {
  const urlOf = (type: string) => {
    const fitting = objectsIn(images).filter((image) => String(image.type ?? 'main').toLowerCase() === type)
    const texts = localTexts(
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
