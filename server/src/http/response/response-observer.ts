import type { Metric, MetricObject, MetricValue, Registry } from 'prom-client'
import type { ResolvedKey } from '../../accounts/keys/key-store.ts'
import { StatusCounter, type UsageRecorder } from '../../accounts/usage/usage-recorder.ts'
import type { RequestBuffer } from '../../accounts/usage/usage-report.ts'
import type { Clock } from '../../lib/clock.ts'
import type { SpanSink } from '../../lib/spans.ts'
import type { ErrorCode } from '../exchange/errors.ts'

/** Observes the responses of the API. It is called in every request, so the arguments are passed without an object. */
export interface ResponseObserver {
  /** Called after every response was handed to the connection; `key` is undefined without a valid key. */
  onResponse(
    endpoint: string,
    status: number,
    ms: number,
    key: ResolvedKey | undefined,
    origin: string | undefined,
    url: string,
    requestId: string,
  ): void
  /** Called after `onResponse` for an error response. */
  onError(error: ObservedError): void
}

/** An error response. */
interface ObservedError {
  readonly endpoint: string
  readonly status: number
  readonly code: ErrorCode
  readonly at: number
  readonly key: ResolvedKey | undefined
  /** The table of the catalog that is damaged, if that is the reason. */
  readonly damagedTable?: string | undefined
}

/** An observer that calls two others. */
export function combineObservers(first: ResponseObserver, second: ResponseObserver): ResponseObserver {
  return {
    onResponse(endpoint, status, ms, key, origin, url, requestId) {
      first.onResponse(endpoint, status, ms, key, origin, url, requestId)
      second.onResponse(endpoint, status, ms, key, origin, url, requestId)
    },
    onError(error) {
      first.onError(error)
      second.onError(error)
    },
  }
}

/** Makes a span of each response, after it was sent. No span holds anything about keys or callers. */
export function createTraceObserver(sink: SpanSink): ResponseObserver {
  return {
    onResponse(endpoint, status, ms) {
      const endMs = Date.now()
      const attributes = { 'http.route': endpoint, 'http.response.status_code': status }
      sink.start(endpoint, 'server', endMs - ms, undefined).end(endMs, attributes, status >= 500)
    },
    onError() {},
  }
}

/** Records the usage of valid keys. */
export function createUsageObserver(recorder: UsageRecorder): ResponseObserver {
  return {
    onResponse(endpoint, status, ms, key, origin) {
      if (key !== undefined) recorder.record(key.id, endpoint, status, ms, origin)
    },
    onError({ key, at, endpoint, status, code }) {
      if (key !== undefined) recorder.recordFailure(key.id, { at, endpoint, status, code })
    },
  }
}

/** Collects the requests of accounts, for the log on their dashboard. */
export function createRequestObserver(buffer: Pick<RequestBuffer, 'record'>, clock: Clock): ResponseObserver {
  return {
    onResponse(_endpoint, status, ms, key, _origin, url, requestId) {
      if (key?.accountId === undefined) return
      buffer.record(key.accountId, {
        at: clock(),
        url,
        status,
        ms: Math.round(ms * 100) / 100,
        requestId,
        keyId: key.id,
      })
    },
    onError() {},
  }
}

/** In seconds; most responses take well under a millisecond. */
const LATENCY_BUCKETS = [0.0002, 0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5]

const REFUSAL_CODES: readonly string[] = ['quota_exceeded', 'rate_limited']

interface EndpointCounters {
  readonly endpoint: string
  readonly statuses: StatusCounter
  /** Responses by their first fitting bucket; the last entry counts those above all bounds. */
  readonly buckets: Float64Array
  seconds: number
}

/**
 * Counts responses by endpoint and status, and their latency. Labels hold nothing about keys or callers. The counters
 * are plain fields that become metrics on a scrape: prom-client's own counters hash their labels on every increment,
 * which takes ten times as long.
 */
export function createRequestMetrics(registry: Registry): ResponseObserver {
  const endpoints: EndpointCounters[] = []
  /** The counters of the last response: usually the next one has the same endpoint. */
  let last: EndpointCounters | undefined
  const damages = new Map<string, number>()
  const refusals = new Map(REFUSAL_CODES.map((reason) => [reason, 0]))

  registerLazyMetric(
    registry,
    'counter',
    'marquee_requests_total',
    'Responses of the API, by endpoint and status.',
    () =>
      endpoints.flatMap(({ endpoint, statuses }) =>
        statuses.entries().map(([status, value]) => ({ labels: { endpoint, status: String(status) }, value })),
      ),
  )
  const durations = 'marquee_request_duration_seconds'
  registerLazyMetric(
    registry,
    'histogram',
    durations,
    'Time from the arrival of an API request until its response is handed to the connection.',
    () => endpoints.flatMap((counters) => histogramValues(durations, counters)),
  )
  registerLazyMetric(registry, 'counter', 'marquee_refusals_total', 'Requests rejected by their plan, by reason.', () =>
    [...refusals].map(([reason, value]) => ({ labels: { reason }, value })),
  )

  registerLazyMetric(
    registry,
    'counter',
    'marquee_catalog_damage_total',
    'Requests that failed because a value of the catalog is damaged, by table.',
    () => [...damages].map(([table, value]) => ({ labels: { table }, value })),
  )

  function countersFor(endpoint: string): EndpointCounters {
    if (last?.endpoint === endpoint) return last
    last = endpoints.find((counters) => counters.endpoint === endpoint)
    if (last === undefined) {
      const buckets = new Float64Array(LATENCY_BUCKETS.length + 1)
      last = { endpoint, statuses: new StatusCounter(), buckets, seconds: 0 }
      endpoints.push(last)
    }
    return last
  }

  return {
    onResponse(endpoint, status, ms) {
      const counters = countersFor(endpoint)
      counters.statuses.add(status)
      const seconds = ms / 1000
      let bucket = 0
      while (bucket < LATENCY_BUCKETS.length && seconds > (LATENCY_BUCKETS[bucket] as number)) bucket++
      ;(counters.buckets[bucket] as number)++
      counters.seconds += seconds
    },
    onError({ code, damagedTable }) {
      if (damagedTable !== undefined) damages.set(damagedTable, (damages.get(damagedTable) ?? 0) + 1)
      const count = refusals.get(code)
      if (count !== undefined) refusals.set(code, count + 1)
    },
  }
}

type MetricValues = (MetricValue<string> & { metricName?: string })[]

function histogramValues(name: string, { endpoint, buckets, seconds }: EndpointCounters): MetricValues {
  let count = 0
  const values: MetricValues = [...buckets].map((responses, i) => {
    count += responses
    return { labels: { le: LATENCY_BUCKETS[i] ?? '+Inf', endpoint }, value: count, metricName: `${name}_bucket` }
  })
  values.push({ labels: { endpoint }, value: seconds, metricName: `${name}_sum` })
  values.push({ labels: { endpoint }, value: count, metricName: `${name}_count` })
  return values
}

/** Registers a metric whose values are read on a scrape. */
function registerLazyMetric(
  registry: Registry,
  type: 'counter' | 'histogram',
  name: string,
  help: string,
  read: () => MetricValues,
): void {
  // Registries only call `get`; their types demand the library's own classes.
  const metric = { name, get: async () => ({ name, help, type, aggregator: 'sum', values: read() }) }
  registry.registerMetric(metric as unknown as Metric & MetricObject)
}
