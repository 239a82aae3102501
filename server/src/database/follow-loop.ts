import { openDatabase } from './open-database.ts'
import type { Session, SessionOptions } from './session.ts'

/** How long to wait before PostgreSQL is tried again, at first and at most. */
const FIRST_RETRY_MS = 100
const LONGEST_RETRY_MS = 2_000

export interface FollowOptions extends Omit<SessionOptions, 'onNotification'> {
  /** The channel on which changes are told. */
  readonly channel: string
  /** However quiet it is, it is looked this often: a notification may have been missed. */
  readonly everyMs: number
  /** Looks once, and takes over what there is. */
  readonly look: (session: Session) => Promise<void>
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
    this.running = this.follow()
  }

  /** Looks no more, without waiting for a look that is under way. */
  end(): void {
    this.stopped = true
    this.rouse()
  }

  /** Looks no more; what is said last is said while there is a session still. */
  async stop(sayLast?: (session: Session) => Promise<unknown>): Promise<void> {
    this.end()
    await this.running
    if (this.session === undefined) return
    await sayLast?.(this.session).catch(() => {})
    await this.session.close()
  }

  private async follow(): Promise<void> {
    for (let failures = 0; !this.stopped; ) {
      // What is told from now on may be too late for this look, and is seen by the next one.
      this.woken = false
      try {
        await this.options.look(await this.listening())
        failures = 0
        await this.rest(this.options.everyMs)
      } catch (error) {
        this.options.onFailure(error as Error, failures === 0)
        await this.session?.close()
        this.session = undefined
        await this.rest(Math.min(FIRST_RETRY_MS * 2 ** failures, LONGEST_RETRY_MS))
        failures++
      }
    }
  }

  private async listening(): Promise<Session> {
    if (this.session !== undefined && !this.session.lost) return this.session
    const { purpose, patienceMs, channel } = this.options
    const session = await openDatabase(this.url, {
      purpose,
      ...(patienceMs !== undefined && { patienceMs }),
      onNotification: () => this.rouse(),
    })
    this.session = session
    // A database without notifications is looked at as often as one whose notifications are missed.
    await session.ask(`LISTEN ${channel}`).catch((error) => {
      if (session.lost) throw error
    })
    return session
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
