import pg from 'pg'
import { UserError } from '../user-error.ts'

/** Thrown when PostgreSQL cannot be reached, or went away before it answered. */
export class DatabaseUnavailableError extends UserError {
  override readonly name: string = 'DatabaseUnavailable'
}

/** How long a connection may take to be made, and a statement to be answered, before PostgreSQL counts as away. */
const CONNECT_TIMEOUT_MS = 10_000
const STATEMENT_TIMEOUT_MS = 120_000

/** How long what is answered at once may take: a server that hangs is noticed by it, rather than by what may take long. */
const QUICK_QUERY_TIMEOUT_MS = 5_000

/** Conditions of PostgreSQL that are about the server and not about what was asked of it. */
const SERVER_UNAVAILABLE = /^(08|53|57P)/

/** Counts and times are small enough for numbers. */
const types = {
  getTypeParser: ((oid: number, format?: 'text') =>
    oid === pg.types.builtins.INT8 ? Number : pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser,
}

export interface SessionOptions {
  /** What the session is for, as PostgreSQL shows it to its operator. */
  readonly purpose: string
  readonly onNotification?: (payload: string) => void
  /** How long a statement may take before PostgreSQL counts as away, where that is less than what an import may take. */
  readonly statementTimeoutMs?: number
}

interface Statement {
  readonly text: string
  readonly values: readonly unknown[]
  readonly query_timeout?: number
}

/** One connection to PostgreSQL. Once it is lost it stays lost; whoever needs it again opens another. */
export class Session {
  private readonly client: pg.Client
  private last: Promise<unknown> = Promise.resolve()
  /** Why the session is of no more use. */
  lostError: Error | undefined

  private constructor(client: pg.Client) {
    this.client = client
  }

  static async open(url: string, { onNotification, ...options }: SessionOptions): Promise<Session> {
    try {
      const client = createClient(url, options)
      const session = new Session(client)
      client.on('error', (error) => session.markLost(error))
      client.on('end', () => session.markLost(new Error('The connection was closed')))
      if (onNotification !== undefined) client.on('notification', ({ payload }) => onNotification(payload ?? ''))
      await client.connect()
      return session
    } catch (error) {
      throw new DatabaseUnavailableError(`PostgreSQL cannot be reached: ${errorMessage(error)}`, { cause: error })
    }
  }

  get isLost(): boolean {
    return this.lostError !== undefined
  }

  /** Runs one statement, after those that were asked for before, and gives its rows. */
  query<Row extends object>(text: string, values: readonly unknown[] = []): Promise<Row[]> {
    return this.enqueue(() => this.run<Row>({ text, values }))
  }

  /** As `query`, for a small statement that waits for nobody: PostgreSQL counts as away much sooner. */
  quickQuery<Row extends object>(text: string, values: readonly unknown[] = []): Promise<Row[]> {
    return this.enqueue(() => this.run<Row>({ text, values, query_timeout: QUICK_QUERY_TIMEOUT_MS }))
  }

  private enqueue<T>(work: () => Promise<T>): Promise<T> {
    const mine = this.last.then(work)
    this.last = mine.catch(() => {})
    return mine
  }

  private async run<Row extends object>(statement: Statement): Promise<Row[]> {
    try {
      const { rows } = await this.client.query<Row>(statement as pg.QueryConfig)
      return rows
    } catch (error) {
      if (!this.isLost && !isServerUnavailable(error)) throw error
      this.markLost(error as Error)
      throw new DatabaseUnavailableError(`PostgreSQL went away: ${errorMessage(error)}`, { cause: error })
    }
  }

  /** Runs statements in one transaction: all of them or none. */
  async transaction<T>(work: () => Promise<T>, mode = ''): Promise<T> {
    await this.query(`BEGIN ${mode}`)
    let result: T
    try {
      result = await work()
    } catch (error) {
      // Where the session is lost the server rolls back by itself.
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
    // A statement that never came back would be waited for; the socket is given up instead.
    ;(this.client as unknown as { connection?: { stream?: { destroy(): void } } }).connection?.stream?.destroy()
  }
}

/** Throws where the address names certificates that cannot be read. */
function createClient(url: string, { purpose, statementTimeoutMs = STATEMENT_TIMEOUT_MS }: SessionOptions): pg.Client {
  return new pg.Client({
    connectionString: url,
    application_name: `marquee ${purpose}`,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    query_timeout: statementTimeoutMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    types,
  })
}

function isServerUnavailable(error: unknown): boolean {
  const { code } = error as { code?: unknown }
  // PostgreSQL's own errors carry five letters and digits; those of sockets and time limits do not.
  return typeof code !== 'string' || !/^[0-9A-Z]{5}$/.test(code) || SERVER_UNAVAILABLE.test(code)
}

function errorMessage(error: unknown): string {
  const { message, errors } = error as AggregateError
  return message || (errors ?? []).map((one: Error) => one.message).join('; ') || String(error)
}
