import type { Catalog } from '../../catalog/catalog.ts'
import type { CatalogMark } from '../../catalog/write/batch.ts'
import type { Session } from '../../lib/postgres/session.ts'
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

/** Reads the head and locks its row: no other writer commits until the end of the transaction. */
export async function lockHead(session: Session): Promise<LogHead> {
  const [head] = await session.query<LogHead>(
    `SELECT ${HEAD_COLUMNS} FROM marquee_ledger WHERE only_row = 1 FOR UPDATE`,
  )
  return assertHead(head)
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
  if (head === undefined) throw new Error('The database holds no ledger, although it has the tables of one')
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
