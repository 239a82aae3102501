import type { JsonObject } from '../ingest/parse/fields.ts'
import { HORIZONTAL_WIDTHS, type LogoSet, type ShowImageSet, VERTICAL_WIDTHS } from '../model/image.ts'
import { numberIn, objectIn, objectsIn, textIn } from './answer-fields.ts'

/** Where TMDB serves images: a size and a path follow. */
export const IMAGE_BASE = 'https://image.tmdb.org/t/p/'

/** TMDB has other sizes than answers print: each width gets the next larger one. */
const VERTICAL_SIZES = { w240: 'w342', w360: 'w500', w480: 'w500', w600: 'w780', w720: 'w780' } as const
const HORIZONTAL_SIZES = { w360: 'w780', w480: 'w780', w720: 'w780', w1080: 'w1280', w1440: 'original' } as const

const vertical = (path: string) =>
  Object.fromEntries(VERTICAL_WIDTHS.map((width) => [width, `${IMAGE_BASE}${VERTICAL_SIZES[width]}${path}`]))

const horizontal = (path: string) =>
  Object.fromEntries(HORIZONTAL_WIDTHS.map((width) => [width, `${IMAGE_BASE}${HORIZONTAL_SIZES[width]}${path}`]))

/** A provider's logo, which TMDB has in one form only. */
export function logoSet(path: string | undefined): LogoSet {
  const address = path === undefined ? '' : `${IMAGE_BASE}original${path}`
  return { lightThemeImage: address, darkThemeImage: address, whiteImage: address }
}

/**
 * The images of a title in a language: posters in that language, else in English, else whatever TMDB shows first;
 * backdrops are those without a language, since they carry no text. Undefined where there is no image at all.
 */
export function imageSetOf(details: JsonObject, language: string): ShowImageSet | undefined {
  const images = objectIn(details, 'images')
  const best = (kind: string, of: string | null) => bestOf(objectsIn(images, kind), of)
  const poster = best('posters', language) ?? best('posters', 'en') ?? textIn(details, 'poster_path')
  const backdrop = best('backdrops', null) ?? textIn(details, 'backdrop_path')
  const wide = best('backdrops', language) ?? best('backdrops', 'en') ?? backdrop
  const bare = best('posters', null)
  if (poster === undefined && wide === undefined) return undefined
  return {
    ...(poster !== undefined && { verticalPoster: vertical(poster) }),
    ...(wide !== undefined && { horizontalPoster: horizontal(wide) }),
    ...(bare !== undefined && { verticalBackdrop: vertical(bare) }),
    ...(backdrop !== undefined && { horizontalBackdrop: horizontal(backdrop) }),
  } as ShowImageSet
}

/** Whether a title has a poster of its own in a language. */
export function hasImagesIn(details: JsonObject, language: string): boolean {
  const images = objectIn(details, 'images')
  return ['posters', 'backdrops'].some((kind) => bestOf(objectsIn(images, kind), language) !== undefined)
}

/** The path of the image of a language that people like best. */
function bestOf(images: readonly JsonObject[], language: string | null): string | undefined {
  let best: { path: string; votes: number } | undefined
  for (const image of images) {
    const path = textIn(image, 'file_path')
    if (path === undefined || (image.iso_639_1 ?? null) !== language) continue
    const votes = numberIn(image, 'vote_average') ?? 0
    if (best === undefined || votes > best.votes) best = { path, votes }
  }
  return best?.path
}
