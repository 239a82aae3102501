import { createHash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import type { Database } from 'lmdb'
import type { Session } from '../../lib/postgres/session.ts'
import {
  type AccountEnvironment,
  type AccountRows,
  AccountsFormatError,
  type AccountTableName,
} from '../store/account-tables.ts'

/** The tables that are the same on every node. The others are counts, which are settled. */
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
  'audit',
  'attempts',
] as const satisfies readonly AccountTableName[]

/** So many of the rows that were changed last tell whether PostgreSQL was set back. */
const COMPARED_ROWS = 200

/** A row of one of these tables as it is since a revision; without a body where it is gone. */
export interface AccountRow {
  readonly table: AccountTableName
  readonly key: string
  readonly body: string | null
}

/** A node's copy of the accounts: all are read from it, and no request waits for PostgreSQL. */
export class AccountReplica {
  private readonly environment: AccountEnvironment
  /** The session with which the copy was last seen to be one of what PostgreSQL holds. */
  private verifiedSession: Session | undefined

  constructor(environment: AccountEnvironment) {
    this.environment = environment
  }

  /** Takes over all that was changed since the copy was last brought up to date, or everything if it is of no use. */
  async catchUp(session: Session): Promise<void> {
    const [found] = await session.quickQuery<{ id: string; revision: number; first: number }>(
      `SELECT id, revision, first_revision AS first FROM marquee_account_head, marquee_ledger`,
    )
    if (found === undefined) throw new Error('The database holds no accounts, although it has the tables of them')
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
    if (isUsable) this.apply(rows, revision)
    else this.replace(rows, revision, { ...head, wasSetBack })
  }

  /** Puts rows into the copy that make it that of a revision. */
  apply(rows: readonly AccountRow[], revision: number): void {
    this.environment.root.transactionSync(() => {
      // Another process of this node may have been faster.
      if (this.revision() < revision) this.put(rows, revision)
    })
  }

  /**
   * Whether PostgreSQL holds other rows of revisions that the copy has, as it may after it was set back to an earlier
   * state and went on from there. That ends its sessions, so it is looked at once in each.
   */
  private async hasDiverged(session: Session): Promise<boolean> {
    if (this.verifiedSession === session) return false
    const { root, tables } = this.environment
    const known = this.revision()
    const rows = await session.query<AccountRow>(
      `SELECT table_name AS table, row_key AS key, body FROM marquee_account_rows
       WHERE revision <= $1 ORDER BY revision DESC LIMIT ${COMPARED_ROWS}`,
      [known],
    )
    return root.transactionSync(() => {
      // Another process of this node may have come further meanwhile: it is looked at again the next time.
      if (this.revision() !== known) return false
      this.verifiedSession = session
      return rows.some(({ table, key, body }) => !isSameRow(tables[table].get(key), body))
    })
  }

  /** Makes the copy anew out of all rows, at once: until then, requests go by what it held before. */
  private replace(rows: readonly AccountRow[], revision: number, head: AccountHead & { wasSetBack: boolean }): void {
    const { root, tables } = this.environment
    root.transactionSync(() => {
      // Another process of this node may have been faster.
      if (this.isAncestor(head) && !head.wasSetBack && this.revision() >= revision) return
      for (const table of SHARED_TABLES) tables[table].clearSync()
      tables.meta.put('ledger', head.ledger)
      this.put(rows, revision)
    })
  }

  private put(rows: readonly AccountRow[], revision: number): void {
    const { tables } = this.environment
    for (const { table, key, body } of rows) {
      const rowsOf = tables[table] as Database<unknown, string>
      if (body === null) rowsOf.remove(key)
      else rowsOf.put(key, JSON.parse(body))
    }
    tables.meta.put('revision', revision)
  }

  private revision(): number {
    return this.environment.tables.meta.get('revision') ?? 0
  }

  /** Whether the copy is an earlier state of these accounts, and all that happened since is still told of. */
  private isAncestor({ ledger, revision, first }: AccountHead): boolean {
    const copyOf = this.environment.tables.meta.get('ledger')
    const known = this.revision()
    if (copyOf === undefined && known > 0) throw new AccountsFormatError(LOCAL_ACCOUNTS_PRESENT)
    return copyOf === ledger && known <= revision && (known === 0 || known >= first)
  }
}

/** How far the accounts in PostgreSQL are: which ones, their revision, and from which one on all is told of. */
interface AccountHead {
  readonly ledger: number
  readonly revision: number
  readonly first: number
}

const LOCAL_ACCOUNTS_PRESENT =
  'The data directory holds accounts of its own, and DATABASE_URL names another system of record. ' +
  '`marquee migrate --to` moves them there; or name another MARQUEE_DATA.'

/** A ledger as a number, as the tables keep it. */
export function hashLedgerId(ledger: string): number {
  return createHash('sha256').update(ledger).digest().readUIntBE(0, 6)
}

/** A row as PostgreSQL keeps it. */
export function encodeRow<T extends AccountTableName>(row: AccountRows[T]): string {
  return JSON.stringify(row)
}

function isSameRow(kept: unknown, body: string | null): boolean {
  if (kept === undefined || body === null) return kept === undefined && body === null
  return isDeepStrictEqual(JSON.parse(JSON.stringify(kept)), JSON.parse(body))
}
