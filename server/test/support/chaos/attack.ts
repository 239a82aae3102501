import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { Agent, get } from 'node:http'
import { setPriority } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { marquee, startMarquee } from '../marquee-process.ts'
import { type ChaosOutcome, percentile, seededRandom } from './campaign.ts'

const ATTACKER = fileURLToPath(new URL('attacker.mjs', import.meta.url))

/** The address of the client with a key; the attacker has 127.0.0.1. */
const CLIENT_ADDRESS = '127.0.0.2'

/** Requests of the client per second. */
const CLIENT_RATE = 40

/** The attacker gets what the service and the client leave of the processors: it stands for another machine. */
const ATTACKER_NICENESS = 19

/** How much slower the client may be while the attack lasts. */
const MAX_P99_FACTOR = 3

/** What an attacker may add to the memory of a worker, as docs/operating.md states it. */
const MAX_WORKER_GROWTH_BYTES = 256 * 1024 * 1024

interface AttackOptions {
  /** An empty folder. */
  readonly folder: string
  readonly seed: number
  /** How long the attack lasts; the client is measured at rest for a fifth of that. */
  readonly seconds: number
  readonly onProgress?: (line: string) => void
}

/** What the client and the service went through in one phase. */
interface Phase {
  readonly latenciesMs: number[]
  readonly failures: string[]
  /** The most memory of any worker. */
  memoryBytes: number
}

const PATHS = [
  '/v4/shows/search/filters?country=us&order_by=rating',
  '/v4/shows/search/filters?country=us&genres=crime,drama&catalogs=netflix',
  '/v4/shows/search/title?country=us&title=the',
  '/v4/shows/search/title?country=us&title=godfather',
  '/v4/shows/top?country=us&service=netflix',
  '/v4/changes?country=us&change_type=new&item_type=show',
  '/v4/countries/us',
  '/v4/genres',
]

/**
 * One address attacks without a key, in every way at once, while a client with a key from another address goes on. Its
 * 99th percentile, its failures and the memory of the workers are compared with those at rest.
 */
export async function attackService(options: AttackOptions): Promise<ChaosOutcome[]> {
  const { folder, seed, seconds, onProgress = () => {} } = options
  const env = { MARQUEE_DATA: join(folder, 'data'), MARQUEE_WORKERS: '2' }
  const feed = join(folder, 'feed.ndjson')
  for (const args of [
    ['demo', '--shows', '300', '--seed', '1', '--out', feed],
    ['import', feed],
  ]) {
    const { code, stderr } = await marquee(args, env)
    if (code !== 0) throw new Error(`marquee ${args[0]} failed: ${stderr}`)
  }
  const { stdout: key } = await marquee(['keys', 'create', '--plan', 'unlimited'], env)
  const service = await startMarquee(env)
  const port = Number(new URL(service.address).port)
  const workers = () => service.events('worker_listening').map(({ pid }) => pid)
  const random = seededRandom(seed)
  const agent = new Agent({ keepAlive: true, maxSockets: 8, localAddress: CLIENT_ADDRESS })

  /** Sends requests at a steady rate, whether or not those before are answered. */
  async function measure(phaseSeconds: number): Promise<Phase> {
    const phase: Phase = { latenciesMs: [], failures: [], memoryBytes: 0 }
    const pending = new Set<Promise<void>>()
    const start = performance.now()
    for (let n = 0; n < phaseSeconds * CLIENT_RATE; n++) {
      const wait = start + (n * 1000) / CLIENT_RATE - performance.now()
      if (wait > 0) await sleep(wait)
      const path = PATHS[Math.floor(random() * PATHS.length)] as string
      const request = send(path, phase).finally(() => pending.delete(request))
      pending.add(request)
      if (n % CLIENT_RATE === 0)
        phase.memoryBytes = Math.max(phase.memoryBytes, ...workers().map((pid) => anonymousMemory(pid)))
    }
    await Promise.all(pending)
    return phase
  }

  function send(path: string, phase: Phase): Promise<void> {
    const start = performance.now()
    return new Promise((resolve) => {
      const request = get(
        { port, host: '127.0.0.1', path, agent, headers: { 'x-api-key': key.trim() } },
        (response) => {
          response.resume()
          response.on('end', () => {
            phase.latenciesMs.push(performance.now() - start)
            if (response.statusCode !== 200) phase.failures.push(`${response.statusCode} for ${path}`)
            resolve()
          })
        },
      )
      request.on('error', (error) => {
        phase.failures.push(`${error.message} for ${path}`)
        resolve()
      })
    })
  }

  try {
    await measure(Math.max(5, seconds / 20))
    const rest = await measure(Math.max(10, seconds / 5))
    onProgress(describe('at rest', rest))
    const attacker = spawn(process.execPath, [ATTACKER, String(port)], { stdio: ['ignore', 'pipe', 'inherit'] })
    if (attacker.pid !== undefined) setPriority(attacker.pid, ATTACKER_NICENESS)
    let deeds = ''
    attacker.stdout.on('data', (data: Buffer) => {
      deeds = data.toString().trim().split('\n').at(-1) ?? ''
    })
    const attacked = await measure(seconds)
    attacker.kill('SIGKILL')
    onProgress(deeds)
    onProgress(describe('attacked', attacked))
    const problems = [...new Set([...rest.failures, ...attacked.failures])].slice(0, 5)
    const factor = percentile(attacked.latenciesMs, 0.99) / percentile(rest.latenciesMs, 0.99)
    if (factor > MAX_P99_FACTOR) problems.push(`p99 is ${factor.toFixed(1)} times what it is at rest`)
    const grown = attacked.memoryBytes - rest.memoryBytes
    if (grown > MAX_WORKER_GROWTH_BYTES) problems.push(`a worker has ${Math.round(grown / 1e6)} MB more`)
    const fault = `${seconds} s: p99 ${factor.toFixed(1)} times, memory of a worker +${Math.round(grown / 1e6)} MB`
    return [{ kind: 'attack', fault, problems, ms: percentile(attacked.latenciesMs, 0.99) }]
  } finally {
    agent.destroy()
    await service.stop()
  }
}

function describe(name: string, { latenciesMs, failures, memoryBytes }: Phase): string {
  const [p50, p99, p999] = [0.5, 0.99, 0.999].map((part) => percentile(latenciesMs, part).toFixed(1))
  const memory = `${Math.round(memoryBytes / 1e6)} MB`
  return `${name}: ${latenciesMs.length} requests, p50 ${p50} ms, p99 ${p99} ms, p99.9 ${p999} ms, ${failures.length} failures, ${memory}`
}

function anonymousMemory(pid: number): number {
  return 1024 * Number(/^RssAnon:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1])
}
