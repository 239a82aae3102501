import { ABORT } from 'lmdb'
import { ReconnectingSession } from '../../lib/postgres/database.ts'
import { DatabaseUnavailableError, type Session } from '../../lib/postgres/session.ts'
import { type Accounts, type AccountsOptions, createAccounts } from '../accounts.ts'
import { AccountError, type AccountStore, type AccountTransaction, RevisionReader } from '../store/account-store.ts'
import { type AccountEnvironment, type AccountTables, openAccountTables } from '../store/account-tables.ts'
import { LocalQuotaStore, LocalUsageStore } from '../store/local-counters.ts'
import type { QuotaStore } from '../store/quota-store.ts'
import type { UsageStore } from '../store/usage-store.ts'
import { AccountReplica, type AccountRow, accountsCluster, encodeRow } from './account-replica.ts'
import { CounterFlusher, pruneQuota, pruneUsage } from './counter-tables.ts'

/**
 * Commits to PostgreSQL first, then to the node's replica. A dry run on the replica, in an aborted transaction, computes
 * the rows to write, so that only the committing process waits for PostgreSQL.
 */
class PostgresAccountStore implements AccountStore {
  readonly tables: AccountTables
  private readonly environment: AccountEnvironment
  private readonly replica: AccountReplica
  private readonly link: ReconnectingSession
  private readonly revisions: RevisionReader

  constructor(environment: AccountEnvironment, link: ReconnectingSession) {
    this.environment = environment
    this.tables = environment.tables
    this.replica = new AccountReplica(environment)
    this.link = link
    this.revisions = new RevisionReader(environment.tables)
  }

  revision(): number {
    return this.revisions.get()
  }

  async commit<T>(work: (tx: AccountTransaction) => T): Promise<T> {
    try {
      return await this.link.use((session) => this.commitInSession(session, work))
    } catch (error) {
      if (!(error instanceof DatabaseUnavailableError)) throw error
      throw new AccountError('unavailable', 'Accounts and keys cannot be changed at the moment; try again soon', 5)
    } finally {
      this.revisions.invalidate()
    }
  }

  /** Applies all earlier commits to the replica. */
  refresh(): Promise<void> {
    return this.link.use((session) => this.replica.catchUp(session))
  }

  private async commitInSession<T>(session: Session, work: (tx: AccountTransaction) => T): Promise<T> {
    let rows: readonly AccountRow[] = []
    let next = 0
    const result = await session.transaction(async () => {
      const [head] = await session.query<{ revision: number }>(
        'SELECT revision FROM marquee_account_head WHERE only_row = 1 FOR UPDATE',
      )
      await this.replica.catchUp(session)
      const run = this.dryRun(work)
      rows = run.rows
      next = (head?.revision ?? 0) + 1
      if (rows.length > 0) await writeRows(session, rows, next)
      return run.result
    })
    if (rows.length === 0) return result
    this.replica.apply(rows, next)
    await session.query(`SELECT pg_notify('marquee_accounts', $1)`, [String(next)]).catch(() => {})
    return result
  }

  /** Runs the work in a transaction that is aborted, and returns the rows that it wrote. */
  private dryRun<T>(work: (tx: AccountTransaction) => T): { result: T; rows: AccountRow[] } {
    const { root, tables } = this.environment
    const rows = new Map<string, AccountRow>()
    let result: T | undefined
    root.transactionSync(() => {
      result = work({
        put: (table, key, row) => {
          tables[table].put(key, row as never)
          rows.set(`${table} ${key}`, { table, key, body: encodeRow(row) })
        },
        delete: (table, key) => {
          tables[table].remove(key)
          rows.set(`${table} ${key}`, { table, key, body: null })
        },
      })
      return ABORT
    })
    return { result: result as T, rows: [...rows.values()] }
  }
}

/** Writes the rows of a revision. Must run in a transaction that holds the lock of `marquee_account_head`. */
export async function writeRows(session: Session, rows: readonly AccountRow[], revision: number): Promise<void> {
  await session.query(
    `INSERT INTO marquee_account_rows (table_name, row_key, body, revision)
     SELECT table_name, row_key, body, $4 FROM unnest($1::text[], $2::text[], $3::text[]) AS one (table_name, row_key, body)
     ON CONFLICT (table_name, row_key)
     DO UPDATE SET body = excluded.body, revision = excluded.revision, changed = excluded.changed`,
    [rows.map(({ table }) => table), rows.map(({ key }) => key), rows.map(({ body }) => body), revision],
  )
  await session.query('UPDATE marquee_account_head SET revision = $1 WHERE only_row = 1', [revision])
}

/** Opens the replica of the accounts in a folder, and sessions to PostgreSQL, which may be unavailable. */
export function openPostgresAccounts(dir: string, url: string, options: AccountsOptions = {}): Accounts {
  const environment = openAccountTables(dir)
  // Two sessions, so that commits and counter flushes do not wait for each other.
  const cluster = accountsCluster(environment)
  const sessions = {
    ledger: new ReconnectingSession(url, 'accounts', cluster),
    counts: new ReconnectingSession(url, 'counts', cluster),
  }
  const ledger = new PostgresAccountStore(environment, sessions.ledger)
  const flusher = new CounterFlusher(environment, sessions.counts)
  const [localQuota, localUsage] = [new LocalQuotaStore(environment), new LocalUsageStore(environment)]
  const quota: QuotaStore = {
    total: (owner, period) => localQuota.total(owner, period),
    add: (deltas) => flusher.flush(deltas, []),
    async prune(now) {
      await localQuota.prune(now)
      await sessions.counts.use((session) => pruneQuota(session, now))
    },
  }
  const usage: UsageStore = {
    read: (span, keyId, from, to) => localUsage.read(span, keyId, from, to),
    lastUse: (keyId) => localUsage.lastUse(keyId),
    async add(deltas) {
      if (deltas.length > 0) await flusher.flush([], deltas)
    },
    async prune(now) {
      await localUsage.prune(now)
      await sessions.counts.use((session) => pruneUsage(session, now))
    },
  }
  return {
    ...createAccounts(ledger, { quota, usage, ...options }),
    refresh: () => ledger.refresh(),
    backup: (to) => environment.root.backup(to, true),
    close: async () => {
      await sessions.ledger.close()
      await sessions.counts.close()
      await environment.close()
    },
  }
}
