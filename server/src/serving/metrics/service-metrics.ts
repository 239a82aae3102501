import { AggregatorRegistry, collectDefaultMetrics, Gauge, Registry } from 'prom-client'
import type { ScheduledSourceStatus, ScheduleStatus } from '../../connectors/schedule/schedule-status.ts'

/** A registry with the figures of the process itself: memory, CPU, event-loop lag. */
export function createProcessRegistry(): Registry {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  return registry
}

/** Lets the primary read the figures of this worker. */
export function shareMetrics(registry: Registry): void {
  AggregatorRegistry.setRegistries(registry)
  new AggregatorRegistry()
}

/** The figures of all workers together, counts added up, and those that only the primary has. */
export function gatherMetrics(own: Registry): () => Promise<string> {
  const workers = new AggregatorRegistry()
  return async () => {
    const parts = await Promise.all([workers.clusterMetrics(), own.metrics()])
    return `${parts.map((part) => part.trimEnd()).join('\n\n')}\n`
  }
}

/** How the scheduled sources are doing, looked at when somebody asks. To be registered in one process. */
export function registerScheduleMetrics(registry: Registry, status: () => ScheduleStatus): void {
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
