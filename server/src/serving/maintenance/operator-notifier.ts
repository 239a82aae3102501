import { randomBytes } from 'node:crypto'
import { statfsSync } from 'node:fs'
import type { Logger } from 'pino'
import { backoffMs } from '../../lib/backoff.ts'
import { type Clock, systemClock, systemTimer, type Timer } from '../../lib/clock.ts'
import { messageBody, messageHeaders, type SendMessage } from '../../webhooks/send-message.ts'

/** What operators are told of. */
const OPERATOR_EVENTS = [
  'source_run_failed',
  'snapshot_refused',
  'source_stale',
  'source_recovered',
  'disk_full',
  'disk_recovered',
  'webhook_paused',
] as const
type OperatorEvent = (typeof OPERATOR_EVENTS)[number]

/** Tells the operator of an event, in a sentence. */
export type NotifyOperator = (event: OperatorEvent, message: string, details?: object) => void

/** A disk with less than both of these counts as full. */
const MIN_FREE_SHARE = 0.05
const MIN_FREE_BYTES = 2 * 1024 ** 3

const DISK_CHECK_MS = 60_000

const MAX_ATTEMPTS = 8
const BACKOFF = { firstMs: 2_000, maxMs: 600_000, jitter: 0.2 }

interface OperatorNotifierOptions {
  /** Undefined if notifications only go to the log. */
  readonly url: string | undefined
  /** Signs messages if it is set: `whsec_` and base64. */
  readonly secret: string | undefined
  readonly dataDir: string
  readonly send: SendMessage
  readonly logger: Pick<Logger, 'info' | 'warn' | 'error'>
  readonly clock?: Clock
  readonly timer?: Timer
  readonly freeSpace?: (folder: string) => { readonly free: number; readonly total: number }
}

/** Sends what an operator has to know to the operator's webhook, beside the log, and watches the disk. */
export class OperatorNotifier {
  private readonly options: OperatorNotifierOptions
  private readonly clock: Clock
  private readonly timer: Timer
  private interval: NodeJS.Timeout | undefined
  private isDiskFull = false
  private isStopped = false

  constructor(options: OperatorNotifierOptions) {
    this.options = options
    this.clock = options.clock ?? systemClock
    this.timer = options.timer ?? systemTimer
  }

  start(): void {
    this.checkDisk()
    this.interval = setInterval(() => this.checkDisk(), DISK_CHECK_MS).unref()
  }

  stop(): void {
    this.isStopped = true
    clearInterval(this.interval)
  }

  /** Sends an event, with retries over about ten minutes. Resolves when it was delivered or given up. */
  readonly notify = async (event: OperatorEvent, message: string, details: object = {}): Promise<void> => {
    const { url, secret, send, logger } = this.options
    if (url === undefined) return
    const id = `msg_operator_${randomBytes(9).toString('hex')}`
    const body = messageBody(`operator.${event}`, this.clock(), JSON.stringify({ message, ...details }))
    let reason = ''
    for (let attempt = 1; attempt <= MAX_ATTEMPTS && !this.isStopped; attempt++) {
      if (attempt > 1) await this.timer.sleep(backoffMs(attempt - 1, BACKOFF))
      const signed = messageHeaders({ id, body }, { secret: secret ?? '' }, this.clock())
      const { 'webhook-signature': signature = '', ...headers } = signed
      const result = await send(
        url,
        { ...headers, ...(secret !== undefined && { 'webhook-signature': signature }) },
        body,
      )
      if (result.status !== undefined && result.status >= 200 && result.status < 300) return
      reason = result.error ?? `the answer was ${result.status}`
    }
    logger.error(
      { event: 'operator_notify_failed', notification: event, problem: reason },
      'the operator was not notified',
    )
  }

  /** A log of the scheduler that also notifies: of runs that failed, and of stale sources. */
  watch<L extends SchedulerLog>(log: L): SchedulerLog {
    const forward = (level: 'info' | 'warn' | 'error') => (fields: object, message: string) => {
      log[level](fields, message)
      const { event, source, problem, failures } = fields as Record<string, unknown>
      const isRefused = event === 'source_run_failed' && /\brefused\b/.test(String(problem))
      const known = isRefused ? 'snapshot_refused' : OPERATOR_EVENTS.find((one) => one === event)
      if (known === undefined) return
      const why = problem === undefined ? '' : `: ${problem}`
      void this.notify(known, `${message}: ${source}${why}`, { source, failures })
    }
    return { info: forward('info'), warn: forward('warn'), error: forward('error') }
  }

  /** Notifies once when the disk of the data gets full, and once when it no longer is. */
  checkDisk(): void {
    const { dataDir, logger, freeSpace = readFreeSpace } = this.options
    let space: { readonly free: number; readonly total: number }
    try {
      space = freeSpace(dataDir)
    } catch {
      return
    }
    const isFull = space.free < MIN_FREE_BYTES && space.free < MIN_FREE_SHARE * space.total
    if (isFull === this.isDiskFull) return
    this.isDiskFull = isFull
    const megabytes = Math.floor(space.free / 1024 ** 2)
    if (isFull) {
      logger.warn({ event: 'disk_full', freeBytes: space.free }, 'the disk of the data is nearly full')
      void this.notify('disk_full', `The disk of ${dataDir} has ${megabytes} MB left.`, { freeBytes: space.free })
    } else {
      logger.info({ event: 'disk_recovered', freeBytes: space.free }, 'the disk of the data has room again')
      void this.notify('disk_recovered', `The disk of ${dataDir} has ${megabytes} MB left.`, { freeBytes: space.free })
    }
  }
}

/** The part of the logger that the scheduler uses. */
interface SchedulerLog {
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
}

function readFreeSpace(folder: string): { free: number; total: number } {
  const { bavail, blocks, bsize } = statfsSync(folder)
  return { free: bavail * bsize, total: blocks * bsize }
}
