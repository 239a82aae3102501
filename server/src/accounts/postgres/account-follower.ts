import { FollowLoop } from '../../lib/postgres/follow-loop.ts'
import { ReconnectingSession } from '../../lib/postgres/reconnecting-session.ts'
import type { Session } from '../../lib/postgres/session.ts'
import { type AccountEnvironment, openAccountTables } from '../store/account-tables.ts'
import { AccountReplica, accountsCluster } from './account-replica.ts'
import { CounterFlusher } from './counter-flusher.ts'
import { putUsageRows, type UsageRow } from './counter-tables.ts'

/** How often to poll for commits without a notification, and how often to exchange counters. */
const POLL_INTERVAL_MS = 500
const COUNTER_INTERVAL_MS = 5_000

/** Rows can become visible later than their timestamp, so polls of usage rows overlap by this. */
const USAGE_OVERLAP = '15 seconds'

/** A node without a heartbeat for this long counts as gone. */
const NODE_TTL = '15 seconds'

interface AccountFollowerOptions {
  /** The id of this node. */
  readonly node: string
  /** The number of its workers. */
  readonly workers: number
  /** Called with the number of workers of all nodes. */
  readonly onProcesses: (processes: number) => void
  readonly onError?: (error: Error) => void
}

/** Follows the accounts in PostgreSQL: updates the node's replica, drains its outbox, and sends heartbeats. */
export class AccountFollower {
  private readonly environment: AccountEnvironment
  private readonly replica: AccountReplica
  private readonly link: ReconnectingSession
  private readonly flusher: CounterFlusher
  private readonly options: AccountFollowerOptions
  private readonly loop: FollowLoop
  private lastSession: Session | undefined
  private countersAt = Number.NEGATIVE_INFINITY

  constructor(dir: string, url: string, options: AccountFollowerOptions) {
    this.environment = openAccountTables(dir)
    this.replica = new AccountReplica(this.environment)
    const cluster = accountsCluster(this.environment)
    this.link = new ReconnectingSession(url, 'counts', cluster)
    this.flusher = new CounterFlusher(this.environment, this.link)
    this.options = options
    this.loop = new FollowLoop(url, {
      purpose: 'accounts',
      cluster,
      channel: 'marquee_accounts',
      pollIntervalMs: POLL_INTERVAL_MS,
      poll: (session) => this.look(session),
      onFailure: (error) => options.onError?.(error),
    })
  }

  start(): void {
    this.loop.start()
  }

  async stop(): Promise<void> {
    await this.loop.stop((session) =>
      session.quickQuery('DELETE FROM marquee_nodes WHERE id = $1', [this.options.node]),
    )
    await this.link.close()
    await this.environment.close()
  }

  private async look(session: Session): Promise<void> {
    // After a lost session, anything may have changed.
    if (session !== this.lastSession) this.countersAt = Number.NEGATIVE_INFINITY
    this.lastSession = session
    await this.replica.catchUp(session)
    if (performance.now() - this.countersAt < COUNTER_INTERVAL_MS) return
    await this.sendHeartbeat(session)
    await this.link.use((other) => this.flusher.drainOutbox(other))
    await this.pullUsage(session)
    this.countersAt = performance.now()
  }

  private async sendHeartbeat(session: Session): Promise<void> {
    const { node, workers, onProcesses } = this.options
    await session.quickQuery(
      `INSERT INTO marquee_nodes VALUES ($1, $2, now())
       ON CONFLICT (id) DO UPDATE SET workers = excluded.workers, seen = excluded.seen`,
      [node, workers],
    )
    await session.query(`DELETE FROM marquee_nodes WHERE seen < now() - interval '${NODE_TTL}'`)
    const [row] = await session.quickQuery<{ processes: number }>(
      'SELECT sum(workers)::integer AS processes FROM marquee_nodes',
    )
    onProcesses(row?.processes ?? workers)
  }

  private async pullUsage(session: Session): Promise<void> {
    const first = this.countersAt === Number.NEGATIVE_INFINITY
    const rows = await session.query<UsageRow>(
      `SELECT span, key_id AS "keyId", start, body FROM marquee_usage
       ${first ? '' : `WHERE changed > now() - interval '${USAGE_OVERLAP}'`}`,
    )
    const { root, tables } = this.environment
    if (rows.length > 0) await root.transaction(() => putUsageRows(tables, rows))
  }
}
