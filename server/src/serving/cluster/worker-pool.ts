import cluster, { type Worker } from 'node:cluster'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import type { Logger } from 'pino'
import { type Settings, toReachableHost } from '../../config.ts'
import type { ProcessReport } from './messages.ts'
import type { Fatal, Heartbeat } from './worker.ts'

/** WorkerPool that die sooner than this after their start are not replaced at once, lest they die in a loop. */
const MIN_UPTIME_MS = 2_000

/** How long requests that are under way may take to finish when a worker stops. */
const STOP_TIMEOUT_MS = 10_000

/** How long a worker may take to start before its predecessor is kept instead. */
const START_TIMEOUT_MS = 30_000

/** Signals that a process gets which reads a damaged memory map. */
const CRASH_SIGNALS: ReadonlySet<unknown> = new Set(['SIGBUS', 'SIGSEGV', 'SIGABRT'])

/** The processes that serve: started, replaced when they die, and renewed without a request getting lost. */
export class WorkerPool {
  /** Called when a worker crashed in a way that a damaged catalog would explain. */
  onCrash: (() => void) | undefined
  private readonly logger: Logger
  private readonly startedAt = new Map<number, number>()
  private readonly memory = new Map<number, number>()
  /** WorkerPool whose end leaves no gap: their successors are there, or they are successors themselves. */
  private readonly leaving = new Set<number>()
  private environment: Record<string, string> = {}
  private lastBroadcast: object = {}
  private rolling: Promise<void> = Promise.resolve()
  private stopping = false

  constructor(logger: Logger) {
    this.logger = logger
  }

  /** Starts the workers, and returns the address that they listen on once one of them does. */
  async start({ workers: count, secret, port }: Pick<Settings, 'workers' | 'secret' | 'port'>): Promise<string> {
    // Passes of the web pages must be good in every worker, and may well end with the service.
    this.environment = { MARQUEE_SECRET: secret ?? randomBytes(24).toString('base64url'), PORT: String(port) }
    cluster.on('exit', (worker, code, signal) => this.replace(worker, signal ?? code))
    cluster.on('message', (_worker, message: Partial<Fatal>) => {
      if (typeof message.fatal !== 'string') return
      process.stderr.write(`marquee: cannot serve: ${message.fatal}\n`)
      // The others find the same, and nobody to tell it to.
      for (const worker of this.running()) worker.process.kill('SIGKILL')
      process.exit(1)
    })
    cluster.setupPrimary({ exec: fileURLToPath(new URL('./worker-process.js', import.meta.url)), args: [] })
    for (let i = 0; i < count; i++) this.fork()
    const [, listening] = (await once(cluster, 'listening')) as [Worker, AddressInfo]
    return `http://${toReachableHost(listening.address ?? '')}:${listening.port}`
  }

  /** Tells all workers something, and those that come later, too. */
  broadcast(news: object): void {
    this.lastBroadcast = { ...this.lastBroadcast, ...news }
    for (const worker of this.running()) if (worker.isConnected()) worker.send(news)
  }

  /** Puts a new worker in the place of each, one after the other; the old one leaves when the new one listens. */
  rollingRestart(): Promise<void> {
    this.rolling = this.rolling.then(async () => {
      for (const former of this.running()) {
        if (this.stopping || former.isDead()) continue
        const successor = this.fork()
        // Until the successor listens, either may die, and the other one stands for it.
        this.leaving.add(former.id).add(successor.id)
        if (!(await waitForListening(successor))) {
          this.logger.error({ worker: successor.process.pid }, 'a new worker does not start; the old ones stay')
          successor.process.kill('SIGKILL')
          if (former.isDead()) this.forkIn(MIN_UPTIME_MS)
          else this.leaving.delete(former.id)
          return
        }
        this.leaving.delete(successor.id)
        await this.end([former])
      }
      this.logger.info('the workers were renewed')
    })
    return this.rolling
  }

  /** Lets all workers finish what they are answering, and ends those that take too long. */
  async stop(): Promise<void> {
    this.stopping = true
    await this.end(this.running())
  }

  /** All processes as they are now. */
  report(): ProcessReport[] {
    const startedAt = (instant: number) => Math.floor((performance.timeOrigin + instant) / 1000)
    const workers = this.running().map(({ id, process: { pid = 0 } }) => ({
      pid,
      role: 'worker' as const,
      startedAt: startedAt(this.startedAt.get(id) ?? 0),
      residentBytes: this.memory.get(id) ?? 0,
    }))
    const residentBytes = process.memoryUsage.rss()
    return [{ pid: process.pid, role: 'primary', startedAt: startedAt(0), residentBytes }, ...workers]
  }

  private running(): Worker[] {
    return Object.values(cluster.workers ?? {}) as Worker[]
  }

  private async end(workers: readonly Worker[]): Promise<void> {
    const ended = Promise.all(workers.map((worker) => (worker.isDead() ? undefined : once(worker, 'exit'))))
    for (const worker of workers) worker.process.kill('SIGTERM')
    const impatience = setTimeout(() => {
      for (const worker of workers) worker.process.kill('SIGKILL')
    }, STOP_TIMEOUT_MS)
    await ended
    clearTimeout(impatience)
  }

  private fork(): Worker {
    const worker = cluster.fork(this.environment)
    closeUnacceptedConnections(worker)
    // What cannot be said to a worker that is dying need not be said: its end is noticed by itself.
    worker.on('error', (error) => this.logger.warn({ worker: worker.process.pid, err: error }, 'a worker is not heard'))
    this.startedAt.set(worker.id, performance.now())
    worker.on('message', ({ residentBytes }: Partial<Heartbeat>) => {
      if (residentBytes !== undefined) this.memory.set(worker.id, residentBytes)
    })
    worker.once('listening', () => worker.send(this.lastBroadcast))
    return worker
  }

  private replace(worker: Worker, cause: string | number): void {
    const age = performance.now() - (this.startedAt.get(worker.id) ?? 0)
    this.startedAt.delete(worker.id)
    this.memory.delete(worker.id)
    if (this.leaving.delete(worker.id) || this.stopping) return
    this.logger.warn({ worker: worker.process.pid, cause }, 'a worker died and is replaced')
    if (CRASH_SIGNALS.has(cause)) this.onCrash?.()
    if (age >= MIN_UPTIME_MS) this.fork()
    else this.forkIn(MIN_UPTIME_MS - age)
  }

  private forkIn(ms: number): void {
    setTimeout(() => !this.stopping && this.fork(), ms)
  }
}

/** Whether a worker comes to listen. */
async function waitForListening(worker: Worker): Promise<boolean> {
  const giveUp = new AbortController()
  const timer = setTimeout(() => giveUp.abort(), START_TIMEOUT_MS)
  try {
    const { signal } = giveUp
    return await Promise.race([
      once(worker, 'listening', { signal }).then(() => true),
      once(worker, 'exit', { signal }).then(() => false),
    ])
  } catch {
    return false
  } finally {
    clearTimeout(timer)
    giveUp.abort()
  }
}

/** The primary's end of a connection that is on its way to a worker. */
interface ConnectionHandle {
  close?(): void
}

/**
 * Closes the connections that a worker was handed and had not taken when it died. Node keeps the primary's end of such a
 * connection open until the worker says that it has it, so whoever made it would wait for ever.
 */
export function closeUnacceptedConnections(worker: Worker): void {
  const { process: child } = worker
  // At every address a worker gets the next connection only after it took the one before.
  const latest = new Map<unknown, ConnectionHandle>()
  const send = child.send.bind(child) as (...parts: unknown[]) => boolean
  child.send = (message: { key?: unknown }, handle?: unknown, ...rest: unknown[]) => {
    if (handle instanceof Object) latest.set(message.key, handle)
    return send(message, handle, ...rest)
  }
  const close = () => {
    // What the worker took is closed here already, and closing it again does nothing.
    for (const connection of latest.values()) connection.close?.()
  }
  worker.once('exit', (code) => {
    // One that left in good order has taken all, or sent it back, and then another worker has it.
    if (code === 0) return
    // What the worker said last may not have been heard yet.
    if (worker.isConnected()) worker.once('disconnect', close)
    else close()
  })
}
