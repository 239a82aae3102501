import { Counter, Gauge, type Registry } from 'prom-client'
import type { Clock } from '../lib/clock.ts'

/** What the keeper did. */
export interface KeeperMetrics {
  settled(shows: number): void
  failed(): void
}

export function keeperMetrics(registry: Registry, clock: Clock): KeeperMetrics {
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
    settled(count) {
      shows.inc(count)
      lastRun.set(clock())
    },
    failed: () => failures.inc(),
  }
}
