import { Counter, Gauge, type Registry } from 'prom-client'
import type { Clock } from '../../lib/clock.ts'

/** What the keeper did since the service started, and what it waits for. */
export interface WindowSchedulerReport {
  /** When it last looked through the windows. */
  readonly lastRunAt?: number
  /** When the next window opens or closes; absent where none is known. */
  readonly nextWindowAt?: number
  readonly settledShows: number
  readonly failures: number
  readonly lastFailure?: { readonly at: number; readonly message: string }
}

/** Takes notes of the keeper's work. */
export class WindowSchedulerStats {
  private readonly clock: Clock
  private lastRunAt: number | undefined
  private settledShows = 0
  private failures = 0
  private lastFailure: WindowSchedulerReport['lastFailure']

  constructor(clock: Clock) {
    this.clock = clock
  }

  recordRun(shows: number): void {
    this.lastRunAt = this.clock()
    this.settledShows += shows
  }

  recordFailure(error: unknown): void {
    this.failures++
    this.lastFailure = { at: this.clock(), message: error instanceof Error ? error.message : String(error) }
  }

  report(nextInstant: number): WindowSchedulerReport {
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

/** What the keeper did. */
export interface WindowSchedulerMetrics {
  recordRun(shows: number): void
  recordFailure(): void
}

export function windowSchedulerMetrics(registry: Registry, clock: Clock): WindowSchedulerMetrics {
  const registers = [registry]
  const shows = new Counter({
    name: 'marquee_keeper_shows_total',
    help: 'Shows whose offers the keeper made live or removed as their windows opened and closed.',
    registers,
  })
  const failures = new Counter({
    name: 'marquee_keeper_failures_total',
    help: 'Times that the keeper could not do its work.',
    registers,
  })
  const lastRun = new Gauge({
    name: 'marquee_keeper_last_run_timestamp_seconds',
    help: 'When the keeper last looked through the windows.',
    registers,
  })
  return {
    recordRun(count) {
      shows.inc(count)
      lastRun.set(clock())
    },
    recordFailure: () => failures.inc(),
  }
}
