import type { Language } from './language.ts'

const UNITS = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const

/** Numbers, dates, sizes and names in one language. */
export class Formats {
  readonly #language: Language
  /** `Intl` objects are slow to create, so each is created once. */
  readonly #formatters = new Map<string, unknown>()

  constructor(language: Language) {
    this.#language = language
  }

  number(value: number): string {
    return this.#get('number', (tag) => new Intl.NumberFormat(tag)).format(value)
  }

  /** `1.2K`. */
  compact(value: number): string {
    return this.#get('compact', (tag) => new Intl.NumberFormat(tag, { notation: 'compact' })).format(value)
  }

  /** An amount of money. One in an unknown currency is written as the catalog has it. */
  price({ amount, currency }: { amount: string; currency: string }): string {
    try {
      const format = this.#get(
        `price ${currency}`,
        (tag) => new Intl.NumberFormat(tag, { style: 'currency', currency }),
      )
      return format.format(Number(amount))
    } catch {
      return `${amount} ${currency}`
    }
  }

  /** `15 November`, with the year unless it is this one. Days of the catalog are UTC days. */
  day(unixSeconds: number, now = Date.now()): string {
    const date = new Date(unixSeconds * 1000)
    const isThisYear = date.getUTCFullYear() === new Date(now).getUTCFullYear()
    const style: Intl.DateTimeFormatOptions = {
      timeZone: 'UTC',
      day: 'numeric',
      month: 'short',
      ...(!isThisYear && { year: 'numeric' }),
    }
    return this.#get(`day ${isThisYear}`, (tag) => new Intl.DateTimeFormat(tag, style)).format(date)
  }

  /** `Sunday 15 November`, in UTC. */
  weekday(unixSeconds: number): string {
    const style: Intl.DateTimeFormatOptions = { timeZone: 'UTC', weekday: 'long', day: 'numeric', month: 'long' }
    return this.#get('weekday', (tag) => new Intl.DateTimeFormat(tag, style)).format(unixSeconds * 1000)
  }

  /** `in 3 days`, `yesterday`. */
  daysAway(days: number): string {
    return this.#get('days', (tag) => new Intl.RelativeTimeFormat(tag, { numeric: 'auto' })).format(days, 'day')
  }

  /** `November`, with the year in January, in UTC. */
  month(unixSeconds: number): string {
    const isJanuary = new Date(unixSeconds * 1000).getUTCMonth() === 0
    const style: Intl.DateTimeFormatOptions = { timeZone: 'UTC', month: 'long', ...(isJanuary && { year: 'numeric' }) }
    return this.#get(`month ${isJanuary}`, (tag) => new Intl.DateTimeFormat(tag, style)).format(unixSeconds * 1000)
  }

  /** The days of the week from a day on (1 for Monday), with their letters and names. */
  weekdayLetters(firstDay = 1): { readonly letter: string; readonly name: string }[] {
    const letter = this.#get(
      'weekday letter',
      (tag) => new Intl.DateTimeFormat(tag, { timeZone: 'UTC', weekday: 'narrow' }),
    )
    const name = this.#get('weekday name', (tag) => new Intl.DateTimeFormat(tag, { timeZone: 'UTC', weekday: 'long' }))
    // The fifth of January 1970 was a Monday.
    return Array.from({ length: 7 }, (_, index) => (3 + firstDay + index) * 86_400_000).map((day) => ({
      letter: letter.format(day),
      name: name.format(day),
    }))
  }

  /** `15 Nov 2026, 09:12`, in the time zone of the browser. */
  instant(unixSeconds: number): string {
    const style: Intl.DateTimeFormatOptions = { dateStyle: 'medium', timeStyle: 'short' }
    return this.#get('instant', (tag) => new Intl.DateTimeFormat(tag, style)).format(unixSeconds * 1000)
  }

  /** `15 Nov 2026, 09:12:05`, in the time zone of the browser. */
  second(unixSeconds: number): string {
    const style: Intl.DateTimeFormatOptions = { dateStyle: 'medium', timeStyle: 'medium' }
    return this.#get('second', (tag) => new Intl.DateTimeFormat(tag, style)).format(unixSeconds * 1000)
  }

  /** `09:00`, in the time zone of the browser. */
  hour(unixSeconds: number): string {
    const style: Intl.DateTimeFormatOptions = { hour: '2-digit', minute: '2-digit' }
    return this.#get('hour', (tag) => new Intl.DateTimeFormat(tag, style)).format(unixSeconds * 1000)
  }

  /** `3 hours ago`, `in 2 minutes`, `now`. */
  ago(unixSeconds: number, nowSeconds = Date.now() / 1000): string {
    const format = this.#get('ago', (tag) => new Intl.RelativeTimeFormat(tag, { numeric: 'auto' }))
    const seconds = Math.round(unixSeconds - nowSeconds)
    for (const [unit, length] of UNITS) {
      if (Math.abs(seconds) >= length) return format.format(Math.trunc(seconds / length), unit)
    }
    return format.format(Math.abs(seconds) < 10 ? 0 : seconds, 'second')
  }

  /** `4 minutes`, `2 days`: a duration. */
  duration(seconds: number): string {
    const [unit, length] = UNITS.find(([, one]) => seconds >= one) ?? (['second', 1] as const)
    const style: Intl.NumberFormatOptions = { style: 'unit', unit, unitDisplay: 'long', maximumFractionDigits: 0 }
    return this.#get(`duration ${unit}`, (tag) => new Intl.NumberFormat(tag, style)).format(
      Math.trunc(seconds / length),
    )
  }

  /** `1.3 MB`. */
  bytes(bytes: number): string {
    const [unit, size] = bytes >= 1e9 ? (['gigabyte', 1e9] as const) : (['megabyte', 1e6] as const)
    const style: Intl.NumberFormatOptions = { style: 'unit', unit, maximumFractionDigits: bytes >= 1e9 ? 1 : 0 }
    return this.#get(`bytes ${unit}`, (tag) => new Intl.NumberFormat(tag, style)).format(bytes / size)
  }

  /** `12.5 ms`. */
  milliseconds(milliseconds: number): string {
    const style: Intl.NumberFormatOptions = { style: 'unit', unit: 'millisecond', maximumSignificantDigits: 3 }
    return this.#get('ms', (tag) => new Intl.NumberFormat(tag, style)).format(milliseconds)
  }

  /** `12 %`. Small shares keep a digit: a few errors in many responses must not look like none. */
  percent(share: number): string {
    const digits = share > 0 && share < 0.1 ? 1 : 0
    const style: Intl.NumberFormatOptions = { style: 'percent', maximumFractionDigits: digits }
    return this.#get(`percent ${digits}`, (tag) => new Intl.NumberFormat(tag, style)).format(share)
  }

  /** `a, b and c`. */
  list(items: readonly string[]): string {
    return this.#get('list', (tag) => new Intl.ListFormat(tag, { type: 'conjunction' })).format(items)
  }

  /** The name of a language by its ISO 639 code, or the code itself. */
  languageName(code: string): string {
    return this.#displayName('language', code)
  }

  /** The name of a country or region by its code, or the code itself. */
  regionName(code: string): string {
    return this.#displayName('region', code.toUpperCase())
  }

  #displayName(type: 'language' | 'region', code: string): string {
    // Codes of the standards have two or three characters; others may come from a feed, and are not cached.
    return code.length > 3 ? this.#lookUp(type, code) : this.#get(`${type} ${code}`, () => this.#lookUp(type, code))
  }

  #lookUp(type: 'language' | 'region', code: string): string {
    try {
      return this.#get(type, (tag) => new Intl.DisplayNames([tag], { type })).of(code) ?? code
    } catch {
      return code
    }
  }

  #get<F>(name: string, create: (language: string) => F): F {
    let formatter = this.#formatters.get(name) as F | undefined
    if (formatter === undefined) {
      formatter = create(this.#language)
      this.#formatters.set(name, formatter)
    }
    return formatter
  }
}

/** One instance for each language. They depend on the language alone, so requests can share them. */
const instances = new Map<Language, Formats>()

/** The formats of a language. */
export function formatsFor(language: Language): Formats {
  const formats = instances.get(language) ?? new Formats(language)
  instances.set(language, formats)
  return formats
}
