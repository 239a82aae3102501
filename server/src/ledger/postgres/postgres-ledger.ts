import { randomUUID } from 'node:crypto'
import type { Catalog } from '../../catalog/catalog.ts'
import type { CatalogCounts, LogPosition } from '../../catalog/storage/meta.ts'
import type { Batch, BatchSink, CatalogMark } from '../../catalog/write/batch.ts'
import { backoffMs } from '../../lib/backoff.ts'
import { systemTimer } from '../../lib/clock.ts'
import { openDatabase } from '../../lib/postgres/database.ts'
import { DatabaseUnavailableError, type Session } from '../../lib/postgres/session.ts'
import type { Ledger } from '../ledger.ts'
import {
  addExtras,
  type CommitExtras,
  EMPTY_EXTRAS,
  encodeBody,
  encodeChanges,
  encodeShow,
  INSERT_CHANGES,
  insertDocuments,
  LedgerFillingError,
  lockHead,
  readHead,
  truncateLog,
  writeExtras,
} from './log-rows.ts'
import { PostgresTaskLock } from './postgres-task-lock.ts'
import type { ReplicaCatalog } from './replica-catalog.ts'

/** How the outcome of an uncertain commit is retried: for about half a minute. */
const MAX_OUTCOME_ATTEMPTS = 33
const OUTCOME_RETRY = { firstMs: 100, maxMs: 1_000 }

/**
 * Commits to the log in PostgreSQL and to the replica of this node. A commit locks the head of the log, applies what the
 * replica lacks, makes its batches against the replica, and appends them to the log as they are made. The replica's
 * transaction commits after PostgreSQL's: a process that dies in between finds the commit in the log.
 */
export class PostgresLedger implements Ledger {
  readonly catalog: Catalog
  readonly tasks: PostgresTaskLock
  private readonly replica: ReplicaCatalog
  private readonly openSession: (purpose: string) => Promise<Session>
  private readonly purpose: string
  private session: Promise<Session> | undefined

  constructor(replica: ReplicaCatalog, url: string, purpose: string) {
    this.replica = replica
    this.catalog = replica.catalog
    this.purpose = purpose
    this.openSession = (what) => openDatabase(url, { purpose: what, cluster: replica.cluster })
    this.tasks = new PostgresTaskLock(
      () => this.connect(),
      () => this.openSession(`${purpose}, asking`),
    )
  }

  commit(make: () => Iterable<Batch>): Promise<number> {
    return this.replica.runExclusive(async () => {
      const session = await this.connect()
      await session.query('BEGIN')
      try {
        return await this.commitWithin(session, make)
      } catch (error) {
        if (error instanceof CommitUncertainError) return await this.resolveOutcome(error)
        // After a lost connection PostgreSQL rolls back by itself.
        await session.query('ROLLBACK').catch(() => {})
        throw error
      }
    })
  }

  async refresh(): Promise<void> {
    const session = await this.connect()
    await this.replica.runExclusive(async () => this.replica.catchUp(session, await readHead(session)))
  }

  /** Deletes commits older than `days`, and returns how many. */
  async truncateLog(days: number): Promise<number> {
    return this.replica.runExclusive(async () => truncateLog(await this.connect(), days))
  }

  /** Closes the session and the replica. */
  async close(): Promise<void> {
    const session = await this.session?.catch(() => undefined)
    await session?.close()
    await this.replica.close()
  }

  /** The session that commits and holds tasks; reconnects if it was lost, unless it held tasks. */
  async connect(): Promise<Session> {
    const session = await this.session?.catch(() => undefined)
    if (session !== undefined && !session.isLost) return session
    // A new session would not hold the tasks of the lost one: their holder must acquire them again.
    if (session !== undefined && this.tasks.holdsAny) {
      throw new DatabaseUnavailableError('The session with PostgreSQL was lost', { cause: session.lostError })
    }
    this.session = this.openSession(this.purpose)
    return this.session
  }

  private async commitWithin(session: Session, make: () => Iterable<Batch>): Promise<number> {
    const head = await lockHead(session)
    if (head.state !== 'ready') throw new LedgerFillingError()
    await this.tasks.assertHeld(session)
    await this.replica.catchUp(session, head)
    const writer = new LogWriter(session, { ledger: head.id, commit: head.lastCommit + 1 })
    const version = await this.replica.writer.applyAndLog(make, writer)
    if (writer.isCommitted) await notify(session, head.lastCommit + 1)
    else await session.query('ROLLBACK')
    return version
  }

  /** Reconnects until it can read whether a commit was made; if so, applies it from the log. */
  private async resolveOutcome(uncertain: CommitUncertainError): Promise<number> {
    for (let attempt = 1; ; attempt++) {
      try {
        const session = await this.openSession(`${this.purpose}, asking`)
        try {
          return await this.readOutcome(session, uncertain)
        } finally {
          await session.close()
        }
      } catch (error) {
        if (!(error instanceof DatabaseUnavailableError) || attempt === MAX_OUTCOME_ATTEMPTS) throw error
        await systemTimer.sleep(backoffMs(attempt, OUTCOME_RETRY))
      }
    }
  }

  private async readOutcome(session: Session, { commit, token, cause }: CommitUncertainError): Promise<number> {
    // The lost session may still be committing: once this one gets the lock, that has ended either way.
    const head = await session.transaction(() => lockHead(session))
    const made = await session.query('SELECT 1 FROM marquee_commits WHERE commit_number = $1 AND token = $2', [
      commit,
      token,
    ])
    if (made.length === 0) {
      throw new Error('The connection to PostgreSQL was lost during a commit, which was rolled back', { cause })
    }
    await this.replica.catchUp(session, head)
    return this.catalog.version()
  }
}

/** Wakes the tails of other nodes. If it fails, they find the commit with their next poll. */
async function notify(session: Session, commit: number): Promise<void> {
  await session.query(`SELECT pg_notify('marquee', $1)`, [String(commit)]).catch(() => {})
}

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
