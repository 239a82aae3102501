import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { inject } from 'vitest'
import { type Accounts, type AccountsOptions, openAccounts } from '../../src/accounts/accounts.ts'
import { openPostgresAccounts } from '../../src/accounts/postgres/postgres-account-store.ts'
import type { Ledger } from '../../src/ledger/ledger.ts'
import { LocalLedger } from '../../src/ledger/local-ledger.ts'
import { PostgresLedger } from '../../src/ledger/postgres/postgres-ledger.ts'
import { ReplicaDirectory } from '../../src/ledger/postgres/replica-directory.ts'
import { Session } from '../../src/lib/postgres/session.ts'

/** A system of record: a ledger with its catalog, and the accounts. */
interface Store {
  readonly ledger: Ledger
  readonly accounts: Accounts
}

type OpenStore = (folder: string, options?: AccountsOptions) => Promise<Store>

/** Opens each kind of system of record. */
export const STORES: Readonly<Record<string, OpenStore>> = {
  local: async (folder, options) => ({
    ledger: new LocalLedger(folder),
    accounts: openAccounts(join(folder, 'accounts'), options),
  }),
  postgres: async (folder, options) => {
    const url = await testSchema()
    return {
      ledger: await aNode(url, folder),
      accounts: openPostgresAccounts(join(folder, 'accounts'), url, options),
    }
  },
}

/** A store of the kind that MARQUEE_TEST_LEDGER names; vitest.config.ts runs the API tests once for each kind. */
export function aStore(folder: string, options?: AccountsOptions): Promise<Store> {
  const { MARQUEE_TEST_LEDGER: kind = 'local' } = process.env
  const open = STORES[kind]
  if (open === undefined) throw new Error(`MARQUEE_TEST_LEDGER is ${kind}; there are ${Object.keys(STORES).join(', ')}`)
  return open(folder, options)
}

/** A ledger in PostgreSQL with its replica in a folder. */
export async function aNode(url: string, folder: string): Promise<PostgresLedger> {
  return new PostgresLedger(await new ReplicaDirectory(folder).open(url), url, 'test')
}

/** Creates an empty schema in the shared database and returns a URL that uses it; much cheaper than a database. */
export async function testSchema(): Promise<string> {
  const url = inject('postgres')
  const schema = `marquee_${randomBytes(8).toString('hex')}`
  const session = await Session.open(url, { purpose: 'test' })
  await session.query(`CREATE SCHEMA ${schema}`)
  await session.close()
  return `${url}?options=${encodeURIComponent(`-c search_path=${schema}`)}`
}
