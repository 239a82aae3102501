import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { logLines, PROGRAM } from '../marquee-process.ts'
import { MEMORY_PROBE_OPTIONS, measureMemory } from '../memory-probe.ts'
import type { FuzzTarget, MemoryUse } from './fuzz-campaign.ts'

const START_TIMEOUT_MS = 120_000

/** The built service with one worker, as campaigns watch it. */
export class FuzzService implements FuzzTarget {
  readonly port: number
  private readonly child: ChildProcess
  private readonly workerPid: number
  private output = ''

  private constructor(child: ChildProcess, port: number, workerPid: number) {
    this.child = child
    this.port = port
    this.workerPid = workerPid
  }

  /** Starts the service on a data folder. */
  static async start(env: Record<string, string>): Promise<FuzzService> {
    const child = spawn(process.execPath, [PROGRAM, 'serve'], {
      env: {
        ...process.env,
        PORT: '0',
        LOG_LEVEL: 'info',
        ...env,
        MARQUEE_WORKERS: '1',
        NODE_OPTIONS: MEMORY_PROBE_OPTIONS,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let output = ''
    const collect = (data: Buffer) => {
      output += data.toString()
    }
    child.stdout?.on('data', collect)
    child.stderr?.on('data', collect)
    const deadline = performance.now() + START_TIMEOUT_MS
    for (;;) {
      const [started] = logLines(output, 'service_started') as { address?: string }[]
      const [worker] = logLines(output, 'worker_listening') as { pid?: number }[]
      if (started?.address !== undefined && worker?.pid !== undefined) {
        const service = new FuzzService(child, Number(new URL(started.address).port), worker.pid)
        service.output = output
        child.stdout?.off('data', collect).on('data', service.collect)
        child.stderr?.off('data', collect).on('data', service.collect)
        return service
      }
      if (child.exitCode !== null || performance.now() > deadline)
        throw new Error(`The service did not start: ${output}`)
      await sleep(50)
    }
  }

  /** Processor time of the worker's main thread so far, in milliseconds. */
  processorMs(): number {
    const [nanoseconds = '0'] = this.read(`task/${this.workerPid}/schedstat`).split(' ')
    return Number(nanoseconds) / 1e6
  }

  /** Whether the worker's main thread sleeps, rather than runs or waits for a processor. */
  isSleeping(): boolean {
    return /\) S /.test(this.read(`task/${this.workerPid}/stat`))
  }

  /** Memory of the worker after a garbage collection. */
  async memory(): Promise<MemoryUse> {
    const use = await measureMemory(this.workerPid)
    // Metrics are gathered once a second, and these must not be from before.
    await sleep(2_000)
    const metrics = await (await fetch(`http://127.0.0.1:${this.port}/metrics`)).text()
    const caches = [...metrics.matchAll(/^marquee_cache_bytes\{cache="(\w+)"\} (\d+)/gm)].map(
      ([, name = '', bytes]) => [name, Number(bytes)] as const,
    )
    const cacheBytes = caches.reduce((sum, [, bytes]) => sum + bytes, 0)
    return { ...use, cacheBytes, caches: new Map(caches) }
  }

  /** Open descriptors of the worker. */
  descriptors(): number {
    return readdirSync(`/proc/${this.workerPid}/fd`).length
  }

  /** Log lines of what must not happen: failed requests, and workers that died. */
  failures(): string[] {
    return ['request_failed', 'worker_exited', 'worker_died'].flatMap((event) =>
      logLines(this.output, event).map((line) => JSON.stringify(line)),
    )
  }

  /** The end of the output, for reports. */
  lastOutput(): string {
    return this.output.slice(-2_000)
  }

  isAlive(): boolean {
    return this.child.exitCode === null && this.read('stat') !== ''
  }

  async stop(): Promise<void> {
    const exit = once(this.child, 'exit')
    this.child.kill('SIGTERM')
    await exit
  }

  private readonly collect = (data: Buffer): void => {
    this.output += data.toString()
  }

  private read(file: string): string {
    try {
      return readFileSync(`/proc/${this.workerPid}/${file}`, 'utf8')
    } catch {
      return ''
    }
  }
}
