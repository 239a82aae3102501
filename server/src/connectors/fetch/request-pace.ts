import type { Timer } from '../../lib/clock.ts'

/** Slots that passed unused, for instance while an import blocked the event loop, are made up for this long. */
const MAX_CATCH_UP_MS = 500

/** Limits the rate of requests to an API: one slot each interval, and none while the server has asked to wait. */
export class RequestPace {
  private readonly timer: Timer
  private readonly intervalMs: number
  private nextSlot: number
  private pausedUntil = Number.NEGATIVE_INFINITY

  constructor(requestsPerSecond: number, timer: Timer) {
    this.timer = timer
    this.intervalMs = 1000 / requestsPerSecond
    this.nextSlot = timer.now()
  }

  /** Resolves when the next request may be sent. */
  async acquire(): Promise<void> {
    const now = this.timer.now()
    const slot = Math.max(this.nextSlot, now - MAX_CATCH_UP_MS)
    this.nextSlot = slot + this.intervalMs
    if (slot > now) await this.timer.sleep(slot - now)
    // The pause may have been set while this request waited for its slot.
    for (let left = this.remainingPauseMs(); left > 0; left = this.remainingPauseMs()) await this.timer.sleep(left)
  }

  /** Holds all requests back for some time. */
  pause(ms: number): void {
    this.pausedUntil = Math.max(this.pausedUntil, this.timer.now() + ms)
    this.nextSlot = Math.max(this.nextSlot, this.pausedUntil)
  }

  private remainingPauseMs(): number {
    return this.pausedUntil - this.timer.now()
  }
}
