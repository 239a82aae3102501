import { createHash } from 'node:crypto'
import type { Session } from '../../lib/postgres/session.ts'
import { UserError } from '../../lib/user-error.ts'
import { type AccountTable, openAccountTables } from '../account-tables.ts'
import { tableOf, USAGE_SPANS } from '../usage-book.ts'
import { AccountCopy, type AccountRow, bodyOf, numberOf, SHARED_TABLES } from './account-copy.ts'
import { writeRows } from './postgres-account-ledger.ts'
import { keepUsage, type UsageRow } from './send-settlement.ts'

/** Thrown when accounts cannot be moved, for a reason that the operator can mend. */
export class CannotMoveAccounts extends UserError {
  override readonly name = 'CannotMoveAccounts'
}

interface QuotaRow {
  readonly key: string
  readonly requests: number
}

/** Everything that accounts consist of, in one order. */
interface AllRows {
  readonly shared: readonly AccountRow[]
  readonly quota: readonly QuotaRow[]
  readonly usage: readonly UsageRow[]
}

/** Moves the accounts of a folder into PostgreSQL, all at once, and returns how many keys there are. */
export async function moveAccountsIn(session: Session, dir: string, ledger: string): Promise<number> {
  const environment = openAccountTables(dir)
  const { tables, root } = environment
  try {
    const rows = localRows(tables)
    await session.transaction(async () => {
      const [head] = await session.query<{ revision: number }>(
        'SELECT revision FROM marquee_account_head WHERE only_row = 1 FOR UPDATE',
      )
      if (head?.revision === 0) await writeAll(session, rows)
      const moved = await databaseRows(session)
      if (digestOf(moved) !== digestOf(rows)) throw new CannotMoveAccounts('The database holds other accounts already')
    })
    const revision = rows.shared.length === 0 ? 0 : 1
    root.transactionSync(() => {
      tables.meta.put('ledger', numberOf(ledger))
      tables.meta.put('revision', revision)
    })
    return rows.shared.filter(({ table }) => table === 'keys').length
  } finally {
    await root.close()
  }
}

/** Makes accounts of their own in a folder out of those in PostgreSQL; returns how many keys there are. */
export async function moveAccountsOut(session: Session, dir: string): Promise<number> {
  const environment = openAccountTables(dir)
  const { tables, root } = environment
  try {
    const rows = await databaseRows(session)
    const keys = rows.shared.filter(({ table }) => table === 'keys').length
    if (tables.meta.get('ledger') === undefined && (tables.meta.get('revision') ?? 0) > 0) {
      // As they are after a move that was broken off later on, they are just right.
      if (digestOf(localRows(tables)) === digestOf(rows)) return keys
      throw new CannotMoveAccounts(`The folder ${dir} holds accounts already; name a new one`)
    }
    await new AccountCopy(environment).catchUp(session)
    await root.transaction(() => {
      for (const { key, requests } of rows.quota) tables.quota.put(key, requests)
      keepUsage(tables, rows.usage)
    })
    if (digestOf(localRows(tables)) !== digestOf(rows)) {
      throw new CannotMoveAccounts(`The accounts in ${dir} are not those of the database; delete it and try again`)
    }
    root.transactionSync(() => void tables.meta.remove('ledger'))
    return keys
  } finally {
    await root.close()
  }
}

function localRows(tables: ReturnType<typeof openAccountTables>['tables']): AllRows {
  const shared: AccountRow[] = []
  for (const table of SHARED_TABLES) {
    for (const { key, value } of tables[table].getRange()) {
      shared.push({ table, key, body: bodyOf<AccountTable>(value as never) })
    }
  }
  const usage: UsageRow[] = []
  for (const span of USAGE_SPANS) {
    for (const { key, value } of tableOf(tables, span).getRange()) {
      const [keyId = '', start] = key.split('/')
      usage.push({ span, keyId, start: Number(start), body: JSON.stringify(value) })
    }
  }
  for (const { key, value } of tables.uses.getRange()) {
    usage.push({ span: 'use', keyId: key, start: 0, body: JSON.stringify(value) })
  }
  return { shared, quota: [...tables.quota.getRange()].map(({ key, value }) => ({ key, requests: value })), usage }
}

async function databaseRows(session: Session): Promise<AllRows> {
  const shared = await session.query<AccountRow>(
    'SELECT table_name AS table, row_key AS key, body FROM marquee_account_rows WHERE body IS NOT NULL',
  )
  const quota = await session.query<QuotaRow>(`SELECT owner || '/' || period AS key, requests FROM marquee_quota`)
  const usage = await session.query<UsageRow>('SELECT span, key_id AS "keyId", start, body FROM marquee_usage')
  return { shared, quota, usage }
}

async function writeAll(session: Session, { shared, quota, usage }: AllRows): Promise<void> {
  if (shared.length > 0) await writeRows(session, shared, 1)
  const owners = quota.map(({ key }) => key.slice(0, key.lastIndexOf('/')))
  await session.query('INSERT INTO marquee_quota SELECT * FROM unnest($1::text[], $2::text[], $3::bigint[])', [
    owners,
    quota.map(({ key }) => key.slice(key.lastIndexOf('/') + 1)),
    quota.map(({ requests }) => requests),
  ])
  await session.query(
    `INSERT INTO marquee_usage (span, key_id, start, body)
     SELECT * FROM unnest($1::text[], $2::text[], $3::bigint[], $4::text[])`,
    [
      usage.map(({ span }) => span),
      usage.map(({ keyId }) => keyId),
      usage.map(({ start }) => start),
      usage.map(({ body }) => body),
    ],
  )
}

function digestOf({ shared, quota, usage }: AllRows): string {
  const lines = [
    ...shared.map(({ table, key, body }) => `${table} ${key} ${body}`),
    ...quota.map(({ key, requests }) => `quota ${key} ${requests}`),
    ...usage.map(({ span, keyId, start, body }) => `${span} ${keyId} ${start} ${body}`),
  ]
  return createHash('sha256').update(lines.sort().join('\n')).digest('hex')
}
