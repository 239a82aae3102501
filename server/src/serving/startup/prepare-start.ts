import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import type { Logger } from 'pino'
import type { KeyStore } from '../../accounts/keys/key-store.ts'
import type { Settings } from '../../config.ts'
import { ReplicaDirectory } from '../../ledger/postgres/replica-directory.ts'
import { systemClock, systemTimer } from '../../lib/clock.ts'
import { DamagedFileError } from '../../lib/lmdb/lmdb-file.ts'
import { checkPagesInThread } from '../../lib/lmdb/page-check.ts'
import { openDatabase } from '../../lib/postgres/database.ts'
import { DatabaseRefusedError, DatabaseUnavailableError } from '../../lib/postgres/session.ts'

/** A port that no other program can take until it is released. */
interface ReservedPort {
  readonly port: number
  release(): Promise<void>
}

/** Takes a free port of an address by listening on it. Connections are closed at once. */
export async function reservePort(host: string): Promise<ReservedPort> {
  const server = createServer((socket) => socket.destroy())
  server.listen(0, host)
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    release: async () => {
      server.close()
      await once(server, 'close')
    },
  }
}

/** How long the start waits for the check of the pages, which goes on beside the service where files are large. */
const MAX_PAGE_CHECK_WAIT_MS = 200

/** Checks every page of the accounts and of the catalog, in a thread. Throws if one is damaged. */
export async function checkDataPages(dataDir: string): Promise<void> {
  for (const part of ['accounts', 'catalog']) await checkPagesInThread(join(dataDir, part))
}

/** Throws if a page is found to be damaged before anything reads it. Returns that of a node's catalog, which is copied again. */
export async function findEarlyDamage(check: Promise<void>, { databaseUrl }: Settings): Promise<string | undefined> {
  try {
    await Promise.race([check, systemTimer.sleep(MAX_PAGE_CHECK_WAIT_MS)])
    return undefined
  } catch (error) {
    if (databaseUrl !== undefined && error instanceof DamagedFileError && error.isCatalog) return error.message
    throw error
  }
}

/** How long a node without a copy waits for PostgreSQL, which may be starting beside it. */
const MAX_DATABASE_WAIT_SECONDS = 30
const DATABASE_RETRY_MS = 1_000

/**
 * Makes sure that a node has something to serve, or will have: a copy of the ledger, or a database that it can be copied
 * from. Throws if it has neither, so that the service does not start.
 */
export async function prepareReplica(
  dataDir: string,
  url: string,
  logger: Logger,
  damage: string | undefined,
): Promise<void> {
  const directory = new ReplicaDirectory(dataDir)
  if (damage !== undefined) logger.error({ event: 'catalog_damaged', table: 'pages' }, damage)
  await directory.prepare(damage)
  const startedAt = systemClock()
  for (let isFirst = true; !(await directory.hasCopy()); isFirst = false) {
    try {
      const session = await openDatabase(url, { purpose: 'start' })
      await session.close()
      return
    } catch (error) {
      const isPassing = error instanceof DatabaseUnavailableError && !(error instanceof DatabaseRefusedError)
      if (!isPassing || systemClock() - startedAt >= MAX_DATABASE_WAIT_SECONDS) throw error
      if (isFirst) logger.warn({ event: 'database_awaited', problem: error.message }, 'waiting for PostgreSQL')
      await systemTimer.sleep(DATABASE_RETRY_MS)
    }
  }
}

const DEMO_KEY_NAME = 'demo, renewed at each start'

/** The keys that the demo prints, one of each source. */
interface DemoKeys {
  readonly direct: string
  readonly marketplace: string
}

/**
 * Creates a pair of demo keys and revokes that of the previous start. Only hashes are stored, so the old pair could not
 * be printed again.
 */
export async function renewDemoKeys(keys: KeyStore, now: number): Promise<DemoKeys> {
  const context = { by: 'service', now } as const
  for (const { id, name, revokedAt } of keys.list()) {
    if (name === DEMO_KEY_NAME && revokedAt === undefined) await keys.revoke(id, context)
  }
  const create = async (source: 'direct' | 'marketplace') =>
    (await keys.create({ source, plan: 'unlimited', name: DEMO_KEY_NAME }, context)).key
  return { direct: await create('direct'), marketplace: await create('marketplace') }
}

/** The text that a start with the demo prints: the keys and a request that works when pasted. */
export function demoBanner(address: string, keys: DemoKeys, { marketplace }: Pick<Settings, 'marketplace'>): string {
  return `
Marquee serves the demo catalog at ${address}
Its titles are real or made up; who streams them, where and for how much is invented.

  direct key       ${keys.direct}       on ${address}/v4, header X-API-Key
  marketplace key  ${keys.marketplace}  on ${address}, header X-${marketplace}-API-Key
  reference        ${address}/docs

Both keys last until the next start; \`npx marquee keys create\` makes one that stays. Try:

  curl -H 'X-API-Key: ${keys.direct}' '${address}/v4/shows/tt0068646?country=us'

`
}

/** The text that `serve --demo` prints if there is another catalog. */
export function noDemoBanner(address: string, { dataDir }: Pick<Settings, 'dataDir'>): string {
  return `
Marquee serves ${address}
The folder ${dataDir} has a catalog of its own, so no demo was made, and no keys for it.
\`npx marquee keys create\` makes a key; with MARQUEE_DATA set to a new folder, \`serve --demo\` makes the demo there.

`
}

/** The text that a start without a catalog prints: what to do next. */
export function emptyCatalogBanner(address: string, { dataDir }: Pick<Settings, 'dataDir'>): string {
  return `
Marquee serves ${address}
The folder ${dataDir} holds no catalog yet, so the service is not ready. What to do next, in another terminal:

  npx marquee admin create you@example.com   make an admin; all that follows is also a form at ${address}/operator/data
  npx marquee demo --import                  try the demo: a catalog that is made up
  npx marquee import FILE                    import a feed; with --guess any CSV table
  npx marquee sync tmdb --countries us       connect a source: copy what streams where from TMDB
  npx marquee keys create                    make a key for the API

`
}
