import { FollowLoop } from '../../lib/postgres/follow-loop.ts'
import { ReconnectingSession } from '../../lib/postgres/reconnecting-session.ts'
import type { Session } from '../../lib/postgres/session.ts'
import { type AccountEnvironment, openAccountTables } from '../store/account-tables.ts'
import { AccountReplica } from './account-replica.ts'
import { CounterFlusher } from './counter-flusher.ts'
import { putUsageRows, type UsageRow } from './counter-tables.ts'

/** How often accounts are looked at, though nobody told of a change, and how often the counts of others are. */
const POLL_INTERVAL_MS = 500
const COUNTER_INTERVAL_MS = 5_000

/** Rows may become visible a little later than they say: what has changed so long before is looked at again. */
const USAGE_OVERLAP = '15 seconds'

/** A node that has not been heard of for so long serves no more. */
const NODE_TTL = '15 seconds'

export interface AccountFollowerOptions {
  /** Names this node among the others. */
  readonly node: string
  /** How many of its processes serve. */
  readonly workers: number
  /** Called with how many processes serve on all nodes. */
  readonly onProcesses: (processes: number) => void
  readonly onError?: (error: Error) => void
}

/** Keeps a node's copy of the accounts up to date, settles what was left behind, and says that the node is there. */
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
    this.link = new ReconnectingSession(url, 'counts')
    this.flusher = new CounterFlusher(this.environment, this.link)
    this.options = options
    this.loop = new FollowLoop(url, {
      purpose: 'accounts',
      channel: 'marquee_accounts',
      pollIntervalMs: POLL_INTERVAL_MS,
      poll: (session) => this.look(session),
      onFailure: (error, first) => first && options.onError?.(error),
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
    await this.environment.root.close()
  }

  private async look(session: Session): Promise<void> {
    // After a silence, everything may have changed.
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
