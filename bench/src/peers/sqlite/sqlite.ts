import { join } from 'node:path'
import { everythingIn } from '../../support/catalog.ts'
import { Peer } from '../peer.ts'
import type { PeerSetting } from '../peer-setting.ts'
import { fillSqlite } from './fill.ts'

/** Fastify in front of SQLite. */
export async function startSqlite({ catalog, reference, referenceFile, now }: PeerSetting): Promise<Peer> {
  const file = join(catalog.folder, 'peer.sqlite')
  await fillSqlite(file, await everythingIn(catalog), reference, now)
  return await Peer.start({
    name: 'Fastify + SQLite',
    program: 'serve-peer.js',
    args: ['sqlite', referenceFile, file],
    kinds: ['show', 'filters', 'title', 'changes', 'countries'],
  })
}
