/** The process of a peer: `serve-peer.js KIND REFERENCE DATABASE`. It prints its port once it listens. */
import { readFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { MiniSearchStore } from './minisearch/minisearch-store.ts'
import { peerApp } from './peer-app.ts'
import type { PeerStore } from './peer-store.ts'
import { PostgresStore } from './postgres/postgres-store.ts'
import type { Reference } from './rendering/reference.ts'
import { SqliteStore } from './sqlite/sqlite-store.ts'

const [kind, referenceFile, database] = process.argv.slice(2) as [string, string, string]
const reference = JSON.parse(readFileSync(referenceFile, 'utf8')) as Reference

async function open(): Promise<PeerStore> {
  switch (kind) {
    case 'sqlite':
      return new SqliteStore(database, reference)
    case 'minisearch':
      return MiniSearchStore.open(database, reference)
    case 'postgres':
      return new PostgresStore(database)
    default:
      throw new Error(`There is no peer "${kind}"`)
  }
}

const app = await peerApp(await open(), reference)
await app.listen({ host: '127.0.0.1', port: 0 })
console.log(`listening ${(app.server.address() as AddressInfo).port}`)
process.once('SIGTERM', () => process.exit(0))
