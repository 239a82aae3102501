import { FollowLoop } from '../../lib/postgres/follow-loop.ts'
import { ReconnectingSession } from '../../lib/postgres/reconnecting-session.ts'
import type { Session } from '../../lib/postgres/session.ts'
import { type AccountEnvironment, openAccountTables } from '../account-tables.ts'
import { AccountCopy } from './account-copy.ts'
import { keepUsage, type UsageRow } from './send-settlement.ts'
import { Settler } from './settler.ts'

/** How often accounts are looked at, though nobody told of a change, and how often the counts of others are. */
const LOOK_MS = 500
const COUNTS_EVERY_MS = 5_000

/** Rows may become visible a little later than they say: what has changed so long before is looked at again. */
const OVERLAP = '15 seconds'

/** A node that has not been heard of for so long serves no more. */
const GONE_AFTER = '15 seconds'

export interface FollowerOptions {
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
  private readonly copy: AccountCopy
  private readonly link: ReconnectingSession
  private readonly settler: Settler
  private readonly options: FollowerOptions
  private readonly loop: FollowLoop
  private lastSession: Session | undefined
  private countsAt = Number.NEGATIVE_INFINITY

  constructor(dir: string, url: string, options: FollowerOptions) {
    this.environment = openAccountTables(dir)
    this.copy = new AccountCopy(this.environment)
    this.link = new ReconnectingSession(url, 'counts')
    this.settler = new Settler(this.environment, this.link)
    this.options = options
    this.loop = new FollowLoop(url, {
      purpose: 'accounts',
      channel: 'marquee_accounts',
      pollIntervalMs: LOOK_MS,
      look: (session) => this.look(session),
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
    if (session !== this.lastSession) this.countsAt = Number.NEGATIVE_INFINITY
    this.lastSession = session
    await this.copy.catchUp(session)
    if (performance.now() - this.countsAt < COUNTS_EVERY_MS) return
    await this.present(session)
    await this.link.use((other) => this.settler.sendKept(other))
    await this.takeUsage(session)
    this.countsAt = performance.now()
  }

  private async present(session: Session): Promise<void> {
    const { node, workers, onProcesses } = this.options
    await session.quickQuery(
      `INSERT INTO marquee_nodes VALUES ($1, $2, now())
       ON CONFLICT (id) DO UPDATE SET workers = excluded.workers, seen = excluded.seen`,
      [node, workers],
    )
    await session.query(`DELETE FROM marquee_nodes WHERE seen < now() - interval '${GONE_AFTER}'`)
    const [row] = await session.quickQuery<{ processes: number }>(
      'SELECT sum(workers)::integer AS processes FROM marquee_nodes',
    )
    onProcesses(row?.processes ?? workers)
  }

  private async takeUsage(session: Session): Promise<void> {
    const first = this.countsAt === Number.NEGATIVE_INFINITY
    const rows = await session.query<UsageRow>(
      `SELECT span, key_id AS "keyId", start, body FROM marquee_usage
       ${first ? '' : `WHERE changed > now() - interval '${OVERLAP}'`}`,
    )
    const { root, tables } = this.environment
    if (rows.length > 0) await root.transaction(() => keepUsage(tables, rows))
  }
}
