import { STANDARD_GENRES } from '../../model/genre.ts'
import { HORIZONTAL_WIDTHS, VERTICAL_WIDTHS } from '../../model/image.ts'
import { decodeTitleSegment } from '../artwork-url.ts'
import { DEMO_COUNTRIES, type DemoBrand, findBrand } from '../market/reference-data.ts'
import { drawLogo, LOGO_THEMES, type LogoTheme, renderWatchPage } from './brand-artwork.ts'
import { drawPoster } from './poster.ts'
import { stripUnprintable } from './svg-text.ts'

/** An SVG image or an HTML page of the demo. */
interface Artwork {
  readonly contentType: string
  readonly body: string
  /** Whether the path asks for the image as PNG, which is rendered from the SVG. */
  readonly isRaster?: true
}

const SVG = 'image/svg+xml'
const HTML = 'text/html; charset=utf-8'
const MAX_TITLE_LENGTH = 200

const genres: ReadonlySet<string> = new Set(STANDARD_GENRES.map((genre) => genre.id))
const countries: ReadonlySet<string> = new Set(DEMO_COUNTRIES.map((country) => country.code))
const verticalWidths: ReadonlySet<string> = new Set(VERTICAL_WIDTHS)
const horizontalWidths: ReadonlySet<string> = new Set(HORIZONTAL_WIDTHS)

/**
 * Draws the image or page of a URL of the demo catalog: posters, backdrops and logos under `/artwork/`, pages of
 * services under `/watch/`. The path is untrusted input: an unexpected form gives undefined, and all text is escaped.
 */
export function drawArtwork(path: string): Artwork | undefined {
  const end = path.search(/[?#]/)
  const [root, area, ...rest] = (end < 0 ? path : path.slice(0, end)).split('/')
  if (root !== '' || rest.length === 0) return undefined
  if (area === 'watch') return drawPage(rest)
  if (area !== 'artwork') return undefined
  return rest[0] === 'logo' ? drawBrandLogo(rest.slice(1)) : drawImage(rest)
}

/** `238-crime/vertical-poster/w360/The%20Godfather.png`, `238-crime/vertical-backdrop/w360.svg`. */
function drawImage([subject = '', kind = '', width = '', file, ...more]: readonly string[]): Artwork | undefined {
  const match = /^(\d{1,15})-([a-z]+)$/.exec(subject)
  const shape = /^(vertical|horizontal)-(poster|backdrop)$/.exec(kind)
  if (match === null || shape === null || more.length > 0) return undefined
  const [, id = '', genre = ''] = match
  const isVertical = shape[1] === 'vertical'
  const isPoster = shape[2] === 'poster'
  const [name, isRaster] = parseFileName(isPoster ? file : width)
  const size = isPoster ? width : name
  if (!genres.has(genre) || size === undefined || !(isVertical ? verticalWidths : horizontalWidths).has(size))
    return undefined
  const title = isPoster ? parseTitle(name) : ''
  if (title === undefined || isPoster === (file === undefined)) return undefined
  const body = drawPoster({ id, genre, isVertical, width: Number(size.slice(1)), title })
  return { contentType: SVG, body, ...(isRaster && { isRaster }) }
}

/** `netflix/light.svg`, `now.de/dark.svg`, `prime/starzaddon/white.svg`. */
function drawBrandLogo(parts: readonly string[]): Artwork | undefined {
  const theme = stripSvgExtension(parts.at(-1))
  const [first = '', addon, ...more] = parts.slice(0, -1)
  if (theme === undefined || more.length > 0 || !(LOGO_THEMES as readonly string[]).includes(theme)) return undefined
  const [service = '', country, ...rest] = first.split('.')
  if (rest.length > 0) return undefined
  const brand = findBrand(service, {
    ...(country === undefined ? {} : { country }),
    ...(addon === undefined ? {} : { addon }),
  })
  return brand && { contentType: SVG, body: drawLogo(brand, theme as LogoTheme) }
}

/** `netflix`, `netflix/us`, `prime/addon/starzaddon`, `netflix/us/238/The%20Godfather`, `…/5001/s1e3/Breaking%20Bad/play`. */
function drawPage(parts: readonly string[]): Artwork | undefined {
  const [service = '', place, ...rest] = parts
  if (place === 'addon') {
    const [addon = '', ...more] = rest
    const brand = more.length === 0 ? findBrand(service, { addon }) : undefined
    return brand && htmlPage(brand)
  }
  if (place === undefined) {
    const brand = findBrand(service, {})
    return brand && htmlPage(brand)
  }
  const brand = countries.has(place) ? findBrand(service, { country: place }) : undefined
  if (brand === undefined || rest.length === 0) return brand && htmlPage(brand, place)
  const [id = '', ...after] = rest
  const part = /^s(\d{1,4})(?:e(\d{1,5}))?$/.exec(after[0] ?? '')
  // A title may look like a part, so it counts as one only if a title follows.
  const hasPart = part !== null && after[1] !== undefined && after[1] !== 'play'
  const [segment, play, ...more] = hasPart ? after.slice(1) : after
  const title = parseTitle(segment)
  if (!/^\d{1,15}$/.test(id) || title === undefined || more.length > 0 || (play ?? 'play') !== 'play') return undefined
  const numbers = hasPart ? { season: part[1] ?? '', ...(part[2] === undefined ? {} : { episode: part[2] }) } : {}
  return htmlPage(brand, place, { id, title, isVideo: play === 'play', ...numbers })
}

function htmlPage(brand: DemoBrand, country?: string, subject?: Parameters<typeof renderWatchPage>[2]): Artwork {
  return { contentType: HTML, body: renderWatchPage(brand, country, subject) }
}

/** The name of an image file without its extension, and whether it is PNG. */
function parseFileName(file: string | undefined): [name: string | undefined, isRaster?: true] {
  return file?.endsWith('.png') ? [file.slice(0, -4), true] : [stripSvgExtension(file)]
}

function stripSvgExtension(file: string | undefined): string | undefined {
  return file?.endsWith('.svg') ? file.slice(0, -4) : undefined
}

function parseTitle(segment: string | undefined): string | undefined {
  if (segment === undefined || segment.length > MAX_TITLE_LENGTH * 3) return undefined
  const title = stripUnprintable(decodeTitleSegment(segment)).trim()
  return title === '' || title.length > MAX_TITLE_LENGTH ? undefined : title
}
