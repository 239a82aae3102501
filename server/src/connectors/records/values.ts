import { HORIZONTAL_WIDTHS, VERTICAL_WIDTHS } from '../../model/image.ts'
import { isCurrency, type Quality } from '../../model/offer.ts'
import { toText } from './json-fields.ts'

/**
 * Parses an ISO 8601 date or time into Unix seconds; UTC without a zone. Anything else is returned unchanged: the
 * importer then reports the value.
 */
export function parseUnixSeconds(time: unknown): unknown {
  if (typeof time !== 'string') return time ?? undefined
  const zoned = /T.*(Z|[+-]\d\d:?\d\d)$/i.test(time) || !time.includes('T') ? time : `${time}Z`
  const seconds = Math.floor(Date.parse(zoned) / 1000)
  return Number.isNaN(seconds) ? time : seconds
}

/** Qualities by the names that sources use. The API calls everything between SD and QHD `hd`. */
const QUALITY_NAMES: ReadonlyMap<string, Quality> = new Map(
  Object.entries({
    sd: ['sd', '480p', '480', '576p', '576', 'dvd', 'standard'],
    hd: [
      'hd',
      'hd+',
      'hd ready',
      '720p',
      '720',
      'fhd',
      'full hd',
      '1080p',
      '1080i',
      '1080',
      'hd1080',
      'blu-ray',
      'bluray',
    ],
    qhd: ['qhd', '2k', '1440p', '1440'],
    uhd: ['uhd', '4k', '4k uhd', 'uhd 4k', 'ultra hd', '2160p', '2160', '8k', '4320p', '4k hdr', 'uhd hdr'],
  } satisfies Record<Quality, string[]>).flatMap(([quality, names]) => names.map((name) => [name, quality as Quality])),
)

/** The quality that a text such as `4K`, `1080p` or `FHD` names; undefined for any other. */
export function parseQuality(text: string): Quality | undefined {
  return QUALITY_NAMES.get(text.trim().toLowerCase())
}

/** The year of an ISO 8601 date or time, or of a plain year. */
export function parseYear(date: unknown): number | undefined {
  const year = /^(\d{4})(?!\d)/.exec(toText(date ?? ''))?.[1]
  return year === undefined ? undefined : Number(year)
}

/** Parses an ISO 8601 duration such as `PT1H30M` into minutes, rounded. */
export function parseDurationMinutes(duration: unknown): number | undefined {
  const match = /^P(?:(\d+)D)?(?:T(?:(\d+(?:\.\d+)?)H)?(?:(\d+(?:\.\d+)?)M)?(?:(\d+(?:\.\d+)?)S)?)?$/.exec(
    toText(duration),
  )
  if (match === null || match.slice(1).every((part) => part === undefined)) return undefined
  const [days = 0, hours = 0, minutes = 0, seconds = 0] = match.slice(1).map((part) => Number(part ?? 0))
  return Math.round(days * 1440 + hours * 60 + minutes + seconds / 60)
}

type VerticalWidth = (typeof VERTICAL_WIDTHS)[number]
type HorizontalWidth = (typeof HORIZONTAL_WIDTHS)[number]

/** The URLs of a vertical image: one for all widths, or one for each. */
export function verticalImage(url: string | ((width: VerticalWidth) => string)): Readonly<Record<string, string>> {
  return Object.fromEntries(VERTICAL_WIDTHS.map((width) => [width, typeof url === 'string' ? url : url(width)]))
}

/** The URLs of a horizontal image: one for all widths, or one for each. */
export function horizontalImage(url: string | ((width: HorizontalWidth) => string)): Readonly<Record<string, string>> {
  return Object.fromEntries(HORIZONTAL_WIDTHS.map((width) => [width, typeof url === 'string' ? url : url(width)]))
}

/** The image set of a show with one poster of unknown aspect ratio: it serves as the vertical and horizontal one. */
export function posterSet(url: string): object {
  return { verticalPoster: verticalImage(url), horizontalPoster: horizontalImage(url) }
}

/**
 * A price of a native record. A numeric amount gets the decimals of its currency (`3.5` USD is `3.50`). Invalid values
 * are passed through: the importer then reports them.
 */
export function toPrice(amount: unknown, currency: unknown): { amount: unknown; currency: unknown } {
  const code = typeof currency === 'string' ? currency.trim().toUpperCase() : currency
  if (typeof amount !== 'number') return { amount: typeof amount === 'string' ? amount.trim() : amount, currency: code }
  const shortest = String(amount)
  const decimals = shortest.split('.')[1]?.length ?? 0
  const minDecimals = typeof code === 'string' && isCurrency(code) ? currencyDecimals(code) : 0
  return { amount: decimals < minDecimals ? amount.toFixed(minDecimals) : shortest, currency: code }
}

const decimalsByCurrency = new Map<string, number>()

/** The usual decimals of a currency. Cached, since `Intl.NumberFormat` costs more than the rest of an offer. */
function currencyDecimals(currency: string): number {
  const cached = decimalsByCurrency.get(currency)
  if (cached !== undefined) return cached
  const format = new Intl.NumberFormat('en', { style: 'currency', currency })
  const decimals = format.resolvedOptions().maximumFractionDigits ?? 2
  decimalsByCurrency.set(currency, decimals)
  return decimals
}

export type { GenreRecord } from './genres.ts'
