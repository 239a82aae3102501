import type { JsonObject } from '../../ingest/parse/fields.ts'
import type { LogoSet, ShowImageSet } from '../../model/show.ts'
import {
  horizontalImage,
  numberField,
  objectField,
  objectListField,
  textField,
  verticalImage,
} from '../records/values.ts'

/** The base of TMDB's image URLs; a size and a path follow. */
export const IMAGE_BASE_URL = 'https://image.tmdb.org/t/p/'

/** TMDB's sizes for the widths of the API: the next larger one of each. */
const VERTICAL_SIZES = { w240: 'w342', w360: 'w500', w480: 'w500', w600: 'w780', w720: 'w780' } as const
const HORIZONTAL_SIZES = { w360: 'w780', w480: 'w780', w720: 'w780', w1080: 'w1280', w1440: 'original' } as const

const verticalUrls = (path: string) => verticalImage((width) => `${IMAGE_BASE_URL}${VERTICAL_SIZES[width]}${path}`)

const horizontalUrls = (path: string) =>
  horizontalImage((width) => `${IMAGE_BASE_URL}${HORIZONTAL_SIZES[width]}${path}`)

/** The logos of a provider. TMDB has one for all themes. */
export function buildLogoSet(path: string | undefined): LogoSet {
  const url = path === undefined ? '' : `${IMAGE_BASE_URL}original${path}`
  return { lightThemeImage: url, darkThemeImage: url, whiteImage: url }
}

/**
 * The images of a title in a language. Posters are in that language, else in English, else TMDB's default. Backdrops
 * are images without a language, since these carry no text. Undefined if there are no posters.
 */
export function buildImageSet(details: JsonObject, language: string): ShowImageSet | undefined {
  const images = objectField(details, 'images')
  const best = (kind: string, imageLanguage: string | null) =>
    findBestPath(objectListField(images, kind), imageLanguage)
  const verticalPoster = best('posters', language) ?? best('posters', 'en') ?? textField(details, 'poster_path')
  const horizontalBackdrop = best('backdrops', null) ?? textField(details, 'backdrop_path')
  const horizontalPoster = best('backdrops', language) ?? best('backdrops', 'en') ?? horizontalBackdrop
  const verticalBackdrop = best('posters', null)
  if (verticalPoster === undefined && horizontalPoster === undefined) return undefined
  return {
    ...(verticalPoster !== undefined && { verticalPoster: verticalUrls(verticalPoster) }),
    ...(horizontalPoster !== undefined && { horizontalPoster: horizontalUrls(horizontalPoster) }),
    ...(verticalBackdrop !== undefined && { verticalBackdrop: verticalUrls(verticalBackdrop) }),
    ...(horizontalBackdrop !== undefined && { horizontalBackdrop: horizontalUrls(horizontalBackdrop) }),
  } as ShowImageSet
}

/** Whether a title has a poster or backdrop in a language. */
export function hasImages(details: JsonObject, language: string): boolean {
  const images = objectField(details, 'images')
  return ['posters', 'backdrops'].some((kind) => findBestPath(objectListField(images, kind), language) !== undefined)
}

/** The path of the best-rated image of a language. */
function findBestPath(images: readonly JsonObject[], language: string | null): string | undefined {
  let best: { path: string; rating: number } | undefined
  for (const image of images) {
    const path = textField(image, 'file_path')
    if (path === undefined || (image.iso_639_1 ?? null) !== language) continue
    const rating = numberField(image, 'vote_average') ?? 0
    if (best === undefined || rating > best.rating) best = { path, rating }
  }
  return best?.path
}
