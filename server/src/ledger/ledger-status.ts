import type { Catalog } from '../catalog/catalog.ts'
import type { Environment } from '../catalog/storage/environment.ts'
import { DatabaseUnavailableError, Session } from '../lib/postgres/session.ts'
import type { TaskHolder } from './ledger.ts'
import { LocalTaskLock } from './local-ledger.ts'
import { readHead } from './postgres/log-head.ts'
import { PostgresTaskLock } from './postgres/postgres-task-lock.ts'

/** How the catalog of a data directory stands to its system of record. */
export interface LedgerStatus {
  readonly kind: 'local' | 'postgres'
  /** Only with PostgreSQL: whether it answers, the commit that this catalog holds, and those that it lacks. */
  readonly connected?: boolean
  /** Why it does not answer, or why it cannot be what the settings say. */
  readonly problem?: string
  readonly commit?: number
  readonly lastCommit?: number
  readonly behind?: number
  /** Who does what only one process may do at a time. */
  readonly importing?: TaskHolder | undefined
  readonly keeping?: TaskHolder | undefined
}

const OWN_CATALOG_PROBLEM =
  'The folder has a catalog of its own, which is no copy of the one that DATABASE_URL names; ' +
  '`marquee migrate --to DATABASE_URL` moves it there'

/** Looks at the ledger that the settings name. */
export async function readLedgerStatus(
  catalog: Catalog,
  environment: Environment,
  databaseUrl: string | undefined,
): Promise<LedgerStatus> {
  const ownCatalog = catalog.logPosition() === undefined && catalog.version() > 0
  if (databaseUrl === undefined || ownCatalog) {
    const importing = await new LocalTaskLock(environment).holder('import')
    return { kind: 'local', ...(databaseUrl !== undefined && { problem: OWN_CATALOG_PROBLEM }), importing }
  }
  const commit = catalog.logPosition()?.commit ?? 0
  try {
    const open = () => Session.open(databaseUrl, { purpose: 'status' })
    const session = await open()
    try {
      const { lastCommit } = await readHead(session)
      const tasks = new PostgresTaskLock(async () => session, open)
      return {
        kind: 'postgres',
        connected: true,
        commit,
        lastCommit,
        behind: Math.max(0, lastCommit - commit),
        importing: await tasks.holder('import'),
        keeping: await tasks.holder('keep'),
      }
    } finally {
      await session.close()
    }
  } catch (error) {
    if (!(error instanceof DatabaseUnavailableError)) throw error
    return { kind: 'postgres', connected: false, problem: error.message, commit }
  }
}

/** How a node stands to its ledger. */
export interface ReplicationState {
  /** Whether the ledger answered when it was last asked. */
  readonly connected: boolean
  /** The last commit that the node's catalog holds. */
  readonly commit: number
  /** The last commit that the node has heard of. */
  readonly lastCommit: number
  /** When the ledger last answered, in Unix seconds. */
  readonly contactAt?: number
  /** Since when the node has known of commits that it does not hold. */
  readonly behindSince?: number
  /** Whether this node keeps the windows of offers for all. */
  readonly keeper?: boolean
}

/** For how many seconds the node has known of commits that it does not hold. */
export function lagSeconds({ behindSince }: ReplicationState, now: number): number {
  return behindSince === undefined ? 0 : Math.max(0, now - behindSince)
}
