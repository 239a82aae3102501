import { CatalogDivergedError } from '../../catalog/write/batch.ts'
import type { Clock } from '../../lib/clock.ts'
import { FollowLoop } from '../../lib/postgres/follow-loop.ts'
import type { Session } from '../../lib/postgres/session.ts'
import type { ReplicationState } from '../ledger-status.ts'
import { LedgerFillingError, type LogHead, readHead } from './log-head.ts'
import { CatalogOutdatedError, type ReplicaCatalog } from './replica-catalog.ts'

/** How often the ledger is looked at, though nobody told of a commit. */
const POLL_INTERVAL_MS = 2_000

/** How long a page of a large commit may take to come, before PostgreSQL counts as away. */
const STATEMENT_TIMEOUT_MS = 30_000

export interface TailOptions {
  readonly clock: Clock
  /** Called after each commit that was applied. */
  readonly onApplied?: (commit: number) => void
  /** Called once when the catalog cannot follow any more; the tail has ended then. */
  readonly onOutdated: (reason: Error) => void
  /** Called when PostgreSQL cannot be reached, once until it can. */
  readonly onDisconnect?: (error: Error) => void
  readonly onState?: (state: ReplicationState) => void
}

/** Follows the ledger, and applies what is committed to the catalog of this node. */
export class LogTail {
  private readonly node: ReplicaCatalog
  private readonly options: TailOptions
  private readonly loop: FollowLoop
  private connected = false
  private lastCommit = 0
  private contactAt: number | undefined
  private behindSince: number | undefined

  constructor(node: ReplicaCatalog, url: string, options: TailOptions) {
    this.node = node
    this.options = options
    this.loop = new FollowLoop(url, {
      purpose: 'tail',
      statementTimeoutMs: STATEMENT_TIMEOUT_MS,
      channel: 'marquee',
      pollIntervalMs: POLL_INTERVAL_MS,
      poll: (session) => this.look(session),
      onFailure: (error, first) => this.fail(error, first),
    })
  }

  start(): void {
    this.loop.start()
  }

  async stop(): Promise<void> {
    await this.loop.stop()
  }

  state(): ReplicationState {
    const commit = this.node.catalog.logPosition()?.commit ?? 0
    return {
      connected: this.connected,
      commit,
      lastCommit: Math.max(this.lastCommit, commit),
      ...(this.contactAt !== undefined && { contactAt: this.contactAt }),
      ...(this.behindSince !== undefined && { behindSince: this.behindSince }),
    }
  }

  private fail(error: Error, first: boolean): void {
    if (error instanceof CatalogOutdatedError || error instanceof CatalogDivergedError) {
      this.loop.abort()
      this.options.onOutdated(error)
      return
    }
    if (first) this.options.onDisconnect?.(error)
    this.connected = false
    this.reportState()
  }

  private async look(session: Session): Promise<void> {
    const head = await readHead(session)
    this.updateHead(head)
    if (head.state !== 'ready') throw new LedgerFillingError()
    await this.node.runExclusive(() => this.node.catchUp(session, head, this.options.onApplied))
    this.behindSince = undefined
    this.reportState()
  }

  private updateHead({ lastCommit }: LogHead): void {
    const { clock } = this.options
    this.connected = true
    this.contactAt = clock()
    this.lastCommit = lastCommit
    if ((this.node.catalog.logPosition()?.commit ?? 0) < lastCommit) this.behindSince ??= clock()
    this.reportState()
  }

  private reportState(): void {
    this.options.onState?.(this.state())
  }
}
