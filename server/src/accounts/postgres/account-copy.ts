import { createHash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import type { Database } from 'lmdb'
import type { Session } from '../../database/session.ts'
import { type AccountEnvironment, type AccountRows, AccountsFormatError, type AccountTable } from '../account-tables.ts'

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
] as const satisfies readonly AccountTable[]

/** So many of the rows that were changed last tell whether PostgreSQL was set back. */
const LOOKED_AT = 200

/** A row of one of these tables as it is since a revision; without a body where it is gone. */
export interface AccountRow {
  readonly table: AccountTable
  readonly key: string
  readonly body: string | null
}

/** A node's copy of the accounts: all are read from it, and no request waits for PostgreSQL. */
export class AccountCopy {
  private readonly environment: AccountEnvironment
  /** The session with which the copy was last seen to be one of what PostgreSQL holds. */
  private seenWith: Session | undefined

  constructor(environment: AccountEnvironment) {
    this.environment = environment
  }

  /** Takes over all that was changed since the copy was last brought up to date. */
  async catchUp(session: Session): Promise<void> {
    const [head] = await session.ask<{ id: string; revision: number; first: number }>(
      `SELECT id, revision, first_revision AS first FROM marquee_account_head, marquee_ledger`,
    )
    if (head === undefined) throw new Error('The database holds no accounts, although it has the tables of them')
    const known = this.begin(numberOf(head.id), { ...head, wasSetBack: await this.differs(session) })
    if (known === head.revision) return
    const rows = await session.query<AccountRow & { revision: number }>(
      `SELECT table_name AS table, row_key AS key, body, revision FROM marquee_account_rows
       WHERE revision > $1 ORDER BY revision`,
      [known],
    )
    this.apply(rows, Math.max(head.revision, rows.at(-1)?.revision ?? 0))
  }

  /** Puts rows into the copy that make it that of a revision. */
  apply(rows: readonly AccountRow[], revision: number): void {
    const { root, tables } = this.environment
    root.transactionSync(() => {
      // Another process of this node may have been faster.
      if ((tables.meta.get('revision') ?? 0) >= revision) return
      for (const { table, key, body } of rows) {
        const rowsOf = tables[table] as Database<unknown, string>
        if (body === null) rowsOf.remove(key)
        else rowsOf.put(key, JSON.parse(body))
      }
      tables.meta.put('revision', revision)
    })
  }

  /**
   * Whether PostgreSQL holds other rows of revisions that the copy has, as it may after it was set back to an earlier
   * state and went on from there. That ends its sessions, so it is looked at once in each.
   */
  private async differs(session: Session): Promise<boolean> {
    if (this.seenWith === session) return false
    const { root, tables } = this.environment
    const known = tables.meta.get('revision') ?? 0
    const rows = await session.query<AccountRow>(
      `SELECT table_name AS table, row_key AS key, body FROM marquee_account_rows
       WHERE revision <= $1 ORDER BY revision DESC LIMIT ${LOOKED_AT}`,
      [known],
    )
    return root.transactionSync(() => {
      // Another process of this node may have come further meanwhile: it is looked at again the next time.
      if ((tables.meta.get('revision') ?? 0) !== known) return false
      this.seenWith = session
      return rows.some(({ table, key, body }) => !isSameRow(tables[table].get(key), body))
    })
  }

  /** The revision that the copy has; 0 where it has to begin anew. */
  private begin(
    ledger: number,
    { revision, first, wasSetBack }: { revision: number; first: number; wasSetBack: boolean },
  ): number {
    const { root, tables } = this.environment
    return root.transactionSync(() => {
      const copyOf = tables.meta.get('ledger')
      const known = tables.meta.get('revision') ?? 0
      if (copyOf === undefined && known > 0) throw new AccountsFormatError(OWN_ACCOUNTS)
      const follows = copyOf === ledger && known <= revision && !wasSetBack
      if (follows && (known === 0 || known >= first)) return known
      for (const table of SHARED_TABLES) tables[table].clearSync()
      tables.meta.put('ledger', ledger)
      tables.meta.put('revision', 0)
      return 0
    })
  }
}

const OWN_ACCOUNTS =
  'The data directory holds accounts of its own, and DATABASE_URL names another system of record. ' +
  '`marquee migrate --to` moves them there; or name another MARQUEE_DATA.'

/** A ledger as a number, as the tables keep it. */
export function numberOf(ledger: string): number {
  return createHash('sha256').update(ledger).digest().readUIntBE(0, 6)
}

/** A row as PostgreSQL keeps it. */
export function bodyOf<T extends AccountTable>(row: AccountRows[T]): string {
  return JSON.stringify(row)
}

function isSameRow(kept: unknown, body: string | null): boolean {
  if (kept === undefined || body === null) return kept === undefined && body === null
  return isDeepStrictEqual(JSON.parse(JSON.stringify(kept)), JSON.parse(body))
}
