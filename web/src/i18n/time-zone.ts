/*
 * Days of a calendar are numbers: the start of a day as if its time zone were UTC, in Unix seconds. So they can be counted
 * and formatted without a time zone; these functions convert instants to them and back.
 */

const formatters = new Map<string, Intl.DateTimeFormat>()

/** The time zone of the browser. */
export function browserTimeZone(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone
}

/** An instant in Unix seconds as the clock of a time zone shows it. */
export function toLocalSeconds(unixSeconds: number, timeZone: string): number {
  if (timeZone === 'UTC') return unixSeconds
  const parts = formatter(timeZone).formatToParts(unixSeconds * 1000)
  const part = (type: Intl.DateTimeFormatPartTypes) => Number(parts.find((one) => one.type === type)?.value)
  return Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'), part('second')) / 1000
}

/** The instant at which the clock of a time zone shows a time; the first one after a gap. */
export function fromLocalSeconds(localSeconds: number, timeZone: string): number {
  const guess = localSeconds - (toLocalSeconds(localSeconds, timeZone) - localSeconds)
  return guess - (toLocalSeconds(guess, timeZone) - localSeconds)
}

function formatter(timeZone: string): Intl.DateTimeFormat {
  let known = formatters.get(timeZone)
  if (known === undefined) {
    const numeric = { year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric', minute: 'numeric' } as const
    known = new Intl.DateTimeFormat('en-US', { timeZone, ...numeric, second: 'numeric', hourCycle: 'h23' })
    formatters.set(timeZone, known)
  }
  return known
}
