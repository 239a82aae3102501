import { AggregatorRegistry, collectDefaultMetrics, Registry } from 'prom-client'

/** A registry with the figures of the process itself: memory, CPU, event-loop lag. */
export function processRegistry(): Registry {
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
