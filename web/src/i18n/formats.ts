import { language } from './language.ts'

/* Numbers, days and names as the shown language writes them. Formatters are dear to make, so they are kept. */

const formatters = new Map<string, unknown>()

/** A formatter of the shown language, made once under a name. */
export function kept<F>(name: string, make: (language: string) => F): F {
  const key = `${language.value} ${name}`
  let formatter = formatters.get(key) as F | undefined
  if (formatter === undefined) {
    formatter = make(language.value)
    formatters.set(key, formatter)
  }
  return formatter
}

export function formatNumber(value: number): string {
  return kept('number', (tag) => new Intl.NumberFormat(tag)).format(value)
}

/** An amount of money; one whose currency is unknown is written as the catalog has it. */
export function formatPrice({ amount, currency }: { amount: string; currency: string }): string {
  try {
    const format = kept(`price ${currency}`, (tag) => new Intl.NumberFormat(tag, { style: 'currency', currency }))
    return format.format(Number(amount))
  } catch {
    return `${amount} ${currency}`
  }
}

/** `15 November`, with the year unless it is this one. Days of the catalog are UTC days. */
export function formatDay(unixSeconds: number, now = Date.now()): string {
  const date = new Date(unixSeconds * 1000)
  const isThisYear = date.getUTCFullYear() === new Date(now).getUTCFullYear()
  const style: Intl.DateTimeFormatOptions = {
    timeZone: 'UTC',
    day: 'numeric',
    month: 'short',
    ...(!isThisYear && { year: 'numeric' }),
  }
  return kept(`day ${isThisYear}`, (tag) => new Intl.DateTimeFormat(tag, style)).format(date)
}

/** `Sunday 15 November`. */
export function formatWeekday(unixSeconds: number): string {
  const style: Intl.DateTimeFormatOptions = { timeZone: 'UTC', weekday: 'long', day: 'numeric', month: 'long' }
  return kept('weekday', (tag) => new Intl.DateTimeFormat(tag, style)).format(unixSeconds * 1000)
}

/** `in 3 days`, `yesterday`. */
export function formatDaysAway(days: number): string {
  return kept('days', (tag) => new Intl.RelativeTimeFormat(tag, { numeric: 'auto' })).format(days, 'day')
}

/** The name of a language from its ISO 639 code, or the code itself. */
export function languageName(code: string): string {
  return nameOf('language', code)
}

/** The name of a country or region from its code, or the code itself. */
export function regionName(code: string): string {
  return nameOf('region', code.toUpperCase())
}

function nameOf(type: 'language' | 'region', code: string): string {
  try {
    return kept(type, (tag) => new Intl.DisplayNames([tag], { type })).of(code) ?? code
  } catch {
    return code
  }
}

/** `a, b and c`. */
export function formatList(items: readonly string[]): string {
  return kept('list', (tag) => new Intl.ListFormat(tag, { type: 'conjunction' })).format(items)
}

/** The days of the week from Monday on, by their letters and their names. */
export function weekdayLetters(): { readonly letter: string; readonly name: string }[] {
  const letter = kept('weekday letter', (tag) => new Intl.DateTimeFormat(tag, { timeZone: 'UTC', weekday: 'narrow' }))
  const name = kept('weekday name', (tag) => new Intl.DateTimeFormat(tag, { timeZone: 'UTC', weekday: 'long' }))
  // The fifth of January 1970 was a Monday.
  return Array.from({ length: 7 }, (_, place) => (4 + place) * 86_400_000).map((day) => ({
    letter: letter.format(day),
    name: name.format(day),
  }))
}

/* Times, sizes and shares as the pages for developers and operators show them. */

const UNITS = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const

/** `15 Nov 2026, 09:12`, in the reader's own time. */
export function formatInstant(unixSeconds: number): string {
  const style: Intl.DateTimeFormatOptions = { dateStyle: 'medium', timeStyle: 'short' }
  return kept('instant', (tag) => new Intl.DateTimeFormat(tag, style)).format(unixSeconds * 1000)
}

/** `09:00`, in the reader's own time. */
export function formatHour(unixSeconds: number): string {
  const style: Intl.DateTimeFormatOptions = { hour: '2-digit', minute: '2-digit' }
  return kept('hour', (tag) => new Intl.DateTimeFormat(tag, style)).format(unixSeconds * 1000)
}

/** `3 hours ago`, `in 2 minutes`, `now`. */
export function formatAgo(unixSeconds: number, nowSeconds = Date.now() / 1000): string {
  const format = kept('ago', (tag) => new Intl.RelativeTimeFormat(tag, { numeric: 'auto' }))
  const seconds = Math.round(unixSeconds - nowSeconds)
  for (const [unit, length] of UNITS) {
    if (Math.abs(seconds) >= length) return format.format(Math.trunc(seconds / length), unit)
  }
  return format.format(Math.abs(seconds) < 10 ? 0 : seconds, 'second')
}

/** `4 min`, `2 days`: how long something takes or has lasted. */
export function formatSpan(seconds: number): string {
  const [unit, length] = UNITS.find(([, one]) => seconds >= one) ?? (['second', 1] as const)
  const style: Intl.NumberFormatOptions = { style: 'unit', unit, unitDisplay: 'long', maximumFractionDigits: 0 }
  return kept(`span ${unit}`, (tag) => new Intl.NumberFormat(tag, style)).format(Math.trunc(seconds / length))
}

/** `1.3 MB`. */
export function formatBytes(bytes: number): string {
  const [unit, size] = bytes >= 1e9 ? (['gigabyte', 1e9] as const) : (['megabyte', 1e6] as const)
  const style: Intl.NumberFormatOptions = { style: 'unit', unit, maximumFractionDigits: bytes >= 1e9 ? 1 : 0 }
  return kept(`bytes ${unit}`, (tag) => new Intl.NumberFormat(tag, style)).format(bytes / size)
}

/** `12.5 ms`. */
export function formatMilliseconds(milliseconds: number): string {
  const style: Intl.NumberFormatOptions = { style: 'unit', unit: 'millisecond', maximumSignificantDigits: 3 }
  return kept('ms', (tag) => new Intl.NumberFormat(tag, style)).format(milliseconds)
}

/** `12 %`. Small shares keep a digit, so that a few errors among many answers do not look like none. */
export function formatShare(share: number): string {
  const digits = share > 0 && share < 0.1 ? 1 : 0
  const style: Intl.NumberFormatOptions = { style: 'percent', maximumFractionDigits: digits }
  return kept(`share ${digits}`, (tag) => new Intl.NumberFormat(tag, style)).format(share)
}

/** `1.2K`. */
export function formatCompact(value: number): string {
  return kept('compact', (tag) => new Intl.NumberFormat(tag, { notation: 'compact' })).format(value)
}
