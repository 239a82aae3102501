import { createHash } from 'node:crypto'
import { UserError } from '../../lib/errors.ts'
import type { Session } from '../../lib/postgres/session.ts'
import { type AccountTableName, openAccountTables } from '../store/account-tables.ts'
import { usageTable } from '../store/local-counters.ts'
import { USAGE_SPANS } from '../store/usage-store.ts'
import { AccountReplica, type AccountRow, encodeRow, hashLedgerId, SHARED_TABLES } from './account-replica.ts'
import { putUsageRows, type UsageRow } from './counter-tables.ts'
import { writeRows } from './postgres-account-store.ts'

/** Thrown when accounts cannot be moved, with a message for the operator. */
class MoveAccountsError extends UserError {
  override readonly name = 'MoveAccountsError'
}

interface QuotaRow {
  readonly key: string
  readonly requests: number
}

/** All rows of the accounts. */
interface AccountDump {
  readonly shared: readonly AccountRow[]
  readonly quota: readonly QuotaRow[]
  readonly usage: readonly UsageRow[]
}

/** Moves the accounts of a folder to PostgreSQL in one transaction. Returns the number of keys. */
export async function moveAccountsToPostgres(session: Session, dir: string, ledger: string): Promise<number> {
  const environment = openAccountTables(dir)
  const { tables, root } = environment
  try {
    const rows = readLocal(tables)
    await session.transaction(async () => {
      const [head] = await session.query<{ revision: number }>(
        'SELECT revision FROM marquee_account_head WHERE only_row = 1 FOR UPDATE',
      )
      if (head?.revision === 0) await writePostgres(session, rows)
      const moved = await readPostgres(session)
      if (digest(moved) !== digest(rows)) throw new MoveAccountsError('The database holds other accounts already')
    })
    const revision = rows.shared.length === 0 ? 0 : 1
    root.transactionSync(() => {
      tables.meta.put('ledger', hashLedgerId(ledger))
      tables.meta.put('revision', revision)
    })
    return rows.shared.filter(({ table }) => table === 'keys').length
  } finally {
    await environment.close()
  }
}

/** Copies the accounts in PostgreSQL to a folder as local accounts. Returns the number of keys. */
export async function moveAccountsToFolder(session: Session, dir: string): Promise<number> {
  const environment = openAccountTables(dir)
  const { tables, root } = environment
  try {
    const rows = await readPostgres(session)
    const keys = rows.shared.filter(({ table }) => table === 'keys').length
    if (tables.meta.get('ledger') === undefined && (tables.meta.get('revision') ?? 0) > 0) {
      // An interrupted move may have copied them already.
      if (digest(readLocal(tables)) === digest(rows)) return keys
      throw new MoveAccountsError(`The folder ${dir} holds accounts already; name a new one`)
    }
    await new AccountReplica(environment).catchUp(session)
    await root.transaction(() => {
      for (const { key, requests } of rows.quota) tables.quota.put(key, requests)
      putUsageRows(tables, rows.usage)
    })
    if (digest(readLocal(tables)) !== digest(rows)) {
      throw new MoveAccountsError(`The accounts in ${dir} are not those of the database; delete it and try again`)
    }
    root.transactionSync(() => void tables.meta.remove('ledger'))
    return keys
  } finally {
    await environment.close()
  }
}

function readLocal(tables: ReturnType<typeof openAccountTables>['tables']): AccountDump {
  const shared: AccountRow[] = []
  for (const table of SHARED_TABLES) {
    for (const { key, value } of tables[table].getRange()) {
      shared.push({ table, key, body: encodeRow<AccountTableName>(value as never) })
    }
  }
  const usage: UsageRow[] = []
  for (const span of USAGE_SPANS) {
    for (const { key, value } of usageTable(tables, span).getRange()) {
      const [keyId = '', start] = key.split('/')
      usage.push({ span, keyId, start: Number(start), body: JSON.stringify(value) })
    }
  }
  for (const { key, value } of tables.uses.getRange()) {
    usage.push({ span: 'use', keyId: key, start: 0, body: JSON.stringify(value) })
  }
  return { shared, quota: [...tables.quota.getRange()].map(({ key, value }) => ({ key, requests: value })), usage }
}

async function readPostgres(session: Session): Promise<AccountDump> {
  const shared = await session.query<AccountRow>(
    'SELECT table_name AS table, row_key AS key, body FROM marquee_account_rows WHERE body IS NOT NULL',
  )
  const quota = await session.query<QuotaRow>(`SELECT owner || '/' || period AS key, requests FROM marquee_quota`)
  const usage = await session.query<UsageRow>('SELECT span, key_id AS "keyId", start, body FROM marquee_usage')
  return { shared, quota, usage }
}

async function writePostgres(session: Session, { shared, quota, usage }: AccountDump): Promise<void> {
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

function digest({ shared, quota, usage }: AccountDump): string {
  const lines = [
    ...shared.map(({ table, key, body }) => `${table} ${key} ${body}`),
    ...quota.map(({ key, requests }) => `quota ${key} ${requests}`),
    ...usage.map(({ span, keyId, start, body }) => `${span} ${keyId} ${start} ${body}`),
  ]
  return createHash('sha256').update(lines.sort().join('\n')).digest('hex')
}
