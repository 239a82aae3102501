import { randomUUID } from 'node:crypto'
import { UserError } from '../errors.ts'
import { Mutex } from '../mutex.ts'
import { DatabaseRefusedError, describeTarget, Session, type SessionOptions } from './session.ts'

/** Thrown when a newer version of the program has migrated the database. */
export class SchemaTooNewError extends UserError {
  override readonly name = 'SchemaTooNewError'
}

/**
 * All migrations, oldest first; the schema's form is the number of those applied. A released migration never changes: a
 * later one alters its tables. Plain SQL only, so that databases with PostgreSQL's protocol and dialect work too.
 */
const MIGRATIONS: readonly (readonly string[])[] = [
  [
    // One row, the head of the log. A writer locks it for the length of its commit.
    `CREATE TABLE marquee_ledger (
      only_row integer PRIMARY KEY CHECK (only_row = 1),
      id text NOT NULL,
      state text NOT NULL,
      last_commit bigint NOT NULL,
      first_commit bigint NOT NULL,
      version bigint NOT NULL,
      edition text NOT NULL,
      next_doc integer NOT NULL
    )`,
    // The log: one row a commit, without its shows and changes. Replicas can replay from first_commit on.
    `CREATE TABLE marquee_commits (
      commit_number bigint PRIMARY KEY,
      token text NOT NULL,
      made_at timestamptz NOT NULL DEFAULT now(),
      version bigint NOT NULL,
      edition text NOT NULL,
      next_doc integer NOT NULL,
      counts text NOT NULL,
      outline text NOT NULL,
      extras bytea
    )`,
    // Each version of each document by commit; the newest row is the current document.
    `CREATE TABLE marquee_documents (
      commit_number bigint NOT NULL,
      ordinal integer NOT NULL,
      doc integer NOT NULL,
      body bytea NOT NULL,
      PRIMARY KEY (commit_number, ordinal)
    )`,
    'CREATE INDEX marquee_documents_by_doc ON marquee_documents (doc, commit_number)',
    // Changes, one row a batch, with the newest timestamp among them.
    `CREATE TABLE marquee_changes (
      commit_number bigint NOT NULL,
      batch integer NOT NULL,
      newest bigint NOT NULL,
      body bytea NOT NULL,
      PRIMARY KEY (commit_number, batch)
    )`,
    // Truncations of the change log: changes of commits up to this one, and before this time, are deleted.
    'CREATE TABLE marquee_forgotten (commit_number bigint PRIMARY KEY, before bigint NOT NULL)',
    'CREATE TABLE marquee_sources (name text PRIMARY KEY, record text NOT NULL)',
    'CREATE TABLE marquee_top_lists (place text PRIMARY KEY, shows text NOT NULL)',
    'CREATE TABLE marquee_reference (only_row integer PRIMARY KEY CHECK (only_row = 1), body bytea NOT NULL)',
    // Holders of exclusive tasks; `expires` matters only if the database has no advisory locks.
    `CREATE TABLE marquee_tasks (
      task text PRIMARY KEY,
      token text NOT NULL,
      holder text NOT NULL,
      expires timestamptz NOT NULL
    )`,
  ],
  [
    // The last revision of the accounts. A writer locks the row.
    `CREATE TABLE marquee_account_head (
      only_row integer PRIMARY KEY CHECK (only_row = 1),
      revision bigint NOT NULL,
      first_revision bigint NOT NULL
    )`,
    'INSERT INTO marquee_account_head VALUES (1, 0, 0)',
    // Keys, plans, accounts, sessions and so on, each with the revision of its last write; a null body is a tombstone.
    `CREATE TABLE marquee_account_rows (
      table_name text NOT NULL,
      row_key text NOT NULL,
      revision bigint NOT NULL,
      changed timestamptz NOT NULL DEFAULT now(),
      body text,
      PRIMARY KEY (table_name, row_key)
    )`,
    'CREATE INDEX marquee_account_rows_by_revision ON marquee_account_rows (revision)',
    `CREATE TABLE marquee_quota (
      owner text NOT NULL,
      period text NOT NULL,
      requests bigint NOT NULL,
      PRIMARY KEY (owner, period)
    )`,
    // Usage counters of keys by hour and day, and when each was last used.
    `CREATE TABLE marquee_usage (
      span text NOT NULL,
      key_id text NOT NULL,
      start bigint NOT NULL,
      changed timestamptz NOT NULL DEFAULT now(),
      body text NOT NULL,
      PRIMARY KEY (span, key_id, start)
    )`,
    'CREATE INDEX marquee_usage_by_change ON marquee_usage (changed)',
    // The last flush of each process that counts, so that a repeated flush is applied once.
    'CREATE TABLE marquee_settlers (id text PRIMARY KEY, last bigint NOT NULL, seen timestamptz NOT NULL)',
    // Nodes and their worker counts: the rate limits of a key are divided by them.
    'CREATE TABLE marquee_nodes (id text PRIMARY KEY, workers integer NOT NULL, seen timestamptz NOT NULL)',
  ],
]

/** SQLSTATEs of two processes that migrate at once, and of transactions that must be retried. */
const CONCURRENT_MIGRATION_CODES = new Set(['23505', '42P07', '42710', '40001', '40P01', 'XX000'])
const MAX_ATTEMPTS = 20

/** SQLSTATEs of a database without advisory locks: undefined_function and feature_not_supported. */
const NO_ADVISORY_LOCKS = new Set(['42883', '0A000'])

/** The advisory lock of migrations: the class of this program, and a number that no task has. */
const LOCK_SCHEMA = 'SELECT pg_advisory_xact_lock(19793, 99)'

/** Thrown when the database is not the one that the copy in the data folder comes from. */
export class ForeignDatabaseError extends DatabaseRefusedError {
  override readonly name = 'ForeignDatabaseError'
}

/** Which ledger the data folder has a copy of. */
export interface ClusterCheck {
  /** Whether there is such a copy: then tables are never created, since the database had them. */
  isKnown(): boolean
  isSame(ledgerId: string): boolean
}

/**
 * Applies the migrations that the database lacks; any number of processes may do so at once. All of it is one transaction:
 * the tables are there with their first rows, or not at all. `id` names a new ledger.
 */
export async function migrate(session: Session, id: string = randomUUID()): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      if ((await readForm(session)) === MIGRATIONS.length) return
      await lockAndMigrate(session, id, true)
      return
    } catch (error) {
      if (!CONCURRENT_MIGRATION_CODES.has((error as { code?: string }).code ?? '') || attempt === MAX_ATTEMPTS)
        throw error
    }
  }
}

async function lockAndMigrate(session: Session, id: string, hasAdvisoryLocks: boolean): Promise<void> {
  try {
    await session.transaction(async () => {
      if (hasAdvisoryLocks) await session.query(LOCK_SCHEMA)
      await session.query(
        'CREATE TABLE IF NOT EXISTS marquee_schema (only_row integer PRIMARY KEY, form integer NOT NULL)',
      )
      await session.query('INSERT INTO marquee_schema VALUES (1, 0) ON CONFLICT (only_row) DO NOTHING')
      await migrateLocked(session, id)
    })
  } catch (error) {
    if (!hasAdvisoryLocks || !NO_ADVISORY_LOCKS.has((error as { code?: string }).code ?? '')) throw error
    await lockAndMigrate(session, id, false)
  }
}

/** How many migrations the database has; undefined if it has no tables, or has them without their first row. */
async function readForm(session: Session): Promise<number | undefined> {
  try {
    const [row] = await session.query<{ form: number }>('SELECT form FROM marquee_schema WHERE only_row = 1')
    return row?.form
  } catch (error) {
    if (isMissingTable(error)) return undefined
    throw error
  }
}

function isMissingTable(error: unknown): boolean {
  const { cause } = error as { cause?: { code?: string } }
  return error instanceof DatabaseRefusedError && cause?.code === '42P01'
}

async function migrateLocked(session: Session, id: string): Promise<void> {
  const [row] = await session.query<{ form: number }>('SELECT form FROM marquee_schema WHERE only_row = 1 FOR UPDATE')
  const form = row?.form ?? 0
  if (form > MIGRATIONS.length) {
    throw new SchemaTooNewError(
      `The database has form ${form}, this program knows forms up to ${MIGRATIONS.length}: use a newer version of it`,
    )
  }
  if (form === MIGRATIONS.length) return
  for (const statements of MIGRATIONS.slice(form)) {
    for (const statement of statements) await session.query(statement)
  }
  await session.query(
    `INSERT INTO marquee_ledger VALUES (1, $1, 'ready', 0, 1, 0, '', 0)
     ON CONFLICT (only_row) DO NOTHING`,
    [id],
  )
  await session.query('UPDATE marquee_schema SET form = $1 WHERE only_row = 1', [MIGRATIONS.length])
}

/**
 * Opens a session and migrates the database. With a check, the database must be the one that the data folder has a copy of:
 * an empty one, one that is being restored or a foreign one is refused and left as it is.
 */
export async function openDatabase(
  url: string,
  { cluster, ...options }: SessionOptions & { readonly cluster?: ClusterCheck | undefined },
): Promise<Session> {
  const session = await Session.open(url, options)
  try {
    if (cluster?.isKnown() === true) await assertSameCluster(session, cluster, url)
    await migrate(session)
  } catch (error) {
    await session.close()
    throw error
  }
  return session
}

async function assertSameCluster(session: Session, cluster: ClusterCheck, url: string): Promise<void> {
  const { database, server } = describeTarget(url)
  const id = await readLedgerId(session)
  if (id === undefined) {
    throw new ForeignDatabaseError(
      `The database ${database} at ${server} is empty or being restored, and the data folder has a copy of another one. ` +
        'The copy is served; restore the database, or name the right one with DATABASE_URL.',
    )
  }
  if (cluster.isSame(id)) return
  throw new ForeignDatabaseError(
    `The database ${database} at ${server} is not the one that the data folder has a copy of. The copy is served; name the ` +
      'right database with DATABASE_URL, or an empty folder with MARQUEE_DATA to follow this one.',
  )
}

async function readLedgerId(session: Session): Promise<string | undefined> {
  try {
    if ((await readForm(session)) === undefined) return undefined
    const [row] = await session.query<{ id: string }>('SELECT id FROM marquee_ledger WHERE only_row = 1')
    return row?.id
  } catch (error) {
    if (isMissingTable(error)) return undefined
    throw error
  }
}

/** Its statements are small, and a caller waits for them. */
const SHARED_SESSION_TIMEOUT_MS = 20_000

/**
 * A session that connects on first use, and reconnects on the first use after it was lost. A mutex gives the session to
 * one caller at a time, so that a transaction of one does not mix with statements of another.
 */
export class ReconnectingSession {
  private readonly url: string
  private readonly purpose: string
  private readonly cluster: ClusterCheck | undefined
  private session: Session | undefined
  private readonly mutex = new Mutex()
  private isClosed = false

  constructor(url: string, purpose: string, cluster?: ClusterCheck) {
    this.url = url
    this.purpose = purpose
    this.cluster = cluster
  }

  /** Runs `work` with the session; throws `DatabaseUnavailableError` if it cannot connect. */
  use<T>(work: (session: Session) => Promise<T>): Promise<T> {
    return this.mutex.run(async () => work(await this.open()))
  }

  /** Waits for running work, then closes the connection. */
  async close(): Promise<void> {
    this.isClosed = true
    await this.mutex.idle()
    await this.session?.close()
  }

  private async open(): Promise<Session> {
    if (this.session !== undefined && !this.session.isLost) return this.session
    if (this.isClosed) throw new Error('The session was closed')
    const { purpose, cluster } = this
    this.session = await openDatabase(this.url, { purpose, cluster, statementTimeoutMs: SHARED_SESSION_TIMEOUT_MS })
    return this.session
  }
}
