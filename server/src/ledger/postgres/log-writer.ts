import { randomUUID } from 'node:crypto'
import type { CatalogCounts, LogPosition } from '../../catalog/storage/meta.ts'
import type { Batch, BatchSink, CatalogMark } from '../../catalog/write/batch.ts'
import { DatabaseUnavailableError, type Session } from '../../lib/postgres/session.ts'
import {
  addExtras,
  type CommitExtras,
  EMPTY_EXTRAS,
  encodeBody,
  encodeChanges,
  encodeShow,
  INSERT_CHANGES,
  insertDocuments,
  writeExtras,
} from './log-rows.ts'

/** Statements that may await their reply before the next batch is made. */
const MAX_IN_FLIGHT = 4

/** Thrown when the reply to COMMIT was lost: PostgreSQL may have committed, or not. */
export class CommitUncertainError extends DatabaseUnavailableError {
  override readonly name = 'CommitUncertainError'
  readonly commit: number
  readonly token: string

  constructor(commit: number, token: string, cause: Error) {
    super('The connection to PostgreSQL was lost during COMMIT, and its outcome is not known', { cause })
    this.commit = commit
    this.token = token
  }
}

/**
 * Appends the batches of one commit to the log, within a transaction that the caller has begun and that `commit` ends.
 * Statements are pipelined: a batch is sent while the next one is made.
 */
export class LogWriter implements BatchSink {
  readonly position: LogPosition
  /** Tells this commit from another writer's commit of the same number. */
  private readonly token = randomUUID()
  private readonly session: Session
  private readonly outline: [at: number, shows: number][] = []
  private extras: CommitExtras = EMPTY_EXTRAS
  private ordinal = 0
  private readonly inFlight = new Set<Promise<void>>()
  private failure: Error | undefined
  /** Whether PostgreSQL has confirmed the commit. */
  isCommitted = false

  constructor(session: Session, position: LogPosition) {
    this.session = session
    this.position = position
  }

  /** Sends a batch, with the document numbers of its shows by id. */
  async append(batch: Batch, docs: ReadonlyMap<string, number>): Promise<void> {
    const number = this.outline.length
    this.outline.push([batch.at, batch.shows.length])
    this.extras = addExtras(this.extras, batch)
    const documents: unknown[] = []
    for (const show of batch.shows) documents.push(this.ordinal++, docs.get(show.id), encodeShow(show))
    if (documents.length > 0) this.send(insertDocuments(documents.length / 3), [this.position.commit, ...documents])
    if (batch.changes.length > 0) {
      this.send(INSERT_CHANGES, [this.position.commit, number, ...encodeChanges(batch.changes)])
    }
    // Batches are made synchronously: without a turn of the event loop, the socket would send nothing.
    await new Promise((resolve) => setImmediate(resolve))
    while (this.inFlight.size > MAX_IN_FLIGHT && this.failure === undefined) await Promise.race(this.inFlight)
    if (this.failure !== undefined) throw this.failure
  }

  /** Writes the commit's own row and the log head, and commits the transaction. */
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
      throw new CommitUncertainError(commit, token, error)
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
