import type { Clock } from '../model/clock.ts'

/** What the keeper did in this service since it started. */
export interface KeeperReport {
  /** When it last looked through the windows. */
  readonly lastRunAt?: number
  readonly settledShows: number
  readonly failures: number
  readonly lastFailure?: { readonly at: number; readonly message: string }
}

/** Takes notes of the keeper's work. */
export class KeeperNotes {
  private readonly clock: Clock
  private lastRunAt: number | undefined
  private settledShows = 0
  private failures = 0
  private lastFailure: KeeperReport['lastFailure']

  constructor(clock: Clock) {
    this.clock = clock
  }

  settled(shows: number): void {
    this.lastRunAt = this.clock()
    this.settledShows += shows
  }

  failed(message: string): void {
    this.failures++
    this.lastFailure = { at: this.clock(), message }
  }

  report(): KeeperReport {
    const { lastRunAt, settledShows, failures, lastFailure } = this
    return {
      ...(lastRunAt !== undefined && { lastRunAt }),
      settledShows,
      failures,
      ...(lastFailure !== undefined && { lastFailure }),
    }
  }
}
