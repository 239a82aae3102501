import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Logger } from 'pino'
import type { Catalog } from '../../catalog/catalog.ts'
import type { ScheduledSource } from '../../connectors/schedule/sources-file.ts'
import type { DoctorReport } from '../../doctor/finding.ts'
import type { JobRequest, OperatorJob } from '../../http/platform/platform-route.ts'
import type { Clock } from '../../lib/clock.ts'
import { UserError } from '../../lib/errors.ts'
import { lowerPriority } from '../../lib/process-info.ts'
import type { ProgressMessage } from '../../runtime/progress.ts'
import type { Uploads } from '../../runtime/uploads.ts'
import type { CatalogChecksReport } from '../cluster/messages.ts'
import { stopChild } from './follower-process.ts'

const PROGRAM = fileURLToPath(new URL('../../../bin/marquee.js', import.meta.url))

/** How many jobs the operator's page shows. */
const MAX_JOBS = 10

/** How much is kept of what a child process prints. */
const MAX_STDERR_CHARS = 2_000
const MAX_JOB_REPORT_CHARS = 1 << 24

/** Notices of a feed that the page shows in full. */
const MAX_NOTICES = 50

interface OperatorJobsOptions {
  readonly uploads: Uploads
  /** The address of the service, for the links of the demo. */
  readonly address: () => string
  readonly clock: Clock
  readonly log: Pick<Logger, 'info' | 'error'>
  /** The environment of the child processes. */
  readonly env?: NodeJS.ProcessEnv
}

/**
 * Runs what admins start on the operator's page: imports of uploaded files, the demo, removals of sources. Each is the
 * command in a child process, as scheduled runs are, with the same checks. One runs at a time; the latest are kept in
 * memory with their progress and their report.
 */
export class OperatorJobs {
  private readonly options: OperatorJobsOptions
  private jobs: OperatorJob[] = []
  private child: ChildProcess | undefined

  constructor(options: OperatorJobsOptions) {
    this.options = options
  }

  /** The latest jobs, newest first. */
  list(): readonly OperatorJob[] {
    return this.jobs
  }

  /** Starts a job; or says why not, if one is running, or if its upload is not there. */
  start(request: JobRequest): OperatorJob | { readonly refused: string } {
    if (this.child !== undefined) return { refused: 'Another import is running; wait until it has ended' }
    try {
      const file = request.kind === 'import' ? this.options.uploads.finish(request.upload, request.name) : ''
      return this.run(request, file)
    } catch (error) {
      if (error instanceof UserError) return { refused: error.message }
      throw error
    }
  }

  private run(request: JobRequest, file: string): OperatorJob {
    const { uploads, address, clock, log, env } = this.options
    const child = spawn(process.execPath, [PROGRAM, ...commandArguments(request, file, address())], {
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      ...(env !== undefined && { env }),
    })
    this.child = child
    const what = request.kind === 'import' ? basename(file) : request.kind === 'remove' ? request.source : 'demo'
    const job: OperatorJob = { id: randomUUID(), kind: request.kind, what, startedAt: clock(), state: 'running' }
    this.jobs = [job, ...this.jobs].slice(0, MAX_JOBS)
    log.info({ event: 'operator_job_started', job: job.kind, what }, 'a job of an admin started')
    void this.follow(child, job.id).then((end) => {
      this.child = undefined
      this.update(job.id, { ...end, endedAt: clock() })
      if (request.kind === 'import') uploads.delete(request.upload)
      const fields = { job: job.kind, what, problem: end.problem }
      if (end.state === 'done') log.info({ event: 'operator_job_finished', ...fields }, 'a job of an admin finished')
      else log.error({ event: 'operator_job_failed', ...fields }, 'a job of an admin failed')
    })
    return job
  }

  /** Stops the running job, if there is one. What it committed stays. */
  async stop(): Promise<void> {
    if (this.child !== undefined) await stopChild(this.child)
  }

  /** Shows the progress of a child process until it ends. */
  private async follow(child: ChildProcess, id: string): Promise<JobEnd> {
    let stdout = ''
    let stderr = ''
    child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
      if (stdout.length < MAX_JOB_REPORT_CHARS) stdout += chunk
    })
    child.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
      stderr = (stderr + chunk).slice(-MAX_STDERR_CHARS)
      const line = chunk.trimEnd().split('\n').at(-1)
      if (line) this.update(id, { detail: line })
    })
    child.on('message', (message: ProgressMessage) => {
      if (message?.type !== 'progress') return
      const { type: _, ...progress } = message
      this.update(id, { progress })
    })
    try {
      // `close` comes after the last output, `exit` may come before it.
      const [code, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null]
      if (signal !== null) return { state: 'failed', problem: `it was ended by ${signal}` }
      const report = parseReport(stdout)
      if (code === 0) return { state: 'done', ...report }
      const problem = describeFailure(report) ?? (stderr.trim() || `it ended with exit code ${code}`)
      return { state: 'failed', ...report, problem }
    } catch (error) {
      return { state: 'failed', problem: `it could not be started: ${(error as Error).message}` }
    }
  }

  private update(id: string, change: Partial<OperatorJob>): void {
    this.jobs = this.jobs.map((job) => {
      if (job.id !== id) return job
      const { detail: _, ...rest } = job
      return change.state === undefined ? { ...job, ...change } : { ...rest, ...change }
    })
  }
}

type JobEnd = Pick<OperatorJob, 'state' | 'report' | 'problem'>

/** The command line of a job. Values are joined to their flags, so that none is taken for a flag. */
function commandArguments(request: JobRequest, file: string, address: string): string[] {
  if (request.kind === 'demo') return ['demo', '--import', '--json', `--base-url=${address}`]
  if (request.kind === 'remove') return ['sources', 'remove', '--yes', '--json', '--', request.source]
  const { source, mode, format, isTrial } = request
  const isTable = format === undefined && /\.(csv|tsv)(\.gz)?$/i.test(file)
  return [
    ...['import', '--json'],
    ...(source === undefined ? [] : [`--source=${source}`]),
    ...(mode === undefined ? [] : [`--mode=${mode}`]),
    ...(format === undefined ? [] : [`--format=${format}`]),
    ...(isTable ? ['--guess', '--yes'] : []),
    ...(isTrial === true ? ['--dry-run'] : []),
    ...['--', file],
  ]
}

/** The JSON that a command prints at its end, with as many notices as the page shows. */
function parseReport(stdout: string): Pick<OperatorJob, 'report'> {
  try {
    const { noticeList, changesByPlace: _, ...report } = JSON.parse(stdout) as Record<string, unknown>
    return { report: { ...report, ...(Array.isArray(noticeList) && { noticeList: noticeList.slice(0, MAX_NOTICES) }) } }
  } catch {
    return {}
  }
}

/** Why a feed was not imported as a whole, if its report says so. */
function describeFailure({ report }: Pick<OperatorJob, 'report'>): string | undefined {
  const refused = report?.refused as { reason?: string; held?: number; removed?: number } | undefined
  if (refused?.reason === 'too_many_removals') {
    return (
      `The snapshot would remove ${refused.removed} of the ${refused.held} offers of its source, more than a fifth; ` +
      'nothing was imported. If that is right, import it with `marquee import --force`'
    )
  }
  if (refused !== undefined) return `The feed was refused (${refused.reason}); nothing was imported`
  if (report?.complete === false) return 'The feed is incomplete: what could be read was imported, nothing was removed'
  return undefined
}

/** Runs scheduled sources as child processes (`marquee sources run`), because an import uses a whole core. */
export class ScheduledRuns {
  private child: ChildProcess | undefined

  /** Runs a source. Returns why its process failed, or undefined if it succeeded. */
  async run({ name, timeout }: ScheduledSource): Promise<string | undefined> {
    const child = spawn(process.execPath, [PROGRAM, 'sources', 'run', name, '--json'], {
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    this.child = child
    let stderr = ''
    child.stderr.on('data', (chunk: Buffer) => {
      stderr = (stderr + chunk).slice(-MAX_STDERR_CHARS)
    })
    let timedOut = false
    const timer = setTimeout(() => {
      timedOut = true
      void stopChild(child)
    }, timeout * 1000)
    try {
      const [code, signal] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null]
      if (timedOut) return `the run took longer than ${timeout} seconds and was stopped`
      if (signal !== null) return `the run was ended by ${signal}`
      return code === 0 ? undefined : stderr.trim() || `the run ended with exit code ${code}`
    } catch (error) {
      return `the run could not be started: ${(error as Error).message}`
    } finally {
      clearTimeout(timer)
      this.child = undefined
    }
  }

  /** Stops the current run, if there is one. A sync resumes with its next run. */
  async stop(): Promise<void> {
    if (this.child !== undefined) await stopChild(this.child)
  }
}

/** Between two checks lies at least this time, since windows may change the catalog every second. */
const MIN_CHECK_INTERVAL_SECONDS = 60

/** Sources become stale without a change of the catalog. */
const MAX_CHECK_AGE_SECONDS = 3_600

const MAX_CHECK_REPORT_BYTES = 1 << 24

/**
 * Checks the catalog for the operator's page when it is asked for and the last report is out of date. A check reads the
 * whole catalog, so it is a child process of low priority: `marquee doctor`.
 */
export class CatalogChecks {
  private readonly catalog: Pick<Catalog, 'version'>
  private readonly clock: Clock
  private child: ChildProcess | undefined
  private latest: DoctorReport | undefined
  private problem: string | undefined
  private endedAt = Number.NEGATIVE_INFINITY

  constructor(catalog: Pick<Catalog, 'version'>, clock: Clock) {
    this.catalog = catalog
    this.clock = clock
  }

  /** The latest report. Starts a check if it is out of date, and does not wait for it. */
  report(): CatalogChecksReport {
    if (this.child === undefined && this.isDue()) this.start()
    return {
      ...(this.latest !== undefined && { report: this.latest }),
      isRunning: this.child !== undefined,
      ...(this.problem !== undefined && { problem: this.problem }),
    }
  }

  /** Stops the current check, if there is one. */
  async stop(): Promise<void> {
    if (this.child !== undefined) await stopChild(this.child)
  }

  private isDue(): boolean {
    const now = this.clock()
    if (this.catalog.version() === 0 || now - this.endedAt < MIN_CHECK_INTERVAL_SECONDS) return false
    return this.latest?.version !== this.catalog.version() || now - this.latest.at > MAX_CHECK_AGE_SECONDS
  }

  private start(): void {
    const options = { maxBuffer: MAX_CHECK_REPORT_BYTES }
    const child = execFile(process.execPath, [PROGRAM, 'doctor', '--json'], options, (error, stdout, stderr) => {
      this.child = undefined
      this.endedAt = this.clock()
      this.problem = error === null ? undefined : stderr.trim() || error.message
      try {
        if (error === null) this.latest = JSON.parse(stdout) as DoctorReport
      } catch (invalid) {
        this.problem = (invalid as Error).message
      }
    })
    this.child = child
    if (child.pid !== undefined) lowerPriority(child.pid)
  }
}
