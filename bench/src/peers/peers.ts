import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Contestant } from '../contestant.ts'
import type { Marquee } from '../marquee.ts'
import type { Catalog } from '../support/catalog.ts'
import { say } from '../support/progress.ts'
import { startMiniSearch } from './minisearch/minisearch.ts'
import type { PeerSetting } from './peer-setting.ts'
import { startPostgraphile } from './postgraphile/postgraphile.ts'
import { startPostgresPeer } from './postgres/postgres.ts'
import { readReference } from './rendering/reference.ts'
import { startSqlite } from './sqlite/sqlite.ts'

const PEERS = {
  postgres: startPostgresPeer,
  postgraphile: startPostgraphile,
  sqlite: startSqlite,
  minisearch: startMiniSearch,
} satisfies Record<string, (setting: PeerSetting) => Promise<Contestant>>

export type PeerName = keyof typeof PEERS

/** The peers by the names that the command line knows them by. */
export const PEER_NAMES = Object.keys(PEERS) as PeerName[]

/** Fills peers with what is in the catalog, and starts them. */
export async function startPeers(
  names: readonly PeerName[],
  catalog: Catalog,
  marquee: Marquee,
): Promise<Contestant[]> {
  const reference = await readReference(marquee)
  const referenceFile = join(catalog.folder, 'reference.json')
  writeFileSync(referenceFile, JSON.stringify(reference))
  const setting: PeerSetting = { catalog, reference, referenceFile, now: Math.floor(Date.now() / 1000) }
  const peers: Contestant[] = []
  for (const name of names) {
    say(`filling and starting a peer: ${name}`)
    peers.push(await PEERS[name](setting))
  }
  return peers
}
