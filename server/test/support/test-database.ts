import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { inject } from 'vitest'
import { createDatabase } from './postgres-server.ts'

/** Creates an empty database for a test and returns its URL. It is deleted with the server of the run. */
export function testDatabase(): Promise<string> {
  return createDatabase(inject('postgres'), `marquee_${randomBytes(8).toString('hex')}`)
}

/** Creates a copy of a database and returns its URL. The original must have no connections. */
export async function copyDatabase(url: string): Promise<string> {
  const client = new pg.Client({ connectionString: inject('postgres') })
  await client.connect()
  const name = `marquee_${randomBytes(8).toString('hex')}`
  await client.query(`CREATE DATABASE ${name} TEMPLATE ${new URL(url).pathname.slice(1)}`)
  await client.end()
  return Object.assign(new URL(url), { pathname: `/${name}` }).href
}
