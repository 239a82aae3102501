import type { Timer } from './timer.ts'

/** So much of what was missed while an import took the processor may be caught up with at once. */
const CATCH_UP_MS = 500

/** Hands out turns for requests: not more of them a second than allowed, and none while the server wants a rest. */
export class RequestPace {
  private readonly timer: Timer
  private readonly intervalMs: number
  private nextTurn: number
  private restUntil = Number.NEGATIVE_INFINITY

  constructor(perSecond: number, timer: Timer) {
    this.timer = timer
    this.intervalMs = 1000 / perSecond
    this.nextTurn = timer.now()
  }

  /** Resolves when a request may be sent. */
  async turn(): Promise<void> {
    const now = this.timer.now()
    const at = Math.max(this.nextTurn, now - CATCH_UP_MS)
    this.nextTurn = at + this.intervalMs
    if (at > now) await this.timer.sleep(at - now)
    // Whoever waited for a turn when the server asked for a rest has to wait for its end, too.
    for (let left = this.rest(); left > 0; left = this.rest()) await this.timer.sleep(left)
  }

  /** Sends nothing for a while. */
  pause(ms: number): void {
    this.restUntil = Math.max(this.restUntil, this.timer.now() + ms)
    this.nextTurn = Math.max(this.nextTurn, this.restUntil)
  }

  private rest(): number {
    return this.restUntil - this.timer.now()
  }
}
