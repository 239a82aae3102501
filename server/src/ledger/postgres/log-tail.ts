import { CatalogDivergedError } from '../../catalog/write/batch.ts'
import { FollowLoop } from '../../database/follow-loop.ts'
import type { Session } from '../../database/session.ts'
import type { Clock } from '../../lib/clock.ts'
import type { LedgerState } from '../ledger-state.ts'
import { LedgerFilling, type LedgerHead, readHead } from './ledger-head.ts'
import { CatalogOutdated, type NodeCatalog } from './node-catalog.ts'

/** How often the ledger is looked at, though nobody told of a commit. */
const POLL_MS = 2_000

/** How long a page of a large commit may take to come, before PostgreSQL counts as away. */
const PATIENCE_MS = 30_000

export interface TailOptions {
  readonly clock: Clock
  /** Called after each commit that was applied. */
  readonly onApplied?: (commit: number) => void
  /** Called once when the catalog cannot follow any more; the tail has ended then. */
  readonly onOutdated: (reason: Error) => void
  /** Called when PostgreSQL cannot be reached, once until it can. */
  readonly onAway?: (error: Error) => void
  readonly onState?: (state: LedgerState) => void
}

/** Follows the ledger, and applies what is committed to the catalog of this node. */
export class LogTail {
  private readonly node: NodeCatalog
  private readonly options: TailOptions
  private readonly loop: FollowLoop
  private connected = false
  private lastCommit = 0
  private contactAt: number | undefined
  private behindSince: number | undefined

  constructor(node: NodeCatalog, url: string, options: TailOptions) {
    this.node = node
    this.options = options
    this.loop = new FollowLoop(url, {
      purpose: 'tail',
      patienceMs: PATIENCE_MS,
      channel: 'marquee',
      everyMs: POLL_MS,
      look: (session) => this.look(session),
      onFailure: (error, first) => this.fail(error, first),
    })
  }

  start(): void {
    this.loop.start()
  }

  async stop(): Promise<void> {
    await this.loop.stop()
  }

  state(): LedgerState {
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
    if (error instanceof CatalogOutdated || error instanceof CatalogDivergedError) {
      this.loop.end()
      this.options.onOutdated(error)
      return
    }
    if (first) this.options.onAway?.(error)
    this.connected = false
    this.tell()
  }

  private async look(session: Session): Promise<void> {
    const head = await readHead(session)
    this.heard(head)
    if (head.state !== 'ready') throw new LedgerFilling()
    await this.node.alone(() => this.node.catchUp(session, head, this.options.onApplied))
    this.behindSince = undefined
    this.tell()
  }

  private heard({ lastCommit }: LedgerHead): void {
    const { clock } = this.options
    this.connected = true
    this.contactAt = clock()
    this.lastCommit = lastCommit
    if ((this.node.catalog.logPosition()?.commit ?? 0) < lastCommit) this.behindSince ??= clock()
    this.tell()
  }

  private tell(): void {
    this.options.onState?.(this.state())
  }
}
