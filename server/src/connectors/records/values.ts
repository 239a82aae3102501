import { HORIZONTAL_WIDTHS, VERTICAL_WIDTHS } from '../../model/image.ts'
import { isCurrency } from '../../model/offer.ts'
/**
 * Unix seconds of an ISO 8601 date or time; without a zone it is taken as UTC. What is no such time comes back as it
 * is, so that the importer refuses it by name.
 */
export function parseUnixSeconds(time: unknown): unknown {
  if (typeof time !== 'string') return time ?? undefined
  const zoned = /T.*(Z|[+-]\d\d:?\d\d)$/i.test(time) || !time.includes('T') ? time : `${time}Z`
  const seconds = Math.floor(Date.parse(zoned) / 1000)
  return Number.isNaN(seconds) ? time : seconds
}

/** The year of an ISO 8601 date or time, or of a plain year. */
export function parseYear(date: unknown): number | undefined {
  const year = /^(\d{4})(?!\d)/.exec(String(date ?? ''))?.[1]
  return year === undefined ? undefined : Number(year)
}

/** Minutes of an ISO 8601 duration such as `PT1H30M`, rounded. */
export function parseDurationMinutes(duration: unknown): number | undefined {
  const match = /^P(?:(\d+)D)?(?:T(?:(\d+(?:\.\d+)?)H)?(?:(\d+(?:\.\d+)?)M)?(?:(\d+(?:\.\d+)?)S)?)?$/.exec(
    String(duration),
  )
  if (match === null || match.slice(1).every((part) => part === undefined)) return undefined
  const [days = 0, hours = 0, minutes = 0, seconds = 0] = match.slice(1).map((part) => Number(part ?? 0))
  return Math.round(days * 1440 + hours * 60 + minutes + seconds / 60)
}

type Urls = Readonly<Record<string, string>>

/** An image of a vertical kind that exists in one size: the same address for every width. */
export function verticalImage(url: string): Urls {
  return Object.fromEntries(VERTICAL_WIDTHS.map((width) => [width, url]))
}

/** An image of a horizontal kind that exists in one size: the same address for every width. */
export function horizontalImage(url: string): Urls {
  return Object.fromEntries(HORIZONTAL_WIDTHS.map((width) => [width, url]))
}

/** The image set of a show that has one poster of unknown shape. */
export function posterSet(url: string): object {
  return { verticalPoster: verticalImage(url), horizontalPoster: horizontalImage(url) }
}

/** A price as feeds state it, from an amount that may be a number; what cannot be read is left for the importer. */
export function toPrice(amount: unknown, currency: unknown): { amount: unknown; currency: unknown } {
  const code = typeof currency === 'string' ? currency.trim().toUpperCase() : currency
  if (typeof amount !== 'number') return { amount: typeof amount === 'string' ? amount.trim() : amount, currency: code }
  const plain = String(amount)
  const given = plain.split('.')[1]?.length ?? 0
  const usual = typeof code === 'string' && isCurrency(code) ? currencyDecimals(code) : 0
  return { amount: given < usual ? amount.toFixed(usual) : plain, currency: code }
}

const decimalsByCurrency = new Map<string, number>()

/** How many decimals prices in a currency are written with; asking takes longer than reading the rest of an offer. */
function currencyDecimals(currency: string): number {
  const known = decimalsByCurrency.get(currency)
  if (known !== undefined) return known
  const format = new Intl.NumberFormat('en', { style: 'currency', currency })
  const usual = format.resolvedOptions().maximumFractionDigits ?? 2
  decimalsByCurrency.set(currency, usual)
  return usual
}
