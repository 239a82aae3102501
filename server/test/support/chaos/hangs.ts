import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { aMovie, anOption, aSnapshot } from '../builders.ts'
import { feedBytes } from '../feed.ts'
import { marquee, type RunningService, startMarquee } from '../marquee-process.ts'
import { PostgresServer } from '../postgres-server.ts'
import { type CampaignOptions, type ChaosOutcome, seededRandom } from './campaign.ts'

/** Services that are stopped at the same time: nearly all of a try is waiting. */
const MAX_SERVICES = 6
const MAX_NODES = 3

/** How long a request may take while the machine is busy. */
const REQUEST_TIMEOUT_MS = 15_000
const POLL_MS = 500

/** How long a scheduled run may take, by sources.json. */
const RUN_TIMEOUT_SECONDS = 15

/** A process that is stopped, and what the service does about it. */
interface Victim {
  readonly kind: string
  /** The end of its command line. */
  readonly program: RegExp
  /** Whether it is stopped while it starts, after its predecessor was killed. */
  readonly isStarting?: boolean
  /** Whether it belongs to a node on PostgreSQL. */
  readonly onNode?: boolean
  /** The event by which it was noticed, and how long its replacement may take. */
  readonly event: string
  readonly maxMs: number
  /** Whether the node must say that it is not ready meanwhile. */
  readonly endsReadiness: boolean
}

const WORKER: Victim = {
  kind: 'worker',
  program: /cluster\/worker\.js$/,
  event: 'worker_hung',
  maxMs: 120_000,
  endsReadiness: true,
}
const FOLLOWER: Victim = {
  kind: 'follower',
  program: /maintenance\/follower\.js$/,
  onNode: true,
  event: 'follower_hung',
  maxMs: 480_000,
  endsReadiness: true,
}
const SCHEDULED_RUN: Victim = {
  kind: 'scheduled run',
  program: /sources run large --json$/,
  event: 'source_run_failed',
  maxMs: 120_000,
  endsReadiness: false,
}
/** The victims of consecutive tries. A follower is silent for five minutes before it is replaced, so there are few. */
const TURNS: readonly Victim[] = [
  WORKER,
  { ...WORKER, kind: 'starting worker', isStarting: true, maxMs: 240_000 },
  WORKER,
  SCHEDULED_RUN,
  { ...WORKER, kind: 'worker of a node', onNode: true },
  WORKER,
  SCHEDULED_RUN,
  FOLLOWER,
  WORKER,
  { ...WORKER, kind: 'starting worker', isStarting: true, maxMs: 240_000 },
  WORKER,
  { ...FOLLOWER, kind: 'starting follower', isStarting: true },
]

/**
 * Stops processes of running services by SIGSTOP at random instants. Each must be noticed and replaced; meanwhile the service
 * answers by its other worker, `/readyz` says that the node is not ready, and `/metrics` answers.
 */
export async function stopProcesses(options: CampaignOptions): Promise<ChaosOutcome[]> {
  const { folder, tries, seed, onOutcome } = options
  mkdirSync(folder, { recursive: true })
  const random = seededRandom(seed)
  const victims = Array.from({ length: tries }, (_, i) => TURNS[i % TURNS.length] as Victim)
  const queues = [false, true].map((onNode) => victims.filter((victim) => (victim.onNode ?? false) === onNode))
  const outcomes: ChaosOutcome[] = []
  const postgres = queues[1]?.length ? await PostgresServer.start() : undefined
  const lane = async (queue: Victim[], name: string, databaseUrl?: string) => {
    const hung = await HungService.start(join(folder, name), databaseUrl)
    try {
      for (let victim = queue.shift(); victim !== undefined; victim = queue.shift()) {
        const outcome = await hung.stopOne(victim, random)
        outcomes.push(outcome)
        onOutcome?.(outcome, outcomes.length)
      }
    } finally {
      await hung.service.stop('SIGKILL')
    }
  }
  try {
    const lanes: Promise<void>[] = []
    for (const [i, queue] of queues.entries()) {
      const count = Math.min(queue.length, i === 0 ? MAX_SERVICES : MAX_NODES)
      for (let n = 0; n < count; n++) {
        const url = i === 0 ? undefined : await postgres?.createDatabase()
        lanes.push(lane(queue, `${i === 0 ? 'service' : 'node'}-${n}`, url))
      }
    }
    await Promise.all(lanes)
  } finally {
    await postgres?.stop()
  }
  return outcomes
}

/** A service with two workers and, where it has no database, a large import every few seconds. */
class HungService {
  readonly service: RunningService
  private readonly key: string
  private readonly env: Record<string, string>
  private readonly folder: string
  private imports = 1

  private constructor(service: RunningService, key: string, env: Record<string, string>, folder: string) {
    this.service = service
    this.key = key
    this.env = env
    this.folder = folder
  }

  static async start(folder: string, databaseUrl: string | undefined): Promise<HungService> {
    const data = join(folder, 'data')
    mkdirSync(data, { recursive: true })
    const env = {
      MARQUEE_DATA: data,
      MARQUEE_WORKERS: '2',
      MARQUEE_MAX_LAG: '20',
      ...(databaseUrl !== undefined && { DATABASE_URL: databaseUrl }),
    }
    const feed = join(folder, 'feed.ndjson')
    writeFileSync(
      feed,
      feedBytes(aSnapshot(aMovie({ id: '1', title: 'Title 1', streamingOptions: { us: [anOption()] } }))),
    )
    await command(['import', feed, '--source', 'small'], env)
    const key = (await command(['keys', 'create', '--plan', 'unlimited'], env)).trim()
    if (databaseUrl === undefined) {
      const large = join(folder, 'large.ndjson')
      const shows = Array.from({ length: 1_500 }, (_, i) => aMovie({ id: String(1_000 + i), title: `Large ${i}` }))
      writeFileSync(large, feedBytes(aSnapshot(...shows)))
      const source = { name: 'large', from: large, every: '10 seconds', timeout: `${RUN_TIMEOUT_SECONDS} seconds` }
      writeFileSync(join(data, 'sources.json'), JSON.stringify([source]))
    }
    const hung = new HungService(await startMarquee(env), key, env, folder)
    await hung.waitUntil('it is ready', 120_000, async () => (await hung.status('/readyz')) === 200)
    return hung
  }

  /** Stops one process, and watches the service until it was replaced. */
  async stopOne(victim: Victim, random: () => number): Promise<ChaosOutcome> {
    const problems: string[] = []
    const before = this.service.events(victim.event).length
    const starts = this.service.events('worker_listening').length
    const pid = await this.chooseProcess(victim, random)
    await sleep(random() * (victim.isStarting ? 500 : 3_000))
    const stoppedAt = performance.now()
    if (pid === undefined || !stop(pid)) {
      return { kind: victim.kind, fault: 'it ended before it was stopped', missed: true, problems }
    }
    let sawUnready = false
    let answers = 0
    try {
      await this.waitUntil(`${victim.event} of ${pid}`, victim.maxMs, async () => {
        const [shown, metrics, ready] = await Promise.all(
          ['/v4/shows/1?country=us', '/metrics', '/readyz'].map((path) => this.status(path)),
        )
        answers++
        if (shown !== 200) problems.push(`a reader got ${shown} after ${seconds(stoppedAt)} s`)
        if (metrics !== 200) problems.push(`/metrics got ${metrics} after ${seconds(stoppedAt)} s`)
        if (ready === 503) sawUnready = true
        else if (ready !== 200) problems.push(`/readyz got ${ready} after ${seconds(stoppedAt)} s`)
        return this.service.events(victim.event).length > before
      })
      const ms = performance.now() - stoppedAt
      if (victim.endsReadiness && !sawUnready) problems.push('the node said all the while that it is ready')
      if (!victim.endsReadiness && sawUnready) problems.push('the node was not ready')
      if (victim.kind.includes('worker')) {
        const listening = () => this.service.events('worker_listening').length
        await this.waitUntil('a new worker', 60_000, async () => listening() > starts)
      }
      await this.waitUntil('it is ready again', 60_000, async () => (await this.status('/readyz')) === 200)
      await this.importOnce()
      const fault = `${victim.kind} ${pid} stopped, noticed after ${Math.round(ms / 1000)} s, ${answers} answers meanwhile`
      return { kind: victim.kind, fault, problems: unite(problems), ms }
    } catch (error) {
      resume(pid)
      const fault = `${victim.kind} ${pid} stopped`
      return { kind: victim.kind, fault, problems: [...unite(problems), (error as Error).message] }
    }
  }

  /** A process of the kind. One that is to be stopped while it starts is that which replaces a killed one. */
  private async chooseProcess(victim: Victim, random: () => number): Promise<number | undefined> {
    const find = () => childProcesses(this.service.process.pid as number, victim.program)
    let known: readonly number[] = []
    if (victim.isStarting) {
      known = await this.waitFor(find)
      process.kill(known[Math.floor(random() * known.length)] as number, 'SIGKILL')
    }
    const found = await this.waitFor(() => find().filter((pid) => !known.includes(pid)))
    return found[Math.floor(random() * found.length)]
  }

  private async waitFor(find: () => number[]): Promise<number[]> {
    await this.waitUntil('a process to stop', 120_000, async () => find().length > 0, 10)
    return find()
  }

  /** Imports a change, which must be served by all workers soon: nothing that was stopped may be in the way. */
  private async importOnce(): Promise<void> {
    const title = `Title ${++this.imports}`
    const feed = join(this.folder, 'feed.ndjson')
    writeFileSync(feed, feedBytes(aSnapshot(aMovie({ id: '1', title, streamingOptions: { us: [anOption()] } }))))
    await command(['import', feed, '--source', 'small'], this.env)
    await this.waitUntil(`the import of ${title}`, 60_000, async () => {
      const response = await this.fetch('/v4/shows/1?country=us')
      return (await response.text()).includes(`"${title}"`)
    })
  }

  private async waitUntil(what: string, maxMs: number, check: () => Promise<boolean>, pollMs = POLL_MS): Promise<void> {
    const deadline = performance.now() + maxMs
    while (!(await check())) {
      if (performance.now() > deadline) throw new Error(`waited ${maxMs / 1000} s for ${what}`)
      await sleep(pollMs)
    }
  }

  private async status(path: string): Promise<number | string> {
    try {
      const response = await this.fetch(path)
      await response.arrayBuffer()
      return response.status
    } catch (error) {
      return (error as Error).message
    }
  }

  /** Sends a request on a connection of its own: one that the stopped worker has accepted waits for it. */
  private fetch(path: string): Promise<Response> {
    return fetch(`${this.service.address}${path}`, {
      headers: { 'X-API-Key': this.key, Connection: 'close' },
      signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
    })
  }
}

async function command(args: readonly string[], env: Record<string, string>): Promise<string> {
  const { code, stdout, stderr } = await marquee(args, env, undefined, 120_000)
  if (code !== 0) throw new Error(`marquee ${args.join(' ')} ended with ${code}: ${stderr}`)
  return stdout
}

/** The child processes of a process whose command line matches. */
function childProcesses(parent: number, program: RegExp): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
        const [state, ppid] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
        if (Number(ppid) !== parent || state === 'Z') return false
        return program.test(readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').filter(Boolean).join(' '))
      } catch {
        // It has just ended.
        return false
      }
    })
}

function stop(pid: number): boolean {
  try {
    return process.kill(pid, 'SIGSTOP')
  } catch {
    return false
  }
}

function resume(pid: number): void {
  try {
    process.kill(pid, 'SIGCONT')
  } catch {
    // It was replaced after all.
  }
}

const seconds = (since: number) => Math.round((performance.now() - since) / 1000)

/** The first of many problems of a kind: a service that does not answer has one every half second. */
function unite(problems: readonly string[]): string[] {
  return problems.length <= 3 ? [...problems] : [...problems.slice(0, 3), `${problems.length - 3} more`]
}
