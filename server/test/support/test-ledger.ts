import { randomBytes } from 'node:crypto'
import { inject } from 'vitest'
import type { Ledger } from '../../src/ledger/ledger.ts'
import { LocalLedger } from '../../src/ledger/local-ledger.ts'
import { NodeDirectory } from '../../src/ledger/postgres/node-directory.ts'
import { PostgresLedger } from '../../src/ledger/postgres/postgres-ledger.ts'
import { Session } from '../../src/ledger/postgres/session.ts'

/** The ledgers that the API must be the same on. A run of the tests is made for each; see vitest.config.ts. */
export const LEDGERS = ['local', 'postgres'] as const

/** A ledger of the kind that this run of the tests is for, on a catalog in the given folder. */
export async function aLedger(folder: string): Promise<Ledger> {
  const kind = process.env['MARQUEE_TEST_LEDGER'] ?? 'local'
  if (kind === 'local') return new LocalLedger(folder)
  if (kind === 'postgres') return aPostgresLedger(folder)
  throw new Error(`MARQUEE_TEST_LEDGER is ${kind}; it must be one of ${LEDGERS.join(', ')}`)
}

async function aPostgresLedger(folder: string): Promise<Ledger> {
  const url = await testSchema()
  const node = await new NodeDirectory(folder).open(url)
  return new PostgresLedger(node, url, 'test')
}

/** An empty schema of the tests' shared database, as an address that sees no other: much cheaper than a database. */
async function testSchema(): Promise<string> {
  const url = inject('postgres')
  const schema = `marquee_${randomBytes(8).toString('hex')}`
  const session = await Session.open(url, { purpose: 'test' })
  await session.query(`CREATE SCHEMA ${schema}`)
  await session.close()
  return `${url}?options=${encodeURIComponent(`-c search_path=${schema}`)}`
}
