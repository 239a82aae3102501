import { performance } from 'node:perf_hooks'
import { setImmediate as nextTurn } from 'node:timers/promises'

/** The share of the event loop that all exports together take while there is other work. */
const MAX_SHARE = 0.4

/** A turn of the event loop that takes less had no other work. */
const MIN_BUSY_TURN_MS = 0.05

/** The clock and the event loop; other ones in tests. */
interface EventLoop {
  readonly now: () => number
  readonly nextTurn: () => Promise<unknown>
}

/**
 * Lets the requests of a process go on beside its exports. An export works in slices; after each, it rests for as many turns
 * of the event loop as others need for their share, and at once goes on where nobody else has work.
 */
export class ExportPacer {
  /** Exports that are open. */
  count = 0
  private readonly loop: EventLoop

  constructor(loop: EventLoop = { now: () => performance.now(), nextTurn: () => nextTurn() }) {
    this.loop = loop
  }

  /** Rests after a slice of work, in milliseconds; returns the instant of `now` at which the next one begins. */
  async rest(workedMs: number): Promise<number> {
    const { now } = this.loop
    const needed = workedMs * (Math.max(1, this.count) / MAX_SHARE - 1)
    const restedAt = now()
    for (let before = restedAt; ; ) {
      await this.loop.nextTurn()
      const after = now()
      if (after - before < MIN_BUSY_TURN_MS || after - restedAt >= needed) return after
      before = after
    }
  }

  now(): number {
    return this.loop.now()
  }
}
