import { existsSync, readFileSync } from 'node:fs'
import { isRunning } from '../../lib/process-identity.ts'
import { isStale, nextRunAt, readSourceState } from './source-state.ts'
import { parseSources, SourcesError } from './sources-file.ts'

/** How a scheduled source is doing. */
export interface ScheduledSourceStatus {
  readonly name: string
  readonly source: string
  readonly every: number
  readonly lastRunAt?: number
  readonly lastOutcome?: 'imported' | 'unchanged' | 'failed'
  readonly lastSuccessAt?: number
  readonly failures: number
  readonly problem?: string
  /** When it is due; absent for one that is due at once, since it never ran or ran later than now. */
  readonly nextRunAt?: number
  readonly running: boolean
  readonly stale: boolean
}

/** How the sources of `sources.json` are doing, or why the file cannot be used. */
export interface ScheduleStatus {
  readonly sources: readonly ScheduledSourceStatus[]
  readonly problem?: string
}

/** Looks at the schedule from outside: any process may do so at any time. */
export function readScheduleStatus(file: string, dataDirectory: string, now: number): ScheduleStatus {
  if (!existsSync(file)) return { sources: [] }
  try {
    const sources = parseSources(readFileSync(file, 'utf8'), file)
    return {
      sources: sources.map((one) => {
        const { running, firstRunAt, validators, fingerprint, entry, ...state } = readSourceState(
          dataDirectory,
          one.name,
        )
        const next = nextRunAt(one, state, now)
        return {
          name: one.name,
          source: one.source,
          every: one.every,
          ...state,
          ...(Number.isFinite(next) && { nextRunAt: next }),
          running: running !== undefined && isRunning(running),
          stale: isStale(one, { ...state, ...(firstRunAt !== undefined && { firstRunAt }) }, now),
        }
      }),
    }
  } catch (error) {
    if (error instanceof SourcesError) return { sources: [], problem: error.message }
    throw error
  }
}
