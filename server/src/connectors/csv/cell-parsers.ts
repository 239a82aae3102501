import { fold } from '../../catalog/index/analyzer.ts'
import { ownEntry } from '../../lib/objects.ts'
import type { OfferType } from '../../model/offer.ts'
import type { ShowType } from '../../model/show.ts'
import { parseGenres } from '../records/genres.ts'
import { parseCountry, parseLocale, parseTagLanguage } from '../records/locales.ts'
import { findCountryByName, findLanguageByName } from '../records/names.ts'
import { parseDurationMinutes, parseQuality } from '../records/values.ts'
import type { CellKind, ColumnRule } from './csv-mapping.ts'
import { parseDate } from './date-format.ts'

/** Why a cell cannot be read: what would be right. */
export class CellProblem {
  readonly needed: string

  constructor(needed: string) {
    this.needed = needed
  }
}

/** Reads a cell that is not empty, by the rule of its column. */
export function parseCell(kind: CellKind, text: string, rule: ColumnRule): unknown {
  return PARSERS[kind](text, rule)
}

type CellParser = (text: string, rule: ColumnRule) => unknown

const PARSERS: Readonly<Record<CellKind, CellParser>> = {
  text: (text) => text,
  texts: splitPeople,
  genres: (text, rule) => parseGenres(splitGenres(text, rule)),
  count: (text) => (/^\d{1,6}(\.0+)?$/.test(text) ? Number(text) : new CellProblem('a whole number')),
  time: (text, { format }) => parseTimeCell(text, format) ?? new CellProblem(describeDate(format)),
  year: (text, { field }) => parseYears(text, field) ?? new CellProblem('a year such as 1999'),
  rating: (text, { scale = 100 }) => parseRating(text, scale) ?? new CellProblem(`a number from 0 to ${scale}`),
  minutes: (text) => parseDuration(text)?.minutes ?? new CellProblem('a number of minutes, such as 90 or 1h 30m'),
  duration: (text) => parseDuration(text) ?? new CellProblem('a duration such as 90 min or 2 Seasons'),
  showType: (text) => SHOW_TYPE_NAMES.get(toKey(text)) ?? new CellProblem('movie or series'),
  offerType: (text) => OFFER_TYPE_NAMES.get(toKey(text)) ?? new CellProblem('subscription, free, rent, buy or addon'),
  quality: (text) => parseQuality(text) ?? new CellProblem('sd, hd, qhd or uhd'),
  countries: (text, rule) =>
    parseEach(splitCountries(text, rule), parseCountryCell) ?? new CellProblem('a country code such as us, or a name,'),
  locales: (text, rule) =>
    parseEach(splitList(text, rule), parseLocaleCell) ?? new CellProblem('a language such as eng, spa-419 or English'),
  language: (text) =>
    parseTagLanguage(text) ?? findLanguageByName(text) ?? new CellProblem('a language such as en or English'),
  price: (text) => parseAmount(text) ?? new CellProblem('an amount such as 2.99'),
  imdbId: (text) => parseImdbCell(text) ?? new CellProblem('an id such as tt0113277'),
  tmdbId: (text) => /(?:(?:movie|tv)\/)?\d+/.exec(text)?.[0] ?? new CellProblem('an id such as 949 or movie/949'),
  url: (text) =>
    /^https?:\/\/[^/\s]+/i.test(text) ? text : new CellProblem('a web address that starts with https://'),
}

/** Words for the two show types, as tables in the languages of the API have them. */
const SHOW_TYPE_NAMES = namesOf<ShowType>({
  movie: [
    ...[
      'movie',
      'movies',
      'film',
      'films',
      'feature',
      'feature film',
      'tv movie',
      'tvmovie',
      'tv film',
      'short',
      'short film',
    ],
    ...['shortform', 'special', 'tv special', 'tvspecial', 'video', 'single', 'documentary film', 'stand up'],
    ...['spielfilm', 'pelicula', 'filme', 'longmetrage', 'long metrage', 'speelfilm', '映画', '영화', 'm'],
  ],
  series: [
    ...['series', 'serie', 'tv show', 'tv shows', 'tvshow', 'show', 'shows', 'tv', 'tv series', 'tvseries', 'tv serie'],
    ...[
      'web series',
      'mini series',
      'miniseries',
      'tvminiseries',
      'limited series',
      'docuseries',
      'anime series',
      'tv program',
    ],
    ...[
      'season',
      'episode',
      'tv season',
      'tv episode',
      'serien',
      'fernsehserie',
      'serie tv',
      'dizi',
      'serial',
      'seriado',
    ],
    ...['série', 'séries', 'série tv', 'seriale', 'tv-serie', 'シリーズ', 'ドラマ', '시리즈', '드라마', 's'],
  ],
})

/** Words for the types of offers. */
const OFFER_TYPE_NAMES = namesOf<OfferType>({
  subscription: ['subscription', 'subscribe', 'svod', 'flatrate', 'flat', 'sub', 'abo', 'abonnement', 'suscripcion'],
  free: ['free', 'avod', 'fvod', 'ads', 'ad supported', 'free with ads', 'fast', 'gratis', 'kostenlos', 'gratuit'],
  rent: ['rent', 'rental', 'tvod', 'leihen', 'location', 'alquiler', 'hire'],
  buy: ['buy', 'purchase', 'est', 'dto', 'sell through', 'own', 'kaufen', 'achat', 'compra'],
  addon: ['addon', 'add on', 'channel', 'premium channel'],
})

function namesOf<T extends string>(names: Readonly<Record<T, readonly string[]>>): ReadonlyMap<string, T> {
  return new Map(
    (Object.entries(names) as [T, readonly string[]][]).flatMap(([value, words]) =>
      words.map((word): [string, T] => [toKey(word), value]),
    ),
  )
}

/** A word without case, accents and punctuation. */
function toKey(text: string): string {
  return fold(text)
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, ' ')
    .trim()
}

/** Whether a cell names a show type without a `values` entry. */
export function isShowTypeName(text: string): boolean {
  return SHOW_TYPE_NAMES.has(toKey(text))
}

/** A list as programs print it: `['drama', 'crime']`. */
const BRACKETED = /^\[(.*)\]$/s
const BRACKETED_ITEM = /'((?:[^'\\]|\\.|'(?!\s*(?:,|$)))*)'|"((?:[^"\\]|\\.)*)"|([^,'"\s][^,]*)/g

/** The items of a list in a cell: separated, or in brackets. Each may stand for another value. */
function splitList(text: string, { separator = ';', values = {} }: ColumnRule): string[] {
  const inside = BRACKETED.exec(text)?.[1]
  const items =
    inside === undefined
      ? text.split(separator)
      : [...inside.matchAll(BRACKETED_ITEM)].map(([, single, double, bare]) => single ?? double ?? bare ?? '')
  return items.map((item) => ownEntry(values, item.trim().toLowerCase()) ?? item.trim()).filter((item) => item !== '')
}

/** The genre labels of a cell. A label may have commas inside, so `parseGenres` splits those itself. */
function splitGenres(text: string, rule: ColumnRule): string[] {
  const isPlain = rule.values === undefined && /^[,;|]$/.test(rule.separator ?? ';') && !BRACKETED.test(text)
  return isPlain ? [text] : splitList(text, rule)
}

/** Parts of a name that follow a comma. */
const NAME_SUFFIX = /^(jr|sr|ii|iii|iv|esq|m\.?d|ph\.?d)\.?$/i

/** The names in a cell, each once; "Robert Downey, Jr." is one of them. */
function splitPeople(text: string, rule: ColumnRule): string[] {
  const names: string[] = []
  for (const name of splitList(text, rule)) {
    const last = names.at(-1)
    if (last !== undefined && NAME_SUFFIX.test(name)) names[names.length - 1] = `${last}, ${name}`
    else names.push(name)
  }
  return [...new Set(names)]
}

/** Countries are separated by whatever the table has: no name of one has such a character inside. */
function splitCountries(text: string, rule: ColumnRule): string[] {
  return splitList(text, rule).flatMap((item) => item.split(/[,;|/]/).map((part) => part.trim()))
}

/** The country code of a code or a name. */
function parseCountryCell(text: string): string | undefined {
  return findCountryByName(text) ?? parseCountry(text)
}

/** A language, with `(CC)` for closed captions. */
function parseLocaleCell(text: string): { closedCaptions: boolean; locale: object } | undefined {
  const captions = /\s*\(cc\)$/i
  const name = text.replace(captions, '')
  const locale = parseLocale(findLanguageByName(name) ?? name)
  return locale && { closedCaptions: captions.test(text), locale }
}

/** All items of a list, or undefined if one of them cannot be read. */
function parseEach<T>(items: readonly string[], parse: (item: string) => T | undefined): T[] | undefined {
  const values = items.filter((item) => item !== '').map(parse)
  return values.length > 0 && values.every((value) => value !== undefined) ? (values as T[]) : undefined
}

/** A date by its format. Without one, only dates that cannot be misread. */
function parseTimeCell(text: string, format: string | undefined): number | undefined {
  const formats =
    format === undefined ? [...UNAMBIGUOUS_FORMATS, ...(/^\d{9,10}$/.test(text) ? ['unix'] : [])] : [format]
  for (const one of formats) {
    const seconds = parseDate(text, one)
    if (seconds !== undefined) return seconds
  }
  return undefined
}

const UNAMBIGUOUS_FORMATS = ['iso', 'MMMM D, YYYY', 'D MMMM YYYY', 'D. MMMM YYYY', 'D-MMM-YYYY', 'YYYYMMDD']

function describeDate(format: string | undefined): string {
  return format === undefined
    ? 'a date such as 2027-12-31, or the "format" of the column in the mapping'
    : `a date in the format ${format}`
}

/** The year in a cell such as 1999, 1999.0, 25/09/1999 or 1999–2004; the last one for the end of a series. */
function parseYears(text: string, field: ColumnRule['field']): number | undefined {
  const years = [...text.matchAll(/(?<!\d)(1[89]\d\d|2[01]\d\d)(?!\d)/g)].map(([year]) => Number(year))
  if (years.length === 0 || (years.length > 2 && new Set(years).size > 1)) return undefined
  return field === 'lastAirYear' ? years.at(-1) : years[0]
}

/** The IMDb id in a cell: an id, its number, or a link to its page. */
function parseImdbCell(text: string): string | undefined {
  const id = /tt\d{1,10}/.exec(text)?.[0]
  return id ?? (/^\d{5,8}$/.test(text) ? `tt${text.padStart(7, '0')}` : undefined)
}

/** A duration: of a movie in minutes, or of a series in seasons. */
export interface Duration {
  readonly minutes?: number
  readonly seasons?: number
}

/** The word for seasons in the languages of the API. */
const SEASONS =
  /^(\d{1,3})\s*(seasons?|series|staffeln?|saisons?|temporadas?|stagion[ei]|sezon(y|ów|lar)?|seizoen(en)?|säsong(er)?|シーズン|시즌)$/iu
const HOURS_AND_MINUTES =
  /^(?:(\d{1,3})\s*(?:h|hrs?|hours?|std\.?|stunden?|horas?|heures?|ore|uur)\.?)?\s*(?:(\d{1,4})\s*(?:m|mins?|min\.|minutes?|minuten?|minutos?|minuti|minut|分|분)\.?)?$/iu
const CLOCK = /^(\d{1,2}):(\d{2}):(\d{2})$/

/** Parses a duration such as `90 min`, `1h 30m`, `01:30:00`, `PT1H30M`, `90` (minutes) or `2 Seasons`. */
export function parseDuration(text: string): Duration | undefined {
  const seasons = SEASONS.exec(text)?.[1]
  if (seasons !== undefined) return { seasons: Number(seasons) }
  if (/^\d{1,4}(\.0+)?$/.test(text)) return { minutes: Number(text) }
  const [, hours, minutes] = HOURS_AND_MINUTES.exec(text) ?? []
  if (hours !== undefined || minutes !== undefined) return { minutes: Number(hours ?? 0) * 60 + Number(minutes ?? 0) }
  const clock = CLOCK.exec(text)
  if (clock !== null) return { minutes: Number(clock[1]) * 60 + Number(clock[2]) + Math.round(Number(clock[3]) / 60) }
  const iso = parseDurationMinutes(text)
  return iso === undefined ? undefined : { minutes: iso }
}

/** Parses a rating such as `7.8`, `7,8/10` or `78%` and scales it to 0 to 100. */
function parseRating(text: string, scale: number): number | undefined {
  const match = /^(\d{1,3}(?:[.,]\d+)?)\s*(%|\/\s*\d{1,3})?$/.exec(text)
  if (match === null) return undefined
  const [, number = '', suffix] = match
  const best = suffix === undefined ? scale : suffix === '%' ? 100 : Number(suffix.slice(1))
  const share = Number(number.replace(',', '.')) / best
  return share >= 0 && share <= 1 ? Math.round(share * 100) : undefined
}

/** An amount, and the currency if the cell names one without doubt. */
export interface Amount {
  readonly amount: string
  readonly currency?: string
}

/** Symbols of one currency only. Dollars, kronor and pounds of other countries are left to a column or a default. */
const SYMBOLS: ReadonlyMap<string, string> = new Map([
  ['€', 'EUR'],
  ['£', 'GBP'],
  ['₹', 'INR'],
  ['₩', 'KRW'],
  ['₺', 'TRY'],
  ['zł', 'PLN'],
  ['r$', 'BRL'],
  ['us$', 'USD'],
])

/** Parses a price such as `2.99`, `2,99 €`, `EUR 1.299,00` or `$3.99`; undefined if a separator may mean two things. */
function parseAmount(text: string): Amount | undefined {
  const match = /^([^\d\s.,-]*)\s*([\d.,' ]*\d)\s*([^\d\s.,-]*)$/u.exec(text.trim())
  if (match === null) return undefined
  const [, before = '', digits = '', after = ''] = match
  const unit = (before || after).toLowerCase()
  const currency = SYMBOLS.get(unit) ?? (/^[a-z]{3}$/.test(unit) ? unit.toUpperCase() : undefined)
  const amount = normalizeAmount(digits.replace(/[' ]/g, ''))
  if (amount === undefined || (unit !== '' && currency === undefined && !/^\p{Sc}|kr$/u.test(unit))) return undefined
  return { amount, ...(currency !== undefined && { currency }) }
}

/** A plain decimal of a number with separators. `1,299` may be either a thousand or a little over one: undefined. */
function normalizeAmount(digits: string): string | undefined {
  const separators = digits.match(/[.,]/g) ?? []
  if (separators.length === 0) return digits
  const last = Math.max(digits.lastIndexOf('.'), digits.lastIndexOf(','))
  const decimals = digits.length - last - 1
  const whole = digits.slice(0, last).replace(/[.,]/g, '')
  if (separators.length === 1) return decimals === 3 ? undefined : `${whole || '0'}.${digits.slice(last + 1)}`
  const isMixed = new Set(separators).size === 2
  if (isMixed) return decimals <= 2 ? `${whole}.${digits.slice(last + 1)}` : undefined
  // Several of one kind separate thousands.
  return decimals === 3 ? digits.replace(/[.,]/g, '') : undefined
}
