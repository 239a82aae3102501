import { randomBytes } from 'node:crypto'
import { inject } from 'vitest'
import type { Ledger } from '../../src/ledger/ledger.ts'
import { LocalLedger } from '../../src/ledger/local-ledger.ts'
import { NodeDirectory } from '../../src/ledger/postgres/node-directory.ts'
import { PostgresLedger } from '../../src/ledger/postgres/postgres-ledger.ts'
import { Session } from '../../src/ledger/postgres/session.ts'

/** The ledgers there are, each with how one is opened on a catalog in the given folder. */
export const LEDGERS: Readonly<Record<string, (folder: string) => Promise<Ledger>>> = {
  local: async (folder) => new LocalLedger(folder),
  postgres: async (folder) => aNode(await testSchema(), folder),
}

/** A ledger of the kind that this run of the tests is for: the tests of the API are run for each (vitest.config.ts). */
export function aLedger(folder: string): Promise<Ledger> {
  const { MARQUEE_TEST_LEDGER: kind = 'local' } = process.env
  const open = LEDGERS[kind]
  if (open === undefined)
    throw new Error(`MARQUEE_TEST_LEDGER is ${kind}; there are ${Object.keys(LEDGERS).join(', ')}`)
  return open(folder)
}

/** A node on a ledger in PostgreSQL, with its catalog in the given folder. */
export async function aNode(url: string, folder: string): Promise<PostgresLedger> {
  return new PostgresLedger(await new NodeDirectory(folder).open(url), url, 'test')
}

/** An empty schema of the tests' shared database, as an address that sees no other: much cheaper than a database. */
export async function testSchema(): Promise<string> {
  const url = inject('postgres')
  const schema = `marquee_${randomBytes(8).toString('hex')}`
  const session = await Session.open(url, { purpose: 'test' })
  await session.query(`CREATE SCHEMA ${schema}`)
  await session.close()
  return `${url}?options=${encodeURIComponent(`-c search_path=${schema}`)}`
}
