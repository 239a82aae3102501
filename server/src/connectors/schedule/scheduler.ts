import { readFileSync, statSync } from 'node:fs'
import type { Clock } from '../../lib/clock.ts'
import { isStale, nextRunAt, readSourceState, writeSourceState } from './source-state.ts'
import { parseSources, type ScheduledSource } from './sources-file.ts'

/** What came of a run as far as the process that did it could tell: nothing, or why it ended otherwise. */
export type RunSource = (source: ScheduledSource) => Promise<string | undefined>

export interface SchedulerOptions {
  /** Where `sources.json` is; it need not be there. */
  readonly file: string
  readonly dataDirectory: string
  readonly clock: Clock
  /** Does a run, in a process of its own; the run writes the state of its source. */
  readonly run: RunSource
  readonly log: SchedulerLog
}

/** Whom the scheduler tells what happens. */
export interface SchedulerLog {
  info(about: object, message: string): void
  warn(about: object, message: string): void
  error(about: object, message: string): void
}

/** It looks again at least this often: the file may have changed, or somebody may have run a source by hand. */
const MAX_SLEEP_SECONDS = 15

/** Runs the sources of `sources.json` when they are due, one at a time. */
export class Scheduler {
  private readonly options: SchedulerOptions
  private readonly stale = new Set<string>()
  private sources: readonly ScheduledSource[] = []
  private fileVersion = ''
  private timer: NodeJS.Timeout | undefined
  private running: Promise<void> = Promise.resolve()
  private stopped = false

  constructor(options: SchedulerOptions) {
    this.options = options
  }

  /** Wakes whenever something is due, until stopped. */
  start(): void {
    const runDue = () => {
      this.running = this.wake()
        .catch((error: Error) => this.options.log.error({ err: error }, 'the schedule failed'))
        .then(() => {
          if (this.stopped) return
          const wait = Math.min(Math.max(this.nextDueAt() - this.options.clock(), 0.5), MAX_SLEEP_SECONDS)
          this.timer = setTimeout(runDue, wait * 1000)
        })
    }
    this.timer = setTimeout(runDue, 0)
  }

  /** Lets no further run begin; the one under way is for its process to end. */
  async stop(): Promise<void> {
    this.stopped = true
    clearTimeout(this.timer)
    await this.running
  }

  /** Runs what is due, the longest overdue first, and tells of what is stale. Returns the names of what ran. */
  async wake(): Promise<string[]> {
    this.reload()
    const ran: string[] = []
    for (let due = this.due(ran); due !== undefined && !this.stopped; due = this.due(ran)) {
      await this.runOne(due)
      ran.push(due.name)
    }
    this.logStale()
    return ran
  }

  /** The instant at which the next source is due; Infinity where there is none. */
  nextDueAt(): number {
    return Math.min(...this.sources.map((source) => this.dueAt(source)), Number.POSITIVE_INFINITY)
  }

  private dueAt(source: ScheduledSource): number {
    return nextRunAt(source, readSourceState(this.options.dataDirectory, source.name), this.options.clock())
  }

  /** What is due and did not run just now, the longest overdue first. */
  private due(ran: readonly string[]): ScheduledSource | undefined {
    const now = this.options.clock()
    return this.sources
      .filter((source) => !ran.includes(source.name) && this.dueAt(source) <= now)
      .sort((a, b) => this.dueAt(a) - this.dueAt(b))[0]
  }

  private async runOne(source: ScheduledSource): Promise<void> {
    const { dataDirectory, clock, run, log } = this.options
    const { name } = source
    const before = readSourceState(dataDirectory, name)
    log.info({ source: name }, 'a scheduled run begins')
    const problem = await run(source)
    // A run that ended because the service did is due again when it starts.
    if (this.stopped) return
    let after = readSourceState(dataDirectory, name)
    // A run that was killed could not say so itself.
    if (after.lastRunAt === before.lastRunAt && after.failures === before.failures) {
      const { running, ...rest } = after
      const now = clock()
      after = { firstRunAt: now, ...rest, lastRunAt: now, lastOutcome: 'failed', failures: before.failures + 1 }
      writeSourceState(dataDirectory, name, {
        ...after,
        problem: problem ?? 'the run ended without saying what came of it',
      })
    }
    const { lastOutcome, failures } = after
    const about = { source: name, outcome: lastOutcome, nextRunAt: this.dueAt(source) }
    if (lastOutcome !== 'failed') log.info(about, 'a scheduled run ended')
    else log.error({ ...about, failures, problem: after.problem ?? problem }, 'a scheduled run failed')
  }

  private logStale(): void {
    const { dataDirectory, clock, log } = this.options
    for (const source of this.sources) {
      const { name, staleAfter } = source
      const state = readSourceState(dataDirectory, name)
      const stale = isStale(source, state, clock())
      if (stale && !this.stale.has(name)) {
        const { lastSuccessAt, problem } = state
        log.warn({ source: name, lastSuccessAt, staleAfter, problem }, 'a source is stale')
      }
      if (stale) this.stale.add(name)
      else if (this.stale.delete(name)) log.info({ source: name }, 'a source is no longer stale')
    }
  }

  /** Reads the file anew if it changed. One that cannot be used is told of, and what was read before goes on. */
  private reload(): void {
    const { file, log } = this.options
    const about = statSync(file, { throwIfNoEntry: false })
    const readAs = about === undefined ? '' : `${about.mtimeMs} ${about.size} ${about.ino}`
    if (readAs === this.fileVersion) return
    this.fileVersion = readAs
    try {
      this.sources = about === undefined ? [] : parseSources(readFileSync(file, 'utf8'), file)
      log.info({ file, sources: this.sources.map(({ name }) => name) }, 'the schedule was read')
    } catch (error) {
      log.error({ file, problem: (error as Error).message }, 'the schedule cannot be used; the former one goes on')
    }
  }
}
