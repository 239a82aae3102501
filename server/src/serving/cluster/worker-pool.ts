import cluster, { type Worker } from 'node:cluster'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { isDeepStrictEqual } from 'node:util'
import type { Logger } from 'pino'
import type { SignUpMode } from '../../accounts/people/user-accounts.ts'
import { catalogFileId } from '../../catalog/storage/environment.ts'
import { type Settings, toReachableHost } from '../../config.ts'
import { backoffMs } from '../../lib/backoff.ts'
import { HangDetector } from '../../lib/hang-detector.ts'
import { Mutex } from '../../lib/mutex.ts'
import type { ClusterState, ProcessReport, StartMessage, WorkerMessage } from './messages.ts'

const PROGRAM = fileURLToPath(new URL('./worker.js', import.meta.url))

/**
 * The heap of a worker may grow to three times of what is live before it is collected. By default it is collected sooner, and V8
 * counts the buffers of caches that fill, too: searches that come once had a major collection every second, for which V8 takes
 * the processor for some 60 ms.
 */
const V8_FLAGS = ['--heap-growing-percent=200']

/** A worker that dies sooner than this after its start is replaced only then, so that a crash loop stays slow. */
const MIN_UPTIME_MS = 2_000

/** How long a worker may take to finish its requests when it stops. */
const STOP_TIMEOUT_MS = 10_000

/** How long a new worker may take to listen during a rolling restart. */
const START_TIMEOUT_MS = 30_000

/** Delay before a rolling restart goes on after a new worker did not listen. */
const RESTART_BACKOFF = { firstMs: 1_000, maxMs: 30_000 }

/** A worker that sends no heartbeat for this long is replaced; long before, the node is not ready. */
const MAX_SILENCE_MS = 30_000
const READY_SILENCE_MS = 12_000
/** One that sends none at all after its start has this long: it may start on a machine that is short of everything. */
const MAX_START_MS = 120_000
const HANG_CHECK_MS = 1_000

/** Signals that a process gets when it reads a damaged memory map. */
const CRASH_SIGNALS: ReadonlySet<unknown> = new Set(['SIGBUS', 'SIGSEGV', 'SIGABRT'])

type PoolSettings = Pick<Settings, 'secret' | 'port' | 'dataDir'> & { readonly signUp: SignUpMode }

/** The workers of a service: starts them, replaces those that die, and restarts them without losing a request. */
export class WorkerPool {
  /** Called when a worker died of a signal that a damaged catalog would explain. */
  onCrash: (() => void) | undefined
  private readonly count: number
  private readonly logger: Logger
  /** Workers that wait for the start. */
  private readonly loaded: Worker[] = []
  private readonly startedAt = new Map<number, number>()
  private readonly residentBytes = new Map<number, number>()
  /** Workers that are not replaced when they exit: one of each pair in a rolling restart is enough. */
  private readonly notReplaced = new Set<number>()
  /** The latest state of each type, for workers that start later. */
  private readonly lastState = new Map<ClusterState['type'], ClusterState>()
  private readonly restarts = new Mutex()
  private readonly hangs = new HangDetector<number>({
    maxSilenceMs: MAX_SILENCE_MS,
    maxStartMs: MAX_START_MS,
    checkMs: HANG_CHECK_MS,
  })
  /** Workers that listen, with the file of the catalog that each serves. */
  private readonly servedFiles = new Map<number, string>()
  private copiedPercent: number | undefined
  private pendingRestarts = 0
  private dataDir = ''
  /** What a worker waits for once its modules are loaded; undefined until the data directory is prepared. */
  private startMessage: StartMessage | undefined
  private stopping = false

  /** Forks the workers. They load their modules while the primary prepares the data directory, and then wait for `start`. */
  constructor(count: number, logger: Logger) {
    this.count = count
    this.logger = logger
    cluster.on('exit', (worker, code, signal) => this.onExit(worker, signal ?? code))
    cluster.on('message', (worker, message: WorkerMessage) => this.onMessage(worker, message))
    // Workers accept connections themselves. The primary would pass on one of each worker at a time, which a busy worker takes
    // only after its next slice of requests, and those in the primary would be lost with a worker that dies.
    cluster.schedulingPolicy = cluster.SCHED_NONE
    cluster.setupPrimary({ exec: PROGRAM, args: [], execArgv: [...process.execArgv, ...V8_FLAGS] })
    for (let i = 0; i < count; i++) this.fork()
  }

  /** Lets the workers serve a data directory. Returns the address that they listen on as soon as the first does. */
  async start({ secret, port, dataDir, signUp }: PoolSettings): Promise<string> {
    this.dataDir = dataDir
    this.updateReadiness()
    this.startMessage = {
      type: 'start',
      environment: {
        // All workers sign visitor tokens with the same secret. Without a setting, tokens end with the service.
        MARQUEE_SECRET: secret ?? randomBytes(24).toString('base64url'),
        MARQUEE_SIGN_UP: signUp,
        PORT: String(port),
      },
    }
    for (const { id } of this.running()) this.hangs.expect(id)
    for (const worker of this.loaded) this.startLoaded(worker)
    setInterval(() => this.killHung(), HANG_CHECK_MS).unref()
    const [, listening] = (await once(cluster, 'listening')) as [Worker, AddressInfo]
    return `http://${toReachableHost(listening.address ?? '')}:${listening.port}`
  }

  /** Sends state to all workers, and to each that starts later. */
  broadcast(state: ClusterState): void {
    this.lastState.set(state.type, state)
    for (const worker of this.running()) if (worker.isConnected()) worker.send(state)
  }

  /**
   * Replaces the workers one after the other. Each old one stops when the new one listens. A new one that does not listen
   * in time is tried again until one does, because the old workers may serve a catalog that was replaced.
   */
  async rollingRestart(): Promise<void> {
    this.pendingRestarts++
    await this.restarts.run(async () => {
      for (const predecessor of this.running()) {
        for (let failures = 1; !(await this.replace(predecessor)); failures++) {
          await sleep(backoffMs(failures, RESTART_BACKOFF))
        }
      }
      if (!this.stopping) this.logger.info({ event: 'workers_restarted' }, 'all workers were restarted')
    })
    this.pendingRestarts--
    this.updateReadiness()
  }

  /** Replaces a worker; returns whether that is done. */
  private async replace(predecessor: Worker): Promise<boolean> {
    if (this.stopping || predecessor.isDead()) return true
    const successor = this.fork()
    this.notReplaced.add(predecessor.id).add(successor.id)
    if (await waitForListening(successor)) {
      this.notReplaced.delete(successor.id)
      await this.stopWorkers([predecessor])
      return true
    }
    const context = { event: 'worker_start_failed', worker: successor.process.pid }
    this.logger.error(context, 'a new worker does not listen; the old one stays until one does')
    successor.process.kill('SIGKILL')
    if (predecessor.isDead()) this.forkLater(MIN_UPTIME_MS)
    else this.notReplaced.delete(predecessor.id)
    return predecessor.isDead()
  }

  /** Kills workers that no longer send heartbeats. They are then replaced as those that die. */
  private killHung(): void {
    for (const id of this.hangs.findHung()) {
      const worker = cluster.workers?.[id]
      this.logger.error(
        { event: 'worker_hung', worker: worker?.process.pid },
        'a worker does not respond and is killed',
      )
      worker?.process.kill('SIGKILL')
    }
    this.updateReadiness()
  }

  /** Sets how much of the catalog was copied from PostgreSQL; undefined when it is not being copied. */
  setCopied(percent: number | undefined): void {
    this.copiedPercent = percent
    this.updateReadiness()
  }

  /** Sends the workers whether the node is ready, if that has changed: it is when all its workers are. */
  private updateReadiness(): void {
    const { count, copiedPercent, servedFiles } = this
    const current = this.currentFileId()
    const outdated = [...servedFiles.values()].filter((fileId) => fileId !== current).length
    const silent = this.running().filter(({ id }) => this.hangs.silenceMs(id) > READY_SILENCE_MS).length
    const problem =
      silent > 0
        ? `${silent} of ${count} workers do not respond.`
        : outdated > 0
          ? `${outdated} of ${count} workers still serve a catalog that was replaced; they are being renewed.`
          : servedFiles.size < count
            ? `${count - servedFiles.size} of ${count} workers are starting.`
            : undefined
    const state: ClusterState = {
      type: 'readiness',
      ...(problem !== undefined && { problem }),
      ...(copiedPercent !== undefined && { copiedPercent }),
    }
    if (!isDeepStrictEqual(state, this.lastState.get('readiness'))) this.broadcast(state)
    if (outdated === 0 || this.pendingRestarts > 0 || this.stopping) return
    this.logger.warn(
      { event: 'workers_outdated', outdated },
      'workers serve a catalog that was replaced: all are renewed',
    )
    void this.rollingRestart()
  }

  private currentFileId(): string | undefined {
    try {
      return catalogFileId(this.dataDir)
    } catch {
      // The file is being replaced.
      return undefined
    }
  }

  /** Stops all workers once their requests are answered; kills those that take too long. */
  async stop(): Promise<void> {
    this.stopping = true
    await this.stopWorkers(this.running())
  }

  /** The primary and all workers. */
  report(): ProcessReport[] {
    const toUnixSeconds = (instant: number) => Math.floor((performance.timeOrigin + instant) / 1000)
    const workers = this.running().map(({ id, process: { pid = 0 } }) => ({
      pid,
      role: 'worker' as const,
      startedAt: toUnixSeconds(this.startedAt.get(id) ?? 0),
      residentBytes: this.residentBytes.get(id) ?? 0,
    }))
    const residentBytes = process.memoryUsage.rss()
    return [{ pid: process.pid, role: 'primary', startedAt: toUnixSeconds(0), residentBytes }, ...workers]
  }

  private running(): Worker[] {
    return Object.values(cluster.workers ?? {}) as Worker[]
  }

  private async stopWorkers(workers: readonly Worker[]): Promise<void> {
    const exits = Promise.all(workers.map((worker) => (worker.isDead() ? undefined : waitForExit(worker))))
    for (const worker of workers) worker.process.kill('SIGTERM')
    const timeout = setTimeout(() => {
      for (const worker of workers) worker.process.kill('SIGKILL')
    }, STOP_TIMEOUT_MS)
    await exits
    clearTimeout(timeout)
  }

  private fork(): Worker {
    const worker = cluster.fork()
    // A send to a dying worker fails. Its exit is handled apart, so the failure is only logged, and not if it was told to stop.
    worker.on('error', (error) => {
      if (this.stopping) return
      const context = { event: 'worker_unreachable', worker: worker.process.pid, err: error }
      this.logger.warn(context, 'a message to a worker was not delivered')
    })
    this.startedAt.set(worker.id, performance.now())
    if (this.startMessage !== undefined) this.hangs.expect(worker.id)
    worker.once('listening', () => {
      for (const state of this.lastState.values()) worker.send(state)
    })
    return worker
  }

  /** Lets a worker whose modules are loaded serve, if the data directory is prepared. */
  private startLoaded(worker: Worker): void {
    if (this.startMessage === undefined) this.loaded.push(worker)
    else if (worker.isConnected()) worker.send(this.startMessage)
  }

  private forkLater(delayMs: number): void {
    setTimeout(() => !this.stopping && this.fork(), delayMs)
  }

  private onMessage(worker: Worker, message: WorkerMessage): void {
    if (message?.type === 'loaded') this.startLoaded(worker)
    else if (message?.type === 'heartbeat') {
      this.residentBytes.set(worker.id, message.residentBytes)
      if (!worker.isDead()) this.hangs.beat(worker.id)
      if (!worker.isDead()) this.servedFiles.set(worker.id, message.fileId)
      this.updateReadiness()
    } else if (message?.type === 'listen-failed') {
      process.stderr.write(`marquee: cannot serve: ${message.reason}\n`)
      // All workers fail for the same reason, and one report is enough.
      for (const other of this.running()) other.process.kill('SIGKILL')
      process.exit(1)
    }
  }

  private onExit(worker: Worker, cause: string | number): void {
    const uptimeMs = performance.now() - (this.startedAt.get(worker.id) ?? 0)
    this.startedAt.delete(worker.id)
    this.residentBytes.delete(worker.id)
    this.hangs.delete(worker.id)
    this.servedFiles.delete(worker.id)
    this.updateReadiness()
    if (this.notReplaced.delete(worker.id) || this.stopping) return
    this.logger.warn({ event: 'worker_died', worker: worker.process.pid, cause }, 'a worker died and is replaced')
    if (CRASH_SIGNALS.has(cause)) this.onCrash?.()
    if (uptimeMs >= MIN_UPTIME_MS) this.fork()
    else this.forkLater(MIN_UPTIME_MS - uptimeMs)
  }
}

/** Resolves to whether a worker listens, rather than exits or times out. */
async function waitForListening(worker: Worker): Promise<boolean> {
  const abort = new AbortController()
  const timer = setTimeout(() => abort.abort(), START_TIMEOUT_MS)
  try {
    const { signal } = abort
    return await Promise.race([
      once(worker, 'listening', { signal }).then(() => true),
      once(worker, 'exit', { signal }).then(() => false),
    ])
  } catch {
    return false
  } finally {
    clearTimeout(timer)
    abort.abort()
  }
}

/** Waits until a worker has exited. `once` of node:events would reject on a message that could not be delivered meanwhile. */
function waitForExit(worker: Worker): Promise<void> {
  return new Promise((resolve) => worker.once('exit', () => resolve()))
}
