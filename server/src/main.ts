import type { Logger } from 'pino'
import { Registry } from 'prom-client'
import type { Accounts } from './accounts/accounts.ts'
import { MemoryCounters } from './accounts/metering/quota-counters.ts'
import { readSettings, type Settings } from './config.ts'
import { readScheduleStatus } from './connectors/schedule/schedule-status.ts'
import { Scheduler } from './connectors/schedule/scheduler.ts'
import { ReplicaDirectory } from './ledger/postgres/replica-directory.ts'
import { systemClock } from './lib/clock.ts'
import { openServiceAccounts } from './runtime/open-stores.ts'
import { serveWorkerRequests } from './serving/cluster/messages.ts'
import { WorkerPool } from './serving/cluster/worker-pool.ts'
import { followerMaintenance, localMaintenance } from './serving/maintenance/maintenance.ts'
import { ScheduledRuns } from './serving/maintenance/scheduled-runs.ts'
import { gatherMetrics, registerScheduleMetrics } from './serving/metrics/service-metrics.ts'
import { claimDataDirectory, reservePort } from './serving/startup/claims.ts'
import { demoBanner, ownCatalogBanner, renewDemoKeys, seedDemoCatalog } from './serving/startup/demo.ts'
import { createLogger, onStopSignal } from './serving/startup/process-setup.ts'

/** Serves until it is told to stop: one process writes and watches over the others, which answer requests. */
export async function serve({ demo }: { readonly demo: boolean }): Promise<void> {
  await runPrimary(readSettings(process.env), demo)
}

/** The process that sees to the others: it has the catalog kept up to date, starts the workers and replaces dead ones. */
export async function runPrimary(given: Settings, demo: boolean): Promise<void> {
  await claimDataDirectory(given.dataDir, systemClock())
  const logger = createLogger(given)
  // The links of the demo lead to this service, so its port has to be known before it listens.
  const reserved = demo && given.port === 0 ? await reservePort(given.host) : undefined
  const settings: Settings = { ...given, port: reserved?.port ?? given.port }
  if (settings.databaseUrl !== undefined) await new ReplicaDirectory(settings.dataDir).prepare()
  const servesDemo = demo && (await seedDemoCatalog(settings))
  const accounts = openServiceAccounts(settings)
  const registry = new Registry()
  const runs = new ScheduledRuns()
  const scheduler = new Scheduler({
    file: settings.sourcesFile,
    dataDirectory: settings.dataDir,
    clock: systemClock,
    run: (source) => runs.run(source),
    log: logger,
  })
  registerScheduleMetrics(registry, () => readScheduleStatus(settings.sourcesFile, settings.dataDir, systemClock()))
  const workers = new WorkerPool(logger)
  const upkeep =
    settings.databaseUrl === undefined
      ? localMaintenance(settings, registry, logger)
      : followerMaintenance(settings, registry, workers, logger)
  const stopPruning = pruneAccounts(accounts, logger)

  const pages = new MemoryCounters(systemClock)
  serveWorkerRequests({
    metrics: gatherMetrics(registry),
    processes: async () => workers.report(),
    keeper: async () => upkeep.windowScheduler(),
    countPages: (deltas) => pages.add(deltas),
  })
  await reserved?.release()
  const address = await workers.start(settings)
  // Windows that came due while nobody served can wait until somebody does.
  upkeep.start()
  scheduler.start()
  // Whoever is told that the service is there may tell it to stop at once.
  process.on('SIGHUP', () => {
    logger.info('the processes are renewed, one after the other')
    void workers.rollingRestart().then(() => upkeep.restart())
  })
  onStopSignal(async () => {
    const scheduleEnded = scheduler.stop()
    await runs.stop()
    await scheduleEnded
    await workers.stop()
    await upkeep.stop()
    stopPruning()
    await accounts.close()
    logger.info('stopped')
  })
  logger.info({ address, workers: settings.workers, catalogVersion: upkeep.catalog.version() }, 'serving')
  if (servesDemo) {
    await accounts.refresh()
    const demoKeys = await renewDemoKeys(accounts.keys, systemClock())
    process.stdout.write(demoBanner(address, demoKeys, settings))
  } else if (demo) process.stdout.write(ownCatalogBanner(address, settings))
}

/** Lets go of sessions, attempts and usage that are too old to be of use, once an hour. */
function pruneAccounts(accounts: Accounts, logger: Logger): () => void {
  const prune = () =>
    accounts.prune(systemClock()).catch((error) => logger.error({ err: error }, 'old usage could not be removed'))
  const timer = setInterval(prune, 3_600_000).unref()
  prune()
  return () => clearInterval(timer)
}
