import { setImmediate as nextTurn } from 'node:timers/promises'

/** How long one turn of the event loop may take, about. */
const MAX_TURN_MS = 4

/** The turns of the event loop in which long work is done: other requests are handled in between. */
export class Turns {
  private readonly now: () => number
  private startedAt: number

  /** @param now milliseconds */
  constructor(now = () => performance.now()) {
    this.now = now
    this.startedAt = now()
  }

  /** Whether the turn has taken long enough. */
  get isOver(): boolean {
    return this.now() - this.startedAt >= MAX_TURN_MS
  }

  /** Waits for the next turn. */
  async next(): Promise<void> {
    await nextTurn()
    this.startedAt = this.now()
  }
}
