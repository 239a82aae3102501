import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { lockHead } from '../../../src/ledger/postgres/log-rows.ts'
import { Session } from '../../../src/lib/postgres/session.ts'
import { type CommandResult, logLines, marquee, type RunningService, startMarquee } from '../marquee-process.ts'
import { createDatabase, PostgresServer } from '../postgres-server.ts'
import { type Campaign, type CampaignOptions, type ChaosOutcome, repeatFault, writeGeneration } from './campaign.ts'

const NODES = 2
const SHOWS = 40

/** How long nodes may take to notice a fault, and to follow again after it. */
const MAX_MS = 90_000

/** How long a fault lasts after the nodes have noticed it, at most. */
const MAX_FAULT_MS = 3_000

/** The name of the database under its address. What is put in its place is renamed to it. */
const DATABASE = 'ledger'

/** What is done to the database, and what nodes must log of it. */
type Fault = (cluster: FaultyCluster, random: () => number) => Promise<void>

const FAULTS: Readonly<Record<string, Fault>> = {
  'an empty database': async (cluster, random) => {
    await cluster.replaceDatabase('CREATE DATABASE ledger')
    await cluster.waitForEvent(['foreign_database'])
    await cluster.expectRefusal(/is empty or being restored/)
    await sleep(random() * MAX_FAULT_MS)
    await cluster.putBack()
  },
  'a foreign database': async (cluster, random) => {
    await cluster.replaceDatabase('CREATE DATABASE ledger TEMPLATE foreign_ledger')
    await cluster.waitForEvent(['foreign_database'])
    await cluster.expectRefusal(/is not the one that the data folder has a copy of/)
    await sleep(random() * MAX_FAULT_MS)
    await cluster.putBack()
  },
  'an older state': async (cluster) => {
    await cluster.keepState()
    const kept = cluster.generation
    // What the restored state does not have is lost with the database, and must be gone from the nodes.
    for (let i = 0; i < 2; i++) await cluster.importNext()
    await cluster.replaceDatabase('ALTER DATABASE kept_ledger RENAME TO ledger')
    await cluster.dropFormer()
    await cluster.waitForGeneration(kept)
  },
  'a restore table by table': async (cluster, random) => {
    await cluster.restoreSlowly(random)
  },
  'a read-only database': async (cluster, random) => {
    await cluster.administer('ALTER DATABASE ledger SET default_transaction_read_only = on')
    await cluster.endSessions()
    await cluster.expectRefusal(/read-only/)
    await sleep(random() * MAX_FAULT_MS)
    await cluster.administer('ALTER DATABASE ledger RESET default_transaction_read_only')
    await cluster.endSessions()
  },
  'gone and back': async (cluster, random) => {
    await cluster.postgres.kill()
    try {
      // One cause costs one line a minute, whichever of the two notices it first.
      await cluster.waitForEvent(['ledger_disconnected', 'accounts_follow_failed'])
      await sleep(random() * MAX_FAULT_MS)
    } finally {
      await cluster.postgres.restart()
    }
  },
  'the lock held elsewhere': async (cluster) => {
    const holder = await Session.open(cluster.url, { purpose: 'a hand that forgot its transaction' })
    try {
      await holder.query('BEGIN')
      await lockHead(holder)
      await cluster.expectRefusal(/The ledger is locked by "marquee a hand that forgot its transaction"/)
      const waiting = await holder.query("SELECT pid FROM pg_stat_activity WHERE wait_event_type = 'Lock'")
      if (waiting.length > 0) cluster.problems.push(`${waiting.length} sessions wait for the lock`)
    } finally {
      await holder.close()
    }
  },
}

/**
 * Replaces the database of two nodes, takes it away, or sets it back, while readers ask all the time. They must be answered
 * throughout; afterwards a new import must reach every node without a hand, and all nodes must hold what the database does.
 */
export const replaceDatabases: Campaign = async (options) => {
  const cluster = await FaultyCluster.start(options)
  try {
    const names = Object.keys(FAULTS)
    return await repeatFault(options, (random, number) =>
      cluster.suffer(names[number % names.length] as string, random),
    )
  } finally {
    await cluster.end()
  }
}

/** A node, and what its reader saw. */
interface FaultyNode {
  readonly env: Record<string, string>
  readonly service: RunningService
  readonly key: string
}

class FaultyCluster {
  readonly postgres: PostgresServer
  readonly url: string
  /** The import that the database holds. */
  generation = 0
  problems: string[] = []
  private imports = 0
  private answers = 0
  private stopped = false
  private readonly readers: Promise<void>[] = []
  private readonly nodes: FaultyNode[] = []
  private readonly folder: string
  /** Events of each node before the current fault. */
  private eventsBefore = new Map<FaultyNode, (events: readonly string[]) => number>()

  private constructor(postgres: PostgresServer, url: string, folder: string) {
    this.postgres = postgres
    this.url = url
    this.folder = folder
  }

  static async start({ folder }: CampaignOptions): Promise<FaultyCluster> {
    mkdirSync(folder, { recursive: true })
    const postgres = await PostgresServer.start()
    const admin = postgres.databaseUrl('postgres')
    const foreign = await createDatabase(admin, 'foreign_ledger')
    const cluster = new FaultyCluster(postgres, await createDatabase(admin, DATABASE), folder)
    try {
      const feed = writeGeneration(folder, SHOWS, 0)
      await expectSuccess(['import', feed], { MARQUEE_DATA: join(folder, 'foreign'), DATABASE_URL: foreign })
      await cluster.startNodes()
    } catch (error) {
      await cluster.end()
      throw error
    }
    return cluster
  }

  private async startNodes(): Promise<void> {
    for (let i = 0; i < NODES; i++) {
      const env = {
        MARQUEE_DATA: join(this.folder, `node-${i}`),
        MARQUEE_WORKERS: '1',
        DATABASE_URL: this.url,
        PGAPPNAME: `node ${i}`,
      }
      if (i === 0) await this.importNext(env)
      const key = (await expectSuccess(['keys', 'create', '--plan', 'unlimited'], env)).trim()
      this.nodes.push({ env, key, service: await startMarquee(env) })
    }
    await this.waitForGeneration(this.generation)
    for (const node of this.nodes) this.readers.push(this.read(node))
  }

  async end(): Promise<void> {
    this.stopped = true
    await Promise.all(this.readers)
    for (const { service } of this.nodes) await service.stop('SIGKILL')
    await this.postgres.stop()
  }

  /** Lets one fault happen, and judges what is left. */
  async suffer(name: string, random: () => number): Promise<ChaosOutcome> {
    this.problems = []
    const { answers } = this
    const outputs = new Map(this.nodes.map((node) => [node, node.service.output()]))
    this.eventsBefore = new Map(
      this.nodes.map((node) => [node, (events) => countLines(outputs.get(node) as string, events)]),
    )
    const started = performance.now()
    let ms: number | undefined
    try {
      await (FAULTS[name] as Fault)(this, random)
      const endedAt = performance.now()
      await this.importNext()
      await this.waitForGeneration(this.generation)
      ms = performance.now() - endedAt
      await this.compareNodes()
    } catch (error) {
      this.problems.push((error as Error).message)
    }
    const took = Math.round((performance.now() - started) / 1000)
    const fault = `${name}, ${took} s, ${this.answers - answers} answers`
    return { kind: name, fault, problems: [...new Set(this.problems)].slice(0, 6), ...(ms !== undefined && { ms }) }
  }

  /** Imports the next generation, and tries again while nodes recover. */
  async importNext(env = (this.nodes[this.imports % NODES] as FaultyNode).env): Promise<void> {
    const feed = writeGeneration(this.folder, SHOWS, ++this.imports)
    const deadline = performance.now() + MAX_MS
    for (;;) {
      const { code, stderr } = await marquee(['import', feed], env, undefined, MAX_MS)
      if (code === 0) break
      if (performance.now() > deadline) throw new Error(`an import fails for ever: ${stderr}`)
      await sleep(500)
    }
    this.generation = this.imports
  }

  /** An import meanwhile must fail, and say why in one line. */
  async expectRefusal(reason: RegExp): Promise<void> {
    const { env } = this.nodes[0] as FaultyNode
    const { code, stderr }: CommandResult = await marquee(
      ['import', writeGeneration(this.folder, SHOWS, this.imports)],
      env,
      undefined,
      MAX_MS,
    )
    if (code !== 1 || !reason.test(stderr)) this.problems.push(`an import ended with ${code}: ${stderr}`)
    if (/\n\s+at /.test(stderr)) this.problems.push(`an import printed a stack trace: ${stderr.slice(0, 300)}`)
  }

  /** Waits until every node has logged one of the events since the fault began. */
  async waitForEvent(events: readonly string[]): Promise<void> {
    const deadline = performance.now() + MAX_MS
    const isMissing = (node: FaultyNode) => countEvents(node, events) <= (this.eventsBefore.get(node)?.(events) ?? 0)
    while (this.nodes.some(isMissing)) {
      if (performance.now() > deadline) throw new Error(`not every node logged ${events.join(' or ')}`)
      await sleep(100)
    }
  }

  async waitForGeneration(generation: number): Promise<void> {
    const deadline = performance.now() + MAX_MS
    for (const node of this.nodes) {
      let last = ''
      while (!last.includes(`"generation ${generation}"`)) {
        if (performance.now() > deadline) {
          throw new Error(`a node does not reach generation ${generation}: ${last.slice(0, 300)}`)
        }
        last = await ask(node, '/v4/shows/1?country=us')
          .then(({ text }) => text)
          .catch((error: Error) => error.message)
        await sleep(50)
      }
    }
  }

  /** Runs a statement outside of the ledger's database. */
  async administer(...statements: string[]): Promise<void> {
    const session = await Session.open(this.postgres.databaseUrl('postgres'), { purpose: 'campaign' })
    try {
      for (const statement of statements) await session.query(statement)
    } finally {
      await session.close()
    }
  }

  /** Ends all sessions of the ledger's database, as an operator does who replaces it. */
  async endSessions(): Promise<void> {
    await this.administer(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${DATABASE}'`)
  }

  /** Moves the database away, and puts another one in its place. */
  async replaceDatabase(statement: string): Promise<void> {
    await this.rename(DATABASE, 'former_ledger')
    await this.administer(statement)
  }

  async putBack(): Promise<void> {
    await this.rename(DATABASE, 'unwanted_ledger')
    await this.rename('former_ledger', DATABASE)
    await this.administer('DROP DATABASE unwanted_ledger WITH (FORCE)')
  }

  async dropFormer(): Promise<void> {
    await this.administer('DROP DATABASE former_ledger WITH (FORCE)')
  }

  /** Copies the database as it is, as a dump does. */
  async keepState(): Promise<void> {
    await this.withoutSessions(DATABASE, `CREATE DATABASE kept_ledger TEMPLATE ${DATABASE}`)
  }

  private rename(from: string, to: string): Promise<void> {
    return this.withoutSessions(from, `ALTER DATABASE ${from} RENAME TO ${to}`)
  }

  /** Runs a statement that needs a database without sessions: no new ones are let in meanwhile. */
  private async withoutSessions(database: string, statement: string): Promise<void> {
    await this.administer(`ALTER DATABASE ${database} WITH ALLOW_CONNECTIONS false`)
    for (let attempt = 1; ; attempt++) {
      try {
        const end = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${database}'`
        await this.administer(end, statement)
        break
      } catch (error) {
        if (attempt === 50) throw error
        await sleep(100)
      }
    }
    const [, renamed] = /RENAME TO (\w+)/.exec(statement) ?? []
    await this.administer(`ALTER DATABASE ${renamed ?? database} WITH ALLOW_CONNECTIONS true`)
  }

  /**
   * Fills the schema anew as `pg_restore --clean` does, statement by statement: tables, then their rows, then keys and indexes.
   * Nodes see every state between.
   */
  async restoreSlowly(random: () => number): Promise<void> {
    const session = await Session.open(this.url, { purpose: 'campaign' })
    const list = async (query: string) => (await session.query<{ value: string }>(query)).map(({ value }) => value)
    try {
      const tables = await list("SELECT tablename AS value FROM pg_tables WHERE schemaname = 'public'")
      await session.query('ALTER SCHEMA public RENAME TO dump')
      await session.query('CREATE SCHEMA public')
      const keys = await list(
        `SELECT format('ALTER TABLE public.%I ADD %s', t.relname, pg_get_constraintdef(c.oid)) AS value
          FROM pg_constraint c JOIN pg_class t ON t.oid = c.conrelid
          WHERE c.connamespace = 'dump'::regnamespace AND c.contype IN ('p', 'u', 'f') ORDER BY c.contype DESC`,
      )
      const indexes = await list(
        `SELECT pg_get_indexdef(i.indexrelid) AS value FROM pg_index i JOIN pg_class t ON t.oid = i.indrelid
          WHERE t.relnamespace = 'dump'::regnamespace
            AND NOT EXISTS (SELECT FROM pg_constraint c WHERE c.conindid = i.indexrelid)`,
      )
      const statements = [
        ...tables.map(
          (table) => `CREATE TABLE public.${table} (LIKE dump.${table} INCLUDING DEFAULTS INCLUDING CONSTRAINTS)`,
        ),
        ...tables.map((table) => `INSERT INTO public.${table} SELECT * FROM dump.${table}`),
        ...[...keys, ...indexes].map((statement) => statement.replaceAll('dump.', 'public.')),
        'DROP SCHEMA dump CASCADE',
      ]
      for (const statement of statements) {
        await session.query(statement)
        await sleep(random() * 300)
      }
    } finally {
      await session.close()
    }
  }

  /** All nodes must hold the same catalog. */
  private async compareNodes(): Promise<void> {
    const digests = new Set<string>()
    for (const { env } of this.nodes) {
      digests.add(JSON.parse(await expectSuccess(['status', '--digest', '--json'], env)).digest)
    }
    if (digests.size > 1) this.problems.push('the nodes have different catalogs')
  }

  /** Asks a node until the end. Every answer must be whole, whatever happens to the database. */
  private async read(node: FaultyNode): Promise<void> {
    for (; !this.stopped; await sleep(20)) {
      try {
        const { status, text } = await ask(node, '/v4/shows/search/filters?country=us&order_by=original_title')
        // On a busy machine a worker may shed requests, as clients are told: they retry.
        if (status === 503 && text.includes('overloaded')) continue
        this.answers++
        const generations = new Set([...text.matchAll(/generation[ =](\d+)/g)].map(([, number]) => number))
        if (status !== 200) this.problems.push(`a reader got ${status}: ${text.slice(0, 200)}`)
        else if (generations.size !== 1) this.problems.push(`a reader got ${[...generations].join(', ')} in one answer`)
      } catch (error) {
        this.problems.push(`a reader got no answer: ${(error as Error).message}`)
      }
    }
  }
}

const countEvents = ({ service }: FaultyNode, events: readonly string[]) => countLines(service.output(), events)

function countLines(output: string, events: readonly string[]): number {
  return events.reduce((sum, event) => sum + logLines(output, event).length, 0)
}

async function ask({ service, key }: FaultyNode, path: string): Promise<{ status: number; text: string }> {
  const response = await fetch(`${service.address}${path}`, {
    headers: { 'X-API-Key': key },
    signal: AbortSignal.timeout(30_000),
  })
  return { status: response.status, text: await response.text() }
}

async function expectSuccess(args: readonly string[], env: Record<string, string>): Promise<string> {
  const { code, stdout, stderr } = await marquee(args, env, undefined, MAX_MS)
  if (code !== 0) throw new Error(`marquee ${args.join(' ')} ended with ${code}: ${stderr}`)
  return stdout
}
