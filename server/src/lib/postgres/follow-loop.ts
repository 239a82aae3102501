import { backoffMs } from '../backoff.ts'
import { type ClusterCheck, openDatabase } from './database.ts'
import type { Session, SessionOptions } from './session.ts'

const RETRY = { firstMs: 100, maxMs: 2_000 }

export interface FollowOptions extends Omit<SessionOptions, 'onNotification'> {
  /** The channel for `LISTEN`, on which writers `NOTIFY` of changes. */
  readonly channel: string
  /** The longest time between two polls: a notification can get lost. */
  readonly pollIntervalMs: number
  /** Which ledger the data folder has a copy of. */
  readonly cluster?: ClusterCheck
  /** Reads and applies all changes since the poll before. */
  readonly poll: (session: Session) => Promise<void>
  /** Called when a poll failed; `first` if the poll before it had succeeded. */
  readonly onFailure: (error: Error, first: boolean) => void
}

/**
 * Follows changes in PostgreSQL: polls after each notification, and at a fixed interval without one. After a failure it
 * reconnects with exponential backoff.
 */
export class FollowLoop {
  private readonly url: string
  private readonly options: FollowOptions
  private session: Session | undefined
  private isStopped = false
  private running: Promise<void> = Promise.resolve()
  private wake: (() => void) | undefined
  private isNotified = false

  constructor(url: string, options: FollowOptions) {
    this.url = url
    this.options = options
  }

  start(): void {
    this.running = this.run()
  }

  /** Stops without waiting for a running poll. */
  abort(): void {
    this.isStopped = true
    this.notify()
  }

  /** Stops after the running poll; `finish` runs with the session before that is closed. */
  async stop(finish?: (session: Session) => Promise<unknown>): Promise<void> {
    this.abort()
    await this.running
    if (this.session === undefined) return
    await finish?.(this.session).catch(() => {})
    await this.session.close()
  }

  private async run(): Promise<void> {
    for (let failures = 0; !this.isStopped; ) {
      // A notification during the poll may come too late for it: the next poll follows at once.
      this.isNotified = false
      try {
        await this.options.poll(await this.connect())
        failures = 0
        await this.sleep(this.options.pollIntervalMs)
      } catch (error) {
        this.options.onFailure(error as Error, failures === 0)
        await this.session?.close()
        this.session = undefined
        await this.sleep(backoffMs(++failures, RETRY))
      }
    }
  }

  private async connect(): Promise<Session> {
    if (this.session !== undefined && !this.session.isLost) return this.session
    const { purpose, statementTimeoutMs, channel, cluster } = this.options
    const session = await openDatabase(this.url, {
      purpose,
      cluster,
      ...(statementTimeoutMs !== undefined && { statementTimeoutMs }),
      onNotification: () => this.notify(),
    })
    this.session = session
    // A database without LISTEN is polled at the interval alone.
    await session.quickQuery(`LISTEN ${channel}`).catch((error) => {
      if (session.isLost) throw error
    })
    return session
  }

  private notify(): void {
    this.isNotified = true
    this.wake?.()
  }

  private async sleep(ms: number): Promise<void> {
    if (this.isNotified || this.isStopped) return
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
