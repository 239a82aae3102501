import { type RasterImages, RasterQueueFullError } from '../../demo/artwork/raster-images.ts'
import { escapeXml, estimateWidth, fitText, stripUnprintable } from '../../demo/artwork/svg-text.ts'
import { ApiError } from '../../http/exchange/errors.ts'
import type { Site } from '../../http/site/page.ts'
import type { Clock } from '../../lib/clock.ts'
import { isOutputLanguage } from '../../model/language.ts'
import type { QueryEngine } from '../../render/query-engine.ts'

/** Renders drawings to PNG. */
type Images = Pick<RasterImages, 'cached' | 'render'>

/** The parts of a show, as the API prints it, that its card shows. */
interface CardShow {
  readonly title: string
  readonly showType: 'movie' | 'series'
  readonly releaseYear?: number
  readonly firstAirYear?: number
  readonly lastAirYear?: number
  readonly streamingOptions: Readonly<
    Record<
      string,
      readonly { readonly service: { readonly id: string; readonly name: string; readonly themeColorCode: string } }[]
    >
  >
}

/** The size that sites recommend for images of shared links. */
const WIDTH = 1200
const HEIGHT = 630
const MARGIN = 80

const TITLE_SIZES = [104, 92, 80, 70, 60, 52, 44]
const MAX_SERVICES = 5

/** The card of the site itself, for pages that are not about a show. */
const SITE_CARD = 'marquee.png'

/** The images of shared links: `/cards/us/en/67.png`, drawn on demand from the show's title and services. */
export function createShareCards(engine: QueryEngine, images: Images, clock: Clock): Site {
  return {
    prefix: '/cards/',
    serve(path) {
      const svg = path === SITE_CARD ? drawSiteCard() : drawCardOfPath(path)
      return svg === undefined ? undefined : renderPng(svg, images)
    },
  }

  function drawCardOfPath(path: string): string | undefined {
    const [, country = '', language = '', id = ''] = /^([a-z]{2})\/([a-z]{2})\/(\d{1,20})\.png$/.exec(path) ?? []
    if (!isOutputLanguage(language) || !engine.names().hasCountry(country)) return undefined
    const found = engine.execute({ kind: 'show', id, countries: [country], language, granularity: 'show' }, clock())
    if (found === undefined) return undefined
    const show = JSON.parse(found.body.bytes.toString()) as CardShow
    found.body.release?.()
    return drawShareCard(show, country)
  }
}

/** The icons of the site: as PNG by their size in pixels, such as `/icons/192.png`, and as `/favicon.ico`. */
export function createIcons(images: Images): readonly Site[] {
  return [
    {
      prefix: '/icons/',
      serve(path) {
        const size = Number(/^(32|48|180|192|512)\.png$/.exec(path)?.[1])
        return Number.isNaN(size) ? undefined : renderPng(drawIcon(size), images)
      },
    },
    {
      // Browsers and crawlers request it unasked wherever a page names no icon, such as one of plain text.
      prefix: '/favicon.ico',
      isExact: true,
      async serve() {
        const pngs = await Promise.all(FAVICON_SIZES.map((size) => renderPng(drawIcon(size), images)))
        return { contentType: 'image/vnd.microsoft.icon', body: packIcons(pngs.map(({ body }) => body)) }
      },
    },
  ]
}

const FAVICON_SIZES = [32, 48]

/** Draws the logo to the edges: systems round the corners of an icon themselves. */
function drawIcon(size: number): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${size}" height="${size}" viewBox="0 0 32 32">${drawLogo(0)}</svg>`
}

const ICON_HEADER_BYTES = 6
const ICON_ENTRY_BYTES = 16

/** An ICO file of PNG images: a header, an entry for each image, and the images. */
function packIcons(pngs: readonly Buffer[]): Buffer {
  const head = Buffer.alloc(ICON_HEADER_BYTES + ICON_ENTRY_BYTES * pngs.length)
  head.writeUInt16LE(1, 2)
  head.writeUInt16LE(pngs.length, 4)
  let imageStart = head.length
  pngs.forEach((png, i) => {
    const at = ICON_HEADER_BYTES + ICON_ENTRY_BYTES * i
    head[at] = FAVICON_SIZES[i] as number
    head[at + 1] = FAVICON_SIZES[i] as number
    // One colour plane of 32 bits a pixel.
    head.writeUInt16LE(1, at + 4)
    head.writeUInt16LE(32, at + 6)
    head.writeUInt32LE(png.length, at + 8)
    head.writeUInt32LE(imageStart, at + 12)
    imageStart += png.length
  })
  return Buffer.concat([head, ...pngs])
}

function renderPng(svg: string, images: Images) {
  const png = (body: Buffer) => ({ contentType: 'image/png', body })
  const cached = images.cached(svg)
  return cached === undefined ? images.render(svg).then(png, rethrowAsApiError) : png(cached)
}

/** Turns a full queue of images into a response that says when to try again. */
export function rethrowAsApiError(error: unknown): never {
  if (!(error instanceof RasterQueueFullError)) throw error
  throw new ApiError('overloaded', 'Too many images are being drawn; try again in 1 s.', { retryAfter: 1 })
}

/** Draws the card of a show: its title and years, and the services of a country. */
export function drawShareCard(show: CardShow, country: string): string {
  const title = stripUnprintable(show.title)
  const { lines, size } = fitText(title, WIDTH - 2 * MARGIN, TITLE_SIZES, 3)
  const top = 210
  const titles = lines.map(
    (line, i) => `<text x="${MARGIN}" y="${Math.round(top + size * 0.8 + i * size * 1.12)}">${escapeXml(line)}</text>`,
  )
  const yearsTop = top + size * 1.12 * lines.length + 44
  return drawFrame(
    `<g font-size="${size}" font-weight="700" fill="#fff">${titles.join('')}</g>` +
      `<text x="${MARGIN}" y="${Math.round(yearsTop)}" font-size="38" fill="#cfc6bd">${showYears(show)}</text>` +
      drawServices(show.streamingOptions[country] ?? []),
  )
}

function drawSiteCard(): string {
  return drawFrame(`<text x="${MARGIN}" y="340" font-size="104" font-weight="700" fill="#fff">Where to watch</text>`)
}

function drawFrame(content: string): string {
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}" viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="Noto Sans, Noto Sans CJK JP">` +
    `<defs><linearGradient id="g" x2="1" y2="1"><stop stop-color="#2a1a12"/><stop offset="1" stop-color="#121116"/></linearGradient></defs>` +
    `<rect width="${WIDTH}" height="${HEIGHT}" fill="url(#g)"/><rect width="${WIDTH}" height="10" fill="#b4410e"/>` +
    `<g transform="translate(${MARGIN} 72) scale(2.4)">${drawLogo(8)}</g>` +
    `<text x="${MARGIN + 100}" y="128" font-size="44" font-weight="700" fill="#fff">Marquee</text>${content}</svg>`
  )
}

/** Chips with the names of the services, as many as fit in a line. */
function drawServices(offers: CardShow['streamingOptions'][string]): string {
  const services = [...new Map(offers.map(({ service }) => [service.id, service])).values()].slice(0, MAX_SERVICES)
  let x = MARGIN
  const chips: string[] = []
  for (const { name, themeColorCode } of services) {
    const text = stripUnprintable(name)
    const width = Math.round(estimateWidth(text) * 31 + 78)
    if (x + width > WIDTH - MARGIN) break
    const ground = /^#[0-9a-f]{6}$/i.test(themeColorCode) ? themeColorCode : '#6b645b'
    chips.push(
      `<rect x="${x}" y="510" width="${width}" height="60" rx="30" fill="#fff"/>` +
        `<circle cx="${x + 30}" cy="540" r="12" fill="${ground}"/>` +
        `<text x="${x + 50}" y="551" font-size="30" fill="#1e1b18">${escapeXml(text)}</text>`,
    )
    x += width + 16
  }
  return chips.join('')
}

function showYears({ showType, releaseYear, firstAirYear, lastAirYear }: CardShow): string {
  if (showType === 'movie') return String(releaseYear ?? '')
  return [...new Set([firstAirYear, lastAirYear])].filter((year) => year !== undefined).join('–')
}

/** The logo in a square of 32 units: an M under four light bulbs. */
function drawLogo(radius: number): string {
  const bulbs = [8, 13.3, 18.7, 24].map((x) => `<circle cx="${x}" cy="6.2" r="1.3"/>`)
  return (
    `<rect width="32" height="32" rx="${radius}" fill="#b4410e"/>` +
    `<path d="M8 23V11.5L16 18l8-6.5V23" fill="none" stroke="#fff" stroke-width="3.2" stroke-linecap="round" stroke-linejoin="round"/>` +
    `<g fill="#ffd9a0">${bulbs.join('')}</g>`
  )
}
