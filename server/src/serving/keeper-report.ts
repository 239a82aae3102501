import type { Clock } from '../lib/clock.ts'

/** What the keeper did since the service started, and what it waits for. */
export interface KeeperReport {
  /** When it last looked through the windows. */
  readonly lastRunAt?: number
  /** When the next window opens or closes; absent where none is known. */
  readonly nextWindowAt?: number
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

  failed(error: unknown): void {
    this.failures++
    this.lastFailure = { at: this.clock(), message: error instanceof Error ? error.message : String(error) }
  }

  report(nextInstant: number): KeeperReport {
    const { lastRunAt, settledShows, failures, lastFailure } = this
    return {
      ...(lastRunAt !== undefined && { lastRunAt }),
      ...(Number.isFinite(nextInstant) && { nextWindowAt: nextInstant }),
      settledShows,
      failures,
      ...(lastFailure !== undefined && { lastFailure }),
    }
  }
}
