import { createHash } from 'node:crypto'
import { tokenize } from '../../catalog/index/analyzer.ts'
import { isObject, type JsonObject } from '../../ingest/parse/fields.ts'
import { isCurrency, type Quality } from '../../model/offer.ts'
import { DERIVED_IDS, HORIZONTAL_WIDTHS, isImdbId, isTmdbId, type ShowType, VERTICAL_WIDTHS } from '../../model/show.ts'

/** The text of a field; undefined if it is missing, blank or of another type. */
export function textField(object: JsonObject, name: string): string | undefined {
  const value = object[name]
  return typeof value === 'string' && value.trim() !== '' ? value : undefined
}

/** The number of a field; undefined if it is missing or of another type. */
export function numberField(object: JsonObject, name: string): number | undefined {
  const value = object[name]
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined
}

/** The year of a field with a date such as `2011-04-17`. */
export function yearField(object: JsonObject, name: string): number | undefined {
  const year = /^(\d{4})-/.exec(textField(object, name) ?? '')?.[1]
  return year === undefined ? undefined : Number(year)
}

/** The object of a field; empty if it is missing or of another type. */
export function objectField(object: JsonObject, name: string): JsonObject {
  const value = object[name]
  return isObject(value) ? value : {}
}

/** The objects in the list of a field; none if there is no list. */
export function objectListField(object: JsonObject, name: string): readonly JsonObject[] {
  return toObjects(object[name])
}

/** The objects in a list; none if the value is no list. */
export function toObjects(value: unknown): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter(isObject) : []
}

/** The texts in a list; none if the value is no list. */
export function toTexts(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((element) => typeof element === 'string') : []
}

/** A value as text, as `String` gives it; that throws for an object with a member `toString`, which any feed may have. */
export function toText(value: unknown): string {
  if (Array.isArray(value)) return value.map((one) => toText(one ?? '')).join()
  return typeof value === 'object' && value !== null ? '[object Object]' : String(value)
}

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

/** Converts a name into an id: its words in ASCII lower case, joined by hyphens; undefined if no letters are left. */
export function slugify(name: string): string | undefined {
  const words = tokenize(name).flatMap((word) => word.replace(/[^a-z0-9]/g, '') || [])
  const id = words.join('-').slice(0, 64).replace(/-$/, '')
  return id === '' ? undefined : id
}

/** Own ids longer than this are replaced by their hash. */
const MAX_RECORD_ID_CHARS = 300

/**
 * Names a record by the id that its service uses, so that every import recognises it again. A show without an IMDb or TMDB
 * id also gets a show id: a hash of that, in a range that the catalog does not allocate in sequence, which is the same in
 * every catalog.
 */
export function withRecordId(show: Readonly<Record<string, unknown>>, service: string, id: string): object {
  const derived = deriveShowId(service, id)
  const hasOutsideId = show.imdbId !== undefined || show.tmdbId !== undefined
  const recordId = id.length <= MAX_RECORD_ID_CHARS ? id : derived
  return { ...show, recordId, ...(!hasOutsideId && { id: derived }) }
}

function deriveShowId(service: string, id: string): string {
  const hash = createHash('sha256').update(`${service}\n${id}`).digest().readBigUInt64BE()
  const { first, last } = DERIVED_IDS
  return String(BigInt(first) + (hash % BigInt(last - first + 1)))
}

/** Picks the first valid IMDb and TMDB id. A TMDB id that is only a number gets the kind of the show type. */
export function pickExternalIds(
  showType: ShowType,
  candidates: { readonly imdb: readonly string[]; readonly tmdb: readonly string[] },
): { imdbId: string | undefined; tmdbId: string | undefined } {
  const prefix = showType === 'movie' ? 'movie/' : 'tv/'
  return {
    imdbId: candidates.imdb.find(isImdbId),
    tmdbId: candidates.tmdb.map((id) => (id.includes('/') ? id : prefix + id)).find((id) => isTmdbId(id, showType)),
  }
}
