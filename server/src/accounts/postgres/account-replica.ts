import { createHash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import type { Database } from 'lmdb'
import { type ClusterCheck, ReconnectingSession } from '../../lib/postgres/database.ts'
import { FollowLoop } from '../../lib/postgres/follow-loop.ts'
import { DatabaseUnavailableError, type Session } from '../../lib/postgres/session.ts'
import {
  type AccountEnvironment,
  type AccountRows,
  AccountsFormatError,
  type AccountTableName,
  openAccountTables,
} from '../store/account-tables.ts'
import { CounterFlusher, putUsageRows, type UsageRow } from './counter-tables.ts'

/** The tables that are replicated. The others are counters, which are flushed. */
export const SHARED_TABLES = [
  'keys',
  'keyIds',
  'subscriptions',
  'accounts',
  'salts',
  'credentials',
  'invitations',
  'sessions',
  'plans',
  'feeds',
  'webhooks',
  'webhookStates',
  'webhookLog',
  'deadLetters',
  'audit',
  'attempts',
] as const satisfies readonly AccountTableName[]

/** This many of the latest rows are compared to detect that PostgreSQL was restored from a backup. */
const COMPARED_ROWS = 200

/** A row of a replicated table. A null body is a tombstone. */
export interface AccountRow {
  readonly table: AccountTableName
  readonly key: string
  readonly body: string | null
}

/** A node's replica of the accounts in PostgreSQL. All reads use it, so no request waits for PostgreSQL. */
export class AccountReplica {
  private readonly environment: AccountEnvironment
  /** The session in which the replica was compared with PostgreSQL. */
  private verifiedSession: Session | undefined

  constructor(environment: AccountEnvironment) {
    this.environment = environment
  }

  /** Applies all rows since the replica's revision, or replaces the replica if it cannot be continued. */
  async catchUp(session: Session): Promise<void> {
    const [found] = await session.quickQuery<{ id: string; revision: number; first: number }>(
      `SELECT id, revision, first_revision AS first FROM marquee_account_head, marquee_ledger`,
    )
    if (found === undefined) throw new DatabaseUnavailableError('The database holds no accounts: is it being restored?')
    const head = { ledger: hashLedgerId(found.id), revision: found.revision, first: found.first }
    const wasSetBack = await this.hasDiverged(session)
    const isUsable = this.isAncestor(head) && !wasSetBack
    const known = isUsable ? this.revision() : 0
    if (isUsable && known === head.revision) return
    const rows = await session.query<AccountRow & { revision: number }>(
      `SELECT table_name AS table, row_key AS key, body, revision FROM marquee_account_rows
       WHERE revision > $1 ORDER BY revision`,
      [known],
    )
    const revision = Math.max(head.revision, rows.at(-1)?.revision ?? 0)
    // Keys are deleted one by one: tables without any are those of a database that is being restored.
    if (!isUsable && rows.length === 0 && this.environment.tables.keys.getCount() > 0) {
      throw new DatabaseUnavailableError('The database holds no keys, and this node has some: is it being restored?')
    }
    if (isUsable) this.apply(rows, revision)
    else this.replace(rows, revision, { ...head, wasSetBack })
  }

  /** Applies the rows that lead to a revision. */
  apply(rows: readonly AccountRow[], revision: number): void {
    this.environment.root.transactionSync(() => {
      // Another process of this node may have applied them already.
      if (this.revision() < revision) this.put(rows, revision)
    })
  }

  /**
   * Whether the latest rows differ from those in PostgreSQL. That happens if PostgreSQL was restored from a backup and
   * went on from there. A restore ends all sessions, so one comparison per session is enough.
   */
  private async hasDiverged(session: Session): Promise<boolean> {
    if (this.verifiedSession === session) return false
    const { tables } = this.environment
    const known = this.revision()
    const rows = await session.query<AccountRow>(
      `SELECT table_name AS table, row_key AS key, body FROM marquee_account_rows
       WHERE revision <= $1 ORDER BY revision DESC LIMIT ${COMPARED_ROWS}`,
      [known],
    )
    // Another process of this node has applied a commit meanwhile: compare again the next time.
    if (this.revision() !== known) return false
    this.verifiedSession = session
    return rows.some(({ table, key, body }) => !isSameRow(tables[table].get(key), body))
  }

  /** Replaces the replica in one transaction; until then, requests see the old one. */
  private replace(rows: readonly AccountRow[], revision: number, head: AccountHead & { wasSetBack: boolean }): void {
    const { root, tables } = this.environment
    root.transactionSync(() => {
      // Another process of this node may have replaced it already.
      if (this.isAncestor(head) && !head.wasSetBack && this.revision() >= revision) return
      for (const table of SHARED_TABLES) tables[table].clearSync()
      tables.meta.put('ledger', head.ledger)
      this.put(rows, revision)
    })
  }

  private put(rows: readonly AccountRow[], revision: number): void {
    const { tables } = this.environment
    for (const { table, key, body } of rows) {
      const target = tables[table] as Database<unknown, string>
      if (body === null) target.remove(key)
      else target.put(key, JSON.parse(body))
    }
    tables.meta.put('revision', revision)
  }

  private revision(): number {
    return this.environment.tables.meta.get('revision') ?? 0
  }

  /** Whether the replica is an earlier revision of these accounts, and no tombstone since was pruned. */
  private isAncestor({ ledger, revision, first }: AccountHead): boolean {
    const replicaOf = this.environment.tables.meta.get('ledger')
    const known = this.revision()
    if (replicaOf === undefined && known > 0) throw new AccountsFormatError(LOCAL_ACCOUNTS_PRESENT)
    return replicaOf === ledger && known <= revision && (known === 0 || known >= first)
  }
}

/** The head of the accounts in PostgreSQL: ledger, last revision, and first revision whose tombstones are all kept. */
interface AccountHead {
  readonly ledger: number
  readonly revision: number
  readonly first: number
}

const LOCAL_ACCOUNTS_PRESENT =
  'The data directory holds accounts of its own, and DATABASE_URL names another system of record. ' +
  '`marquee migrate --to` moves them there; or name another MARQUEE_DATA.'

/** Checks that a database is the one that a folder has a copy of the accounts of. */
export function accountsCluster({ tables }: AccountEnvironment): ClusterCheck {
  return {
    isKnown: () => tables.meta.get('ledger') !== undefined,
    isSame: (id) => tables.meta.get('ledger') === hashLedgerId(id),
  }
}

/** Hashes a ledger id to a number, as `meta` stores it. */
export function hashLedgerId(ledger: string): number {
  return createHash('sha256').update(ledger).digest().readUIntBE(0, 6)
}

/** Encodes a row as PostgreSQL stores it. */
export function encodeRow<T extends AccountTableName>(row: AccountRows[T]): string {
  return JSON.stringify(row)
}

function isSameRow(row: unknown, body: string | null): boolean {
  if (row === undefined || body === null) return row === undefined && body === null
  return isDeepStrictEqual(JSON.parse(JSON.stringify(row)), JSON.parse(body))
}

/** How often to poll for commits without a notification, and how often to exchange counters. */
const POLL_INTERVAL_MS = 500
const COUNTER_INTERVAL_MS = 5_000

/** Rows can become visible later than their timestamp, so polls of usage rows overlap by this. */
const USAGE_OVERLAP = '15 seconds'

/** A node without a heartbeat for this long counts as gone. */
const NODE_TTL = '15 seconds'

interface AccountFollowerOptions {
  /** The id of this node. */
  readonly node: string
  /** The number of its workers. */
  readonly workers: number
  /** Called with the number of workers of all nodes. */
  readonly onProcesses: (processes: number) => void
  readonly onError?: (error: Error) => void
}

/** Follows the accounts in PostgreSQL: updates the node's replica, drains its outbox, and sends heartbeats. */
export class AccountFollower {
  private readonly environment: AccountEnvironment
  private readonly replica: AccountReplica
  private readonly link: ReconnectingSession
  private readonly flusher: CounterFlusher
  private readonly options: AccountFollowerOptions
  private readonly loop: FollowLoop
  private lastSession: Session | undefined
  private countersAt = Number.NEGATIVE_INFINITY

  constructor(dir: string, url: string, options: AccountFollowerOptions) {
    this.environment = openAccountTables(dir)
    this.replica = new AccountReplica(this.environment)
    const cluster = accountsCluster(this.environment)
    this.link = new ReconnectingSession(url, 'counts', cluster)
    this.flusher = new CounterFlusher(this.environment, this.link)
    this.options = options
    this.loop = new FollowLoop(url, {
      purpose: 'accounts',
      cluster,
      channel: 'marquee_accounts',
      pollIntervalMs: POLL_INTERVAL_MS,
      poll: (session) => this.look(session),
      onFailure: (error) => options.onError?.(error),
    })
  }

  start(): void {
    this.loop.start()
  }

  async stop(): Promise<void> {
    await this.loop.stop((session) =>
      session.quickQuery('DELETE FROM marquee_nodes WHERE id = $1', [this.options.node]),
    )
    await this.link.close()
    await this.environment.close()
  }

  private async look(session: Session): Promise<void> {
    // After a lost session, anything may have changed.
    if (session !== this.lastSession) this.countersAt = Number.NEGATIVE_INFINITY
    this.lastSession = session
    await this.replica.catchUp(session)
    if (performance.now() - this.countersAt < COUNTER_INTERVAL_MS) return
    await this.sendHeartbeat(session)
    await this.link.use((other) => this.flusher.drainOutbox(other))
    await this.pullUsage(session)
    this.countersAt = performance.now()
  }

  private async sendHeartbeat(session: Session): Promise<void> {
    const { node, workers, onProcesses } = this.options
    await session.quickQuery(
      `INSERT INTO marquee_nodes VALUES ($1, $2, now())
       ON CONFLICT (id) DO UPDATE SET workers = excluded.workers, seen = excluded.seen`,
      [node, workers],
    )
    await session.query(`DELETE FROM marquee_nodes WHERE seen < now() - interval '${NODE_TTL}'`)
    const [row] = await session.quickQuery<{ processes: number }>(
      'SELECT sum(workers)::integer AS processes FROM marquee_nodes',
    )
    onProcesses(row?.processes ?? workers)
  }

  private async pullUsage(session: Session): Promise<void> {
    const first = this.countersAt === Number.NEGATIVE_INFINITY
    const rows = await session.query<UsageRow>(
      `SELECT span, key_id AS "keyId", start, body FROM marquee_usage
       ${first ? '' : `WHERE changed > now() - interval '${USAGE_OVERLAP}'`}`,
    )
    const { root, tables } = this.environment
    if (rows.length > 0) await root.transaction(() => putUsageRows(tables, rows))
  }
}
