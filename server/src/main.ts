import type { Logger } from 'pino'
import { Registry } from 'prom-client'
import type { Accounts } from './accounts/accounts.ts'
import { MemoryCounters } from './accounts/store/quota-store.ts'
import { RequestHistory } from './accounts/usage/usage-report.ts'
import { describeUnknownSettings, type Settings, serviceAddress } from './config.ts'
import { readScheduleStatus } from './connectors/schedule/schedule-status.ts'
import { Scheduler } from './connectors/schedule/scheduler.ts'
import { systemClock } from './lib/clock.ts'
import { DamagedFileError } from './lib/lmdb/lmdb-file.ts'
import { PROGRAM_VERSION } from './lib/process-info.ts'
import { adoptFolder } from './runtime/backup-manifest.ts'
import { openServiceAccounts } from './runtime/open-accounts.ts'
import { describeMigration, migrateFormat } from './runtime/open-ledger.ts'
import { seedDemoCatalog } from './runtime/seed-demo-catalog.ts'
import { claimDataDirectory } from './runtime/service-claim.ts'
import { Uploads } from './runtime/uploads.ts'
import { serveWorkerRequests } from './serving/cluster/messages.ts'
import { askWorkers } from './serving/cluster/worker-metrics.ts'
import type { WorkerPool } from './serving/cluster/worker-pool.ts'
import { CatalogChecks, OperatorJobs, ScheduledRuns } from './serving/maintenance/child-runs.ts'
import { followerMaintenance, localMaintenance } from './serving/maintenance/maintenance.ts'
import { OperatorNotifier } from './serving/maintenance/operator-notifier.ts'
import { WebhookRunner } from './serving/maintenance/webhook-runner.ts'
import {
  gatherMetrics,
  registerCacheMetrics,
  registerHostMetrics,
  registerScheduleMetrics,
  startMetricsServer,
} from './serving/metrics/service-metrics.ts'
import {
  checkDataPages,
  demoBanner,
  emptyCatalogBanner,
  findEarlyDamage,
  noDemoBanner,
  prepareReplica,
  renewDemoKeys,
  reservePort,
} from './serving/startup/prepare-start.ts'
import { logOncePerMinute, onStopSignal } from './serving/startup/process-lifecycle.ts'
import { createSender } from './webhooks/send-message.ts'

const PRUNE_INTERVAL_MS = 3_600_000

interface ServeOptions {
  readonly settings: Settings
  /** Whether to make the demo catalog if there is none. */
  readonly demo: boolean
  /** Workers that were forked, and serve once the data directory is prepared. */
  readonly workers: WorkerPool
  readonly logger: Logger
}

/**
 * Runs the service in this process, the primary: it maintains the catalog, runs the schedule, and starts the workers,
 * which answer requests. The service runs until SIGTERM or SIGINT; SIGHUP restarts its other processes.
 */
export async function serve({ settings: given, demo, workers, logger }: ServeOptions): Promise<void> {
  adoptFolder(given.dataDir)
  await claimDataDirectory(given.dataDir, systemClock())
  const pageCheck = checkDataPages(given.dataDir)
  const damage = await findEarlyDamage(pageCheck, given)
  for (const line of describeUnknownSettings(process.env)) logger.warn({ event: 'unknown_setting' }, line)
  // The links of the demo lead to this service, so its port must be known before the workers listen.
  const reserved = demo && given.port === 0 ? await reservePort(given.host) : undefined
  const signUp = given.signUp ?? (demo ? 'open' : 'closed')
  const settings = { ...given, port: reserved?.port ?? given.port, signUp } satisfies Settings
  if (settings.databaseUrl !== undefined) await prepareReplica(settings.dataDir, settings.databaseUrl, logger, damage)
  else {
    const migrated = await migrateFormat(settings.dataDir, { at: systemClock(), isClaimed: true })
    if (migrated !== undefined) {
      const { formerFormat, previous } = migrated
      logger.info({ event: 'catalog_migrated', formerFormat, previous }, describeMigration(settings.dataDir, migrated))
    }
  }
  const servesDemo = demo && (await seedDemoCatalog(settings))
  const accounts = openServiceAccounts(settings)
  const registry = new Registry()
  const notifier = new OperatorNotifier({
    ...settings.operatorWebhook,
    dataDir: settings.dataDir,
    // The operator chose the address.
    send: createSender({ allowPrivate: true }),
    logger,
  })
  const runs = new ScheduledRuns()
  const scheduler = new Scheduler({
    file: settings.sourcesFile,
    dataDirectory: settings.dataDir,
    clock: systemClock,
    run: (source) => runs.run(source),
    log: notifier.watch(logger),
  })
  registerHostMetrics(registry, PROGRAM_VERSION, settings.dataDir)
  registerScheduleMetrics(registry, () => readScheduleStatus(settings.sourcesFile, settings.dataDir, systemClock()))
  const maintenance =
    settings.databaseUrl === undefined
      ? localMaintenance(settings, registry, logger)
      : followerMaintenance(settings, registry, workers, logger)
  workers.onCrash ??= () => void refuseDamage(checkDataPages(settings.dataDir))
  const webhooks = new WebhookRunner({
    store: accounts.webhooks,
    refresh: () => accounts.refresh(),
    settings,
    delivery: () => maintenance.delivery(),
    logger,
    notify: notifier.notify,
    registry,
  })
  // Caches have the same metrics in all processes, so those of the primary are added to those of the workers.
  const shared = new Registry()
  registerCacheMetrics(shared, () => webhooks.caches())
  const checks = new CatalogChecks(maintenance.catalog, systemClock)
  const stopPruning = pruneAccounts(accounts, logger)

  let listeningAt = serviceAddress(settings)
  const uploads = new Uploads(settings.dataDir)
  uploads.clear()
  const jobs = new OperatorJobs({
    uploads,
    address: () => settings.publicUrl ?? listeningAt,
    clock: systemClock,
    log: logger,
  })
  const visitorCounters = new MemoryCounters()
  const requests = new RequestHistory()
  const metrics = gatherMetrics(registry, askWorkers, shared)
  serveWorkerRequests({
    metrics,
    processes: async () => workers.report(),
    windowScheduler: async () => maintenance.windowScheduler(),
    catalogChecks: async () => checks.report(),
    countVisitorRequests: (deltas) => visitorCounters.add(deltas),
    logRequests: async (batches) => requests.add(batches),
    recentRequests: async (accountId) => requests.list(accountId),
    startJob: async (request) => jobs.start(request),
    jobs: async () => jobs.list(),
  })
  const metricsServer =
    settings.metricsPort === undefined ? undefined : await startMetricsServer(settings.metricsPort, settings, metrics)
  await reserved?.release()
  const address = await workers.start(settings)
  listeningAt = address
  // Windows that became due while the service was down are applied after the workers listen, so that the start is quick.
  maintenance.start()
  if (damage === undefined) void refuseDamage(pageCheck)
  scheduler.start()
  webhooks.start()
  notifier.start()
  // Signal handlers come before the log line: whoever reads it may send a signal at once.
  process.on('SIGHUP', () => {
    logger.info({ event: 'restart_requested' }, 'the processes are restarted, one after the other')
    void workers.rollingRestart().then(() => maintenance.restart())
  })
  onStopSignal(async () => {
    const scheduleStopped = scheduler.stop()
    await Promise.all([runs.stop(), checks.stop(), jobs.stop()])
    await scheduleStopped
    await metricsServer?.stop()
    notifier.stop()
    await webhooks.stop()
    await workers.stop()
    await maintenance.stop()
    stopPruning()
    await accounts.close()
    logger.info({ event: 'service_stopped' }, 'stopped')
  })
  const catalogVersion = maintenance.catalog.version()
  logger.info({ event: 'service_started', address, workers: settings.workers, catalogVersion }, 'serving')
  if (metricsServer !== undefined)
    logger.info({ event: 'metrics_listening', address: metricsServer.address }, 'the metrics are served')
  if (servesDemo) {
    await accounts.refresh()
    const demoKeys = await renewDemoKeys(accounts.keys, systemClock())
    process.stdout.write(demoBanner(address, demoKeys, settings))
  } else if (demo) process.stdout.write(noDemoBanner(address, settings))
  else if (catalogVersion === 0) process.stdout.write(emptyCatalogBanner(address, settings))

  /** Ends the service if a page of its data is damaged: its answers could be others than before. A node copies its catalog again. */
  async function refuseDamage(check: Promise<void>): Promise<void> {
    try {
      await check
    } catch (error) {
      if (!(error instanceof DamagedFileError)) throw error
      logger.fatal({ event: 'catalog_damaged', table: 'pages' }, error.message)
      if (maintenance.replaceCatalog !== undefined && error.isCatalog) maintenance.replaceCatalog(error.message)
      else {
        process.stderr.write(`marquee: ${error.message}\n`)
        await workers.stop()
        process.exit(1)
      }
    }
  }
}

/** Deletes expired sessions, sign-in attempts and old usage, now and once an hour. Returns a function that stops it. */
function pruneAccounts(accounts: Accounts, logger: Logger): () => void {
  const logFailure = logOncePerMinute((fields) =>
    logger.error({ event: 'accounts_prune_failed', ...fields }, 'old usage was not deleted'),
  )
  const prune = () => accounts.prune(systemClock()).catch(logFailure)
  const timer = setInterval(prune, PRUNE_INTERVAL_MS).unref()
  prune()
  return () => clearInterval(timer)
}
