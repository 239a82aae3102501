import { isDeepStrictEqual } from 'node:util'
import { inflateRawSync } from 'node:zlib'
import type { Catalog } from '../../catalog/catalog.ts'
import { DocumentSnapshot } from '../../catalog/documents/document-snapshot.ts'
import { type CatalogProblem, ProblemCollector } from '../../catalog/verify/problems.ts'
import type { CatalogMark } from '../../catalog/write/batch.ts'
import type { Session } from '../../lib/postgres/session.ts'
import { UserError } from '../../lib/user-error.ts'
import type { Show } from '../../model/show.ts'
import { catalogMark, isSameMark, readHead } from './log-head.ts'
import { decodeShow, readDocuments, storedShowJson } from './log-rows.ts'

/** Documents per query. */
const PAGE_ROWS = 500

/**
 * Compares a replica with the log as of the replica's position: version, content hash, counts and every document. The
 * replica may follow the log meanwhile, since all reads are of the snapshot of the start.
 */
export async function verifyAgainstLog(
  session: Session,
  catalog: Catalog,
  onProgress: (done: number, total: number) => void,
): Promise<CatalogProblem[]> {
  const problems = new ProblemCollector()
  // In one turn of the event loop: snapshot, position and mark are of one version.
  const snapshot = new DocumentSnapshot(catalog.environment, catalog.dictionary)
  try {
    const position = catalog.logPosition()
    const mark = catalogMark(catalog)
    const counts = catalog.counts()
    if (position === undefined) throw new UserError('The catalog is no replica of a ledger: it has no log position')
    const { id } = await readHead(session)
    if (id !== position.ledger) {
      problems.add('log', 'different', `the catalog follows the ledger ${position.ledger}, the database holds ${id}`)
      return problems.list()
    }
    const [commit] = await session.query<CatalogMark & { counts: string }>(
      'SELECT version, edition, next_doc AS "nextDoc", counts FROM marquee_commits WHERE commit_number = $1',
      [position.commit],
    )
    // The row of the last commit may have been truncated; the documents are there all the same.
    if (commit !== undefined) {
      const { counts: stored, ...expected } = commit
      if (!isSameMark(expected, mark)) problems.add('log', 'different', `the mark of commit ${position.commit}`)
      if (!isDeepStrictEqual(JSON.parse(stored), counts)) {
        problems.add('log', 'different', `the counts of commit ${position.commit}`)
      }
    }
    for (let from = 0; from < mark.nextDoc; from += PAGE_ROWS) {
      const to = Math.min(from + PAGE_ROWS, mark.nextDoc)
      const bodies = await readDocuments(session, from, to, position.commit)
      bodies.forEach((body, i) => {
        compareDocument(snapshot, from + i, body, problems)
      })
      onProgress(to, mark.nextDoc)
    }
    return problems.list()
  } finally {
    snapshot.close()
  }
}

function compareDocument({ documents }: DocumentSnapshot, doc: number, body: Buffer, problems: ProblemCollector): void {
  let show: Show | undefined
  try {
    show = documents.show(doc)
  } catch {
    // The verification against itself has named it.
  }
  if (show === undefined) problems.add('log', 'missing', `document ${doc} in the catalog`)
  else if (storedShowJson(show) !== inflateRawSync(body).toString() && !isDeepStrictEqual(show, decodeShow(body))) {
    problems.add('log', 'different', `document ${doc}, show ${show.id}`)
  }
}
