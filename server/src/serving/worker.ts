import cluster from 'node:cluster'
import { join } from 'node:path'
import { openKeyStore } from '../accounts/key-store.ts'
import { createMeter } from '../accounts/meter.ts'
import { Catalog } from '../catalog/catalog.ts'
import { openEnvironment } from '../catalog/environment.ts'
import type { Settings } from '../config.ts'
import { drawArtwork } from '../demo/artwork.ts'
import { createApp } from '../http/app.ts'
import type { Site } from '../http/site.ts'
import { systemClock } from '../model/clock.ts'
import { CatalogAnswers } from '../render/catalog-answers.ts'
import { drainOf } from './drain.ts'
import { ledgerHealth } from './ledger-health.ts'
import { createLogger } from './logger.ts'
import { onStopSignal } from './stop-signal.ts'

/** What a worker tells the primary when it cannot serve at all. */
export interface Fatal {
  readonly fatal: string
}

/** The images and links of the demo catalog; of other catalogs nothing refers to them. */
const demoSites: readonly Site[] = ['/artwork/', '/watch/'].map((prefix) => ({
  prefix,
  serve: (path) => drawArtwork(prefix + path),
}))

/** A process that answers requests. It reads the catalog and never writes it. */
export async function runWorker(settings: Settings): Promise<void> {
  const logger = createLogger(settings)
  const environment = openEnvironment(settings.dataDir, { readOnly: true })
  const keys = openKeyStore(join(settings.dataDir, 'accounts'), { keyPrefix: settings.keyPrefix })
  const meter = createMeter(keys.usage, {
    clock: systemClock,
    processes: settings.workers,
    onError: (error) => logger.error({ err: error }, 'usage could not be settled'),
  })
  const app = createApp({
    answers: new CatalogAnswers(new Catalog(environment)),
    keys,
    meter,
    clock: systemClock,
    settings,
    logger,
    sites: demoSites,
    ledger: settings.databaseUrl === undefined ? undefined : ledgerHealth(settings),
  })
  meter.start()
  const drain = drainOf(app.server)
  onStopSignal(async () => {
    await drain.finish()
    await app.close()
    await meter.stop()
    await keys.close()
    await environment.root.close()
  })
  // A worker without its primary would serve a catalog that nobody keeps.
  process.on('disconnect', () => process.exit(0))
  try {
    await app.listen({ port: settings.port, host: settings.host })
    logger.info('a worker listens')
  } catch (error) {
    cluster.worker?.send({ fatal: (error as Error).message } satisfies Fatal)
  }
}
