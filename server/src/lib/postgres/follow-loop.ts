import { openDatabase } from './migrations.ts'
import type { Session, SessionOptions } from './session.ts'

/** How long to wait before PostgreSQL is tried again, at first and at most. */
const FIRST_RETRY_MS = 100
const MAX_RETRY_MS = 2_000

export interface FollowOptions extends Omit<SessionOptions, 'onNotification'> {
  /** The channel on which changes are told. */
  readonly channel: string
  /** However quiet it is, it is looked this often: a notification may have been missed. */
  readonly pollIntervalMs: number
  /** Looks once, and takes over what there is. */
  readonly poll: (session: Session) => Promise<void>
  /** Called when a look failed; `first` unless the one before it had failed as well. */
  readonly onFailure: (error: Error, first: boolean) => void
}

/** Looks again and again at what others change in PostgreSQL: whenever a change is told, and now and then without. */
export class FollowLoop {
  private readonly url: string
  private readonly options: FollowOptions
  private session: Session | undefined
  private stopped = false
  private running: Promise<void> = Promise.resolve()
  private wake: (() => void) | undefined
  private woken = false

  constructor(url: string, options: FollowOptions) {
    this.url = url
    this.options = options
  }

  start(): void {
    this.running = this.run()
  }

  /** Looks no more, without waiting for a look that is under way. */
  abort(): void {
    this.stopped = true
    this.notify()
  }

  /** Looks no more; what is said last is said while there is a session still. */
  async stop(sayLast?: (session: Session) => Promise<unknown>): Promise<void> {
    this.abort()
    await this.running
    if (this.session === undefined) return
    await sayLast?.(this.session).catch(() => {})
    await this.session.close()
  }

  private async run(): Promise<void> {
    for (let failures = 0; !this.stopped; ) {
      // What is told from now on may be too late for this look, and is seen by the next one.
      this.woken = false
      try {
        await this.options.poll(await this.connect())
        failures = 0
        await this.sleep(this.options.pollIntervalMs)
      } catch (error) {
        this.options.onFailure(error as Error, failures === 0)
        await this.session?.close()
        this.session = undefined
        await this.sleep(Math.min(FIRST_RETRY_MS * 2 ** failures, MAX_RETRY_MS))
        failures++
      }
    }
  }

  private async connect(): Promise<Session> {
    if (this.session !== undefined && !this.session.isLost) return this.session
    const { purpose, statementTimeoutMs, channel } = this.options
    const session = await openDatabase(this.url, {
      purpose,
      ...(statementTimeoutMs !== undefined && { statementTimeoutMs }),
      onNotification: () => this.notify(),
    })
    this.session = session
    // A database without notifications is looked at as often as one whose notifications are missed.
    await session.quickQuery(`LISTEN ${channel}`).catch((error) => {
      if (session.isLost) throw error
    })
    return session
  }

  private notify(): void {
    this.woken = true
    this.wake?.()
  }

  private async sleep(ms: number): Promise<void> {
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
