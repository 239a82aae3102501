import type { ChildProcess } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { type HttpRequest, send, sendExpecting } from '../lib/http.ts'
import { childPids } from '../lib/machine.ts'
import { createKey, startMarquee } from '../lib/marquee-cli.ts'
import { findFreePort, readPort, startProcess, stopProcess } from '../lib/processes.ts'
import { type ApiRequest, formatUrl } from '../workloads/api-request.ts'
import { parsePage, type Target } from './target.ts'

const MAX_START_MS = 120_000
const IN_PROCESS_SERVER = fileURLToPath(new URL('../../serve-in-process.mjs', import.meta.url))

/** Marquee, measured through its HTTP API with an API key. */
export class Marquee implements Target {
  readonly name: string
  readonly port: number
  /** Milliseconds from the start of the command to the first successful response. */
  readonly startUpMs: number
  readonly #process: ChildProcess
  readonly #key: string

  private constructor(name: string, port: number, startUpMs: number, process: ChildProcess, key: string) {
    this.name = name
    this.port = port
    this.startUpMs = startUpMs
    this.#process = process
    this.#key = key
  }

  /** Runs `marquee serve` and waits until it responds. Uses a key on the plan `unlimited`. */
  static async start(data: string, workers = 1): Promise<Marquee> {
    const key = await createKey('unlimited', data)
    const port = await findFreePort()
    const startedAt = performance.now()
    const settings = { HOST: '127.0.0.1', PORT: String(port), MARQUEE_WORKERS: String(workers) }
    const process = startMarquee(['serve'], data, settings)
    await waitForResponse(process, port, key, startedAt)
    return new Marquee('Marquee', port, performance.now() - startedAt, process, key)
  }

  /** Runs the HTTP app in a single process, with or without authentication, quotas, usage records and metrics. */
  static async startInProcess(auth: 'auth' | 'no-auth', data: string, key: string): Promise<Marquee> {
    const startedAt = performance.now()
    const child = startProcess(process.execPath, [IN_PROCESS_SERVER, auth, data])
    return new Marquee(`Marquee, ${auth}`, await readPort(child, auth), performance.now() - startedAt, child, key)
  }

  get pids(): number[] {
    return [this.#process.pid!]
  }

  /** Processes that serve requests. */
  get workerPids(): number[] {
    return childPids(this.#process.pid!)
  }

  supports(): boolean {
    return true
  }

  request(request: ApiRequest, cursor?: string): HttpRequest {
    return { method: 'GET', path: `/v4${formatUrl(request, cursor)}`, headers: { 'X-API-Key': this.#key } }
  }

  /** Sends a request and parses the response as JSON. */
  async read<T>(request: ApiRequest): Promise<T> {
    return JSON.parse((await sendExpecting(this.port, this.request(request))).body.toString()) as T
  }

  parsePage = parsePage

  async stop(): Promise<void> {
    await stopProcess(this.#process)
  }
}

async function waitForResponse(server: ChildProcess, port: number, key: string, startedAt: number): Promise<void> {
  let output = ''
  for (const stream of [server.stdout, server.stderr]) {
    stream?.on('data', (chunk: Buffer) => {
      output = (output + chunk.toString()).slice(-4000)
    })
  }
  const request = { method: 'GET', path: '/v4/genres', headers: { 'X-API-Key': key } } as const
  for (;;) {
    const { status } = await send(port, request).catch(() => ({ status: 0 }))
    if (status === 200) return
    if (server.exitCode !== null || performance.now() - startedAt > MAX_START_MS) {
      await stopProcess(server)
      throw new Error(`marquee serve did not respond:\n${output}`)
    }
    await sleep(5)
  }
}
