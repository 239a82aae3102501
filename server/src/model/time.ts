export const SECONDS_PER_DAY = 86_400

/** How far `/changes` reaches back and ahead, and how near an expiry is "soon". */
export const CHANGE_WINDOW_DAYS = 31

/** The first second of the UTC day that holds the instant. */
export function startOfDay(instant: number): number {
  return instant - (((instant % SECONDS_PER_DAY) + SECONDS_PER_DAY) % SECONDS_PER_DAY)
}

/** The last second of the UTC day that holds the instant. */
export function endOfDay(instant: number): number {
  return startOfDay(instant) + SECONDS_PER_DAY - 1
}

/** An instant as messages name it: `2027-12-31`, with the time unless it is midnight, in UTC. */
export function formatTime(instant: number): string {
  const [day = '', time = ''] = new Date(instant * 1000).toISOString().split('T')
  return time.startsWith('00:00:00') ? day : `${day} ${time.slice(0, 5)} UTC`
}

/** Whether `seconds` have elapsed since an instant. An instant in the future comes from a wrong clock and counts as elapsed. */
export function hasElapsed(seconds: number, since: number, now: number): boolean {
  return now - since >= seconds || since > now
}
