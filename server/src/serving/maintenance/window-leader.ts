import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { WindowScheduler } from '../../ingest/windows/window-scheduler.ts'
import type { PostgresLedger } from '../../ledger/postgres/postgres-ledger.ts'
import type { Clock } from '../../lib/clock.ts'
import { hasElapsed } from '../../model/time.ts'

/** How often it is looked whether the duty is free, or still ours. */
const POLL_MS = 1_000

/** How often old commits are let go of. */
const TRUNCATE_INTERVAL_SECONDS = 3_600

export interface WindowLeaderOptions {
  readonly clock: Clock
  readonly retentionDays: number
  readonly logDays: number
  readonly logger: Logger
  readonly onRun?: (shows: number) => void
  readonly onFailure?: (error: unknown) => void
  /** Called when this node takes up or loses the duty. */
  readonly onLeadership?: (onDuty: boolean) => void
}

/** Keeps the windows of offers on one node of all: on this one, once it is its turn. */
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
        const other = await this.ledger.tasks.acquire('keep', clock(), 'the windows of offers')
        if (other === undefined) await this.lead()
      } catch (error) {
        logger.debug({ err: error }, 'the duty of the keeper cannot be asked for')
      }
      await this.pause()
    }
  }

  private async lead(): Promise<void> {
    const { clock, logger, retentionDays, onLeadership, onRun, onFailure } = this.options
    const keeper = new WindowScheduler(this.ledger, clock, {
      retentionDays,
      onSettled: (shows) => onRun?.(shows),
      onError: (error) => {
        onFailure?.(error)
        logger.error({ err: error }, 'the keeper failed')
      },
    })
    logger.info('this node keeps the windows of offers')
    onLeadership?.(true)
    keeper.start()
    try {
      while (!this.stopping.signal.aborted) {
        // Throws when the session, and with it the duty, is lost.
        await this.ledger.connect()
        if (hasElapsed(TRUNCATE_INTERVAL_SECONDS, this.truncatedAt, clock())) {
          this.truncatedAt = clock()
          const trimmed = await this.ledger.truncateLog(this.options.logDays)
          if (trimmed > 0) logger.info({ commits: trimmed }, 'old commits were let go of')
        }
        await this.pause()
      }
    } catch (error) {
      logger.warn({ err: error }, 'this node no longer keeps the windows of offers')
    } finally {
      await keeper.stop()
      await this.ledger.tasks.release('keep')
      onLeadership?.(false)
    }
  }

  private async pause(): Promise<void> {
    await sleep(POLL_MS, undefined, { signal: this.stopping.signal }).catch(() => {})
  }
}
