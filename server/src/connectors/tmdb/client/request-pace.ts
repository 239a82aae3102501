/** So much of what was missed while an import took the processor may be caught up with at once. */
const MAX_CATCH_UP_MS = 500

/** Hands out turns for requests: not more of them a second than allowed, and none while the server wants a rest. */
export class RequestPace {
  private readonly timer: Timer
  private readonly intervalMs: number
  private nextSlot: number
  private pausedUntil = Number.NEGATIVE_INFINITY

  constructor(perSecond: number, timer: Timer) {
    this.timer = timer
    this.intervalMs = 1000 / perSecond
    this.nextSlot = timer.now()
  }

  /** Resolves when a request may be sent. */
  async acquire(): Promise<void> {
    const now = this.timer.now()
    const at = Math.max(this.nextSlot, now - MAX_CATCH_UP_MS)
    this.nextSlot = at + this.intervalMs
    if (at > now) await this.timer.sleep(at - now)
    // Whoever waited for a turn when the server asked for a rest has to wait for its end, too.
    for (let left = this.remainingPauseMs(); left > 0; left = this.remainingPauseMs()) await this.timer.sleep(left)
  }

  /** Sends nothing for a while. */
  pause(ms: number): void {
    this.pausedUntil = Math.max(this.pausedUntil, this.timer.now() + ms)
    this.nextSlot = Math.max(this.nextSlot, this.pausedUntil)
  }

  private remainingPauseMs(): number {
    return this.pausedUntil - this.timer.now()
  }
}

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
