import type { Logger } from 'pino'
import { Counter, Gauge, type Registry } from 'prom-client'
import { Catalog } from '../../catalog/catalog.ts'
import { catalogFileId, openEnvironment } from '../../catalog/storage/environment.ts'
import type { Settings } from '../../config.ts'
import { findNextDueInstant, WindowScheduler } from '../../ingest/window-scheduler.ts'
import type { ReplicationState } from '../../ledger/ledger-status.ts'
import { LocalLedger } from '../../ledger/local-ledger.ts'
import { ReplicaDirectory } from '../../ledger/postgres/replica-directory.ts'
import { type Clock, systemClock } from '../../lib/clock.ts'
import type { FollowerMessage, WindowSchedulerReport } from '../cluster/messages.ts'
import type { WorkerPool } from '../cluster/worker-pool.ts'
import { registerCatalogMetrics, registerLedgerMetrics } from '../metrics/catalog-metrics.ts'
import { logOncePerMinute } from '../startup/process-lifecycle.ts'
import { FollowerProcess } from './follower-process.ts'
import type { DeliveryState } from './webhook-runner.ts'

/** Keeps the catalog of a running service up to date. */
interface Maintenance {
  /** The current catalog. */
  readonly catalog: Pick<Catalog, 'version' | 'counts' | 'sources'>
  windowScheduler(): WindowSchedulerReport
  /** The catalog that webhooks are delivered from, and whether this node is the one that delivers. */
  delivery(): DeliveryState
  start(): void
  /** On a node: copies the catalog again, because it is damaged. Undefined where nothing else holds it. */
  replaceCatalog?(reason: string): void
  /** Restarts the processes of the maintenance with the program as it is on disk now. */
  restart(): Promise<void>
  stop(): Promise<void>
}

/** Maintenance of a local catalog: the window scheduler runs in the primary. */
export function localMaintenance(settings: Settings, registry: Registry, logger: Logger): Maintenance {
  const ledger = new LocalLedger(settings.dataDir)
  registerCatalogMetrics(registry, ledger.catalog, systemClock)
  const stats = new WindowSchedulerStats(registry, systemClock)
  const logFailure = logOncePerMinute((fields) =>
    logger.error({ event: 'windows_failed', ...fields }, 'the window scheduler failed'),
  )
  const scheduler = new WindowScheduler(ledger, systemClock, {
    retentionDays: settings.retentionDays,
    historyDays: settings.historyDays,
    onRun: (shows) => stats.recordRun(shows),
    onError: (error) => {
      stats.recordFailure(error)
      logFailure(error)
    },
  })
  return {
    catalog: ledger.catalog,
    windowScheduler: () => stats.report(scheduler.nextDueInstant()),
    delivery: () => ({ catalog: ledger.catalog, leads: true, isReplica: false }),
    start: () => scheduler.start(),
    restart: async () => {},
    stop: async () => {
      await scheduler.stop()
      await ledger.close()
    },
  }
}

/** This many worker crashes within the window mean that the replica is damaged. */
const MAX_CRASHES = 3
const CRASH_WINDOW_MS = 60_000

/** Maintenance of a replica: a follower process writes it, and the workers restart when it is bootstrapped again. */
export function followerMaintenance(
  settings: Settings,
  registry: Registry,
  workers: WorkerPool,
  logger: Logger,
): Maintenance {
  let environment = openEnvironment(settings.dataDir, { readOnly: true })
  let catalog = new Catalog(environment)
  let servedFileId = catalogFileId(settings.dataDir)
  let replication: ReplicationState = { connected: false, commit: 0, lastCommit: 0 }
  let crashTimes: number[] = []
  let isSilent = false
  const currentCatalog = {
    version: () => catalog.version(),
    counts: () => catalog.counts(),
    sources: () => catalog.sources(),
  }
  registerCatalogMetrics(registry, currentCatalog, systemClock)
  registerLedgerMetrics(registry, () => replication, systemClock)
  const stats = new WindowSchedulerStats(registry, systemClock)
  const follower = new FollowerProcess(logger, handleMessage)
  workers.onCrash = handleCrash

  function handleMessage(message: FollowerMessage): void {
    switch (message.type) {
      case 'replication':
        replication = message.state
        isSilent = false
        workers.broadcast(message)
        break
      case 'silent': {
        // A follower that hangs says nothing of new commits: the node counts as behind, and is not ready in the end.
        if (isSilent) break
        isSilent = true
        const state = { ...replication, behindSince: replication.behindSince ?? message.since }
        workers.broadcast({ type: 'replication', state })
        break
      }
      case 'exited':
        // Its lock ended with it, and another node may lead by now.
        replication = { ...replication, isLeader: false }
        break
      case 'heartbeat':
        if (isSilent) workers.broadcast({ type: 'replication', state: replication })
        isSilent = false
        break
      case 'worker-count':
        workers.broadcast(message)
        break
      case 'windows-applied':
        stats.recordRun(message.shows)
        break
      case 'windows-failed':
        stats.recordFailure(message.reason)
        break
      case 'copying':
        workers.setCopied(message.percent)
        break
      case 'catalog-opened':
        workers.setCopied(undefined)
        if (message.fileId !== servedFileId) void switchCatalog(message.fileId)
    }
  }

  /** Opens the new file of the catalog, and restarts the workers, which still map the old one. */
  async function switchCatalog(fileId: string): Promise<void> {
    servedFileId = fileId
    logger.info({ event: 'catalog_replaced' }, 'the replica was bootstrapped again; the workers are restarted')
    const previous = environment
    environment = openEnvironment(settings.dataDir, { readOnly: true })
    catalog = new Catalog(environment)
    await previous.root.close()
    await workers.rollingRestart()
  }

  function handleCrash(): void {
    const now = performance.now()
    crashTimes = [...crashTimes.filter((at) => now - at < CRASH_WINDOW_MS), now]
    if (crashTimes.length < MAX_CRASHES) return
    crashTimes = []
    logger.error({ event: 'replica_damaged' }, 'workers crash repeatedly: the replica is bootstrapped again')
    replaceCatalog('workers crashed while they read it')
  }

  function replaceCatalog(reason: string): void {
    new ReplicaDirectory(settings.dataDir).invalidate(reason)
    void follower.restart()
  }

  return {
    catalog: currentCatalog,
    windowScheduler: () => stats.report(findNextDueInstant(catalog)),
    delivery: () => ({
      catalog,
      leads: replication.connected && replication.isLeader === true,
      isReplica: true,
    }),
    start: () => follower.start(),
    replaceCatalog,
    restart: () => follower.restart(),
    stop: async () => {
      await follower.stop()
      await environment.root.close()
    },
  }
}

/** Counts the runs and failures of the window scheduler, for Prometheus and for the operator's page. */
export class WindowSchedulerStats {
  private readonly clock: Clock
  private readonly showsTotal: Counter
  private readonly failuresTotal: Counter
  private readonly lastRunTimestamp: Gauge
  private lastRunAt: number | undefined
  private shows = 0
  private failures = 0
  private lastFailure: WindowSchedulerReport['lastFailure']

  constructor(registry: Registry, clock: Clock) {
    this.clock = clock
    const registers = [registry]
    this.showsTotal = new Counter({
      name: 'marquee_keeper_shows_total',
      help: 'Shows whose offers the window scheduler made live or removed.',
      registers,
    })
    this.failuresTotal = new Counter({
      name: 'marquee_keeper_failures_total',
      help: 'Failed runs of the window scheduler.',
      registers,
    })
    this.lastRunTimestamp = new Gauge({
      name: 'marquee_keeper_last_run_timestamp_seconds',
      help: 'Time of the last run of the window scheduler.',
      registers,
    })
  }

  recordRun(shows: number): void {
    this.lastRunAt = this.clock()
    this.shows += shows
    this.showsTotal.inc(shows)
    this.lastRunTimestamp.set(this.lastRunAt)
  }

  recordFailure(error: unknown): void {
    this.failures++
    this.failuresTotal.inc()
    this.lastFailure = { at: this.clock(), message: error instanceof Error ? error.message : String(error) }
  }

  /** @param nextInstant when the next window starts or ends; infinite if none is known */
  report(nextInstant: number): WindowSchedulerReport {
    const { lastRunAt, shows, failures, lastFailure } = this
    return {
      ...(lastRunAt !== undefined && { lastRunAt }),
      ...(Number.isFinite(nextInstant) && { nextWindowAt: nextInstant }),
      settledShows: shows,
      failures,
      ...(lastFailure !== undefined && { lastFailure }),
    }
  }
}
