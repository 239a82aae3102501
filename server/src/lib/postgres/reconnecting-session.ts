import { openDatabase } from './migrations.ts'
import type { Session } from './session.ts'

/** What is done with it is small, and somebody waits for it. */
const STATEMENT_TIMEOUT_MS = 20_000

/** A session that is opened when it is first needed, and again after it was lost. One thing at a time is done with it. */
export class ReconnectingSession {
  private readonly url: string
  private readonly purpose: string
  private session: Session | undefined
  private last: Promise<unknown> = Promise.resolve()
  private closed = false

  constructor(url: string, purpose: string) {
    this.url = url
    this.purpose = purpose
  }

  /** Does something with the session; throws `DatabaseUnavailableError` where there is none to be had. */
  use<T>(work: (session: Session) => Promise<T>): Promise<T> {
    const mine = this.last.then(async () => work(await this.open()))
    this.last = mine.catch(() => {})
    return mine
  }

  async close(): Promise<void> {
    this.closed = true
    await this.last
    await this.session?.close()
  }

  private async open(): Promise<Session> {
    if (this.session !== undefined && !this.session.isLost) return this.session
    if (this.closed) throw new Error('The link to the database was closed')
    this.session = await openDatabase(this.url, { purpose: this.purpose, statementTimeoutMs: STATEMENT_TIMEOUT_MS })
    return this.session
  }
}
