import { startOfDay } from './calendar-days.ts'

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
