import cluster from 'node:cluster'
import { randomBytes } from 'node:crypto'
import { createMeter, type Meter } from '../accounts/metering/meter.ts'
import { UsageRecorder } from '../accounts/usage/usage-recorder.ts'
import { Catalog } from '../catalog/catalog.ts'
import { openEnvironment } from '../catalog/storage/environment.ts'
import { openServiceAccounts } from '../commands/open-accounts.ts'
import type { Settings } from '../config.ts'
import { readScheduleStatus } from '../connectors/schedule/schedule-status.ts'
import { drawArtwork } from '../demo/artwork/draw-artwork.ts'
import { createApp } from '../http/app.ts'
import { createRequestMetrics } from '../http/observe/request-metrics.ts'
import { combineObservers, createUsageObserver } from '../http/observe/response-observer.ts'
import { createClientAddressResolver } from '../http/request/client.ts'
import { createVisitorTokens, VISITOR_PLAN } from '../http/request/visitor-token.ts'
import type { Site } from '../http/site/page.ts'
import { openWebPages } from '../http/site/web-pages.ts'
import { readLedgerStatus } from '../ledger/ledger-status.ts'
import { systemClock } from '../lib/clock.ts'
import { CatalogQueryEngine } from '../render/catalog-query-engine.ts'
import { catalogFacts } from './catalog-facts.ts'
import { cacheMetrics } from './catalog-metrics.ts'
import { Drain } from './drain.ts'
import { followerNews } from './follower-news.ts'
import { keysWhileAway } from './keys-while-away.ts'
import { listenProblem } from './listen-problem.ts'
import { LoadWatch } from './load-watch.ts'
import { createLogger } from './logger.ts'
import { operatorView } from './operator-view.ts'
import { askPrimary } from './primary-link.ts'
import { processRegistry, shareMetrics } from './service-metrics.ts'
import { onStopSignal } from './stop-signal.ts'

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
const VIEWERS_FORGOTTEN_SECONDS = 5

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
  const follower = settings.databaseUrl === undefined ? undefined : followerNews(settings)
  const meter = createMeter(accounts.quota, {
    clock: systemClock,
    processes: follower?.processes ?? settings.workers,
    onError: (error) => logger.error({ err: error }, 'usage could not be settled'),
  })
  const recorder = new UsageRecorder(accounts.usage, systemClock, (error) =>
    logger.error({ err: error }, 'usage could not be written down'),
  )
  const registry = processRegistry()
  cacheMetrics(registry, answers)
  shareMetrics(registry)
  const primary = askPrimary()
  const pagesMeter = createMeter(
    { total: () => undefined, add: (deltas) => primary.countPages(deltas) },
    { clock: systemClock, processes: settings.workers, evictAfterSeconds: VIEWERS_FORGOTTEN_SECONDS },
  )
  const addressOf = createClientAddressResolver(settings.trustedProxies)
  const passes = createVisitorTokens(settings.secret ?? randomBytes(24).toString('base64url'), addressOf)
  const drain = new Drain()
  const load = new LoadWatch()
  const app = createApp({
    engine: answers,
    keys: follower === undefined ? accounts.keys : keysWhileAway(accounts.keys, follower.health),
    meter: meterOfPages(meter, pagesMeter),
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
  const heartbeat = setInterval(beat, HEARTBEAT_MS).unref()
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
    beat()
  } catch (error) {
    cluster.worker?.send({ fatal: listenProblem(error as Error, settings) } satisfies Fatal)
  }
}

/** Viewers of the web pages are counted apart from keys: by address, and in the memory of the primary alone. */
function meterOfPages(keys: Meter, pages: Meter): Pick<Meter, 'admit' | 'refund'> {
  return {
    admit: (key, now) => (key.plan === VISITOR_PLAN ? pages : keys).admit(key, now),
    refund: (key) => (key.plan === VISITOR_PLAN ? pages : keys).refund(key),
  }
}

function beat(): void {
  if (cluster.worker?.isConnected() !== true) return
  cluster.worker.send({ residentBytes: process.memoryUsage.rss() } satisfies Heartbeat)
}
