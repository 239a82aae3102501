import type pg from 'pg'
import { UserError } from '../errors.ts'
import { Mutex } from '../mutex.ts'

/** Thrown when PostgreSQL cannot be reached, or the connection is lost before a reply. */
export class DatabaseUnavailableError extends UserError {
  override readonly name: string = 'DatabaseUnavailableError'
}

/** Thrown when PostgreSQL replies and refuses: a password, a missing right, an unknown database. Waiting does not help. */
export class DatabaseRefusedError extends DatabaseUnavailableError {
  override readonly name: string = 'DatabaseRefusedError'
}

/** Thrown when PostgreSQL takes no writes: a standby, or a database that was made read-only. */
export class DatabaseReadOnlyError extends DatabaseUnavailableError {
  override readonly name: string = 'DatabaseReadOnlyError'
}

/** Time limits for connecting and for a statement. After that the session counts as lost. */
const CONNECT_TIMEOUT_MS = 10_000
const STATEMENT_TIMEOUT_MS = 120_000

/** The limit of `quickQuery`: it detects a server that hangs long before `STATEMENT_TIMEOUT_MS` does. */
const QUICK_QUERY_TIMEOUT_MS = 5_000

/** SQLSTATE classes of the server's own state: connection lost, out of resources, shutting down. */
const SERVER_UNAVAILABLE = /^(08|53|57P)/

/** Parses `bigint` as a number: counts, times and commit numbers stay below 2^53. */
function typeParsers({ builtins, getTypeParser }: typeof pg.types): pg.CustomTypesConfig {
  const parseType = (oid: number, format?: 'text') => (oid === builtins.INT8 ? Number : getTypeParser(oid, format))
  return { getTypeParser: parseType as typeof getTypeParser }
}

export interface SessionOptions {
  /** Part of `application_name`, which `pg_stat_activity` shows. */
  readonly purpose: string
  readonly onNotification?: (payload: string) => void
  /** A time limit for statements below the default, which is long enough for an import. */
  readonly statementTimeoutMs?: number
}

interface Statement {
  readonly text: string
  readonly values: readonly unknown[]
  readonly query_timeout?: number
}

/** One connection to PostgreSQL. It does not reconnect: after it is lost, the caller opens another session. */
export class Session {
  private readonly client: pg.Client
  private readonly url: string
  private readonly mutex = new Mutex()
  /** Why the session was lost or closed. */
  lostError: Error | undefined

  private constructor(client: pg.Client, url: string) {
    this.client = client
    this.url = url
  }

  static async open(url: string, { onNotification, ...options }: SessionOptions): Promise<Session> {
    try {
      const client = await createClient(url, options)
      const session = new Session(client, url)
      client.on('error', (error) => session.markLost(error))
      client.on('end', () => session.markLost(new Error('The connection was closed')))
      if (onNotification !== undefined) client.on('notification', ({ payload }) => onNotification(payload ?? ''))
      await client.connect()
      return session
    } catch (error) {
      throw (
        toRefusal(error, url) ??
        new DatabaseUnavailableError(`PostgreSQL cannot be reached: ${errorMessage(error)}`, { cause: error })
      )
    }
  }

  get isLost(): boolean {
    return this.lostError !== undefined
  }

  /** Runs one statement after all earlier ones of this session, and returns its rows. */
  query<Row extends object>(text: string, values: readonly unknown[] = []): Promise<Row[]> {
    return this.mutex.run(() => this.run<Row>({ text, values }))
  }

  /** As `query`, with a short time limit, for a small statement that waits for no lock. */
  quickQuery<Row extends object>(text: string, values: readonly unknown[] = []): Promise<Row[]> {
    return this.mutex.run(() => this.run<Row>({ text, values, query_timeout: QUICK_QUERY_TIMEOUT_MS }))
  }

  private async run<Row extends object>(statement: Statement): Promise<Row[]> {
    try {
      const { rows } = await this.client.query<Row>(statement as pg.QueryConfig)
      return rows
    } catch (error) {
      const refusal = this.isLost ? undefined : toRefusal(error, this.url)
      if (refusal !== undefined) throw refusal
      if (!this.isLost && !isServerUnavailable(error)) throw error
      this.markLost(error as Error)
      throw new DatabaseUnavailableError(`PostgreSQL went away: ${errorMessage(error)}`, { cause: error })
    }
  }

  /** Runs the statements of `work` in one transaction; `mode` follows `BEGIN`. */
  async transaction<T>(work: () => Promise<T>, mode = ''): Promise<T> {
    await this.query(`BEGIN ${mode}`)
    let result: T
    try {
      result = await work()
    } catch (error) {
      // After a lost connection the server rolls back by itself.
      await this.query('ROLLBACK').catch(() => {})
      throw error
    }
    await this.query('COMMIT')
    return result
  }

  async close(): Promise<void> {
    if (this.isLost) return
    this.lostError = new Error('The session was closed')
    await this.client.end().catch(() => {})
  }

  private markLost(error: Error): void {
    if (this.isLost) return
    this.lostError = error
    // Without a socket, a pending statement fails at once instead of waiting for its time limit.
    ;(this.client as unknown as { connection?: { stream?: { destroy(): void } } }).connection?.stream?.destroy()
  }
}

/** Rejects if the URL names certificate files that cannot be read. Only services with a database load its driver. */
async function createClient(url: string, options: SessionOptions): Promise<pg.Client> {
  const { purpose, statementTimeoutMs = STATEMENT_TIMEOUT_MS } = options
  const { default: pg } = await import('pg')
  return new pg.Client({
    connectionString: url,
    application_name: `marquee ${purpose}`,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    query_timeout: statementTimeoutMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    types: typeParsers(pg.types),
  })
}

/** What an operator has to mend, in one sentence without the password; undefined for other errors. */
function toRefusal(error: unknown, url: string): DatabaseUnavailableError | undefined {
  const { code, message } = error as { code?: unknown; message?: string }
  const { user, database, server } = describeTarget(url)
  const refuse = (problem: string) => new DatabaseRefusedError(problem, { cause: error })
  switch (code) {
    case '28P01':
    case '28000':
      return refuse(`PostgreSQL at ${server} refuses the user ${user}: ${message}. Check DATABASE_URL.`)
    case '3D000':
      return refuse(`PostgreSQL at ${server} has no database ${database}; docs/nodes.md has the SQL that makes it`)
    case '42501':
    case '3F000':
      return refuse(`The user ${user} lacks rights in the database ${database}: ${message}. docs/nodes.md has the SQL.`)
    case '42P01':
      return refuse(`The database ${database} lacks tables of Marquee: ${message}`)
    case '25006':
      return new DatabaseReadOnlyError(`The database ${database} at ${server} is read-only: ${message}`, {
        cause: error,
      })
    default:
      return undefined
  }
}

/** The parts of a URL that messages may name. */
export function describeTarget(url: string): { user: string; database: string; server: string } {
  const { username, pathname, host, searchParams } = new URL(url)
  const user = decodeURIComponent(username) || 'of this system'
  const database = decodeURIComponent(pathname.slice(1)) || user
  return { user: `"${user}"`, database: `"${database}"`, server: searchParams.get('host') ?? (host || 'localhost') }
}

function isServerUnavailable(error: unknown): boolean {
  const { code } = error as { code?: unknown }
  // Errors of PostgreSQL carry a SQLSTATE of five letters and digits; socket errors and time-outs do not.
  return typeof code !== 'string' || !/^[0-9A-Z]{5}$/.test(code) || SERVER_UNAVAILABLE.test(code)
}

/** The message of an error; an `AggregateError` of several addresses has only those of its parts. */
function errorMessage(error: unknown): string {
  const { message, errors } = error as AggregateError
  return message || (errors ?? []).map((one: Error) => one.message).join('; ') || String(error)
}
