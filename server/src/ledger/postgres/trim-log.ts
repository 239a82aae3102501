import type { Session } from '../../database/session.ts'
import { lockHead } from './ledger-head.ts'

/**
 * Lets go of commits that are older than so many days, of documents that newer ones have replaced since, and of changes
 * that were forgotten. A node that has slept for longer copies the catalog anew. Returns how many commits went.
 */
export async function trimLog(session: Session, days: number): Promise<number> {
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
