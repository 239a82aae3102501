import { randomBytes } from 'node:crypto'
import { inject } from 'vitest'
import { createDatabase } from './postgres-server.ts'

/** Makes an empty database for a test, and returns its address. The server and all of its databases go with the run. */
export function testDatabase(): Promise<string> {
  return createDatabase(inject('postgres'), `marquee_${randomBytes(8).toString('hex')}`)
}
