import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { aMovie, anOption, aSnapshot } from './builders.ts'
import { feedBytes } from './feed.ts'
import { PostgresServer } from './postgres-server.ts'

const PROGRAM = fileURLToPath(new URL('../../bin/marquee.js', import.meta.url))

/** What is killed, each without any warning. */
export const VICTIMS = ['importer', 'node', 'keeper', 'postgres'] as const
export type Victim = (typeof VICTIMS)[number]

export interface ChaosOptions {
  /** An empty folder for data directories and feeds. */
  readonly folder: string
  readonly kills: number
  readonly nodes: number
  readonly shows: number
  readonly seed: number
  readonly onKill?: (victim: Victim, done: number, imports: number) => void
}

export interface ChaosOutcome {
  /** Imports that ended well. */
  readonly imports: number
  readonly answers: number
  /** QueryEngine that were wrong, torn or failures of the service; each as a sentence. */
  readonly problems: readonly string[]
  /** The digest of every node's catalog in the end. */
  readonly digests: readonly string[]
  /** How often every generation is told of in the changes of one show; more than once is too often. */
  readonly changesPerShow: readonly number[]
}

/** Nodes on one PostgreSQL with imports and readers, of which something is killed again and again. */
export async function nodeChaos(options: ChaosOptions): Promise<ChaosOutcome> {
  const chaos = await Chaos.start(options)
  try {
    return await chaos.run()
  } finally {
    await chaos.end()
  }
}

/** A node, started again whenever it was killed. */
class ChaosNode {
  readonly env: NodeJS.ProcessEnv
  readonly address: string
  key = ''
  process: ChildProcess | undefined
  /** What was last seen of it, which never goes back. */
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
    this.process = child
    this.output = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk) => {
        this.output = (this.output + chunk).slice(-20_000)
      })
    }
    while (!this.output.includes('"serving"')) {
      if (child.exitCode !== null) throw new Error(`A node ended with ${child.exitCode}:\n${this.output}`)
      await sleep(20)
    }
  }

  /** The process that follows the ledger and may keep time for all. */
  followerPid(): number | undefined {
    const said = [...this.output.matchAll(/"pid":(\d+)[^\n]*this node keeps the windows/g)].at(-1)
    return said === undefined ? undefined : Number(said[1])
  }

  async kill(): Promise<void> {
    const child = this.process as ChildProcess
    const ended = once(child, 'exit')
    child.kill('SIGKILL')
    await ended
  }
}

class Chaos {
  private readonly options: ChaosOptions
  private readonly postgres: PostgresServer
  private readonly nodes: readonly ChaosNode[]
  private readonly random: () => number
  private readonly problems: string[] = []
  private imports = 0
  private answers = 0
  private over = false
  private importer: ChildProcess | undefined
  private down = false

  private constructor(options: ChaosOptions, postgres: PostgresServer, nodes: readonly ChaosNode[]) {
    this.options = options
    this.postgres = postgres
    this.nodes = nodes
    this.random = generator(options.seed)
  }

  static async start(options: ChaosOptions): Promise<Chaos> {
    const postgres = await PostgresServer.start()
    const url = await postgres.database()
    const nodes: ChaosNode[] = []
    for (let i = 0; i < options.nodes; i++) {
      nodes.push(new ChaosNode(join(options.folder, `node-${i}`), await freePort(), url))
    }
    const chaos = new Chaos(options, postgres, nodes)
    mkdirSync(options.folder, { recursive: true })
    await chaos.import(1)
    for (const node of nodes) {
      const { stdout } = await command(['keys', 'create', '--plan', 'unlimited', '--json'], node.env)
      node.key = JSON.parse(stdout).key
      await node.start()
      await chaos.caughtUp(node, 1)
    }
    return chaos
  }

  async run(): Promise<ChaosOutcome> {
    const readers = this.nodes.map((node) => this.read(node))
    const imports = this.importOnAndOn()
    for (let kill = 0; kill < this.options.kills; kill++) {
      const victim = VICTIMS[kill % VICTIMS.length] as Victim
      await sleep(200 + 1_500 * this.random())
      await this.kill(victim)
      this.options.onKill?.(victim, kill + 1, this.imports)
    }
    this.over = true
    await imports
    await Promise.all(readers)
    // What was killed last may have been an import; a last one ends well.
    await this.import(this.imports + 1)
    for (const node of this.nodes) await this.caughtUp(node, this.imports)
    const digests: string[] = []
    for (const { env } of this.nodes) {
      digests.push(JSON.parse((await command(['status', '--digest', '--json'], env)).stdout).digest)
    }
    return {
      imports: this.imports,
      answers: this.answers,
      problems: this.problems,
      digests,
      changesPerShow: await this.changesPerShow(this.nodes[0] as ChaosNode),
    }
  }

  async end(): Promise<void> {
    this.over = true
    this.importer?.kill('SIGKILL')
    for (const node of this.nodes) if (node.process?.exitCode === null) await node.kill()
    await this.postgres.stop()
  }

  private async kill(victim: Victim): Promise<void> {
    const node = this.nodes[Math.floor(this.random() * this.nodes.length)] as ChaosNode
    if (victim === 'importer') this.importer?.kill('SIGKILL')
    else if (victim === 'node') {
      await node.kill()
      await sleep(500 * this.random())
      node.generation = 0
      await node.start()
    } else if (victim === 'keeper') {
      for (const pid of this.nodes.flatMap((one) => one.followerPid() ?? [])) {
        try {
          process.kill(pid, 'SIGKILL')
        } catch {
          // It has been killed before, and another one has taken over.
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

  /** Imports generation after generation, each as often as it takes. */
  private async importOnAndOn(): Promise<void> {
    for (let generation = this.imports + 1; !this.over; generation++) {
      const feed = this.feedOf(generation)
      while (!this.over && !(await this.tryImport(feed))) await sleep(100)
      if (!this.over) this.imports = generation
    }
  }

  private async import(generation: number): Promise<void> {
    const feed = this.feedOf(generation)
    for (let attempt = 1; !(await this.tryImport(feed)); attempt++) {
      if (attempt === 20) throw new Error(`Generation ${generation} cannot be imported`)
      await sleep(200)
    }
    this.imports = generation
  }

  private async tryImport(feed: string): Promise<boolean> {
    const node = this.nodes[Math.floor(this.random() * this.nodes.length)] as ChaosNode
    const child = spawn(process.execPath, [PROGRAM, 'import', feed, '--json'], { env: node.env, stdio: 'ignore' })
    this.importer = child
    const [code] = (await once(child, 'exit')) as [number | null]
    return code === 0
  }

  /** A snapshot in which every show says which generation it is of. */
  private feedOf(generation: number): string {
    const path = join(this.options.folder, `generation-${generation}.ndjson`)
    const shows = Array.from({ length: this.options.shows }, (_, i) =>
      aMovie({
        id: String(i + 1),
        title: `Show ${i + 1}`,
        overview: `generation ${generation}`,
        streamingOptions: { us: [anOption({ link: `https://example.test/${i + 1}?generation=${generation}` })] },
      }),
    )
    writeFileSync(path, feedBytes(aSnapshot(...shows)))
    return path
  }

  /** Asks a node on and on, and looks at every answer that it gives. */
  private async read(node: ChaosNode): Promise<void> {
    for (let page = 0; !this.over; page++) {
      const order = ['original_title', 'rating', 'release_date'][page % 3]
      let answer: Response
      let body: string
      try {
        const url = `${node.address}/v4/shows/search/filters?country=us&order_by=${order}`
        answer = await fetch(url, { headers: { 'X-API-Key': node.key } })
        body = await answer.text()
      } catch {
        // Nobody answers while the node is dead.
        await sleep(20)
        continue
      }
      this.answers++
      if (answer.status !== 200)
        this.problems.push(`${answer.status}${this.down ? ' without PostgreSQL' : ''}: ${body}`)
      else this.check(node, JSON.parse(body))
      await sleep(5)
    }
  }

  private check(
    node: ChaosNode,
    { shows }: { shows: { overview: string; streamingOptions: { us: { link: string }[] } }[] },
  ) {
    const stated = new Set<number>()
    for (const { overview, streamingOptions } of shows) {
      stated.add(Number(overview.split(' ')[1]))
      for (const { link } of streamingOptions.us) stated.add(Number(link.split('=')[1]))
    }
    const [generation = 0] = stated
    if (shows.length !== 20 || stated.size !== 1) this.problems.push(`${shows.length} shows of ${[...stated]}`)
    if (generation < node.generation) this.problems.push(`generation ${generation} after ${node.generation}`)
    node.generation = generation
  }

  /** Waits until a node serves a generation. */
  private async caughtUp(node: ChaosNode, generation: number): Promise<void> {
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

  /** How many times the changes tell that a show's option was updated, for each show. */
  private async changesPerShow(node: ChaosNode): Promise<number[]> {
    const counts = new Map<string, number>()
    for (let cursor = ''; ; ) {
      const path = '/v4/changes?country=us&change_type=updated&item_type=show'
      const answer = await fetch(`${node.address}${path}${cursor}`, { headers: { 'X-API-Key': node.key } })
      const { changes, hasMore, nextCursor } = (await answer.json()) as ChangesAnswer
      for (const { showId } of changes) counts.set(showId, (counts.get(showId) ?? 0) + 1)
      if (!hasMore) return [...counts.values()]
      cursor = `&cursor=${encodeURIComponent(nextCursor)}`
    }
  }
}

interface ChangesAnswer {
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

async function freePort(): Promise<number> {
  const probe = createServer()
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve))
  const { port } = probe.address() as { port: number }
  await new Promise((resolve) => probe.close(resolve))
  return port
}

/** Numbers from 0 up to 1 that are the same for the same seed. */
function generator(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}
