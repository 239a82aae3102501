import {
  AggregatorRegistry,
  collectDefaultMetrics,
  type MetricObjectWithValues,
  type MetricValue,
  Registry,
} from 'prom-client'

/** A registry with the figures of this process itself: memory, CPU, event-loop lag. */
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

/** The figures of the primary and of all workers together; counts are added up. */
export function gatherMetrics(own: Registry): () => Promise<string> {
  const workers = new AggregatorRegistry()
  return async () => {
    const [ofWorkers, ofPrimary] = await Promise.all([workers.clusterMetrics(), marqueeMetrics(own)])
    return `${ofWorkers.trimEnd()}\n${ofPrimary}`
  }
}

/** The primary's own figures without those that the workers have as well: a name may come only once. */
async function marqueeMetrics(own: Registry): Promise<string> {
  const names = ((await own.getMetricsAsJSON()) as MetricObjectWithValues<MetricValue<string>>[])
    .map(({ name }) => name)
    .filter((name) => name.startsWith('marquee_'))
  const texts = await Promise.all(names.map((name) => own.getSingleMetricAsString(name)))
  return `${texts.join('\n')}\n`
}
