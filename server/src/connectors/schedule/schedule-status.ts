import { existsSync, readFileSync } from 'node:fs'
import { isRunning } from '../../lib/process/process-identity.ts'
import { changeSourceControl, isStale, nextRunAt, readSourceControl, readSourceState } from './source-state.ts'
import { parseSources, SourcesError } from './sources-file.ts'

/** The status of a scheduled source, as `status` prints it. */
export interface ScheduledSourceStatus {
  readonly name: string
  readonly source: string
  readonly every: number
  readonly lastRunAt?: number
  readonly lastOutcome?: 'imported' | 'unchanged' | 'failed'
  readonly lastSuccessAt?: number
  readonly failures: number
  readonly problem?: string
  /** The next run; missing if the source is due at once. */
  readonly nextRunAt?: number
  /** Since when the source is paused, and when a run at once was asked for. */
  readonly pausedAt?: number
  readonly runRequestedAt?: number
  readonly running: boolean
  readonly stale: boolean
}

/** The status of all scheduled sources, or the problem with `sources.json`. */
export interface ScheduleStatus {
  readonly sources: readonly ScheduledSourceStatus[]
  readonly problem?: string
}

/** Reads the status of the schedule from its files. Any process may do this at any time. */
export function readScheduleStatus(file: string, dataDirectory: string, now: number): ScheduleStatus {
  if (!existsSync(file)) return { sources: [] }
  try {
    const sources = parseSources(readFileSync(file, 'utf8'), file)
    return {
      sources: sources.map((scheduled) => {
        const { name, source, every } = scheduled
        const stored = readSourceState(dataDirectory, name)
        const { running, firstRunAt, validators, fingerprint, entry, ...state } = stored
        const control = readSourceControl(dataDirectory, name)
        const isPaused = control.pausedAt !== undefined
        const next = isPaused ? Number.NaN : nextRunAt(scheduled, stored, now)
        return {
          name,
          source,
          every,
          ...state,
          ...(Number.isFinite(next) && { nextRunAt: next }),
          ...control,
          running: running !== undefined && isRunning(running),
          stale: !isPaused && isStale(scheduled, stored, now),
        }
      }),
    }
  } catch (error) {
    if (error instanceof SourcesError) return { sources: [], problem: error.message }
    throw error
  }
}

/** What an operator wants of a scheduled source. */
interface SourceRequest {
  readonly name: string
  readonly action: 'run' | 'pause' | 'resume'
  readonly now: number
}

/** Asks for a run of a source, pauses it or resumes it. Returns whether the schedule has such a source. */
export function controlSource(file: string, dataDirectory: string, { name, action, now }: SourceRequest): boolean {
  const { sources } = readScheduleStatus(file, dataDirectory, now)
  const source = sources.find((one) => one.name === name)
  if (source === undefined) return false
  if (action === 'run') changeSourceControl(dataDirectory, name, { runRequestedAt: now })
  else changeSourceControl(dataDirectory, name, { pausedAt: action === 'pause' ? (source.pausedAt ?? now) : undefined })
  return true
}
