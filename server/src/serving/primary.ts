import type { Logger } from 'pino'
import { Registry } from 'prom-client'
import type { Accounts } from '../accounts/accounts.ts'
import { MemoryCounters } from '../accounts/metering/quota-counters.ts'
import { openServiceAccounts } from '../commands/open-accounts.ts'
import type { Settings } from '../config.ts'
import { readScheduleStatus } from '../connectors/schedule/schedule-status.ts'
import { Scheduler } from '../connectors/schedule/scheduler.ts'
import { ReplicaDirectory } from '../ledger/postgres/replica-directory.ts'
import { systemClock } from '../lib/clock.ts'
import { claimFolder } from './claim-folder.ts'
import { demoBanner, ownCatalogBanner, renewDemoKeys } from './demo-keys.ts'
import { seedOnce } from './demo-seeding.ts'
import { createLogger } from './logger.ts'
import { answerWorkers } from './primary-link.ts'
import { reservePort } from './reserve-port.ts'
import { ChildRuns } from './run-in-child.ts'
import { scheduleMetrics } from './schedule-metrics.ts'
import { gatherMetrics } from './service-metrics.ts'
import { onStopSignal } from './stop-signal.ts'
import { localUpkeep, nodeUpkeep } from './upkeep.ts'
import { Workers } from './workers.ts'

/** The process that sees to the others: it has the catalog kept up to date, starts the workers and replaces dead ones. */
export async function runPrimary(given: Settings, demo: boolean): Promise<void> {
  await claimFolder(given.dataDir, systemClock())
  const logger = createLogger(given)
  // The links of the demo lead to this service, so its port has to be known before it listens.
  const reserved = demo && given.port === 0 ? await reservePort(given.host) : undefined
  const settings: Settings = { ...given, port: reserved?.port ?? given.port }
  if (settings.databaseUrl !== undefined) await new ReplicaDirectory(settings.dataDir).prepare()
  const servesDemo = demo && (await seedOnce(settings))
  const accounts = openServiceAccounts(settings)
  const registry = new Registry()
  const runs = new ChildRuns()
  const scheduler = new Scheduler({
    file: settings.sourcesFile,
    dataDirectory: settings.dataDir,
    clock: systemClock,
    run: (source) => runs.run(source),
    log: logger,
  })
  scheduleMetrics(registry, () => readScheduleStatus(settings.sourcesFile, settings.dataDir, systemClock()))
  const workers = new Workers(logger)
  const upkeep =
    settings.databaseUrl === undefined
      ? localUpkeep(settings, registry, logger)
      : nodeUpkeep(settings, registry, workers, logger)
  const stopPruning = pruneAccounts(accounts, logger)

  const pages = new MemoryCounters(systemClock)
  answerWorkers({
    metrics: gatherMetrics(registry),
    processes: async () => workers.report(),
    keeper: async () => upkeep.keeper(),
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
    void workers.roll().then(() => upkeep.renew())
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
