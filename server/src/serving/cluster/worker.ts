import cluster from 'node:cluster'
import { randomBytes } from 'node:crypto'
import { createMeter, type Meter } from '../../accounts/metering/meter.ts'
import { UsageRecorder } from '../../accounts/usage/usage-recorder.ts'
import { Catalog } from '../../catalog/catalog.ts'
import { openEnvironment } from '../../catalog/storage/environment.ts'
import type { Settings } from '../../config.ts'
import { readScheduleStatus } from '../../connectors/schedule/schedule-status.ts'
import { drawArtwork } from '../../demo/artwork/draw-artwork.ts'
import { createApp } from '../../http/app.ts'
import { createRequestMetrics } from '../../http/observe/request-metrics.ts'
import { combineObservers, createUsageObserver } from '../../http/observe/response-observer.ts'
import { createClientAddressResolver } from '../../http/request/client.ts'
import { createVisitorTokens, VISITOR_PLAN } from '../../http/request/visitor-token.ts'
import type { Site } from '../../http/site/page.ts'
import { openWebPages } from '../../http/site/web-pages.ts'
import { readLedgerStatus } from '../../ledger/ledger-status.ts'
import { systemClock } from '../../lib/clock.ts'
import { systemErrorCode } from '../../lib/system-error.ts'
import { CatalogQueryEngine } from '../../render/catalog-query-engine.ts'
import { openServiceAccounts } from '../../runtime/open-stores.ts'
import { registerCacheMetrics } from '../metrics/catalog-metrics.ts'
import { createProcessRegistry, shareMetrics } from '../metrics/service-metrics.ts'
import { createLogger, onStopSignal } from '../startup/process-setup.ts'
import { Drain } from './drain.ts'
import { keysDuringOutage, trackFollowerState } from './follower-state.ts'
import { connectToPrimary } from './messages.ts'
import { OverloadDetector } from './overload-detector.ts'
import { catalogFacts, operatorView } from './page-data.ts'

/** What a worker tells the primary when it cannot serve at all. */
export interface Fatal {
  readonly fatal: string
}

/** What a worker tells the primary now and then. */
export interface Heartbeat {
  readonly residentBytes: number
}

const HEARTBEAT_MS = 5_000

/** Rates start anew each second, so viewers need not be remembered for long. */
const VISITOR_TTL_SECONDS = 5

/** The images and links of the demo catalog; of other catalogs nothing refers to them. */
const demoSites: readonly Site[] = ['/artwork/', '/watch/'].map((prefix) => ({
  prefix,
  serve: (path) => drawArtwork(prefix + path),
}))

/** A process that answers requests. It reads the catalog and never writes it. */
export async function runWorker(settings: Settings): Promise<void> {
  const logger = createLogger(settings)
  const environment = openEnvironment(settings.dataDir, { readOnly: true })
  const catalog = new Catalog(environment)
  const answers = new CatalogQueryEngine(catalog)
  const accounts = openServiceAccounts(settings)
  const follower = settings.databaseUrl === undefined ? undefined : trackFollowerState(settings)
  const meter = createMeter(accounts.quota, {
    clock: systemClock,
    processes: follower?.processes ?? settings.workers,
    onError: (error) => logger.error({ err: error }, 'usage could not be settled'),
  })
  const recorder = new UsageRecorder(accounts.usage, systemClock, (error) =>
    logger.error({ err: error }, 'usage could not be written down'),
  )
  const registry = createProcessRegistry()
  registerCacheMetrics(registry, answers)
  shareMetrics(registry)
  const primary = connectToPrimary()
  const pagesMeter = createMeter(
    { total: () => undefined, add: (deltas) => primary.countPages(deltas) },
    { clock: systemClock, processes: settings.workers, evictAfterSeconds: VISITOR_TTL_SECONDS },
  )
  const addressOf = createClientAddressResolver(settings.trustedProxies)
  const passes = createVisitorTokens(settings.secret ?? randomBytes(24).toString('base64url'), addressOf)
  const drain = new Drain()
  const load = new OverloadDetector()
  const app = createApp({
    engine: answers,
    keys: follower === undefined ? accounts.keys : keysDuringOutage(accounts.keys, follower.health),
    meter: splitMeter(meter, pagesMeter),
    clock: systemClock,
    settings,
    logger,
    sites: demoSites,
    isDraining: () => drain.isOn,
    isOverloaded: () => load.isOverloaded,
    ledger: follower?.health,
    web: openWebPages(catalogFacts(catalog)),
    visitorTokens: passes,
    observer: combineObservers(createUsageObserver(recorder), createRequestMetrics(registry)),
    metrics: primary.metrics,
    platform: {
      accounts,
      meter,
      clock: systemClock,
      visitorTokens: passes,
      resolveClientAddress: addressOf,
      settings: { ...settings, secureCookies: settings.publicUrl?.startsWith('https:') === true },
      operator: operatorView({
        catalog,
        primary,
        importer: async () => (await readLedgerStatus(catalog, environment, settings.databaseUrl)).importing,
        schedule: (now) => readScheduleStatus(settings.sourcesFile, settings.dataDir, now),
        clock: systemClock,
      }),
    },
  })
  load.start()
  meter.start()
  pagesMeter.start()
  recorder.start()
  const heartbeat = setInterval(sendHeartbeat, HEARTBEAT_MS).unref()
  drain.watch(app.server)
  onStopSignal(async () => {
    clearInterval(heartbeat)
    // The primary hands connections over on the way on which it answers: once it has answered, all have come.
    await drain.finish(() => primary.processes())
    await app.close()
    await Promise.all([meter.stop(), recorder.stop()])
    await accounts.close()
    await environment.root.close()
  })
  // A worker without its primary would serve a catalog that nobody keeps.
  process.on('disconnect', () => process.exit(0))
  if (!process.connected) process.exit(0)
  try {
    await app.listen({ port: settings.port, host: settings.host })
    logger.info('a worker listens')
    sendHeartbeat()
  } catch (error) {
    cluster.worker?.send({ fatal: describeListenError(error as Error, settings) } satisfies Fatal)
  }
}

/** Viewers of the web pages are counted apart from keys: by address, and in the memory of the primary alone. */
function splitMeter(keys: Meter, pages: Meter): Pick<Meter, 'admit' | 'refund'> {
  return {
    admit: (key, now) => (key.plan === VISITOR_PLAN ? pages : keys).admit(key, now),
    refund: (key) => (key.plan === VISITOR_PLAN ? pages : keys).refund(key),
  }
}

function sendHeartbeat(): void {
  if (cluster.worker?.isConnected() !== true) return
  cluster.worker.send({ residentBytes: process.memoryUsage.rss() } satisfies Heartbeat)
}

/** Why the service cannot listen, and which setting mends it, as a sentence. */
export function describeListenError(error: Error, { host, port }: Pick<Settings, 'host' | 'port'>): string {
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
