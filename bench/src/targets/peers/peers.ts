import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Catalog, exportCatalog } from '../../data/catalog.ts'
import { logProgress } from '../../lib/output.ts'
import type { Marquee } from '../marquee.ts'
import type { Target } from '../target.ts'
import { fillGroonga } from './groonga/fill.ts'
import { groongaRequest, parseGroongaPage } from './groonga/groonga-request.ts'
import { hasGroonga, startGroonga } from './groonga/groonga-server.ts'
import { Peer } from './peer.ts'
import { graphqlRequest, parseGraphqlPage } from './postgraphile/graphql-request.ts'
import { fillPostgres } from './postgres/fill.ts'
import { type Postgres, startPostgres } from './postgres/postgres-server.ts'
import { type Reference, readReference } from './prerender/reference.ts'
import { fillSqlite } from './sqlite/fill.ts'

/** What a peer is started with. */
interface PeerSetup {
  readonly catalog: Catalog
  readonly reference: Reference
  /** The reference data as a file, for the server process. */
  readonly referenceFile: string
  /** Current time in Unix seconds: offers are prerendered as of now. */
  readonly now: number
}

const PEERS = {
  postgres: startPostgresPeer,
  postgraphile: startPostgraphile,
  sqlite: startSqlite,
  minisearch: startMiniSearch,
  groonga: startGroongaPeer,
} satisfies Record<string, (setup: PeerSetup) => Promise<Target | undefined>>

/** A peer on the command line. */
export type PeerName = keyof typeof PEERS

/** All peers. */
export const PEER_NAMES = Object.keys(PEERS) as PeerName[]

/** Loads the content of a catalog into peers and starts them. */
export async function startPeers(names: readonly PeerName[], catalog: Catalog, marquee: Marquee): Promise<Target[]> {
  const reference = await readReference(marquee)
  const referenceFile = join(catalog.folder, 'reference.json')
  writeFileSync(referenceFile, JSON.stringify(reference))
  const setup: PeerSetup = { catalog, reference, referenceFile, now: Math.floor(Date.now() / 1000) }
  const peers: Target[] = []
  for (const name of names) {
    logProgress(`filling and starting a peer: ${name}`)
    const peer = await PEERS[name](setup)
    if (peer) peers.push(peer)
  }
  return peers
}

/** Fastify with PostgreSQL. The database server is pinned to the same core. */
async function startPostgresPeer(setup: PeerSetup): Promise<Peer> {
  const postgres = await startFilledPostgres(setup)
  return await Peer.start(
    {
      name: 'Fastify + PostgreSQL',
      kinds: ['show', 'filters', 'title', 'changes', 'countries'],
      pids: [postgres.pid],
      stop: () => postgres.stop(),
    },
    { program: 'peer-server.js', args: ['postgres', setup.referenceFile, JSON.stringify(postgres.connection)] },
  )
}

/** PostGraphile on the same database. */
async function startPostgraphile(setup: PeerSetup): Promise<Peer> {
  const postgres = await startFilledPostgres(setup)
  return await Peer.start(
    {
      name: 'PostGraphile',
      kinds: ['show', 'filters', 'title', 'changes'],
      plainOnly: true,
      pids: [postgres.pid],
      stop: () => postgres.stop(),
      request: graphqlRequest,
      parsePage: parseGraphqlPage,
    },
    { program: 'postgraphile/postgraphile-server.js', args: [JSON.stringify(postgres.connection)] },
  )
}

let sharedPostgres: Promise<Postgres> | undefined

/** The PostgreSQL server with the catalog, shared by two peers. */
function startFilledPostgres({ catalog, reference, now }: PeerSetup): Promise<Postgres> {
  sharedPostgres ??= (async () => {
    const postgres = await startPostgres(join(catalog.folder, 'peer-postgres'))
    await fillPostgres(postgres.connection, await exportCatalog(catalog), reference, now)
    return postgres
  })()
  return sharedPostgres
}

/** Fastify with SQLite in the same process. */
async function startSqlite(setup: PeerSetup): Promise<Peer> {
  return await Peer.start(
    { name: 'Fastify + SQLite', kinds: ['show', 'filters', 'title', 'changes', 'countries'] },
    { program: 'peer-server.js', args: ['sqlite', setup.referenceFile, await buildSqliteFile(setup)] },
  )
}

/** Fastify with MiniSearch, for title searches only; the texts of the shows come from SQLite. */
async function startMiniSearch(setup: PeerSetup): Promise<Peer> {
  return await Peer.start(
    { name: 'Fastify + MiniSearch', kinds: ['title'] },
    {
      program: 'peer-server.js',
      args: ['minisearch', setup.referenceFile, await buildSqliteFile(setup)],
      // A million titles need more heap than the default of Node.js.
      nodeArgs: ['--max-old-space-size=8192'],
    },
  )
}

/** Groonga, a search engine, behind its own HTTP server. */
async function startGroongaPeer({ catalog, reference, now }: PeerSetup): Promise<Peer | undefined> {
  if (!hasGroonga()) {
    logProgress('Groonga is left out: install groonga-bin and groonga-httpd')
    return undefined
  }
  const folder = join(catalog.folder, 'peer-groonga')
  const database = await fillGroonga(folder, await exportCatalog(catalog), reference, now)
  const { process, port } = await startGroonga(database)
  return new Peer(
    {
      name: 'Groonga',
      kinds: ['show', 'filters', 'title', 'changes'],
      plainOnly: true,
      request: groongaRequest,
      parsePage: parseGroongaPage,
    },
    process,
    port,
  )
}

async function buildSqliteFile({ catalog, reference, now }: PeerSetup): Promise<string> {
  const file = join(catalog.folder, 'peer-sqlite.db')
  await fillSqlite(file, await exportCatalog(catalog), reference, now)
  return file
}
