import type { Metric, MetricObject, MetricValue, Registry } from 'prom-client'
import { StatusCounter } from '../../accounts/usage/counters.ts'
import type { ResponseObserver } from './response-observer.ts'

/** Seconds; most answers take well under a millisecond. */
const LATENCY_BUCKETS = [0.0002, 0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5]

const REFUSAL_CODES: readonly string[] = ['quota_exceeded', 'rate_limited']

interface EndpointCounters {
  readonly endpoint: string
  readonly statuses: StatusCounter
  /** QueryEngine by the first bucket that holds them; the last is for those that no bucket holds. */
  readonly buckets: Float64Array
  seconds: number
}

/**
 * Counts answers by endpoint and status, and how long they took. Nothing of keys or callers goes into labels. AttemptCounter is
 * in plain maps, which are turned into metrics when somebody asks: the library's own counters would look at their
 * labels anew for every answer, which takes ten times as long.
 */
export function createRequestMetrics(registry: Registry): ResponseObserver {
  const endpoints: EndpointCounters[] = []
  /** Where the last answer was counted: mostly the next one belongs there, too. */
  let last: EndpointCounters | undefined
  const refusals = new Map(REFUSAL_CODES.map((reason) => [reason, 0]))

  registerLazyMetric(registry, 'counter', 'marquee_requests_total', 'Answers of the API, by endpoint and status.', () =>
    endpoints.flatMap(({ endpoint, statuses }) =>
      statuses.entries().map(([status, value]) => ({ labels: { endpoint, status: String(status) }, value })),
    ),
  )
  const durations = 'marquee_request_duration_seconds'
  registerLazyMetric(
    registry,
    'histogram',
    durations,
    'Time from the arrival of a request of the API to the hand-over of its answer.',
    () => endpoints.flatMap((tally) => histogramValues(durations, tally)),
  )
  registerLazyMetric(
    registry,
    'counter',
    'marquee_refusals_total',
    'Requests that were refused because of their plan, by reason.',
    () => [...refusals].map(([reason, value]) => ({ labels: { reason }, value })),
  )

  function tallyOf(endpoint: string): EndpointCounters {
    if (last?.endpoint === endpoint) return last
    last = endpoints.find((tally) => tally.endpoint === endpoint)
    if (last === undefined) {
      const buckets = new Float64Array(LATENCY_BUCKETS.length + 1)
      last = { endpoint, statuses: new StatusCounter(), buckets, seconds: 0 }
      endpoints.push(last)
    }
    return last
  }

  return {
    onResponse(endpoint, status, ms) {
      const tally = tallyOf(endpoint)
      tally.statuses.add(status)
      const seconds = ms / 1000
      let bucket = 0
      while (bucket < LATENCY_BUCKETS.length && seconds > (LATENCY_BUCKETS[bucket] as number)) bucket++
      ;(tally.buckets[bucket] as number)++
      tally.seconds += seconds
    },
    onError({ code }) {
      const refused = refusals.get(code)
      if (refused !== undefined) refusals.set(code, refused + 1)
    },
  }
}

type MetricValues = (MetricValue<string> & { metricName?: string })[]

function histogramValues(name: string, { endpoint, buckets, seconds }: EndpointCounters): MetricValues {
  let count = 0
  const values: MetricValues = [...buckets].map((answers, i) => {
    count += answers
    return { labels: { le: LATENCY_BUCKETS[i] ?? '+Inf', endpoint }, value: count, metricName: `${name}_bucket` }
  })
  values.push({ labels: { endpoint }, value: seconds, metricName: `${name}_sum` })
  values.push({ labels: { endpoint }, value: count, metricName: `${name}_count` })
  return values
}

/** Registers a metric whose values are read when they are asked for. */
function registerLazyMetric(
  registry: Registry,
  type: 'counter' | 'histogram',
  name: string,
  help: string,
  read: () => MetricValues,
): void {
  // What registries need of a metric is this; their types ask for the library's own classes.
  const metric = { name, get: async () => ({ name, help, type, aggregator: 'sum', values: read() }) }
  registry.registerMetric(metric as unknown as Metric & MetricObject)
}
