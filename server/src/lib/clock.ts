/** The present instant in Unix seconds. Passed in wherever time matters, so that tests decide what time it is. */
export type Clock = () => number

/** The clock of the machine. */
export const systemClock: Clock = () => Math.floor(Date.now() / 1000)

/** A monotonic clock in milliseconds with a sleep, for code that waits. Tests inject their own. */
export interface Timer {
  now(): number
  sleep(ms: number): Promise<void>
}

/** The timer of the machine. */
export const systemTimer: Timer = {
  now: () => performance.now(),
  sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
}
