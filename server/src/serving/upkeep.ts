import type { Logger } from 'pino'
import type { Registry } from 'prom-client'
import { Catalog } from '../catalog/catalog.ts'
import { openEnvironment } from '../catalog/storage/environment.ts'
import type { Settings } from '../config.ts'
import { findNextDueInstant, WindowScheduler } from '../ingest/windows/window-scheduler.ts'
import type { ReplicationState } from '../ledger/ledger-status.ts'
import { LocalLedger } from '../ledger/local-ledger.ts'
import { ReplicaDirectory } from '../ledger/postgres/replica-directory.ts'
import { systemClock } from '../lib/clock.ts'
import { catalogMetrics } from './catalog-metrics.ts'
import { keeperMetrics } from './keeper-metrics.ts'
import { KeeperNotes, type KeeperReport } from './keeper-report.ts'
import { ledgerMetrics } from './ledger-metrics.ts'
import { catalogFile } from './node.ts'
import { NodeChild } from './node-child.ts'
import type { Workers } from './workers.ts'

/** What keeps the catalog of a running service up to date. */
export interface Upkeep {
  /** The catalog as it is now. */
  readonly catalog: Pick<Catalog, 'version' | 'counts' | 'sources'>
  /** What the keeper did. */
  keeper(): KeeperReport
  start(): void
  /** Goes on with the program as it is on disk now. */
  renew(): Promise<void>
  stop(): Promise<void>
}

/** Where the data directory is the system of record: the keeper, in this very process. */
export function localUpkeep(settings: Settings, registry: Registry, logger: Logger): Upkeep {
  const ledger = new LocalLedger(settings.dataDir)
  catalogMetrics(registry, ledger.catalog, systemClock)
  const kept = keeperMetrics(registry, systemClock)
  const notes = new KeeperNotes(systemClock)
  const keeper = new WindowScheduler(ledger, systemClock, {
    retentionDays: settings.retentionDays,
    onSettled: (shows) => {
      kept.settled(shows)
      notes.settled(shows)
    },
    onError: (error) => {
      kept.failed()
      notes.failed(error)
      logger.error({ err: error }, 'the keeper failed')
    },
  })
  return {
    catalog: ledger.catalog,
    keeper: () => notes.report(keeper.nextDueInstant()),
    start: () => keeper.start(),
    renew: async () => {},
    stop: async () => {
      await keeper.stop()
      await ledger.close()
    },
  }
}

/** So many crashes of workers within this time, and the catalog is taken for damaged. */
const MOST_CRASHES = 3
const CRASH_WINDOW_MS = 60_000

/** Where PostgreSQL is: a process that follows it, and new workers whenever the catalog was copied anew. */
export function nodeUpkeep(settings: Settings, registry: Registry, workers: Workers, logger: Logger): Upkeep {
  let environment = openEnvironment(settings.dataDir, { readOnly: true })
  let catalog = new Catalog(environment)
  let served = catalogFile(settings.dataDir)
  let state: ReplicationState = { connected: false, commit: 0, lastCommit: 0 }
  let crashes: number[] = []
  const current = {
    version: () => catalog.version(),
    counts: () => catalog.counts(),
    sources: () => catalog.sources(),
  }
  catalogMetrics(registry, current, systemClock)
  ledgerMetrics(registry, () => state, systemClock)
  const kept = keeperMetrics(registry, systemClock)
  const notes = new KeeperNotes(systemClock)

  async function serveAnew(file: string): Promise<void> {
    served = file
    logger.info('the catalog was copied anew, and the workers are renewed to serve it')
    const former = environment
    environment = openEnvironment(settings.dataDir, { readOnly: true })
    catalog = new Catalog(environment)
    await former.root.close()
    await workers.roll()
  }

  const child = new NodeChild(logger, ({ catalogFile: file, ledger, processes, settled, keeperFailed }) => {
    if (ledger !== undefined) {
      state = ledger
      workers.tell({ ledger })
    }
    if (processes !== undefined) workers.tell({ processes })
    if (settled !== undefined) {
      kept.settled(settled)
      notes.settled(settled)
    }
    if (keeperFailed !== undefined) {
      kept.failed()
      notes.failed(keeperFailed)
    }
    if (file !== undefined && file !== served) void serveAnew(file)
  })
  workers.onCrash = () => {
    const now = performance.now()
    crashes = [...crashes.filter((at) => now - at < CRASH_WINDOW_MS), now]
    if (crashes.length < MOST_CRASHES) return
    crashes = []
    logger.error('workers crash again and again: the catalog is taken for damaged, and copied anew')
    new ReplicaDirectory(settings.dataDir).invalidate('workers crashed while they read it')
    void child.restart()
  }
  return {
    catalog: current,
    keeper: () => notes.report(findNextDueInstant(catalog)),
    start: () => child.start(),
    renew: () => child.restart(),
    stop: async () => {
      await child.stop()
      await environment.root.close()
    },
  }
}
