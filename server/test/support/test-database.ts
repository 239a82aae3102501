import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { inject } from 'vitest'
import { createDatabase } from './postgres-server.ts'

/** Makes an empty database for a test, and returns its address. The server and all of its databases go with the run. */
export function testDatabase(): Promise<string> {
  return createDatabase(inject('postgres'), `marquee_${randomBytes(8).toString('hex')}`)
}

/** Makes a database that is as another one is now, and returns its address. Nobody may be connected to that one. */
export async function restoredDatabase(url: string): Promise<string> {
  const client = new pg.Client({ connectionString: inject('postgres') })
  await client.connect()
  const name = `marquee_${randomBytes(8).toString('hex')}`
  await client.query(`CREATE DATABASE ${name} TEMPLATE ${new URL(url).pathname.slice(1)}`)
  await client.end()
  return Object.assign(new URL(url), { pathname: `/${name}` }).href
}
