import { parseDurationMinutes } from '../records/values.ts'

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
export function parseRating(text: string, scale: number): number | undefined {
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
export function parseAmount(text: string): Amount | undefined {
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
