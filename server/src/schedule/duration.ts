const UNITS: Readonly<Record<string, number>> = { second: 1, minute: 60, hour: 3_600, day: 86_400, week: 604_800 }

/** The seconds of a span such as `90 seconds`, `15 minutes`, `6 hours`, `1 day`; undefined where it is none. */
export function readDuration(text: unknown): number | undefined {
  const match = typeof text === 'string' ? /^(\d{1,6}) ?(second|minute|hour|day|week)s?$/.exec(text.trim()) : null
  if (match === null) return undefined
  const seconds = Number(match[1]) * (UNITS[match[2] as string] as number)
  return seconds > 0 ? seconds : undefined
}

/** A span in words, in the largest unit that divides it. */
export function durationText(seconds: number): string {
  const [unit, size] = Object.entries(UNITS).findLast(([, one]) => seconds % one === 0) as [string, number]
  const count = seconds / size
  return `${count} ${unit}${count === 1 ? '' : 's'}`
}
