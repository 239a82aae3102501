import type { Batch, CatalogMark } from '../../catalog/write/batch.ts'
import type { Session } from '../../lib/postgres/session.ts'
import type { Change } from '../../model/change.ts'
import { type CommitExtras, decodeBody, decodeShow, toBatches } from './log-rows.ts'

/** Rows per query: the wire format takes twice the memory of the decoded rows. */
const PAGE_ROWS = 1_000

/** A commit read from the log. Bodies stay deflated until they are applied, so that a large commit fits into memory. */
export class LoggedCommit {
  readonly number: number
  /** The mark that a catalog has after this commit; a replica compares its own. */
  readonly mark: CatalogMark
  private readonly outline: readonly (readonly [at: number, shows: number])[]
  private readonly extras: Buffer | null
  private readonly documents: readonly Buffer[]
  private readonly changes: ReadonlyMap<number, Buffer>

  private constructor(row: CommitRow, documents: readonly Buffer[], changes: ReadonlyMap<number, Buffer>) {
    this.number = row.number
    this.mark = { version: row.version, edition: row.edition, nextDoc: row.nextDoc }
    this.outline = JSON.parse(row.outline)
    this.extras = row.extras
    this.documents = documents
    this.changes = changes
  }

  /** Reads a commit; undefined if the log does not have it, or no longer. */
  static async read(session: Session, number: number): Promise<LoggedCommit | undefined> {
    const [row] = await session.query<CommitRow>(
      `SELECT commit_number AS number, version, edition, next_doc AS "nextDoc", outline, extras
       FROM marquee_commits WHERE commit_number = $1`,
      [number],
    )
    if (row === undefined) return undefined
    const documents = await readPages(
      session,
      'SELECT ordinal AS position, body FROM marquee_documents WHERE commit_number = $1 AND ordinal > $2 ORDER BY ordinal',
      number,
    )
    const changes = await readPages(
      session,
      'SELECT batch AS position, body FROM marquee_changes WHERE commit_number = $1 AND batch > $2 ORDER BY batch',
      number,
    )
    const changesByBatch = new Map(changes.map(({ position, body }) => [position, body]))
    return new LoggedCommit(
      row,
      documents.map(({ body }) => body),
      changesByBatch,
    )
  }

  /** Decodes the batches of the commit, in order. */
  *batches(): Iterable<Batch> {
    let next = 0
    for (const [number, [at, count]] of this.outline.entries()) {
      const shows = this.documents.slice(next, next + count).map(decodeShow)
      next += count
      const changes = this.changes.get(number)
      yield { at, shows, changes: changes === undefined ? [] : (decodeBody(changes) as Change[]) }
    }
    if (this.extras !== null) yield* toBatches(decodeBody(this.extras) as CommitExtras, this.outline.at(-1)?.[0] ?? 0)
  }
}

interface BodyRow {
  readonly position: number
  readonly body: Buffer
}

interface CommitRow {
  readonly number: number
  readonly version: number
  readonly edition: string
  readonly nextDoc: number
  readonly outline: string
  readonly extras: Buffer | null
}

/** Reads all rows of a commit page by page; the query takes the commit and the position of the last row before. */
async function readPages(session: Session, query: string, commit: number): Promise<BodyRow[]> {
  const rows: BodyRow[] = []
  for (let last = -1; ; ) {
    const page = await session.query<BodyRow>(`${query} LIMIT ${PAGE_ROWS}`, [commit, last])
    rows.push(...page)
    last = page.at(-1)?.position ?? last
    if (page.length < PAGE_ROWS) return rows
  }
}
