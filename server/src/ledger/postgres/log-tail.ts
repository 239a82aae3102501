import { CatalogDivergedError } from '../../catalog/write/batch.ts'
import type { Clock } from '../../lib/clock.ts'
import { FollowLoop } from '../../lib/postgres/follow-loop.ts'
import type { Session } from '../../lib/postgres/session.ts'
import type { ReplicationState } from '../ledger-status.ts'
import { LedgerFillingError, type LogHead, readHead } from './log-rows.ts'
import { CatalogOutdatedError, type ReplicaCatalog } from './replica-catalog.ts'

/** The longest time between two polls of the log: a notification can get lost. */
const POLL_INTERVAL_MS = 2_000

/** The time limit for a page of a large commit. */
const STATEMENT_TIMEOUT_MS = 30_000

interface TailOptions {
  readonly clock: Clock
  /** Called after each commit that was applied. */
  readonly onApplied?: (commit: number) => void
  /** Called once when the replica cannot follow the log any more, after the tail has stopped. */
  readonly onOutdated: (reason: Error) => void
  /** Called whenever PostgreSQL cannot be followed. */
  readonly onDisconnect?: (error: Error) => void
  readonly onState?: (state: ReplicationState) => void
}

/** Tails the log, and applies each new commit to the replica of this node. */
export class LogTail {
  private readonly replica: ReplicaCatalog
  private readonly options: TailOptions
  private readonly loop: FollowLoop
  private isConnected = false
  private lastCommit = 0
  private contactAt: number | undefined
  private behindSince: number | undefined

  constructor(replica: ReplicaCatalog, url: string, options: TailOptions) {
    this.replica = replica
    this.options = options
    this.loop = new FollowLoop(url, {
      purpose: 'tail',
      cluster: replica.cluster,
      statementTimeoutMs: STATEMENT_TIMEOUT_MS,
      channel: 'marquee',
      pollIntervalMs: POLL_INTERVAL_MS,
      poll: (session) => this.poll(session),
      onFailure: (error) => this.fail(error),
    })
  }

  start(): void {
    this.loop.start()
  }

  async stop(): Promise<void> {
    await this.loop.stop()
  }

  state(): ReplicationState {
    const commit = this.replica.catalog.logPosition()?.commit ?? 0
    return {
      connected: this.isConnected,
      commit,
      lastCommit: Math.max(this.lastCommit, commit),
      ...(this.contactAt !== undefined && { contactAt: this.contactAt }),
      ...(this.behindSince !== undefined && { behindSince: this.behindSince }),
    }
  }

  private fail(error: Error): void {
    if (error instanceof CatalogOutdatedError || error instanceof CatalogDivergedError) {
      this.loop.abort()
      this.options.onOutdated(error)
      return
    }
    this.options.onDisconnect?.(error)
    this.isConnected = false
    this.reportState()
  }

  private async poll(session: Session): Promise<void> {
    const head = await readHead(session)
    this.updateHead(head)
    if (head.state !== 'ready') throw new LedgerFillingError()
    await this.replica.runExclusive(() => this.replica.catchUp(session, head, this.options.onApplied))
    this.behindSince = undefined
    this.reportState()
  }

  private updateHead({ lastCommit }: LogHead): void {
    const { clock } = this.options
    this.isConnected = true
    this.contactAt = clock()
    this.lastCommit = lastCommit
    if ((this.replica.catalog.logPosition()?.commit ?? 0) < lastCommit) this.behindSince ??= clock()
    this.reportState()
  }

  private reportState(): void {
    this.options.onState?.(this.state())
  }
}
