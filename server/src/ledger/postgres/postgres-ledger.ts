import type { Catalog } from '../../catalog/catalog.ts'
import type { Batch } from '../../catalog/write/batch.ts'
import { openDatabase } from '../../lib/postgres/migrations.ts'
import { DatabaseUnavailableError, type Session } from '../../lib/postgres/session.ts'
import type { Ledger } from '../ledger.ts'
import { LedgerFillingError, lockHead, readHead, truncateLog } from './log-head.ts'
import { CommitUncertainError, LogWriter } from './log-writer.ts'
import { PostgresTaskLock } from './postgres-task-lock.ts'
import type { ReplicaCatalog } from './replica-catalog.ts'

/** How often, and how long after one another, it is asked whether an uncertain commit has become true. */
const MAX_OUTCOME_ATTEMPTS = 30
const OUTCOME_RETRY_MS = 1_000

/**
 * Commits into PostgreSQL, and with it into the catalog of this node. A commit takes the lock of the ledger's one row,
 * brings the catalog up to date, makes its batches there, and writes them to PostgreSQL as they are made. The catalog's
 * own transaction ends after PostgreSQL's: a node that dies in between finds the commit in the log.
 */
export class PostgresLedger implements Ledger {
  readonly catalog: Catalog
  readonly tasks: PostgresTaskLock
  private readonly replica: ReplicaCatalog
  private readonly openSession: (purpose: string) => Promise<Session>
  private readonly purpose: string
  private session: Promise<Session> | undefined

  constructor(node: ReplicaCatalog, url: string, purpose: string) {
    this.replica = node
    this.catalog = node.catalog
    this.purpose = purpose
    this.openSession = (what) => openDatabase(url, { purpose: what })
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
        // Where the session is lost, PostgreSQL rolls back by itself.
        await session.query('ROLLBACK').catch(() => {})
        throw error
      }
    })
  }

  async refresh(): Promise<void> {
    const session = await this.connect()
    await this.replica.runExclusive(async () => this.replica.catchUp(session, await readHead(session)))
  }

  /** Lets go of commits that are older than so many days, and returns how many went. */
  async truncateLog(days: number): Promise<number> {
    return this.replica.runExclusive(async () => truncateLog(await this.connect(), days))
  }

  /** Ends the session, and closes the node's catalog. */
  async close(): Promise<void> {
    const session = await this.session?.catch(() => undefined)
    await session?.close()
    await this.replica.close()
  }

  /** The session that commits are made and tasks are held with. */
  async connect(): Promise<Session> {
    const session = await this.session?.catch(() => undefined)
    if (session !== undefined && !session.isLost) return session
    // Another session would not hold the tasks of the lost one: who has them must begin anew.
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
    const recorder = new LogWriter(session, { ledger: head.id, commit: head.lastCommit + 1 })
    const version = await this.replica.writer.applyAndLog(make, recorder)
    if (recorder.isCommitted) await notify(session, head.lastCommit + 1)
    else await session.query('ROLLBACK')
    return version
  }

  /** Asks until PostgreSQL is back whether a commit became true, and if so takes it from the log. */
  private async resolveOutcome(uncertain: CommitUncertainError): Promise<number> {
    for (let question = 1; ; question++) {
      try {
        const session = await this.openSession(`${this.purpose}, asking`)
        try {
          return await this.readOutcome(session, uncertain)
        } finally {
          await session.close()
        }
      } catch (error) {
        if (!(error instanceof DatabaseUnavailableError) || question === MAX_OUTCOME_ATTEMPTS) throw error
        await new Promise((resolve) => setTimeout(resolve, OUTCOME_RETRY_MS))
      }
    }
  }

  private async readOutcome(session: Session, { commit, token, cause }: CommitUncertainError): Promise<number> {
    // The lost session may still be committing: with the lock in our hands it is done, one way or the other.
    const head = await session.transaction(() => lockHead(session))
    const made = await session.query('SELECT 1 FROM marquee_commits WHERE commit_number = $1 AND token = $2', [
      commit,
      token,
    ])
    if (made.length === 0) throw new Error('PostgreSQL went away during a commit, which did not become true', { cause })
    await this.replica.catchUp(session, head)
    return this.catalog.version()
  }
}

/** Wakes those who follow the log. Should it fail, they find the commit when they next look. */
async function notify(session: Session, commit: number): Promise<void> {
  await session.query(`SELECT pg_notify('marquee', $1)`, [String(commit)]).catch(() => {})
}
