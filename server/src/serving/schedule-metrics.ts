import { Gauge, type Registry } from 'prom-client'
import type { ScheduledSourceStatus, ScheduleStatus } from '../connectors/schedule/schedule-status.ts'

/** How the scheduled sources are doing, looked at when somebody asks. To be registered in one process. */
export function scheduleMetrics(registry: Registry, status: () => ScheduleStatus): void {
  new Gauge({
    name: 'marquee_schedule_usable',
    help: '1 if the schedule can be used, or there is none; 0 if it has errors.',
    registers: [registry],
    collect() {
      this.set(status().problem === undefined ? 1 : 0)
    },
  })
  byName('last_success_timestamp_seconds', 'When a scheduled source last succeeded.', (one) => one.lastSuccessAt)
  byName('failures', 'Times in a row that a scheduled source failed.', ({ failures }) => failures)
  byName('running', '1 while a scheduled source is imported or synced, else 0.', ({ running }) => (running ? 1 : 0))
  byName('stale', '1 if a scheduled source has not succeeded for too long, else 0.', ({ stale }) => (stale ? 1 : 0))

  function byName(name: string, help: string, read: (source: ScheduledSourceStatus) => number | undefined): void {
    new Gauge({
      name: `marquee_schedule_${name}`,
      help,
      labelNames: ['name'],
      registers: [registry],
      collect() {
        this.reset()
        for (const source of status().sources) {
          const value = read(source)
          if (value !== undefined) this.set({ name: source.name }, value)
        }
      },
    })
  }
}
