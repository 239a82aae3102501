/** The present instant in Unix seconds. Passed in wherever time matters, so that tests decide what time it is. */
export type Clock = () => number

/** The clock of the machine. */
export const systemClock: Clock = () => Math.floor(Date.now() / 1000)

export const SECONDS_PER_DAY = 86_400

/** How far the changes feed reaches back and ahead, and how near an expiry is "soon". */
export const CHANGE_WINDOW_DAYS = 31

/** The first second of the UTC day that holds the instant. */
export function startOfDay(instant: number): number {
  return instant - (((instant % SECONDS_PER_DAY) + SECONDS_PER_DAY) % SECONDS_PER_DAY)
}

/** The last second of the UTC day that holds the instant. */
export function endOfDay(instant: number): number {
  return startOfDay(instant) + SECONDS_PER_DAY - 1
}

/** Whether so many seconds have passed since an instant. One later than now was told by a wrong clock: they have, too. */
export function hasPassed(seconds: number, since: number, now: number): boolean {
  return now - since >= seconds || since > now
}
