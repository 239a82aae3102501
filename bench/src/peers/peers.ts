import type { Contestant } from '../contestant.ts'
import type { Marquee } from '../marquee.ts'
import type { Catalog } from '../support/catalog.ts'

/** The peers by the names that the command line knows them by. */
export const PEER_NAMES = [] as const

export type PeerName = (typeof PEER_NAMES)[number]

/** Fills and starts peers. */
export async function startPeers(
  _names: readonly PeerName[],
  _catalog: Catalog,
  _marquee: Marquee,
): Promise<Contestant[]> {
  return []
}
