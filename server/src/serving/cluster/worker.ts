import cluster from 'node:cluster'
import { randomBytes } from 'node:crypto'
import type { Logger } from 'pino'
import type { KeyStore } from '../../accounts/keys/key-store.ts'
import { createMeter, type Meter, type MeteredKey } from '../../accounts/keys/meter.ts'
import { MemoryCounters } from '../../accounts/store/quota-store.ts'
import { UsageRecorder } from '../../accounts/usage/usage-recorder.ts'
import { RequestBuffer } from '../../accounts/usage/usage-report.ts'
import { Catalog } from '../../catalog/catalog.ts'
import { catalogFileId, openEnvironment } from '../../catalog/storage/environment.ts'
import { readSettings, type Settings } from '../../config.ts'
import { RasterImages } from '../../demo/artwork/raster-images.ts'
import { createApp } from '../../http/app.ts'
import { ApiError } from '../../http/exchange/errors.ts'
import { AdmissionQueue } from '../../http/request/admission-queue.ts'
import { createClientAddressResolver, createProxyTrust } from '../../http/request/client.ts'
import { createVisitorTokens, type VisitorTokens, visitorRateShare } from '../../http/request/visitor-token.ts'
import {
  combineObservers,
  createRequestMetrics,
  createRequestObserver,
  createTraceObserver,
  createUsageObserver,
} from '../../http/response/response-observer.ts'
import type { LedgerHealth, NodeReadiness } from '../../http/site/monitoring.ts'
import type { Site } from '../../http/site/page.ts'
import { openWebPages } from '../../http/site/web-pages.ts'
import { lagSeconds, type ReplicationState, readLedgerStatus } from '../../ledger/ledger-status.ts'
import { systemClock } from '../../lib/clock.ts'
import { systemErrorCode, UserError } from '../../lib/errors.ts'
import { describeVersion } from '../../lib/process-info.ts'
import { CatalogQueryEngine } from '../../render/catalog-query-engine.ts'
import { openMail, openServiceAccounts } from '../../runtime/open-accounts.ts'
import type { Tracing } from '../../runtime/tracing.ts'
import { Uploads } from '../../runtime/uploads.ts'
import {
  createProcessRegistry,
  registerAdmissionMetrics,
  registerCacheMetrics,
  registerStreamMetrics,
} from '../metrics/service-metrics.ts'
import { createClientPackages } from '../site/client-packages.ts'
import { createIcons, createShareCards, rethrowAsApiError } from '../site/share-card.ts'
import { createCrawlerFiles, MANIFEST_SITE } from '../site/site-files.ts'
import { createLogger, Drain, exitWithPrimary, logOncePerMinute, onStopSignal } from '../startup/process-lifecycle.ts'
import { connectToPrimary, type PrimaryMessage, type StartMessage, type WorkerMessage } from './messages.ts'
import { catalogFacts, fileSchedule, operatorView } from './page-data.ts'
import { shareMetrics } from './worker-metrics.ts'

/*
 * The program of a worker: a process that answers requests. It reads the catalog and never writes it. It does not load
 * the commands, because a worker is ready as soon as its modules are loaded.
 */

const HEARTBEAT_MS = 5_000

/** A worker reads ahead for a turn of the event loop this often, less than a tenth of its time; first when the service has started. */
const READ_AHEAD_MS = 50
const READ_AHEAD_DELAY_MS = 2_000

/** Connections that may wait to be accepted. The client of one more would try again after a second. */
const BACKLOG = 4_096

/** Rates are per second, so the meter of a visitor is needed for little longer; totals of the day are kept apart. */
const VISITOR_TTL_SECONDS = 5

/** The policy of images and pages of the demo: styles of their own, and nothing else. */
const DEMO_HEADERS = [
  'Content-Security-Policy',
  "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; sandbox",
]

/**
 * The images and links of the demo catalog. They do not exist in a service without the demo, and what draws them is loaded with
 * the first of them.
 */
function createDemoSites(images: RasterImages, hasDemo: () => boolean): readonly Site[] {
  return ['/artwork/', '/watch/'].map((prefix) => ({
    prefix,
    headers: DEMO_HEADERS,
    serve: async (path) => {
      if (!hasDemo()) return undefined
      const { serveArtwork } = await import('../../demo/artwork/draw-artwork.ts')
      return await serveArtwork(prefix + path, images).catch(rethrowAsApiError)
    },
  }))
}

/** The traces of requests, if there is a collector. A service whose packages for traces are missing runs without them. */
async function openWorkerTracing(collector: string | undefined, logger: Logger): Promise<Tracing | undefined> {
  if (collector === undefined) return undefined
  const { openTracing } = await import('../../runtime/tracing.ts')
  try {
    return await openTracing(collector, describeVersion())
  } catch (error) {
    if (!(error instanceof UserError)) throw error
    logger.error({ event: 'traces_off', reason: error.message }, 'requests are not traced')
    return undefined
  }
}

async function runWorker(settings: Settings): Promise<void> {
  const logger = createLogger(settings)
  const fileId = catalogFileId(settings.dataDir)
  const environment = openEnvironment(settings.dataDir, { readOnly: true })
  const catalog = new Catalog(environment)
  const engine = new CatalogQueryEngine(catalog, { historyDays: settings.historyDays })
  const accounts = openServiceAccounts(settings)
  const readiness = trackReadiness()
  const follower = settings.databaseUrl === undefined ? undefined : trackFollowerState(settings)
  const keyMeter = createMeter(accounts.quota, {
    clock: systemClock,
    processes: follower?.workers ?? settings.workers,
    onError: logOncePerMinute((fields) =>
      logger.error(
        { event: 'quota_flush_failed', ...fields },
        'quota counters were not stored; they are kept and tried again',
      ),
    ),
  })
  const recorder = new UsageRecorder(
    accounts.usage,
    systemClock,
    logOncePerMinute((fields) =>
      logger.error({ event: 'usage_flush_failed', ...fields }, 'usage was not stored; it is kept and tried again'),
    ),
  )
  const registry = createProcessRegistry()
  registerCacheMetrics(registry, () => [
    ...engine.caches(),
    ...accounts.caches(),
    ...visitorCounters.caches(),
    ...app.caches(),
    ...images.caches(),
  ])
  const admission = new AdmissionQueue()
  registerAdmissionMetrics(registry, admission)
  registerStreamMetrics(registry, () => app.openStreams())
  const primary = connectToPrimary()
  const readMetrics = shareMetrics(registry, primary)
  const visitorCounters = new MemoryCounters((deltas) => primary.countVisitorRequests(deltas))
  const requests = new RequestBuffer((batches) => primary.logRequests(batches))
  const visitorMeter = createMeter(visitorCounters, {
    clock: systemClock,
    processes: settings.workers,
    fixedRateShare: visitorRateShare(settings.workers),
    evictAfterSeconds: VISITOR_TTL_SECONDS,
  })
  const resolveClientAddress = createClientAddressResolver(settings.trustedProxies)
  const secureCookies = settings.publicUrl?.startsWith('https:') === true
  const publicOrigin = settings.publicUrl === undefined ? undefined : new URL(settings.publicUrl).origin
  const visitorTokens = createVisitorTokens({
    secret: settings.secret ?? randomBytes(24).toString('base64url'),
    resolveClientAddress,
    secureCookies,
    publicOrigin,
    requestsPerDay: settings.visitorQuota,
  })
  const images = new RasterImages()
  const facts = catalogFacts(catalog)
  const drain = new Drain()
  const observer = combineObservers(
    combineObservers(createUsageObserver(recorder), createRequestObserver(requests, systemClock)),
    createRequestMetrics(registry),
  )
  const tracing = await openWorkerTracing(settings.traceCollector, logger)
  const app = createApp({
    engine,
    keys: follower === undefined ? accounts.keys : keysDuringOutage(accounts.keys, follower.health),
    meter: splitMeter(keyMeter, visitorMeter, visitorTokens),
    clock: systemClock,
    settings,
    logger,
    sites: [
      ...createDemoSites(images, () => facts().isDemo),
      createShareCards(engine, images, systemClock),
      ...createIcons(images),
      ...createCrawlerFiles(catalog),
      MANIFEST_SITE,
      ...createClientPackages(),
    ],
    isDraining: () => drain.isOn,
    admission,
    ledger: follower?.health,
    readiness,
    web: openWebPages(facts, settings.publicUrl),
    visitorTokens,
    observer: tracing === undefined ? observer : combineObservers(observer, createTraceObserver(tracing)),
    metrics: settings.metricsPort === undefined ? readMetrics : undefined,
    metricsToken: settings.metricsToken,
    resolveClientAddress,
    connectionLimit: {
      maxPerNetwork: settings.maxConnections,
      isTrustedProxy: createProxyTrust(settings.trustedProxies),
    },
    platform: {
      accounts,
      meter: keyMeter,
      clock: systemClock,
      visitorTokens,
      resolveClientAddress,
      async recentRequests(accountId) {
        await requests.flush()
        return primary.recentRequests(accountId)
      },
      settings: { ...settings, signUp: settings.signUp ?? 'closed', secureCookies, publicOrigin },
      mail: openMail(settings),
      logMail: (error) => {
        if (error === undefined) logger.info({ event: 'mail_sent' }, 'a link to set a new password was sent')
        else logger.error({ event: 'mail_failed', problem: error.message }, 'a mail was not sent')
      },
      operator: operatorView({
        catalog,
        primary,
        importer: async () => (await readLedgerStatus(catalog, environment, settings.databaseUrl)).importing,
        schedule: fileSchedule(settings, systemClock),
        uploads: new Uploads(settings.dataDir),
        clock: systemClock,
      }),
    },
  })
  keyMeter.start()
  visitorMeter.start()
  recorder.start()
  requests.start()
  const heartbeat = setInterval(() => sendHeartbeat(fileId), HEARTBEAT_MS).unref()
  const stopReadingAhead = startReadingAhead(engine, logger)
  drain.watch(app.server)
  onStopSignal(async () => {
    clearInterval(heartbeat)
    stopReadingAhead()
    requests.stop()
    await drain.finish()
    await app.close()
    // What cannot be stored now is lost, which must not keep the worker from ending well.
    await Promise.allSettled([keyMeter.stop(), recorder.stop(), tracing?.close()])
    await accounts.close()
    await environment.root.close()
  })
  try {
    await app.listen({ port: settings.port, host: settings.host, backlog: BACKLOG })
    logger.info({ event: 'worker_listening' }, 'the worker listens')
    sendHeartbeat(fileId)
  } catch (error) {
    sendToPrimary({ type: 'listen-failed', reason: describeListenError(error as Error, settings) })
  }
}

/** Tells the primary that the modules are loaded, and waits until the data directory is prepared. */
function waitForStart(): Promise<StartMessage> {
  return new Promise((resolve) => {
    const onMessage = (message: PrimaryMessage) => {
      if (message?.type !== 'start') return
      process.off('message', onMessage)
      resolve(message)
    }
    process.on('message', onMessage)
    sendToPrimary({ type: 'loaded' })
  })
}

/** Meters web page visitors apart from keys: by address, with counters in the memory of the primary only. */
function splitMeter(keys: Meter, visitors: Meter, tokens: VisitorTokens): Pick<Meter, 'admit' | 'charge' | 'refund'> {
  const findMeter = ({ plan }: MeteredKey) => (plan === tokens.plan ? visitors : keys)
  return {
    admit: (key, now) => findMeter(key).admit(key, now),
    charge: (key, admission, cost, now) => findMeter(key).charge(key, admission, cost, now),
    refund: (key, admission) => findMeter(key).refund(key, admission),
  }
}

/** Reads what searches are expected to need, every now and then. Returns what stops it. */
function startReadingAhead(engine: CatalogQueryEngine, logger: Logger): () => void {
  const logFailure = logOncePerMinute((fields) =>
    logger.error({ event: 'read_ahead_failed', ...fields }, 'a part of the catalog could not be read ahead'),
  )
  const readAhead = () => {
    try {
      engine.readAhead()
    } catch (error) {
      logFailure(error)
    }
    timeout = setTimeout(readAhead, READ_AHEAD_MS).unref()
  }
  let timeout = setTimeout(readAhead, READ_AHEAD_DELAY_MS).unref()
  return () => clearTimeout(timeout)
}

function sendHeartbeat(fileId: string): void {
  if (cluster.worker?.isConnected() !== true) return
  sendToPrimary({ type: 'heartbeat', residentBytes: process.memoryUsage.rss(), fileId })
}

function sendToPrimary(message: WorkerMessage): void {
  cluster.worker?.send(message)
}

/** Why the service cannot listen, and which setting to change, in one sentence. */
function describeListenError(error: Error, { host, port }: Pick<Settings, 'host' | 'port'>): string {
  switch (systemErrorCode(error)) {
    case 'EADDRINUSE':
      return `PORT is ${port}, and another program listens there on ${host}; stop that one, or set another PORT`
    case 'EACCES':
      return `PORT is ${port}, and this user may not listen there; set a PORT from 1024 on`
    case 'EADDRNOTAVAIL':
      return `HOST is ${host}, which is no address of this machine; 127.0.0.1 listens for this machine, 0.0.0.0 for all`
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `HOST is ${host}, and no address is known for it; 127.0.0.1 listens for this machine, 0.0.0.0 for all`
    default:
      return `HOST is ${host} and PORT is ${port}, and listening there failed: ${error.message}`
  }
}

exitWithPrimary()
const { environment } = await waitForStart()
await runWorker(readSettings({ ...process.env, ...environment }))

/** A client retries this much later if its key could not be looked up. */
const RETRY_AFTER_SECONDS = 5

/** The state of replication and of the other nodes, as the follower last reported it. */
interface FollowerState {
  readonly health: () => LedgerHealth
  /** The number of workers on all nodes. */
  readonly workers: () => number
}

/** In a worker: keeps what the primary last said about the readiness of the whole node. */
function trackReadiness(): () => NodeReadiness {
  let readiness: NodeReadiness = { problem: 'The worker is starting.' }
  process.on('message', (message: PrimaryMessage) => {
    if (message?.type === 'readiness') readiness = message
  })
  return () => readiness
}

/** In a worker: keeps the latest state of the follower, which the primary passes on. */
function trackFollowerState({ maxLagSeconds, workers }: Pick<Settings, 'maxLagSeconds' | 'workers'>): FollowerState {
  let state: ReplicationState = { connected: true, commit: 0, lastCommit: 0 }
  let workerCount = workers
  process.on('message', (message: PrimaryMessage) => {
    if (message?.type === 'replication') state = message.state
    else if (message?.type === 'worker-count') workerCount = message.workers
  })
  return {
    health() {
      const { connected, commit, lastCommit } = state
      return { connected, commit, lastCommit, lagSeconds: lagSeconds(state, systemClock()), maxLagSeconds }
    },
    workers: () => workerCount,
  }
}

/**
 * Wraps the key store of a replica. While PostgreSQL cannot be reached, an unknown key may have been created on another
 * node, so it is answered with 503 and `Retry-After` instead of 401.
 */
function keysDuringOutage(keys: Pick<KeyStore, 'find'>, ledger: () => LedgerHealth): Pick<KeyStore, 'find'> {
  return {
    find(secret, now) {
      const key = keys.find(secret, now)
      if (key !== undefined || ledger().connected) return key
      throw new ApiError('unavailable', 'This API key cannot be looked up at the moment; try again soon.', {
        retryAfter: RETRY_AFTER_SECONDS,
      })
    },
  }
}
