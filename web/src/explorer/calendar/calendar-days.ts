import type { Weekday } from '../../i18n/first-weekday.ts'

export const DAY = 86_400

/** The direction of a calendar from today. */
export type Direction = 'past' | 'future'

/** What a calendar lists: this week, this month, or all days that it covers. */
export type Period = 'week' | 'month' | 'all'

/** Days that the API covers before or after today. */
const RANGE_DAYS = 31

/** The start of the day of a time, both in seconds of the same clock. */
export function startOfDay(unixSeconds: number): number {
  return unixSeconds - (unixSeconds % DAY)
}

/** Whether a day is in the range of the calendar, before it, or after it. */
export function dayStanding(day: number, now: number, direction: Direction): 'known' | 'over' | 'ahead' {
  const { first, last } = calendarRange(now, direction)
  return day < first ? 'over' : day > last ? 'ahead' : 'known'
}

/** All days of a calendar in the order of the changes: from today on, or back from today. */
export function daysFrom(now: number, direction: Direction): number[] {
  const step = direction === 'past' ? -DAY : DAY
  return Array.from({ length: RANGE_DAYS + 1 }, (_, place) => startOfDay(now) + place * step)
}

/** A month of a calendar. */
export interface CalendarMonth {
  /** Its first day that the calendar covers. */
  readonly first: number
  /** Rows of seven days; days outside the range and of other months are undefined. */
  readonly weeks: readonly (readonly (number | undefined)[])[]
}

/** All days of a calendar as weeks of months, from Monday by default. A week in which a month begins is in both months. */
export function monthsFrom(now: number, direction: Direction, firstDay: Weekday = 1): CalendarMonth[] {
  const { first, last } = calendarRange(now, direction)
  const months: CalendarMonth[] = []
  for (let start = first; start <= last; start = startOfNextMonth(start)) {
    const end = Math.min(last, startOfNextMonth(start) - DAY)
    const weeks: (number | undefined)[][] = []
    for (let week = startOfWeek(start, firstDay); week <= end; week += 7 * DAY) {
      const days = Array.from({ length: 7 }, (_, place) => week + place * DAY)
      weeks.push(days.map((day) => (day >= start && day <= end ? day : undefined)))
    }
    months.push({ first: start, weeks })
  }
  return months
}

function startOfNextMonth(day: number): number {
  const date = new Date(day * 1000)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1) / 1000
}

function calendarRange(now: number, direction: Direction): { first: number; last: number } {
  const today = startOfDay(now)
  return direction === 'past'
    ? { first: today - RANGE_DAYS * DAY, last: today }
    : { first: today, last: today + RANGE_DAYS * DAY }
}

/** The days of the current week, or of all 31 days, that the calendar covers. */
export function periodDays(
  period: Period,
  now: number,
  direction: Direction,
  firstDay: Weekday,
): { readonly first: number; readonly last: number } {
  const range = calendarRange(now, direction)
  if (period === 'all') return range
  const today = new Date(startOfDay(now) * 1000)
  const start = period === 'week' ? startOfWeek(startOfDay(now), firstDay) : today.setUTCDate(1) / 1000
  const end = period === 'week' ? start + 6 * DAY : Date.UTC(today.getUTCFullYear(), today.getUTCMonth() + 1, 0) / 1000
  return { first: Math.max(start, range.first), last: Math.min(end, range.last) }
}

/** The week that a day belongs to, by its first day. */
function startOfWeek(day: number, firstDay: Weekday): number {
  return day - ((new Date(day * 1000).getUTCDay() - firstDay + 7) % 7) * DAY
}

/** A day as text for the URL: `2026-11-15`. */
export function dayAsText(day: number): string {
  return new Date(day * 1000).toISOString().slice(0, 10)
}

/** Parses a day of the URL; undefined for anything else. */
export function readDay(text: string | null): number | undefined {
  if (text === null || !/^\d{4}-\d{2}-\d{2}$/.test(text)) return undefined
  const instant = Date.parse(`${text}T00:00:00Z`)
  return Number.isNaN(instant) ? undefined : instant / 1000
}

/**
 * Counts changes by day, for days whose changes are all loaded. Changes are sorted in the order of `days`, so while more
 * pages follow, the day of the last change is incomplete. Changes without a date come first or last.
 */
export function dayCounts(
  timestamps: readonly (number | undefined)[],
  days: readonly number[],
  isWhole: boolean,
): ReadonlyMap<number, number> {
  const counts = new Map(days.map((day) => [day, 0]))
  for (const timestamp of timestamps) {
    const day = timestamp === undefined ? undefined : startOfDay(timestamp)
    if (day !== undefined && counts.has(day)) counts.set(day, (counts.get(day) ?? 0) + 1)
  }
  if (isWhole) return counts
  const last = timestamps.at(-1)
  const hasDates = timestamps.some((timestamp) => timestamp !== undefined)
  const incomplete = last === undefined ? days.length : days.indexOf(startOfDay(last))
  const complete = hasDates ? Math.max(0, incomplete) : 0
  return new Map([...counts].slice(0, complete))
}
