export const DAY = 86_400

/** Which way a calendar looks from today. */
export type Direction = 'past' | 'future'

/** How many days before or after today are known. */
const REACH = 31

/** The start of the UTC day of an instant, both in Unix seconds. */
export function startOfDay(unixSeconds: number): number {
  return unixSeconds - (unixSeconds % DAY)
}

/** Whether a day can be asked for: those before are over, those after are not known yet. */
export function dayStanding(day: number, now: number, direction: Direction): 'known' | 'over' | 'ahead' {
  const { first, last } = reachFrom(now, direction)
  return day < first ? 'over' : day > last ? 'ahead' : 'known'
}

/** All days of a calendar in the order in which changes are listed: from today on, or back from today. */
export function daysFrom(now: number, direction: Direction): number[] {
  const step = direction === 'past' ? -DAY : DAY
  return Array.from({ length: REACH + 1 }, (_, place) => startOfDay(now) + place * step)
}

/** All days of a calendar as weeks from Monday to Sunday; places before the first day and after the last are empty. */
export function weeksFrom(now: number, direction: Direction): (number | undefined)[][] {
  const { first, last } = reachFrom(now, direction)
  const weeks: (number | undefined)[][] = []
  for (let monday = first - weekday(first) * DAY; monday <= last; monday += 7 * DAY) {
    weeks.push(
      Array.from({ length: 7 }, (_, place) => {
        const day = monday + place * DAY
        return day >= first && day <= last ? day : undefined
      }),
    )
  }
  return weeks
}

function reachFrom(now: number, direction: Direction): { first: number; last: number } {
  const today = startOfDay(now)
  return direction === 'past'
    ? { first: today - REACH * DAY, last: today }
    : { first: today, last: today + REACH * DAY }
}

/** 0 for Monday to 6 for Sunday. */
function weekday(day: number): number {
  return (new Date(day * 1000).getUTCDay() + 6) % 7
}

/** A day as it stands in addresses: `2026-11-15`. */
export function dayAsText(day: number): string {
  return new Date(day * 1000).toISOString().slice(0, 10)
}

/** Reads a day from an address; undefined for anything else. */
export function readDay(text: string | null): number | undefined {
  if (text === null || !/^\d{4}-\d{2}-\d{2}$/.test(text)) return undefined
  const instant = Date.parse(`${text}T00:00:00Z`)
  return Number.isNaN(instant) ? undefined : instant / 1000
}

/**
 * How many changes there are on each day, for the days of which all are loaded. Changes come in the order of `days`, so
 * until the list is whole, the day of the last one may go on. Those without a date come before all others or after them.
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
  const begun = last === undefined ? days.length : days.indexOf(startOfDay(last))
  const certain = hasDates ? Math.max(0, begun) : 0
  return new Map([...counts].slice(0, certain))
}
