import { kept } from './formats.ts'

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
