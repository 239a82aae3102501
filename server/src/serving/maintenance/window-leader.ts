import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { WindowScheduler } from '../../ingest/window-scheduler.ts'
import type { PostgresLedger } from '../../ledger/postgres/postgres-ledger.ts'
import type { Clock } from '../../lib/clock.ts'
import { hasElapsed } from '../../model/time.ts'
import { logOncePerMinute } from '../startup/process-lifecycle.ts'

/** How often a node tries to become the leader, and a leader checks that it still is. */
const POLL_MS = 1_000

/** How often the leader truncates the log. */
const TRUNCATE_INTERVAL_SECONDS = 3_600

interface WindowLeaderOptions {
  readonly clock: Clock
  readonly retentionDays: number
  readonly historyDays: number
  /** How many days of commits the log keeps. */
  readonly logDays: number
  readonly logger: Logger
  /** Called after each run of the window scheduler with the number of shows that it changed. */
  readonly onRun?: (shows: number) => void
  readonly onFailure?: (error: unknown) => void
  /** Called when this node becomes the leader or stops being it. */
  readonly onLeadership?: (leads: boolean) => void
}

/**
 * Leader election for the window scheduler: the node that holds the task lock `keep` in PostgreSQL runs it and truncates
 * the log. The lock belongs to a session, so another node takes over when the session ends.
 */
export class WindowLeader {
  private readonly ledger: PostgresLedger
  private readonly options: WindowLeaderOptions
  private readonly stopping = new AbortController()
  private running: Promise<void> = Promise.resolve()
  private truncatedAt = 0

  constructor(ledger: PostgresLedger, options: WindowLeaderOptions) {
    this.ledger = ledger
    this.options = options
  }

  start(): void {
    this.running = this.run()
  }

  async stop(): Promise<void> {
    this.stopping.abort()
    await this.running
  }

  private async run(): Promise<void> {
    const { clock, logger } = this.options
    while (!this.stopping.signal.aborted) {
      try {
        const holder = await this.ledger.tasks.acquire('keep', clock(), 'the windows of offers')
        if (holder === undefined) await this.lead()
      } catch (error) {
        logger.debug({ event: 'leader_poll_failed', err: error }, 'the lock of the leader cannot be requested')
      }
      await this.pause()
    }
  }

  /** Runs the window scheduler until this node stops or loses the lock. */
  private async lead(): Promise<void> {
    const { clock, logger, retentionDays, historyDays, onLeadership, onRun, onFailure } = this.options
    const logFailure = logOncePerMinute((fields) =>
      logger.error({ event: 'windows_failed', ...fields }, 'the window scheduler failed'),
    )
    const scheduler = new WindowScheduler(this.ledger, clock, {
      retentionDays,
      historyDays,
      onRun: (shows) => onRun?.(shows),
      onError: (error) => {
        onFailure?.(error)
        logFailure(error)
      },
    })
    logger.info({ event: 'leader_acquired' }, 'this node is the leader and runs the window scheduler')
    onLeadership?.(true)
    scheduler.start()
    try {
      while (!this.stopping.signal.aborted) {
        // Throws when the session is lost, and the lock with it.
        await this.ledger.connect()
        await this.truncateLogIfDue()
        await this.pause()
      }
    } catch (error) {
      logger.warn({ event: 'leader_lost', reason: (error as Error).message }, 'this node is no longer the leader')
    } finally {
      await scheduler.stop()
      await this.ledger.tasks.release('keep')
      onLeadership?.(false)
    }
  }

  private async truncateLogIfDue(): Promise<void> {
    const { clock, logger, logDays } = this.options
    if (!hasElapsed(TRUNCATE_INTERVAL_SECONDS, this.truncatedAt, clock())) return
    this.truncatedAt = clock()
    const commits = await this.ledger.truncateLog(logDays)
    if (commits > 0) logger.info({ event: 'log_truncated', commits }, 'old commits were removed from the log')
  }

  private async pause(): Promise<void> {
    await sleep(POLL_MS, undefined, { signal: this.stopping.signal }).catch(() => {})
  }
}
