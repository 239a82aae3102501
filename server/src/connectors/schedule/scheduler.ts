import { readFileSync, statSync } from 'node:fs'
import type { Clock } from '../../lib/clock.ts'
import {
  changeSourceControl,
  isStale,
  nextRunAt,
  readSourceControl,
  readSourceState,
  writeSourceState,
} from './source-state.ts'
import { parseSources, type ScheduledSource } from './sources-file.ts'

/** Runs a source in a child process. Resolves to the reason if that process ended abnormally. */
type RunSource = (source: ScheduledSource) => Promise<string | undefined>

interface SchedulerOptions {
  /** The path of `sources.json`, which may not exist. */
  readonly file: string
  readonly dataDirectory: string
  readonly clock: Clock
  /** The run itself stores the state of its source. */
  readonly run: RunSource
  readonly log: SchedulerLog
}

/** The part of the logger that the scheduler uses. */
interface SchedulerLog {
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
}

/** Longest sleep. The file may have changed meanwhile, or a source may have been run by hand. */
const MAX_SLEEP_SECONDS = 15

/** Runs the sources of `sources.json` when they are due, one at a time. */
export class Scheduler {
  private readonly options: SchedulerOptions
  /** Names of the stale sources that were logged. */
  private readonly stale = new Set<string>()
  private sources: readonly ScheduledSource[] = []
  /** Modification time, size and inode of the file that was loaded. */
  private fileVersion = ''
  private timer: NodeJS.Timeout | undefined
  private running: Promise<void> = Promise.resolve()
  private stopped = false

  constructor(options: SchedulerOptions) {
    this.options = options
  }

  /** Runs due sources until stopped. */
  start(): void {
    const tick = () => {
      this.running = this.runDue()
        .catch((error: Error) =>
          this.options.log.error({ event: 'schedule_failed', err: error }, 'the scheduler failed'),
        )
        .then(() => {
          if (this.stopped) return
          const wait = Math.min(Math.max(this.nextDueAt() - this.options.clock(), 0.5), MAX_SLEEP_SECONDS)
          this.timer = setTimeout(tick, wait * 1000)
        })
    }
    this.timer = setTimeout(tick, 0)
  }

  /** Starts no further run, and waits for the current one, whose process is ended elsewhere. */
  async stop(): Promise<void> {
    this.stopped = true
    clearTimeout(this.timer)
    await this.running
  }

  /** Runs all due sources, the longest overdue first, and logs stale ones. Returns the names of the sources that ran. */
  async runDue(): Promise<string[]> {
    this.reload()
    const ran: string[] = []
    for (let due = this.findDue(ran); due !== undefined && !this.stopped; due = this.findDue(ran)) {
      await this.runOne(due)
      ran.push(due.name)
    }
    this.logStale()
    return ran
  }

  /** The instant at which the next source is due; Infinity without sources. */
  nextDueAt(): number {
    return Math.min(...this.sources.map((source) => this.dueAt(source)), Number.POSITIVE_INFINITY)
  }

  private dueAt(source: ScheduledSource): number {
    const { dataDirectory, clock } = this.options
    const { pausedAt, runRequestedAt } = readSourceControl(dataDirectory, source.name)
    if (runRequestedAt !== undefined) return Number.NEGATIVE_INFINITY
    if (pausedAt !== undefined) return Number.POSITIVE_INFINITY
    return nextRunAt(source, readSourceState(dataDirectory, source.name), clock())
  }

  /** The longest overdue source that did not run yet in this round. */
  private findDue(ran: readonly string[]): ScheduledSource | undefined {
    const now = this.options.clock()
    return this.sources
      .filter((source) => !ran.includes(source.name) && this.dueAt(source) <= now)
      .sort((a, b) => this.dueAt(a) - this.dueAt(b))[0]
  }

  private async runOne(source: ScheduledSource): Promise<void> {
    const { dataDirectory, clock, run, log } = this.options
    const { name } = source
    const before = readSourceState(dataDirectory, name)
    changeSourceControl(dataDirectory, name, { runRequestedAt: undefined })
    log.info({ event: 'source_run_started', source: name }, 'a scheduled run started')
    const problem = await run(source)
    // A run that was ended with the service is due again after the restart.
    if (this.stopped) return
    let after = readSourceState(dataDirectory, name)
    // A killed run could not store its failure.
    if (after.lastRunAt === before.lastRunAt && after.failures === before.failures) {
      const { running, ...rest } = after
      const now = clock()
      after = { firstRunAt: now, ...rest, lastRunAt: now, lastOutcome: 'failed', failures: before.failures + 1 }
      writeSourceState(dataDirectory, name, {
        ...after,
        problem: problem ?? 'the run ended without storing its outcome',
      })
    }
    const { lastOutcome, failures } = after
    const fields = { source: name, outcome: lastOutcome, nextRunAt: this.dueAt(source) }
    if (lastOutcome !== 'failed') log.info({ event: 'source_run_finished', ...fields }, 'a scheduled run finished')
    else {
      const failure = { event: 'source_run_failed', ...fields, failures, problem: after.problem ?? problem }
      log.error(failure, 'a scheduled run failed')
    }
  }

  /** Logs each source once when it becomes stale, and once when it no longer is. */
  private logStale(): void {
    const { dataDirectory, clock, log } = this.options
    for (const source of this.sources) {
      const { name, staleAfter } = source
      const state = readSourceState(dataDirectory, name)
      const isPaused = readSourceControl(dataDirectory, name).pausedAt !== undefined
      const stale = !isPaused && isStale(source, state, clock())
      if (stale && !this.stale.has(name)) {
        const { lastSuccessAt, problem } = state
        log.warn({ event: 'source_stale', source: name, lastSuccessAt, staleAfter, problem }, 'a source is stale')
      }
      if (stale) this.stale.add(name)
      else if (this.stale.delete(name)) {
        log.info({ event: 'source_recovered', source: name }, 'a source is no longer stale')
      }
    }
  }

  /** Loads the file if it changed. If it is invalid, the former schedule stays. */
  private reload(): void {
    const { file, log } = this.options
    const stats = statSync(file, { throwIfNoEntry: false })
    const readAs = stats === undefined ? '' : `${stats.mtimeMs} ${stats.size} ${stats.ino}`
    if (readAs === this.fileVersion) return
    this.fileVersion = readAs
    try {
      this.sources = stats === undefined ? [] : parseSources(readFileSync(file, 'utf8'), file)
      const sources = this.sources.map(({ name }) => name)
      log.info({ event: 'schedule_loaded', file, sources }, 'the schedule was loaded')
    } catch (error) {
      const fields = { event: 'schedule_invalid', file, problem: (error as Error).message }
      log.error(fields, 'the schedule is invalid; the former one stays in use')
    }
  }
}
