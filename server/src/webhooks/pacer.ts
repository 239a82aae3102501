import { setTimeout as rest } from 'node:timers/promises'

/** Messages are made for so long, then there is a rest. */
const WORK_MS = 4
const REST_MS = 6

/**
 * Spreads the work of many deliveries over time, so that they do not compete with requests for the processors: a message may
 * come some seconds later, the answer to a request may not.
 */
export class Pacer {
  /** Whether there are no more rests, because deliveries lag behind. */
  isHurried = false
  private workingSince = Number.NEGATIVE_INFINITY
  private resting: Promise<void> | undefined

  /** Resolves when work may go on: at once within a stretch of work, otherwise after the rest. */
  async waitForTurn(): Promise<void> {
    while (performance.now() - this.workingSince >= WORK_MS) {
      this.resting ??= rest(this.isHurried ? 0 : REST_MS).then(() => {
        this.resting = undefined
        this.workingSince = performance.now()
      })
      await this.resting
    }
  }
}
