import { join } from 'node:path'
import { everythingIn } from '../../support/catalog.ts'
import { Peer } from '../peer.ts'
import type { PeerSetting } from '../peer-setting.ts'
import { type Postgres, startPostgres } from './database.ts'
import { fillPostgres } from './fill.ts'

let shared: Promise<Postgres> | undefined

/** The PostgreSQL server that is filled with the catalog; two peers share it. */
export function filledPostgres({ catalog, reference, now }: PeerSetting): Promise<Postgres> {
  shared ??= (async () => {
    const postgres = await startPostgres(join(catalog.folder, 'peer.postgres'))
    await fillPostgres(postgres.connection, await everythingIn(catalog), reference, now)
    return postgres
  })()
  return shared
}

/** Fastify in front of PostgreSQL. The database server is pinned with it. */
export async function startPostgresPeer(setting: PeerSetting): Promise<Peer> {
  const postgres = await filledPostgres(setting)
  return await Peer.start({
    name: 'Fastify + PostgreSQL',
    program: 'serve-peer.js',
    args: ['postgres', setting.referenceFile, JSON.stringify(postgres.connection)],
    kinds: ['show', 'filters', 'title', 'changes', 'countries'],
    pids: [postgres.pid],
    stop: () => postgres.stop(),
  })
}
