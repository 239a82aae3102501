import { CatalogDivergedError } from '../../catalog/write/batch.ts'
import type { Session } from '../../database/session.ts'

/** The packed documents with numbers from one up to another, as of a commit. Throws if one is missing. */
export async function readDocuments(session: Session, from: number, to: number, commit: number): Promise<Buffer[]> {
  const rows = await session.query<{ body: Buffer }>(
    `SELECT DISTINCT ON (doc) doc, body FROM marquee_documents
     WHERE doc >= $1 AND doc < $2 AND commit_number <= $3
     ORDER BY doc, commit_number DESC, ordinal DESC`,
    [from, to, commit],
  )
  if (rows.length !== to - from) {
    throw new CatalogDivergedError(`The ledger has ${rows.length} of the documents from ${from} to ${to - 1}`)
  }
  return rows.map(({ body }) => body)
}
