import { join } from 'node:path'
import { everythingIn } from '../../support/catalog.ts'
import { Peer } from '../peer.ts'
import type { PeerSetting } from '../peer-setting.ts'
import { fillSqlite } from '../sqlite/fill.ts'

/** Fastify in front of MiniSearch, for titles only. */
export async function startMiniSearch({ catalog, reference, referenceFile, now }: PeerSetting): Promise<Peer> {
  const file = join(catalog.folder, 'peer.sqlite')
  await fillSqlite(file, await everythingIn(catalog), reference, now)
  return await Peer.start({
    name: 'Fastify + MiniSearch',
    program: 'serve-peer.js',
    args: ['minisearch', referenceFile, file],
    // A million titles take more heap than Node.js grants by itself.
    nodeArgs: ['--max-old-space-size=8192'],
    kinds: ['title'],
  })
}
