import { type ChildProcess, execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { Catalog } from '../../catalog/catalog.ts'
import type { DoctorReport } from '../../doctor/finding.ts'
import type { Clock } from '../../lib/clock.ts'
import { lowerPriority } from '../../lib/process/priority.ts'
import type { CatalogChecksReport } from '../cluster/messages.ts'
import { stopChild } from './follower-process.ts'

const PROGRAM = fileURLToPath(new URL('../../../bin/marquee.js', import.meta.url))

/** Between two checks lies at least this time, since windows may change the catalog every second. */
const MIN_INTERVAL_SECONDS = 60

/** Sources become stale without a change of the catalog. */
const MAX_AGE_SECONDS = 3_600

const MAX_REPORT_BYTES = 1 << 24

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
    if (this.catalog.version() === 0 || now - this.endedAt < MIN_INTERVAL_SECONDS) return false
    return this.latest?.version !== this.catalog.version() || now - this.latest.at > MAX_AGE_SECONDS
  }

  private start(): void {
    const options = { maxBuffer: MAX_REPORT_BYTES }
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
