import type { Logger } from 'pino'
import type { Registry } from 'prom-client'
import { Catalog } from '../../catalog/catalog.ts'
import { openEnvironment } from '../../catalog/storage/environment.ts'
import type { Settings } from '../../config.ts'
import { findNextDueInstant, WindowScheduler } from '../../ingest/windows/window-scheduler.ts'
import type { ReplicationState } from '../../ledger/ledger-status.ts'
import { LocalLedger } from '../../ledger/local-ledger.ts'
import { ReplicaDirectory } from '../../ledger/postgres/replica-directory.ts'
import { systemClock } from '../../lib/clock.ts'
import { catalogFileId } from '../cluster/follower.ts'
import { FollowerProcess } from '../cluster/follower-process.ts'
import type { WorkerPool } from '../cluster/worker-pool.ts'
import { registerCatalogMetrics, registerLedgerMetrics } from '../metrics/catalog-metrics.ts'
import { type WindowSchedulerReport, WindowSchedulerStats, windowSchedulerMetrics } from './window-scheduler-stats.ts'

/** What keeps the catalog of a running service up to date. */
export interface Maintenance {
  /** The catalog as it is now. */
  readonly catalog: Pick<Catalog, 'version' | 'counts' | 'sources'>
  /** What the keeper did. */
  windowScheduler(): WindowSchedulerReport
  start(): void
  /** Goes on with the program as it is on disk now. */
  restart(): Promise<void>
  stop(): Promise<void>
}

/** Where the data directory is the system of record: the keeper, in this very process. */
export function localMaintenance(settings: Settings, registry: Registry, logger: Logger): Maintenance {
  const ledger = new LocalLedger(settings.dataDir)
  registerCatalogMetrics(registry, ledger.catalog, systemClock)
  const kept = windowSchedulerMetrics(registry, systemClock)
  const notes = new WindowSchedulerStats(systemClock)
  const keeper = new WindowScheduler(ledger, systemClock, {
    retentionDays: settings.retentionDays,
    onSettled: (shows) => {
      kept.recordRun(shows)
      notes.recordRun(shows)
    },
    onError: (error) => {
      kept.recordFailure()
      notes.recordFailure(error)
      logger.error({ err: error }, 'the keeper failed')
    },
  })
  return {
    catalog: ledger.catalog,
    windowScheduler: () => notes.report(keeper.nextDueInstant()),
    start: () => keeper.start(),
    restart: async () => {},
    stop: async () => {
      await keeper.stop()
      await ledger.close()
    },
  }
}

/** So many crashes of workers within this time, and the catalog is taken for damaged. */
const MAX_CRASHES = 3
const CRASH_WINDOW_MS = 60_000

/** Where PostgreSQL is: a process that follows it, and new workers whenever the catalog was copied anew. */
export function followerMaintenance(
  settings: Settings,
  registry: Registry,
  workers: WorkerPool,
  logger: Logger,
): Maintenance {
  let environment = openEnvironment(settings.dataDir, { readOnly: true })
  let catalog = new Catalog(environment)
  let served = catalogFileId(settings.dataDir)
  let state: ReplicationState = { connected: false, commit: 0, lastCommit: 0 }
  let crashes: number[] = []
  const current = {
    version: () => catalog.version(),
    counts: () => catalog.counts(),
    sources: () => catalog.sources(),
  }
  registerCatalogMetrics(registry, current, systemClock)
  registerLedgerMetrics(registry, () => state, systemClock)
  const kept = windowSchedulerMetrics(registry, systemClock)
  const notes = new WindowSchedulerStats(systemClock)

  async function serveAnew(file: string): Promise<void> {
    served = file
    logger.info('the catalog was copied anew, and the workers are renewed to serve it')
    const former = environment
    environment = openEnvironment(settings.dataDir, { readOnly: true })
    catalog = new Catalog(environment)
    await former.root.close()
    await workers.rollingRestart()
  }

  const child = new FollowerProcess(logger, ({ catalogFile: file, ledger, processes, settled, keeperFailed }) => {
    if (ledger !== undefined) {
      state = ledger
      workers.broadcast({ ledger })
    }
    if (processes !== undefined) workers.broadcast({ processes })
    if (settled !== undefined) {
      kept.recordRun(settled)
      notes.recordRun(settled)
    }
    if (keeperFailed !== undefined) {
      kept.recordFailure()
      notes.recordFailure(keeperFailed)
    }
    if (file !== undefined && file !== served) void serveAnew(file)
  })
  workers.onCrash = () => {
    const now = performance.now()
    crashes = [...crashes.filter((at) => now - at < CRASH_WINDOW_MS), now]
    if (crashes.length < MAX_CRASHES) return
    crashes = []
    logger.error('workers crash again and again: the catalog is taken for damaged, and copied anew')
    new ReplicaDirectory(settings.dataDir).invalidate('workers crashed while they read it')
    void child.restart()
  }
  return {
    catalog: current,
    windowScheduler: () => notes.report(findNextDueInstant(catalog)),
    start: () => child.start(),
    restart: () => child.restart(),
    stop: async () => {
      await child.stop()
      await environment.root.close()
    },
  }
}
