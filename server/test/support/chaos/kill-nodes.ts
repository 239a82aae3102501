import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { logLines, PROGRAM } from '../marquee-process.ts'
import { freePort, PostgresServer } from '../postgres-server.ts'
import { type CampaignOptions, type ChaosOutcome, repeatFault, seededRandom, writeGeneration } from './campaign.ts'

/** What is killed by SIGKILL. */
export const VICTIMS = ['importer', 'node', 'leader', 'postgres'] as const
type Victim = (typeof VICTIMS)[number]

/** Fewer responses for each kill would prove little. */
const MIN_RESPONSES_PER_KILL = 25

interface NodeKillOptions extends CampaignOptions {
  readonly nodes?: number
  readonly shows?: number
}

/**
 * Runs nodes on one PostgreSQL with imports and readers, and kills the importer, a node, the leader and PostgreSQL at random
 * times. No response may be wrong, mix two imports or fail, and in the end all nodes must hold the same catalog.
 */
export async function killNodes(options: NodeKillOptions): Promise<ChaosOutcome[]> {
  const cluster = await KilledCluster.start(options)
  try {
    return await cluster.run()
  } finally {
    await cluster.end()
  }
}

/** A node that is restarted after each kill. */
class KilledNode {
  readonly env: NodeJS.ProcessEnv
  readonly address: string
  key = ''
  process: ChildProcess | undefined
  /** The latest generation that it served; it never decreases. */
  generation = 0
  private output = ''

  constructor(folder: string, port: number, url: string) {
    this.env = {
      ...process.env,
      MARQUEE_DATA: folder,
      MARQUEE_WORKERS: '1',
      HOST: '127.0.0.1',
      PORT: String(port),
      DATABASE_URL: url,
      LOG_LEVEL: 'info',
    }
    this.address = `http://127.0.0.1:${port}`
  }

  async start(): Promise<void> {
    const child = spawn(process.execPath, [PROGRAM, 'serve'], { env: this.env, stdio: ['ignore', 'pipe', 'pipe'] })
    const closed = once(child, 'close')
    this.process = child
    this.output = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk) => {
        this.output = (this.output + chunk).slice(-20_000)
      })
    }
    while (logLines(this.output, 'service_started').length === 0) {
      if (child.exitCode !== null) {
        await closed
        // The worker of a killed node listens until it notices, as a service manager would find, which starts it again.
        if (this.output.includes('another program listens there')) return this.start()
        throw new Error(`A node exited with ${child.exitCode}:\n${this.output}`)
      }
      await sleep(20)
    }
  }

  /** The follower that last became the leader, if one of this node did. */
  leaderPid(): number | undefined {
    return logLines(this.output, 'leader_acquired').at(-1)?.pid
  }

  async kill(): Promise<void> {
    const child = this.process as ChildProcess
    const ended = once(child, 'exit')
    child.kill('SIGKILL')
    await ended
  }
}

class KilledCluster {
  private readonly options: NodeKillOptions
  private readonly postgres: PostgresServer
  private readonly nodes: readonly KilledNode[]
  private readonly random: () => number
  private problems: string[] = []
  private imports = 0
  private responses = 0
  private stopped = false
  private importer: ChildProcess | undefined
  private down = false

  private constructor(options: NodeKillOptions, postgres: PostgresServer, nodes: readonly KilledNode[]) {
    this.options = options
    this.postgres = postgres
    this.nodes = nodes
    this.random = seededRandom(options.seed)
  }

  static async start(options: NodeKillOptions): Promise<KilledCluster> {
    const postgres = await PostgresServer.start()
    const url = await postgres.createDatabase()
    const nodes: KilledNode[] = []
    for (let i = 0; i < (options.nodes ?? 3); i++) {
      nodes.push(new KilledNode(join(options.folder, `node-${i}`), await freePort(), url))
    }
    const cluster = new KilledCluster(options, postgres, nodes)
    mkdirSync(options.folder, { recursive: true })
    await cluster.import(1)
    for (const node of nodes) {
      const { stdout } = await command(['keys', 'create', '--plan', 'unlimited', '--json'], node.env)
      node.key = JSON.parse(stdout).key
      await node.start()
      await cluster.waitForGeneration(node, 1)
    }
    return cluster
  }

  async run(): Promise<ChaosOutcome[]> {
    const { tries } = this.options
    const readers = this.nodes.map((node) => this.read(node))
    let imports: Promise<void> | undefined
    return repeatFault(this.options, async (_random, number) => {
      imports ??= this.importRepeatedly()
      const victim = VICTIMS[number % VICTIMS.length] as Victim
      await sleep(200 + 1_500 * this.random())
      await this.kill(victim)
      if (number === tries - 1) {
        this.stopped = true
        await imports
        await Promise.all(readers)
        await this.checkEnd()
      }
      const problems = this.problems
      this.problems = []
      const fault = `${victim} killed, ${this.imports} imports and ${this.responses} responses so far`
      return { kind: victim, fault, problems }
    })
  }

  /** Imports once more, and compares the nodes. */
  private async checkEnd(): Promise<void> {
    // The last kill may have hit an import, so run a last one.
    await this.import(this.imports + 1)
    for (const node of this.nodes) await this.waitForGeneration(node, this.imports)
    const digests = new Set<string>()
    for (const { env } of this.nodes) {
      digests.add(JSON.parse((await command(['status', '--digest', '--json'], env)).stdout).digest)
    }
    if (digests.size > 1) this.problems.push(`the nodes have different catalogs: ${[...digests].join(', ')}`)
    const updates = new Set(await this.changesPerShow(this.nodes[0] as KilledNode))
    if (updates.size !== 1 || !updates.has(this.imports - 1)) {
      this.problems.push(`shows have ${[...updates].join(', ')} updates after ${this.imports} imports`)
    }
    const expected = MIN_RESPONSES_PER_KILL * this.options.tries
    if (this.responses < expected) this.problems.push(`${this.responses} responses are fewer than ${expected}`)
  }

  async end(): Promise<void> {
    this.stopped = true
    this.importer?.kill('SIGKILL')
    for (const node of this.nodes) if (node.process?.exitCode === null) await node.kill()
    await this.postgres.stop()
  }

  private async kill(victim: Victim): Promise<void> {
    const node = this.nodes[Math.floor(this.random() * this.nodes.length)] as KilledNode
    if (victim === 'importer') this.importer?.kill('SIGKILL')
    else if (victim === 'node') {
      await node.kill()
      await sleep(500 * this.random())
      node.generation = 0
      await node.start()
    } else if (victim === 'leader') {
      for (const pid of this.nodes.flatMap((one) => one.leaderPid() ?? [])) {
        try {
          process.kill(pid, 'SIGKILL')
        } catch {
          // It was killed before, and another one has taken over.
        }
      }
    } else {
      this.down = true
      await this.postgres.kill()
      await sleep(1_000 + 1_000 * this.random())
      await this.postgres.restart()
      this.down = false
    }
  }

  /** Imports generation after generation; repeats each until it succeeds. */
  private async importRepeatedly(): Promise<void> {
    for (let generation = this.imports + 1; !this.stopped; generation++) {
      const feed = writeGeneration(this.options.folder, this.options.shows ?? 200, generation)
      while (!this.stopped && !(await this.tryImport(feed))) await sleep(100)
      if (!this.stopped) this.imports = generation
    }
  }

  private async import(generation: number): Promise<void> {
    const feed = writeGeneration(this.options.folder, this.options.shows ?? 200, generation)
    for (let attempt = 1; !(await this.tryImport(feed)); attempt++) {
      if (attempt === 20) throw new Error(`Generation ${generation} cannot be imported`)
      await sleep(200)
    }
    this.imports = generation
  }

  private async tryImport(feed: string): Promise<boolean> {
    const node = this.nodes[Math.floor(this.random() * this.nodes.length)] as KilledNode
    const child = spawn(process.execPath, [PROGRAM, 'import', feed, '--json'], { env: node.env, stdio: 'ignore' })
    this.importer = child
    const [code] = (await once(child, 'exit')) as [number | null]
    return code === 0
  }

  /** Sends requests to a node until the end, and checks every response. */
  private async read(node: KilledNode): Promise<void> {
    for (let page = 0; !this.stopped; page++) {
      const order = ['original_title', 'rating', 'release_date'][page % 3]
      let response: Response
      let body: string
      try {
        const url = `${node.address}/v4/shows/search/filters?country=us&order_by=${order}`
        response = await fetch(url, { headers: { 'X-API-Key': node.key } })
        body = await response.text()
      } catch {
        // The node is down.
        await sleep(20)
        continue
      }
      if (response.status === 503 && body.includes('overloaded')) {
        // On a busy machine a worker may shed requests, as clients are told: they retry.
        await sleep(100)
        continue
      }
      this.responses++
      if (response.status !== 200)
        this.problems.push(`${response.status}${this.down ? ' without PostgreSQL' : ''}: ${body}`)
      else this.check(node, JSON.parse(body))
      await sleep(5)
    }
  }

  private check(
    node: KilledNode,
    { shows }: { shows: { overview: string; streamingOptions: { us: { link: string }[] } }[] },
  ) {
    const generations = new Set<number>()
    for (const { overview, streamingOptions } of shows) {
      generations.add(Number(overview.split(' ')[1]))
      for (const { link } of streamingOptions.us) generations.add(Number(link.split('=')[1]))
    }
    const [generation = 0] = generations
    if (shows.length !== 20 || generations.size !== 1)
      this.problems.push(`${shows.length} shows of ${[...generations]}`)
    if (generation < node.generation) this.problems.push(`generation ${generation} after ${node.generation}`)
    node.generation = generation
  }

  /** Waits until a node serves a generation. */
  private async waitForGeneration(node: KilledNode, generation: number): Promise<void> {
    const deadline = performance.now() + 60_000
    for (;;) {
      const answer = await fetch(`${node.address}/v4/shows/1?country=us`, { headers: { 'X-API-Key': node.key } })
        .then((response) => response.text())
        .catch(() => '')
      if (answer.includes(`"generation ${generation}"`)) return
      if (performance.now() > deadline) throw new Error(`A node did not reach generation ${generation}: ${answer}`)
      await sleep(50)
    }
  }

  /** The number of `updated` changes of each show. */
  private async changesPerShow(node: KilledNode): Promise<number[]> {
    const counts = new Map<string, number>()
    for (let cursor = ''; ; ) {
      const path = '/v4/changes?country=us&change_type=updated&item_type=show'
      const answer = await fetch(`${node.address}${path}${cursor}`, { headers: { 'X-API-Key': node.key } })
      const { changes, hasMore, nextCursor } = (await answer.json()) as ChangesResponse
      for (const { showId } of changes) counts.set(showId, (counts.get(showId) ?? 0) + 1)
      if (!hasMore) return [...counts.values()]
      cursor = `&cursor=${encodeURIComponent(nextCursor)}`
    }
  }
}

interface ChangesResponse {
  readonly changes: readonly { readonly showId: string }[]
  readonly hasMore: boolean
  readonly nextCursor: string
}

async function command(args: readonly string[], env: NodeJS.ProcessEnv): Promise<{ stdout: string }> {
  const child = spawn(process.execPath, [PROGRAM, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  let stdout = ''
  let stderr = ''
  child.stdout.on('data', (chunk) => {
    stdout += chunk
  })
  child.stderr.on('data', (chunk) => {
    stderr += chunk
  })
  const [code] = (await once(child, 'close')) as [number | null]
  if (code !== 0) throw new Error(`marquee ${args.join(' ')} ended with ${code}: ${stderr}`)
  return { stdout }
}
