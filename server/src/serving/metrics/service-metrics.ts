import { once } from 'node:events'
import { existsSync, statfsSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { AggregatorRegistry, Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client'
import type { WebhookStore } from '../../accounts/store/push-store.ts'
import { type Settings, toReachableHost } from '../../config.ts'
import type { ScheduledSourceStatus, ScheduleStatus } from '../../connectors/schedule/schedule-status.ts'
import { ApiError } from '../../http/exchange/errors.ts'
import type { AdmissionQueue } from '../../http/request/admission-queue.ts'
import { checkBearerToken } from '../../http/request/client.ts'
import { METRICS_TYPE } from '../../http/site/monitoring.ts'
import type { CacheStats, MeteredCache } from '../../lib/cache.ts'
import { UserError } from '../../lib/errors.ts'
import type { DeliveryResult } from '../../webhooks/deliverer.ts'

/** A registry with the metrics of the process itself: memory, CPU, event-loop lag. */
export function createProcessRegistry(): Registry {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  // Gauges whose names end as counters do; promtool rejects them.
  for (const name of ['handles', 'requests', 'resources']) registry.removeSingleMetric(`nodejs_active_${name}_total`)
  return registry
}

/** In the primary: registers the version of the program, and the space of the volume that holds the data. */
export function registerHostMetrics(registry: Registry, version: string, dataDir: string): void {
  new Gauge({
    name: 'marquee_build_info',
    help: 'The versions of the program and of Node as labels; the value is 1.',
    labelNames: ['version', 'node'],
    registers: [registry],
  }).set({ version, node: process.version }, 1)
  new Gauge({
    name: 'marquee_data_volume_bytes',
    help: 'Size and free space of the volume that holds the data directory.',
    labelNames: ['kind'],
    registers: [registry],
    collect() {
      this.reset()
      // A volume that is gone must not fail the other metrics.
      if (!existsSync(dataDir)) return
      const { bsize, blocks, bavail } = statfsSync(dataDir)
      this.set({ kind: 'size' }, bsize * blocks)
      this.set({ kind: 'free' }, bsize * bavail)
    },
  })
}

/** How long gathered metrics are served again. */
const METRICS_TTL_MS = 1_000

/** The metrics of each worker that has answered in time, and how many have not. */
export interface WorkerMetrics {
  readonly answers: readonly object[][]
  readonly silent: number
}

/**
 * In the primary: the metrics of all workers, added up, followed by its own. Gathering takes a message to and from every
 * worker, so requests within a second share one result. Those of a silent worker are missing, and counted.
 * @param shared metrics of the primary that workers have too: they are added up with those
 */
export function gatherMetrics<Caller extends unknown[]>(
  own: Registry,
  askWorkers: (...caller: Caller) => Promise<WorkerMetrics>,
  shared?: Registry,
): (...caller: Caller) => Promise<string> {
  const missing = new Gauge({
    name: 'marquee_silent_workers',
    help: 'Workers that did not answer in time, and whose counters are missing from this scrape.',
    registers: [own],
  })
  return coalesce(METRICS_TTL_MS, async (...caller: Caller) => {
    const { answers, silent } = await askWorkers(...caller)
    missing.set(silent)
    const also = shared === undefined ? [] : [await shared.getMetricsAsJSON()]
    const workers = AggregatorRegistry.aggregate([...answers, ...also])
    const parts = await Promise.all([workers.metrics(), own.metrics()])
    return `${parts.map((part) => part.trimEnd()).join('\n\n')}\n`
  })
}

/** Shares the result of a call among all calls while it runs, and for some time after it began. A failure is not kept. */
export function coalesce<Arguments extends unknown[], T>(
  ttlMs: number,
  call: (...args: Arguments) => Promise<T>,
  clock: () => number = Date.now,
): (...args: Arguments) => Promise<T> {
  let last: { readonly startedAt: number; readonly result: Promise<T> } | undefined
  let isRunning = false
  return (...args) => {
    if (last !== undefined && (isRunning || clock() - last.startedAt < ttlMs)) return last.result
    isRunning = true
    const result = call(...args).finally(() => {
      isRunning = false
    })
    last = { startedAt: clock(), result }
    result.catch(() => {
      last = undefined
    })
    return result
  }
}

/** Registers how many requests of a worker wait, and how many were rejected because it cannot keep up. */
export function registerAdmissionMetrics(registry: Registry, admission: Pick<AdmissionQueue, 'stats'>): void {
  new Counter({
    name: 'marquee_requests_shed_total',
    help: 'Requests that were rejected with 503 because they had waited for too long.',
    registers: [registry],
    collect() {
      this.reset()
      this.inc(admission.stats().rejected)
    },
  })
  new Gauge({
    name: 'marquee_requests_waiting',
    help: 'Requests that wait to be handled.',
    registers: [registry],
    collect() {
      this.set(admission.stats().waiting)
    },
  })
}

/** Registers the use and size of the caches of a worker. Caches of one name are added up. */
export function registerCacheMetrics(registry: Registry, caches: () => readonly MeteredCache[]): void {
  new Counter({
    name: 'marquee_cache_lookups_total',
    help: 'Cache look-ups, by cache and result.',
    labelNames: ['cache', 'result'],
    registers: [registry],
    collect() {
      this.reset()
      for (const { name: cache, hits, misses } of caches().map((one) => one.stats())) {
        this.inc({ cache, result: 'hit' }, hits)
        this.inc({ cache, result: 'miss' }, misses)
      }
    },
  })
  new Counter({
    name: 'marquee_cache_evictions_total',
    help: 'Entries that a cache evicted for lack of room.',
    labelNames: ['cache'],
    registers: [registry],
    collect() {
      this.reset()
      for (const { name: cache, evictions } of caches().map((one) => one.stats())) this.inc({ cache }, evictions)
    },
  })
  registerSizes('marquee_cache_bytes', 'Size of a cache.', ({ bytes }) => bytes)
  registerSizes('marquee_cache_max_bytes', 'Size that a cache can grow to.', ({ maxBytes }) => maxBytes)

  function registerSizes(name: string, help: string, read: (stats: CacheStats) => number): void {
    new Gauge({
      name,
      help,
      labelNames: ['cache'],
      registers: [registry],
      collect() {
        this.reset()
        for (const stats of caches().map((one) => one.stats())) this.inc({ cache: stats.name }, read(stats))
      },
    })
  }
}

/** In the primary: registers the state of the scheduled sources, read at each scrape. */
export function registerScheduleMetrics(registry: Registry, status: () => ScheduleStatus): void {
  new Gauge({
    name: 'marquee_schedule_usable',
    help: '1 if the schedule is valid or there is none, 0 if it has errors.',
    registers: [registry],
    collect() {
      this.set(status().problem === undefined ? 1 : 0)
    },
  })
  byName('last_success_timestamp_seconds', 'Time of the last successful run of a source.', (one) => one.lastSuccessAt)
  byName('failures', 'Failed runs of a source in a row.', ({ failures }) => failures)
  byName('running', '1 while a source runs, otherwise 0.', ({ running }) => (running ? 1 : 0))
  byName('stale', '1 if the last success of a source is too long ago, otherwise 0.', ({ stale }) => (stale ? 1 : 0))

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

/** In a worker: registers how many streams of changes are open. */
export function registerStreamMetrics(registry: Registry, openStreams: () => number): void {
  new Gauge({
    name: 'marquee_open_streams',
    help: 'Open streams of changes.',
    registers: [registry],
    collect() {
      this.set(openStreams())
    },
  })
}

interface WebhookMetrics {
  /** Counts an attempt to deliver a message. */
  record(result: DeliveryResult): void
}

/** In the primary: registers the webhooks by state, the attempts to deliver, and how far deliveries are behind. */
export function registerWebhookMetrics(
  registry: Registry,
  store: Pick<WebhookStore, 'countByState'>,
  lagSeconds: () => number,
): WebhookMetrics {
  const deliveries = new Counter({
    name: 'marquee_webhook_deliveries_total',
    help: 'Attempts of this node to deliver a message to a webhook, by result.',
    labelNames: ['result'],
    registers: [registry],
  })
  for (const result of ['delivered', 'failed', 'given_up'] satisfies DeliveryResult[]) deliveries.inc({ result }, 0)
  new Gauge({
    name: 'marquee_webhooks',
    help: 'Webhooks by state; every node reports all of them.',
    labelNames: ['state'],
    registers: [registry],
    collect() {
      for (const [state, count] of Object.entries(store.countByState())) this.set({ state }, count)
    },
  })
  new Gauge({
    name: 'marquee_webhook_lag_seconds',
    help: 'Age of the oldest commit that a webhook whose receiver works has not got yet; 0 on nodes that do not deliver.',
    registers: [registry],
    collect() {
      this.set(lagSeconds())
    },
  })
  return { record: (result) => deliveries.inc({ result }) }
}

/** Scrapers are few; more connections than this are refused. */
const MAX_SCRAPER_CONNECTIONS = 64
const SCRAPE_TIMEOUT_MS = 10_000

/** The listener of `MARQUEE_METRICS_PORT`. */
export interface MetricsServer {
  /** `http://host:port`. */
  readonly address: string
  stop(): Promise<void>
}

/**
 * Serves `/metrics` in the primary on a port of its own, so that it can stay on a private network and answers while the
 * workers are busy.
 */
export async function startMetricsServer(
  port: number,
  { metricsHost: host, metricsToken }: Pick<Settings, 'metricsHost' | 'metricsToken'>,
  read: () => Promise<string>,
): Promise<MetricsServer> {
  const server = createServer((req, res) => void respond(req, res))
  server.maxConnections = MAX_SCRAPER_CONNECTIONS
  server.requestTimeout = SCRAPE_TIMEOUT_MS
  server.timeout = SCRAPE_TIMEOUT_MS
  try {
    await once(server.listen(port, host), 'listening')
  } catch (error) {
    throw new UserError(
      `MARQUEE_METRICS_PORT is ${port} and MARQUEE_METRICS_HOST is ${host}, and listening there failed: ` +
        `${(error as Error).message}; set another port or address`,
    )
  }
  const address = server.address() as AddressInfo
  return { address: `http://${toReachableHost(address.address)}:${address.port}`, stop: () => stopServer(server) }

  async function respond(req: IncomingMessage, res: ServerResponse): Promise<void> {
    try {
      if (req.method !== 'GET' && req.method !== 'HEAD')
        throw new ApiError('method_not_allowed', 'This path takes only GET, HEAD.', { headers: ['Allow', 'GET, HEAD'] })
      if (req.url?.split('?', 1)[0] !== '/metrics') throw new ApiError('not_found', 'There is only /metrics here.')
      if (metricsToken !== undefined) checkBearerToken(req.headers.authorization, metricsToken)
      const body = await read()
      res.writeHead(200, { 'Content-Type': METRICS_TYPE, 'Cache-Control': 'no-store' }).end(body)
    } catch (error) {
      const { status, message, details } = error instanceof ApiError ? error : unavailable()
      res
        .writeHead(status, ['Content-Type', 'text/plain; charset=utf-8', ...(details.headers ?? [])])
        .end(`${message}\n`)
    }
  }
}

/** Gathering can fail while a worker starts or stops. */
function unavailable(): ApiError {
  return new ApiError('unavailable', 'The metrics could not be gathered; try again.', { headers: ['Retry-After', '1'] })
}

async function stopServer(server: Server): Promise<void> {
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
}
