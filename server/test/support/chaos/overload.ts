import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { marquee, startMarquee } from '../marquee-process.ts'
import { type ChaosOutcome, percentile, seededRandom } from './campaign.ts'

/** How many times as long as at half of the load an admitted request may take. */
const MAX_P99_FACTOR = 5

/** How long a probe may take, whatever the load. */
const MAX_PROBE_MS = 100
const PROBES = ['/healthz', '/readyz', '/metrics']

interface Probe {
  readonly path: string
  readonly status: number
  readonly ms: number
  /** What an idle server took at the same time. */
  readonly idleMs: number
}

/** An idle server on the same machine: what it takes is the time of the machine, which may stand still for a moment. */
const IDLE_SERVER = `
  require('node:http').createServer((_, res) => res.end()).listen(0, '127.0.0.1', function () { console.log(this.address().port) })
`

/**
 * The program that probes, each time on a new connection. It is a thread of its own: the client that makes the load is late by
 * up to a tenth of a second, which is none of the service's time.
 */
const PROBER = `
  const { get } = require('node:http')
  const { parentPort, workerData } = require('node:worker_threads')
  const { port, idlePort, paths } = workerData
  const request = (port, path) =>
    new Promise((resolve, reject) => {
      const start = performance.now()
      get({ port, host: '127.0.0.1', path, agent: false }, (response) => {
        response.resume().once('end', () => resolve({ status: response.statusCode, ms: performance.now() - start }))
      }).once('error', reject)
    })
  let isOver = false
  parentPort.once('message', () => (isOver = true))
  ;(async () => {
    const probes = []
    for (let n = 0; !isOver; n++) {
      const path = paths[n % paths.length]
      const [probe, idle] = await Promise.all([request(port, path), request(idlePort, '/')])
      probes.push({ path, ...probe, idleMs: idle.ms })
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
    parentPort.postMessage(probes)
  })()
`

/** Connections that find out what one process can answer: so few that none of their requests is shed. */
const SATURATING_CONNECTIONS = 12

/** Connections that are open before the load begins, as those of proxies and clients are. */
const CONNECTIONS = 1_000

interface OverloadOptions {
  /** An empty folder. */
  readonly folder: string
  readonly seed: number
  /** How long the overload lasts; the rest takes about half of that. */
  readonly seconds: number
  readonly onProgress?: (line: string) => void
}

/** The answers of one phase. */
interface Phase {
  readonly admittedMs: number[]
  shed: number
  readonly failures: string[]
}

/**
 * Puts twice the load that saturates one process on it, by searches that no cache has. Compares what admitted requests take
 * with half of that load, and watches the probes.
 */
export async function overloadService(options: OverloadOptions): Promise<ChaosOutcome[]> {
  const { folder, seed, seconds, onProgress = () => {} } = options
  const env = { MARQUEE_DATA: join(folder, 'data'), MARQUEE_WORKERS: '1', MARQUEE_MAX_CONNECTIONS: '5000' }
  const feed = join(folder, 'feed.ndjson')
  for (const args of [
    ['demo', '--shows', '2000', '--seed', '1', '--out', feed],
    ['import', feed],
  ]) {
    const { code, stderr } = await marquee(args, env)
    if (code !== 0) throw new Error(`marquee ${args[0]} failed: ${stderr}`)
  }
  const { stdout } = await marquee(['keys', 'create', '--plan', 'unlimited'], env)
  const key = stdout.trim()
  const service = await startMarquee(env)
  const idleServer = spawn(process.execPath, ['-e', IDLE_SERVER], { stdio: ['ignore', 'pipe', 'inherit'] })
  const idlePort = Number((await once(idleServer.stdout, 'data'))[0])
  const port = Number(new URL(service.address).port)
  const random = seededRandom(seed)
  const connections = new Connections(port)

  /** A misspelt word and a random one: nothing of it is cached. */
  const searchPath = () => {
    const word = Math.floor(random() * 36 ** 5).toString(36)
    return `/v4/shows/search/title?country=us&title=the+godfahter+${word}`
  }

  async function search(phase: Phase): Promise<void> {
    try {
      const { status, ms } = await connections.request(searchPath(), key)
      if (status === 200) phase.admittedMs.push(ms)
      else if (status === 503) phase.shed++
      else phase.failures.push(`${status} for a search`)
    } catch (error) {
      phase.failures.push((error as Error).message)
    }
  }

  const newPhase = (): Phase => ({ admittedMs: [], shed: 0, failures: [] })

  /** Sends searches at a rate, whether or not those before are answered. */
  async function load(rate: number, phaseSeconds: number): Promise<Phase> {
    const phase = newPhase()
    const pending = new Set<Promise<void>>()
    const start = performance.now()
    for (let sent = 0; performance.now() - start < 1000 * phaseSeconds; ) {
      for (const due = ((performance.now() - start) / 1000) * rate; sent < due; sent++) {
        const one = search(phase).finally(() => pending.delete(one))
        pending.add(one)
      }
      await sleep(2)
    }
    await Promise.all(pending)
    return phase
  }

  async function saturate(phaseSeconds: number): Promise<number> {
    const phase = newPhase()
    const until = performance.now() + 1000 * phaseSeconds
    const clients = Array.from({ length: SATURATING_CONNECTIONS }, async () => {
      while (performance.now() < until) await search(phase)
    })
    await Promise.all(clients)
    return phase.admittedMs.length / phaseSeconds
  }

  try {
    await Promise.all(Array.from({ length: CONNECTIONS }, () => connections.request('/v4/genres', key)))
    await saturate(Math.max(2, seconds / 20))
    const rate = await saturate(Math.max(3, seconds / 10))
    onProgress(`one process answers ${rate.toFixed(0)} searches a second`)
    const half = await load(rate / 2, Math.max(5, seconds / 5))
    onProgress(describe('half of that', half))
    const prober = new Worker(PROBER, { eval: true, workerData: { port, idlePort, paths: PROBES } })
    const probing = once(prober, 'message')
    const double = await load(2 * rate, seconds)
    prober.postMessage('over')
    const [probes] = (await probing) as [readonly Probe[]]
    await prober.terminate()
    const failures = probes.filter(({ status }) => status !== 200).map(({ status, path }) => `${status} for ${path}`)
    onProgress(describe('twice that', double))
    const factor = percentile(double.admittedMs, 0.99) / percentile(half.admittedMs, 0.99)
    const slowest = probes.reduce((one, other) => (other.ms > one.ms ? other : one))
    const share = double.shed / (double.shed + double.admittedMs.length)
    const problems = [...new Set([...half.failures, ...double.failures, ...failures])].slice(0, 5)
    if (factor > MAX_P99_FACTOR) problems.push(`p99 is ${factor.toFixed(1)} times that at half of the load`)
    if (slowest.ms > MAX_PROBE_MS)
      problems.push(`${slowest.path} took ${slowest.ms.toFixed(0)} ms, an idle server ${slowest.idleMs.toFixed(0)} ms`)
    const fault =
      `${seconds} s: p99 ${factor.toFixed(1)} times, ${(100 * share).toFixed(0)} % shed, ` +
      `${probes.length} probes within ${longest(probes.map(({ ms }) => ms))}, an idle server within ` +
      longest(probes.map(({ idleMs }) => idleMs))
    onProgress(fault)
    for (const path of PROBES) {
      const ofPath = probes.filter((probe) => probe.path === path)
      const late = ofPath.filter(({ ms }) => ms > MAX_PROBE_MS).length
      onProgress(
        `${path} within ${longest(ofPath.map(({ ms }) => ms))}, ${late} of ${ofPath.length} above ${MAX_PROBE_MS} ms`,
      )
    }
    return [{ kind: 'overload', fault, problems, ms: percentile(double.admittedMs, 0.99) }]
  } finally {
    connections.close()
    idleServer.kill()
    await service.stop()
  }
}

/** Connections that are used again. A client that costs little: it shares the machine with the service that it measures. */
class Connections {
  private readonly port: number
  private readonly idle = new Set<Socket>()
  private readonly open = new Set<Socket>()

  constructor(port: number) {
    this.port = port
  }

  /** Sends a request, on a new connection if none is idle. */
  request(path: string, key: string): Promise<{ status: number; ms: number }> {
    const start = performance.now()
    const [socket = this.connect()] = this.idle
    this.idle.delete(socket)
    return new Promise((resolve, reject) => {
      let status: number | undefined
      let missing = 0
      const end = (error?: Error) => {
        socket.off('data', onData).off('close', onClose)
        if (error !== undefined) reject(error)
        else resolve({ status: status ?? 0, ms: performance.now() - start })
      }
      const onClose = () => end(new Error('a connection was closed within a request'))
      const onData = (data: Buffer) => {
        missing -= data.length
        if (status === undefined) {
          const head = data.toString('latin1')
          const bodyStart = head.indexOf('\r\n\r\n') + 4
          const length = /^content-length: (\d+)/im.exec(head)
          if (bodyStart < 4 || length === null) {
            end(new Error(`a response does not begin with a whole head: ${head.slice(0, 200)}`))
            socket.destroy()
            return
          }
          status = Number(head.slice(9, 12))
          missing = bodyStart + Number(length[1]) - data.length
        }
        if (missing > 0) return
        this.idle.add(socket)
        end()
      }
      socket.on('data', onData).on('close', onClose)
      socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\nX-API-Key: ${key}\r\n\r\n`)
    })
  }

  close(): void {
    for (const socket of this.open) socket.destroy()
  }

  private connect(): Socket {
    const socket = connect({ port: this.port, host: '127.0.0.1', noDelay: true })
    this.open.add(socket)
    // An error is followed by the close.
    socket.on('error', () => {})
    socket.on('close', () => {
      this.open.delete(socket)
      this.idle.delete(socket)
    })
    return socket
  }
}

function longest(values: readonly number[]): string {
  return `${Math.max(...values).toFixed(0)} ms (p99 ${percentile(values, 0.99).toFixed(0)} ms)`
}

function describe(name: string, { admittedMs, shed, failures }: Phase): string {
  const [p50, p99] = [0.5, 0.99].map((part) => percentile(admittedMs, part).toFixed(1))
  return `${name}: ${admittedMs.length} answered, p50 ${p50} ms, p99 ${p99} ms, ${shed} shed, ${failures.length} failures`
}
