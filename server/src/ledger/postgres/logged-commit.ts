import type { Batch, CatalogMark } from '../../catalog/write/batch.ts'
import type { Session } from '../../lib/postgres/session.ts'
import type { Change } from '../../model/change.ts'
import { type CommitExtras, decodeBody, toBatches, unpackShow } from './log-rows.ts'

/** Rows that are fetched at a time: on the wire they take twice the room that they take in memory. */
const PAGE_ROWS = 1_000

/** A commit as the ledger holds it. Bodies stay packed until they are applied, so even a large one is small. */
export class LoggedCommit {
  readonly number: number
  /** What a catalog has come to with the commit. */
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

  /** Reads a commit; undefined where the ledger does not have it, or no longer. */
  static async read(session: Session, number: number): Promise<LoggedCommit | undefined> {
    const [row] = await session.query<CommitRow>(
      `SELECT commit_number AS number, version, edition, next_doc AS "nextDoc", outline, extras
       FROM marquee_commits WHERE commit_number = $1`,
      [number],
    )
    if (row === undefined) return undefined
    const documents: Buffer[] = []
    for (let last = -1; ; ) {
      const page = await session.query<{ ordinal: number; body: Buffer }>(
        `SELECT ordinal, body FROM marquee_documents WHERE commit_number = $1 AND ordinal > $2
         ORDER BY ordinal LIMIT ${PAGE_ROWS}`,
        [number, last],
      )
      for (const { body } of page) documents.push(body)
      last = page.at(-1)?.ordinal ?? last
      if (page.length < PAGE_ROWS) break
    }
    const changes = new Map<number, Buffer>()
    for (let last = -1; ; ) {
      const page = await session.query<{ batch: number; body: Buffer }>(
        `SELECT batch, body FROM marquee_changes WHERE commit_number = $1 AND batch > $2 ORDER BY batch LIMIT ${PAGE_ROWS}`,
        [number, last],
      )
      for (const { batch, body } of page) changes.set(batch, body)
      last = page.at(-1)?.batch ?? last
      if (page.length < PAGE_ROWS) break
    }
    return new LoggedCommit(row, documents, changes)
  }

  /** The batches of the commit, in order. */
  *batches(): Iterable<Batch> {
    let next = 0
    for (const [number, [at, count]] of this.outline.entries()) {
      const shows = this.documents.slice(next, next + count).map(unpackShow)
      next += count
      const changes = this.changes.get(number)
      yield { at, shows, changes: changes === undefined ? [] : (decodeBody(changes) as Change[]) }
    }
    if (this.extras !== null) yield* toBatches(decodeBody(this.extras) as CommitExtras, this.outline.at(-1)?.[0] ?? 0)
  }
}

interface CommitRow {
  readonly number: number
  readonly version: number
  readonly edition: string
  readonly nextDoc: number
  readonly outline: string
  readonly extras: Buffer | null
}
