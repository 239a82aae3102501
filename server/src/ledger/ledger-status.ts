import type { Catalog } from '../catalog/catalog.ts'
import type { Environment } from '../catalog/storage/environment.ts'
import { DatabaseUnavailableError, Session } from '../lib/postgres/session.ts'
import type { TaskHolder } from './ledger.ts'
import { LocalTaskLock } from './local-ledger.ts'
import { readHead } from './postgres/log-rows.ts'
import { PostgresTaskLock } from './postgres/postgres-task-lock.ts'

/** The state of a catalog relative to its system of record, for `marquee status`. */
export interface LedgerStatus {
  readonly kind: 'local' | 'postgres'
  /** Only with PostgreSQL: whether it replies, the last commit applied here, the last one in the log, and the difference. */
  readonly connected?: boolean
  /** Why PostgreSQL cannot be reached, or why the catalog does not fit the settings. */
  readonly problem?: string
  readonly commit?: number
  readonly lastCommit?: number
  readonly behind?: number
  /** The processes that import and that run the window scheduler. */
  readonly importing?: TaskHolder | undefined
  readonly keeping?: TaskHolder | undefined
}

const OWN_CATALOG_PROBLEM =
  'The folder has a catalog of its own, which is no copy of the one that DATABASE_URL names; ' +
  '`marquee migrate --to DATABASE_URL` moves it there'

/** Reads the status of the ledger: local without a database URL. */
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

/** How far a replica has come in the log; sent from the follower to the other processes of its node. */
export interface ReplicationState {
  /** Whether the last poll reached PostgreSQL. */
  readonly connected: boolean
  /** The last commit applied to the replica. */
  readonly commit: number
  /** The last commit in the log, as of the last poll. */
  readonly lastCommit: number
  /** When PostgreSQL last replied, in Unix seconds. */
  readonly contactAt?: number
  /** Since when the replica has been behind the log, in Unix seconds. */
  readonly behindSince?: number
  /** Whether this node is the leader, which runs the window scheduler. */
  readonly isLeader?: boolean
}

/** The replication lag: for how many seconds the replica has been behind the log. */
export function lagSeconds({ behindSince }: ReplicationState, now: number): number {
  return behindSince === undefined ? 0 : Math.max(0, now - behindSince)
}
