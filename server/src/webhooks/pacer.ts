import { setImmediate as nextTurn, setTimeout as rest } from 'node:timers/promises'

/** Messages are made for so long, then there is a rest. */
const WORK_MS = 4
const REST_MS = 6

/**
 * Spreads the work of many deliveries over time, so that they do not compete with requests for the processors: a message may
 * come some seconds later, the answer to a request may not. Who waits gets a turn of the event loop alone.
 */
export class Pacer {
  /** Whether there are no rests, because deliveries lag behind. */
  isHurried = false
  private workingSince = Number.NEGATIVE_INFINITY
  private readonly waiting: (() => void)[] = []
  private isRunning = false

  /** Whether whoever has the turn may go on for a while. */
  isWorkTime(): boolean {
    return performance.now() - this.workingSince < WORK_MS
  }

  /** Resolves when work may begin or go on. */
  waitForTurn(): Promise<void> {
    return new Promise((resolve) => {
      this.waiting.push(resolve)
      if (!this.isRunning) void this.giveTurns()
    })
  }

  private async giveTurns(): Promise<void> {
    this.isRunning = true
    while (this.waiting.length > 0) {
      await nextTurn()
      if (!this.isWorkTime()) await this.beginWork()
      this.waiting.shift()?.()
    }
    this.isRunning = false
  }

  /** Rests for what is left of the rest, and begins to work. */
  private async beginWork(): Promise<void> {
    const restMs = this.workingSince + WORK_MS + REST_MS - performance.now()
    if (restMs > 0 && !this.isHurried) {
      await rest(restMs)
      // Timers that are due follow each other without a look at the sockets.
      await nextTurn()
    }
    this.workingSince = performance.now()
  }
}
