import cluster, { type Worker } from 'node:cluster'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Logger } from 'pino'
import { Registry } from 'prom-client'
import { type Accounts, openAccounts } from '../accounts/accounts.ts'
import { Progress } from '../commands/progress.ts'
import type { Settings } from '../config.ts'
import { DEMO_SOURCE } from '../demo/demo-options.ts'
import { Keeper } from '../ingest/keeper.ts'
import { LocalLedger } from '../ledger/local-ledger.ts'
import { systemClock } from '../model/clock.ts'
import { catalogMetrics } from './catalog-metrics.ts'
import { demoBanner, renewDemoKeys } from './demo-keys.ts'
import { keeperMetrics } from './keeper-metrics.ts'
import { KeeperNotes } from './keeper-report.ts'
import { createLogger } from './logger.ts'
import { answerWorkers, type ProcessReport } from './primary-link.ts'
import { gatherMetrics } from './service-metrics.ts'
import { onStopSignal } from './stop-signal.ts'
import type { Fatal, Heartbeat } from './worker.ts'

/** Workers that die sooner than this after their start are not replaced at once, lest they die in a loop. */
const YOUNG_MS = 2_000

/** How long requests that are under way may take to finish when the service stops. */
const GRACE_MS = 10_000

/** The process that writes: it keeps the windows of offers, starts the workers and replaces those that die. */
export async function runPrimary(settings: Settings, demo: boolean): Promise<void> {
  const logger = createLogger(settings)
  const ledger = new LocalLedger(settings.dataDir)
  const accounts = openAccounts(join(settings.dataDir, 'accounts'), { keyPrefix: settings.keyPrefix })
  if (demo && ledger.catalog.version() === 0) {
    process.stdout.write('Making the demo catalog; this happens once.\n')
    const progress = new Progress(process.stdout)
    const { seedDemo } = await import('../demo/seed-demo.ts')
    await seedDemo(ledger, {
      clock: systemClock,
      baseUrl: `http://${reachable(settings.host)}:${settings.port}`,
      onProgress: (day, shows) => progress.update(`shows of the feed of ${day}`, shows),
    })
    progress.end()
  }
  const registry = new Registry()
  catalogMetrics(registry, ledger.catalog, systemClock)
  const kept = keeperMetrics(registry, systemClock)
  const notes = new KeeperNotes(systemClock)
  const keeper = new Keeper(ledger, systemClock, {
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
  const stopPruning = pruneAccounts(accounts, logger)

  const workers = new Workers(logger)
  answerWorkers({
    metrics: gatherMetrics(registry),
    processes: async () => workers.report(),
    keeper: async () => notes.report(keeper.nextInstant()),
  })
  const address = await workers.start(settings)
  // Windows that came due while nobody served can wait until somebody does.
  keeper.start()
  logger.info({ address, workers: settings.workers, catalogVersion: ledger.catalog.version() }, 'serving')
  if (demo && servesDemo(ledger)) {
    const demoKeys = await renewDemoKeys(accounts.keys, systemClock())
    process.stdout.write(demoBanner(address, demoKeys, settings))
  }
  onStopSignal(async () => {
    await workers.stop()
    await keeper.stop()
    stopPruning()
    await accounts.close()
    await ledger.close()
    logger.info('stopped')
  })
}

/** Lets go of sessions, attempts and usage that are too old to be of use, once an hour. */
function pruneAccounts(accounts: Accounts, logger: Logger): () => void {
  const prune = () =>
    accounts.prune(systemClock()).catch((error) => logger.error({ err: error }, 'old usage could not be removed'))
  const timer = setInterval(prune, 3_600_000).unref()
  prune()
  return () => clearInterval(timer)
}

/** Whether the catalog is the demo, and not one that somebody else has fed. */
function servesDemo({ catalog }: LocalLedger): boolean {
  return catalog.sources().some(({ name }) => name === DEMO_SOURCE)
}

/** An address under which a service that listens on the given one can be reached from this machine. */
function reachable(address: string): string {
  const host = ['', '0.0.0.0', '::'].includes(address) ? '127.0.0.1' : address
  return host.includes(':') ? `[${host}]` : host
}

class Workers {
  private readonly logger: Logger
  private readonly startedAt = new Map<number, number>()
  private readonly memory = new Map<number, number>()
  private environment: Record<string, string> = {}
  private stopping = false

  constructor(logger: Logger) {
    this.logger = logger
  }

  /** Starts the workers, and returns the address that they listen on once one of them does. */
  async start({ workers: count, secret }: Pick<Settings, 'workers' | 'secret'>): Promise<string> {
    // Passes of the web pages must be good in every worker, and may well end with the service.
    this.environment = { MARQUEE_SECRET: secret ?? randomBytes(24).toString('base64url') }
    cluster.on('exit', (worker, code, signal) => this.replace(worker, signal ?? code))
    cluster.on('message', (_worker, message: Partial<Fatal>) => {
      if (typeof message.fatal !== 'string') return
      process.stderr.write(`marquee: cannot serve: ${message.fatal}\n`)
      process.exit(1)
    })
    cluster.setupPrimary({ exec: fileURLToPath(new URL('./worker-process.js', import.meta.url)), args: [] })
    for (let i = 0; i < count; i++) this.fork()
    const [, { address, port }] = (await once(cluster, 'listening')) as [Worker, AddressInfo]
    return `http://${reachable(address ?? '')}:${port}`
  }

  /** Lets all workers finish what they are answering, and ends those that take too long. */
  async stop(): Promise<void> {
    this.stopping = true
    const running = Object.values(cluster.workers ?? {}) as Worker[]
    const ended = Promise.all(running.map((worker) => once(worker, 'exit')))
    for (const worker of running) worker.process.kill('SIGTERM')
    const impatience = setTimeout(() => {
      for (const worker of running) worker.process.kill('SIGKILL')
    }, GRACE_MS)
    await ended
    clearTimeout(impatience)
  }

  /** All processes as they are now. */
  report(): ProcessReport[] {
    const startedAt = (instant: number) => Math.floor((performance.timeOrigin + instant) / 1000)
    const workers = (Object.values(cluster.workers ?? {}) as Worker[]).map(({ id, process: { pid = 0 } }) => ({
      pid,
      role: 'worker' as const,
      startedAt: startedAt(this.startedAt.get(id) ?? 0),
      residentBytes: this.memory.get(id) ?? 0,
    }))
    const residentBytes = process.memoryUsage.rss()
    return [{ pid: process.pid, role: 'primary', startedAt: startedAt(0), residentBytes }, ...workers]
  }

  private fork(): void {
    const worker = cluster.fork(this.environment)
    this.startedAt.set(worker.id, performance.now())
    worker.on('message', ({ residentBytes }: Partial<Heartbeat>) => {
      if (residentBytes !== undefined) this.memory.set(worker.id, residentBytes)
    })
  }

  private replace(worker: Worker, cause: string | number): void {
    if (this.stopping) return
    const age = performance.now() - (this.startedAt.get(worker.id) ?? 0)
    this.startedAt.delete(worker.id)
    this.memory.delete(worker.id)
    this.logger.warn({ worker: worker.process.pid, cause }, 'a worker died and is replaced')
    if (age >= YOUNG_MS) this.fork()
    else setTimeout(() => !this.stopping && this.fork(), YOUNG_MS - age)
  }
}
