import { CatalogDiverged } from '../../catalog/catalog-writer.ts'
import { openDatabase } from '../../database/open-database.ts'
import type { Session } from '../../database/session.ts'
import type { Clock } from '../../model/clock.ts'
import type { LedgerState } from '../ledger-state.ts'
import { LedgerFilling, type LedgerHead, readHead } from './ledger-head.ts'
import { CatalogOutdated, type NodeCatalog } from './node-catalog.ts'

/** However quiet it is, the ledger is looked at this often: a notification may have been missed. */
const POLL_MS = 2_000

/** How long to wait before PostgreSQL is tried again, at first and at most. */
const FIRST_RETRY_MS = 100
const LONGEST_RETRY_MS = 2_000

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
  private readonly url: string
  private readonly options: TailOptions
  private session: Session | undefined
  private stopped = false
  private running: Promise<void> = Promise.resolve()
  private wake: (() => void) | undefined
  private woken = false
  private connected = false
  private lastCommit = 0
  private contactAt: number | undefined
  private behindSince: number | undefined

  constructor(node: NodeCatalog, url: string, options: TailOptions) {
    this.node = node
    this.url = url
    this.options = options
  }

  start(): void {
    this.running = this.follow()
  }

  async stop(): Promise<void> {
    this.stopped = true
    this.rouse()
    await this.running
    await this.session?.close()
  }

  state(): LedgerState {
    const commit = this.node.catalog.position()?.commit ?? 0
    return {
      connected: this.connected,
      commit,
      lastCommit: Math.max(this.lastCommit, commit),
      ...(this.contactAt !== undefined && { contactAt: this.contactAt }),
      ...(this.behindSince !== undefined && { behindSince: this.behindSince }),
    }
  }

  private async follow(): Promise<void> {
    let retry = FIRST_RETRY_MS
    while (!this.stopped) {
      this.woken = false
      try {
        await this.look()
        retry = FIRST_RETRY_MS
        await this.rest(POLL_MS)
      } catch (error) {
        if (error instanceof CatalogOutdated || error instanceof CatalogDiverged) {
          this.options.onOutdated(error)
          return
        }
        if (this.connected || retry === FIRST_RETRY_MS) this.options.onAway?.(error as Error)
        this.connected = false
        this.tell()
        await this.session?.close()
        this.session = undefined
        await this.rest(retry)
        retry = Math.min(retry * 2, LONGEST_RETRY_MS)
      }
    }
  }

  private async look(): Promise<void> {
    const session = await this.listening()
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
    if ((this.node.catalog.position()?.commit ?? 0) < lastCommit) this.behindSince ??= clock()
    this.tell()
  }

  private async listening(): Promise<Session> {
    if (this.session !== undefined && !this.session.lost) return this.session
    const session = await openDatabase(this.url, {
      purpose: 'tail',
      patienceMs: PATIENCE_MS,
      onNotification: () => this.rouse(),
    })
    this.session = session
    // A database without notifications is looked at as often as one whose notifications are missed.
    await session.ask('LISTEN marquee').catch((error) => {
      if (session.lost) throw error
    })
    return session
  }

  private tell(): void {
    this.options.onState?.(this.state())
  }

  private rouse(): void {
    this.woken = true
    this.wake?.()
  }

  private async rest(ms: number): Promise<void> {
    if (this.woken || this.stopped) return
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms)
      this.wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })
    this.wake = undefined
  }
}
