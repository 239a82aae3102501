import { Counter, Gauge, type Registry } from 'prom-client'
import type { Clock } from '../../lib/clock.ts'
import type { WindowSchedulerReport } from '../cluster/messages.ts'

/** Counts the runs and failures of the window scheduler, for Prometheus and for the operator's page. */
export class WindowSchedulerStats {
  private readonly clock: Clock
  private readonly showsTotal: Counter
  private readonly failuresTotal: Counter
  private readonly lastRunTimestamp: Gauge
  private lastRunAt: number | undefined
  private shows = 0
  private failures = 0
  private lastFailure: WindowSchedulerReport['lastFailure']

  constructor(registry: Registry, clock: Clock) {
    this.clock = clock
    const registers = [registry]
    this.showsTotal = new Counter({
      name: 'marquee_keeper_shows_total',
      help: 'Shows whose offers the window scheduler made live or removed.',
      registers,
    })
    this.failuresTotal = new Counter({
      name: 'marquee_keeper_failures_total',
      help: 'Failed runs of the window scheduler.',
      registers,
    })
    this.lastRunTimestamp = new Gauge({
      name: 'marquee_keeper_last_run_timestamp_seconds',
      help: 'Time of the last run of the window scheduler.',
      registers,
    })
  }

  recordRun(shows: number): void {
    this.lastRunAt = this.clock()
    this.shows += shows
    this.showsTotal.inc(shows)
    this.lastRunTimestamp.set(this.lastRunAt)
  }

  recordFailure(error: unknown): void {
    this.failures++
    this.failuresTotal.inc()
    this.lastFailure = { at: this.clock(), message: error instanceof Error ? error.message : String(error) }
  }

  /** @param nextInstant when the next window starts or ends; infinite if none is known */
  report(nextInstant: number): WindowSchedulerReport {
    const { lastRunAt, shows, failures, lastFailure } = this
    return {
      ...(lastRunAt !== undefined && { lastRunAt }),
      ...(Number.isFinite(nextInstant) && { nextWindowAt: nextInstant }),
      settledShows: shows,
      failures,
      ...(lastFailure !== undefined && { lastFailure }),
    }
  }
}
