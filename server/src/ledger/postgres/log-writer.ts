import { randomUUID } from 'node:crypto'
import { type CatalogCounts, type LogPosition, topListKey } from '../../catalog/storage/meta.ts'
import type { Batch, BatchSink, CatalogMark } from '../../catalog/write/batch.ts'
import { DatabaseUnavailableError, type Session } from '../../lib/postgres/session.ts'
import type { Change } from '../../model/change.ts'
import { addExtras, type CommitExtras, EMPTY_EXTRAS, encodeBody, packShow } from './log-rows.ts'

/** So much may be on its way to PostgreSQL before the next batch is made. */
const MAX_IN_FLIGHT = 4

/** Thrown when the answer to COMMIT did not come: the commit may have become true, or not. */
export class CommitUncertainError extends DatabaseUnavailableError {
  override readonly name = 'CommitUncertain'
  readonly commit: number
  readonly token: string

  constructor(commit: number, token: string, cause: Error) {
    super('PostgreSQL went away during a commit, and whether it became true is not known', { cause })
    this.commit = commit
    this.token = token
  }
}

/** Writes the batches of one commit into PostgreSQL, within a transaction that it ends. */
export class LogWriter implements BatchSink {
  readonly position: LogPosition
  /** Tells this commit from another one of the same number. */
  private readonly token = randomUUID()
  private readonly session: Session
  private readonly outline: [at: number, shows: number][] = []
  private extras: CommitExtras = EMPTY_EXTRAS
  private ordinal = 0
  private readonly inFlight = new Set<Promise<void>>()
  private failure: Error | undefined
  /** Whether the commit has become true. */
  isCommitted = false

  constructor(session: Session, position: LogPosition) {
    this.session = session
    this.position = position
  }

  async append(batch: Batch, docs: ReadonlyMap<string, number>): Promise<void> {
    const number = this.outline.length
    this.outline.push([batch.at, batch.shows.length])
    this.extras = addExtras(this.extras, batch)
    const documents: unknown[] = []
    for (const show of batch.shows) documents.push(this.ordinal++, docs.get(show.id), packShow(show))
    if (documents.length > 0) this.send(insertDocuments(documents.length / 3), [this.position.commit, ...documents])
    if (batch.changes.length > 0)
      this.send(INSERT_CHANGES, [this.position.commit, number, ...encodeChanges(batch.changes)])
    // Also where nothing has to be waited for, what was written must get its turn to be sent.
    await new Promise((resolve) => setImmediate(resolve))
    while (this.inFlight.size > MAX_IN_FLIGHT && this.failure === undefined) await Promise.race(this.inFlight)
    if (this.failure !== undefined) throw this.failure
  }

  async commit(end: CatalogMark & { readonly counts: CatalogCounts }): Promise<void> {
    await Promise.all(this.inFlight)
    if (this.failure !== undefined) throw this.failure
    const { session, extras, token } = this
    const { commit } = this.position
    await session.query(
      `INSERT INTO marquee_commits (commit_number, token, version, edition, next_doc, counts, outline, extras)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
      [
        commit,
        token,
        end.version,
        end.edition,
        end.nextDoc,
        JSON.stringify(end.counts),
        JSON.stringify(this.outline),
        extras === EMPTY_EXTRAS ? null : encodeBody(extras),
      ],
    )
    await writeExtras(session, commit, extras)
    await session.query(
      'UPDATE marquee_ledger SET last_commit = $1, version = $2, edition = $3, next_doc = $4 WHERE only_row = 1',
      [commit, end.version, end.edition, end.nextDoc],
    )
    try {
      await session.query('COMMIT')
    } catch (error) {
      if (!(error instanceof DatabaseUnavailableError)) throw error
      throw new CommitUncertainError(this.position.commit, token, error)
    }
    this.isCommitted = true
  }

  private send(text: string, values: readonly unknown[]): void {
    const sent: Promise<void> = this.session
      .query(text, values)
      .catch((error: Error) => {
        this.failure ??= error
      })
      .then(() => void this.inFlight.delete(sent))
    this.inFlight.add(sent)
  }
}

export const INSERT_CHANGES = 'INSERT INTO marquee_changes (commit_number, batch, newest, body) VALUES ($1, $2, $3, $4)'

/** The newest time among changes, and their body. */
export function encodeChanges(changes: readonly Change[]): [newest: number, body: Buffer] {
  return [changes.reduce((newest, { timestamp = 0 }) => Math.max(newest, timestamp), 0), encodeBody(changes)]
}

const insertTexts = new Map<number, string>()

/** Inserts so many documents of one commit, each given by ordinal, number and body. */
export function insertDocuments(count: number): string {
  let text = insertTexts.get(count)
  if (text === undefined) {
    const rows = Array.from({ length: count }, (_, i) => `($1, $${i * 3 + 2}, $${i * 3 + 3}, $${i * 3 + 4})`)
    text = `INSERT INTO marquee_documents (commit_number, ordinal, doc, body) VALUES ${rows.join(', ')}`
    insertTexts.set(count, text)
  }
  return text
}

/** Writes what is kept of a commit's extras for those who start from the documents. */
export async function writeExtras(session: Session, commit: number, extras: CommitExtras): Promise<void> {
  const { reference, topLists, sources, forgetChangesBefore } = extras
  if (reference !== undefined) {
    await session.query(
      'INSERT INTO marquee_reference VALUES (1, $1) ON CONFLICT (only_row) DO UPDATE SET body = excluded.body',
      [encodeBody(reference)],
    )
  }
  for (const list of topLists) {
    await session.query(
      `INSERT INTO marquee_top_lists VALUES ($1, $2) ON CONFLICT (place) DO UPDATE SET shows = excluded.shows`,
      [topListKey(list), JSON.stringify(list.shows)],
    )
  }
  for (const source of sources) {
    await session.query(
      'INSERT INTO marquee_sources VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET record = excluded.record',
      [source.name, JSON.stringify(source)],
    )
  }
  if (forgetChangesBefore !== undefined) {
    // A later forgetting that reaches as far makes an earlier one needless.
    await session.query('DELETE FROM marquee_forgotten WHERE before <= $1', [forgetChangesBefore])
    await session.query('INSERT INTO marquee_forgotten VALUES ($1, $2)', [commit, forgetChangesBefore])
  }
}
