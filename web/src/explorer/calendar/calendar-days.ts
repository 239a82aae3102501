export const DAY = 86_400

/** Which way a calendar looks from today. */
export type Direction = 'past' | 'future'

/** How many days before or after today are known. */
const REACH = 31

/** The start of the UTC day of an instant, both in Unix seconds. */
export function startOfDay(unixSeconds: number): number {
  return unixSeconds - (unixSeconds % DAY)
}

/** All days of a calendar as weeks from Monday to Sunday; places before the first day and after the last are empty. */
export function weeksFrom(now: number, direction: Direction): (number | undefined)[][] {
  const today = startOfDay(now)
  const first = direction === 'past' ? today - REACH * DAY : today
  const last = direction === 'past' ? today : today + REACH * DAY
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
