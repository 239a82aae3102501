import { STANDARD_GENRES } from '../../model/genre.ts'
import { HORIZONTAL_WIDTHS, VERTICAL_WIDTHS } from '../../model/show.ts'
import { decodeTitleSegment } from '../artwork-url.ts'
import { DEMO_COUNTRIES, type DemoBrand, findBrand } from '../market/markets.ts'
import { drawPoster } from './poster.ts'
import type { RasterImages } from './raster-images.ts'
import { escapeXml, estimateWidth, stripUnprintable } from './svg-text.ts'

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

/** An image or a page of the demo, ready to send. */
interface ServedArtwork {
  readonly contentType: string
  readonly body: string | Buffer
}

/** Serves the image or page of a URL of the demo catalog; PNG images come from `images`. */
export async function serveArtwork(path: string, images: RasterImages): Promise<ServedArtwork | undefined> {
  const artwork = drawArtwork(path)
  if (artwork?.isRaster !== true) return artwork
  return { contentType: 'image/png', body: images.cached(artwork.body) ?? (await images.render(artwork.body)) }
}

/** For a light background, for a dark background, and white only. */
const LOGO_THEMES = ['light', 'dark', 'white'] as const
export type LogoTheme = (typeof LOGO_THEMES)[number]

const LOGO_FONT = "Inter,'Helvetica Neue',Arial,'Noto Sans',sans-serif"

/** Draws a wordmark with a monogram. It replaces the brand's logo and does not imitate it. */
function drawLogo(brand: DemoBrand, theme: LogoTheme): string {
  // A fixed length: the fonts of some machines are wider than the estimate.
  const nameWidth = Math.ceil(estimateWidth(brand.name) * 33)
  const width = 72 + nameWidth
  const name = escapeXml(brand.name)
  const initial = escapeXml([...brand.name][0] ?? '')
  const color = theme === 'dark' ? lightenForDark(brand.color) : brand.color
  const ink = theme === 'light' ? '#17171c' : '#fff'
  const badge =
    theme === 'white'
      ? '<rect x="5.5" y="9.5" width="45" height="45" rx="13" fill="none" stroke="#fff" stroke-width="3"/>'
      : `<rect x="4" y="8" width="48" height="48" rx="14" fill="${color}"/><path d="M4 38C16 30 34 48 52 36V42A14 14 0 0 1 38 56H18A14 14 0 0 1 4 42Z" fill="#fff" fill-opacity=".16"/>`
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="64" viewBox="0 0 ${width} 64" role="img" aria-label="${name}">` +
    `${badge}<g font-family="${LOGO_FONT}" font-weight="700"><text x="28" y="42" text-anchor="middle" font-size="28" fill="${theme === 'white' ? '#fff' : contrastingInk(color)}">${initial}</text>` +
    `<text x="64" y="43" font-size="32" textLength="${nameWidth}" lengthAdjust="spacingAndGlyphs" fill="${ink}">${name}</text></g></svg>`
  )
}

/** Black or white, whichever has more contrast on the colour. */
function contrastingInk(color: string): string {
  return luminance(color) > 0.42 ? '#17171c' : '#fff'
}

function lightenForDark(color: string): string {
  if (luminance(color) > 0.06) return color
  return `#${parseChannels(color)
    .map((value) =>
      Math.round(value + (255 - value) * 0.32)
        .toString(16)
        .padStart(2, '0'),
    )
    .join('')}`
}

function luminance(color: string): number {
  const [r = 0, g = 0, b = 0] = parseChannels(color).map((value) => (value / 255) ** 2.2)
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}

function parseChannels(color: string): number[] {
  return [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16))
}

/** The target of a demo link: a show, a season or an episode. */
interface WatchSubject {
  readonly id: string
  readonly title: string
  readonly season?: string
  readonly episode?: string
  readonly isVideo: boolean
}

const countryNames = new Intl.DisplayNames(['en'], { type: 'region' })

const PAGE_STYLE =
  ':root{color-scheme:light dark;--bg:#f4f2ee;--card:#fff;--ink:#1b1b20;--soft:#66656e;--line:#e3e0da}' +
  '@media(prefers-color-scheme:dark){:root{--bg:#121216;--card:#1d1d23;--ink:#f2f1ee;--soft:#a3a2ad;--line:#303038}}' +
  '*{box-sizing:border-box}body{margin:0;min-height:100vh;display:grid;place-items:center;padding:24px;background:var(--bg);' +
  "color:var(--ink);font:16px/1.55 Inter,'Helvetica Neue',Arial,'Noto Sans',sans-serif}" +
  'main{width:100%;max-width:520px;background:var(--card);border:1px solid var(--line);border-radius:20px;overflow:hidden;box-shadow:0 18px 50px rgb(0 0 0/.12)}' +
  'header{padding:22px 28px;display:flex;align-items:center;justify-content:space-between;gap:16px;font-weight:700;font-size:20px}' +
  'header small{font-weight:600;font-size:13px;opacity:.85}' +
  'section{padding:26px 28px 30px}h1{margin:0 0 4px;font-size:30px;line-height:1.2;overflow-wrap:anywhere}' +
  'p{margin:0;color:var(--soft)}.part{font-weight:600}.note{margin-top:22px;padding-top:18px;border-top:1px solid var(--line)}'

/** Renders the page of a demo link. It states that the link is invented. */
function renderWatchPage(brand: DemoBrand, country?: string, subject?: WatchSubject): string {
  const name = escapeXml(brand.name)
  const place = country === undefined ? '' : escapeXml(countryNames.of(country.toUpperCase()) ?? country)
  const through = brand.through === undefined ? place : `through ${escapeXml(brand.through)}`
  const title = subject === undefined ? name : escapeXml(subject.title)
  const part = subject === undefined ? '' : partTitle(subject)
  const what = subject === undefined ? 'home page' : subject.isVideo ? 'video link' : 'link'
  return (
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">` +
    `<meta name="robots" content="noindex"><title>${title} · ${name} · demo</title><style>${PAGE_STYLE}</style></head><body><main>` +
    `<header style="background:${brand.color};color:${contrastingInk(brand.color)}"><span>${name}</span><small>${through}</small></header>` +
    `<section><h1>${title}</h1>${part === '' ? '' : `<p class="part">${part}</p>`}` +
    `<p class="note">This is an invented ${what} of the demo catalog, whose availability says nothing about the real one. Nothing can be watched here, and this page does not belong to ${name}.</p>` +
    '</section></main></body></html>'
  )
}

function partTitle({ season, episode }: WatchSubject): string {
  if (season === undefined) return ''
  return episode === undefined ? `Season ${season}` : `Season ${season}, episode ${episode}`
}
