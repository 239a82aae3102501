import type { Catalog } from '../../catalog/catalog.ts'
import type { CatalogMark } from '../../catalog/write/batch.ts'
import { DatabaseUnavailableError, type Session } from '../../lib/postgres/session.ts'
import { UserError } from '../../lib/user-error.ts'

/** The head of the log: its bounds, and the mark of a catalog that has applied its last commit. */
export interface LogHead extends CatalogMark {
  readonly id: string
  /** `filling` while a catalog is being migrated into the ledger; nobody else may read or commit then. */
  readonly state: 'ready' | 'filling'
  readonly lastCommit: number
  /** The oldest commit that a replica can replay. */
  readonly firstCommit: number
}

/** Thrown while a catalog is being migrated into the ledger. */
export class LedgerFillingError extends UserError {
  override readonly name = 'LedgerFillingError'

  constructor() {
    super('A catalog is being moved into this database; run `marquee migrate` again to finish that')
  }
}

const HEAD_COLUMNS = `id, state, last_commit AS "lastCommit", first_commit AS "firstCommit", version, edition,
  next_doc AS "nextDoc"`

/** Reads the head. */
export async function readHead(session: Session): Promise<LogHead> {
  const [head] = await session.quickQuery<LogHead>(`SELECT ${HEAD_COLUMNS} FROM marquee_ledger WHERE only_row = 1`)
  return assertHead(head)
}

/** Thrown when another session keeps the head of the log locked. */
export class LedgerLockedError extends UserError {
  override readonly name = 'LedgerLockedError'
}

/** How long PostgreSQL lets a session wait for the head: one whose process is gone does not wait on. */
const LOCK_TIMEOUT_MS = 5_000

/** How often the head is asked for: about a minute, longer than any commit takes. */
const MAX_LOCK_ATTEMPTS = 12

/** What PostgreSQL replies when a lock is not free in time. */
const LOCK_NOT_AVAILABLE = '55P03'

/**
 * Reads the head and locks its row: no other writer commits until the end of the transaction. Waits for another writer, and
 * says in the end which one it waited for.
 */
export async function lockHead(session: Session, timeoutMs = LOCK_TIMEOUT_MS): Promise<LogHead> {
  const select = `SELECT ${HEAD_COLUMNS} FROM marquee_ledger WHERE only_row = 1 FOR UPDATE`
  // Nearly always nobody else holds it, and one reply is enough.
  const [free] = await session.query<LogHead>(`${select} SKIP LOCKED`)
  if (free !== undefined) return free
  await session.query(`SET LOCAL lock_timeout = ${timeoutMs}`)
  for (let attempt = 1; ; attempt++) {
    await session.query('SAVEPOINT head')
    try {
      const [head] = await session.query<LogHead>(select)
      await session.query('SET LOCAL lock_timeout = 0')
      return assertHead(head)
    } catch (error) {
      if ((error as { code?: string }).code !== LOCK_NOT_AVAILABLE) throw error
      await session.query('ROLLBACK TO SAVEPOINT head')
      if (attempt === MAX_LOCK_ATTEMPTS) throw new LedgerLockedError(await describeLocker(session))
    }
  }
}

/** Which session holds the head, and since when. */
async function describeLocker(session: Session): Promise<string> {
  const [locker] = await session.query<{ pid: number; name: string; address: string | null; since: Date }>(
    `SELECT a.pid, a.application_name AS name, host(a.client_addr) AS address, a.xact_start AS since
     FROM pg_locks l JOIN pg_stat_activity a ON a.pid = l.pid
     WHERE l.relation = 'marquee_ledger'::regclass AND l.granted AND l.pid <> pg_backend_pid()
     ORDER BY a.xact_start LIMIT 1`,
  )
  if (locker === undefined) return 'The ledger is locked by another session of PostgreSQL; try again'
  const { pid, name, address, since } = locker
  return (
    `The ledger is locked by "${name}"${address === null ? '' : ` at ${address}`} (PostgreSQL's process ${pid}) since ` +
    `${since.toISOString()}; if it hangs, SELECT pg_terminate_backend(${pid}) ends it`
  )
}

/** The mark of a catalog, to compare with that of the log. */
export function catalogMark(catalog: Catalog): CatalogMark {
  return { version: catalog.version(), edition: catalog.contentHash(), nextDoc: catalog.nextDoc() }
}

/** Whether two marks are of the same catalog at the same version. */
export function isSameMark(one: CatalogMark, other: CatalogMark): boolean {
  return one.version === other.version && one.edition === other.edition && one.nextDoc === other.nextDoc
}

function assertHead(head: LogHead | undefined): LogHead {
  if (head === undefined) throw new DatabaseUnavailableError('The database holds no ledger: is it being restored?')
  return head
}

/**
 * Deletes commits older than `days`, with the document versions that newer ones have replaced and the changes that were
 * truncated. A replica that is further behind must be bootstrapped again. Returns how many commits were deleted.
 */
export async function truncateLog(session: Session, days: number): Promise<number> {
  return session.transaction(async () => {
    const { lastCommit, firstCommit } = await lockHead(session)
    const [row] = await session.query<{ first: number | null }>(
      `SELECT min(commit_number) AS first FROM marquee_commits WHERE made_at > now() - $1 * interval '1 day'`,
      [days],
    )
    const first = row?.first ?? lastCommit + 1
    if (first <= firstCommit) return 0
    await session.query('UPDATE marquee_ledger SET first_commit = $1 WHERE only_row = 1', [first])
    await session.query('DELETE FROM marquee_commits WHERE commit_number < $1', [first])
    await session.query(
      `DELETE FROM marquee_documents old WHERE commit_number < $1 AND EXISTS (
         SELECT 1 FROM marquee_documents newer WHERE newer.doc = old.doc AND newer.commit_number < $1
         AND (newer.commit_number > old.commit_number
              OR (newer.commit_number = old.commit_number AND newer.ordinal > old.ordinal)))`,
      [first],
    )
    await session.query(
      `DELETE FROM marquee_changes old WHERE commit_number < $1 AND EXISTS (
         SELECT 1 FROM marquee_forgotten f
         WHERE f.commit_number < $1 AND f.commit_number >= old.commit_number AND f.before > old.newest)`,
      [first],
    )
    return first - firstCommit
  })
}
