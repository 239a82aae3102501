/** Time as waiting needs it: milliseconds that only go forward, and a way to let some of them pass. */
export interface Timer {
  now(): number
  sleep(ms: number): Promise<void>
}

/** The time of the machine. */
export const systemTimer: Timer = {
  now: () => performance.now(),
  sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
}
