import type { JsonObject } from '../../../ingest/parse/fields.ts'
import { HORIZONTAL_WIDTHS, type LogoSet, type ShowImageSet, VERTICAL_WIDTHS } from '../../../model/image.ts'
import { numberField, objectField, objectListField, textField } from '../../records/json-fields.ts'

/** Where TMDB serves images: a size and a path follow. */
export const IMAGE_BASE_URL = 'https://image.tmdb.org/t/p/'

/** TMDB has other sizes than answers print: each width gets the next larger one. */
const VERTICAL_SIZES = { w240: 'w342', w360: 'w500', w480: 'w500', w600: 'w780', w720: 'w780' } as const
const HORIZONTAL_SIZES = { w360: 'w780', w480: 'w780', w720: 'w780', w1080: 'w1280', w1440: 'original' } as const

const verticalUrls = (path: string) =>
  Object.fromEntries(VERTICAL_WIDTHS.map((width) => [width, `${IMAGE_BASE_URL}${VERTICAL_SIZES[width]}${path}`]))

const horizontalUrls = (path: string) =>
  Object.fromEntries(HORIZONTAL_WIDTHS.map((width) => [width, `${IMAGE_BASE_URL}${HORIZONTAL_SIZES[width]}${path}`]))

/** A provider's logo, which TMDB has in one form only. */
export function buildLogoSet(path: string | undefined): LogoSet {
  const address = path === undefined ? '' : `${IMAGE_BASE_URL}original${path}`
  return { lightThemeImage: address, darkThemeImage: address, whiteImage: address }
}

/**
 * The images of a title in a language: posters in that language, else in English, else whatever TMDB shows first;
 * backdrops are those without a language, since they carry no text. Undefined where there is no image at all.
 */
export function buildImageSet(details: JsonObject, language: string): ShowImageSet | undefined {
  const images = objectField(details, 'images')
  const best = (kind: string, of: string | null) => findBestPath(objectListField(images, kind), of)
  const poster = best('posters', language) ?? best('posters', 'en') ?? textField(details, 'poster_path')
  const backdrop = best('backdrops', null) ?? textField(details, 'backdrop_path')
  const wide = best('backdrops', language) ?? best('backdrops', 'en') ?? backdrop
  const bare = best('posters', null)
  if (poster === undefined && wide === undefined) return undefined
  return {
    ...(poster !== undefined && { verticalPoster: verticalUrls(poster) }),
    ...(wide !== undefined && { horizontalPoster: horizontalUrls(wide) }),
    ...(bare !== undefined && { verticalBackdrop: verticalUrls(bare) }),
    ...(backdrop !== undefined && { horizontalBackdrop: horizontalUrls(backdrop) }),
  } as ShowImageSet
}

/** Whether a title has a poster of its own in a language. */
export function hasImages(details: JsonObject, language: string): boolean {
  const images = objectField(details, 'images')
  return ['posters', 'backdrops'].some((kind) => findBestPath(objectListField(images, kind), language) !== undefined)
}

/** The path of the image of a language that people like best. */
function findBestPath(images: readonly JsonObject[], language: string | null): string | undefined {
  let best: { path: string; votes: number } | undefined
  for (const image of images) {
    const path = textField(image, 'file_path')
    if (path === undefined || (image.iso_639_1 ?? null) !== language) continue
    const votes = numberField(image, 'vote_average') ?? 0
    if (best === undefined || votes > best.votes) best = { path, votes }
  }
  return best?.path
}
