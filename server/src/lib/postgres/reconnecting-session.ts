import { Mutex } from '../mutex.ts'
import { type ClusterCheck, openDatabase } from './migrations.ts'
import type { Session } from './session.ts'

/** Its statements are small, and a caller waits for them. */
const STATEMENT_TIMEOUT_MS = 20_000

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
    this.session = await openDatabase(this.url, { purpose, cluster, statementTimeoutMs: STATEMENT_TIMEOUT_MS })
    return this.session
  }
}
