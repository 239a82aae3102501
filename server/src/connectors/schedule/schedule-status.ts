import { existsSync, readFileSync } from 'node:fs'
import { isRunning } from '../../lib/process-info.ts'
import { formatSourcesContent, readSourcesContent, writeSourcesContent } from './source-ranks-file.ts'
import {
  changeSourceControl,
  deleteSourceState,
  isStale,
  nextRunAt,
  readSourceControl,
  readSourceState,
  type TriedSource,
  type TryContext,
  trySource,
} from './source-state.ts'
import { parseSources, type ScheduledSource, SourcesError } from './sources-file.ts'

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

/**
 * Adds an entry to `sources.json` if the file is valid with it and the source is ready, as `marquee sources check` finds
 * it. Returns what was tried; nothing is stored if the source is not ready.
 */
export async function addSource(file: string, entry: object, context: TryContext): Promise<TriedSource> {
  const name = (entry as { name?: unknown }).name
  const tried = await trySource(
    parseWith(file, entry).find((source) => source.name === name) as ScheduledSource,
    context,
  )
  if (!tried.isReady) return tried
  // The file may have been changed while the address was tried.
  parseWith(file, entry)
  writeSourcesContent(file, toFileForm(contentWith(file, entry)))
  return tried
}

/** The schedule as it would be with one entry more; throws a `SourcesError` if it is invalid. */
function parseWith(file: string, entry: object): ScheduledSource[] {
  return parseSources(formatSourcesContent(contentWith(file, entry)), file)
}

function contentWith(file: string, entry: object): object {
  const { sources, ...others } = readSourcesContent(file)
  return { ...others, sources: [...(Array.isArray(sources) ? sources : []), entry] }
}

/** Takes an entry out of `sources.json`. What the source has said stays. Returns whether there was such an entry. */
export function unscheduleSource(file: string, dataDirectory: string, name: string): boolean {
  const { sources, ...others } = readSourcesContent(file)
  const isOther = (entry: unknown) => (entry as { name?: unknown } | null)?.name !== name
  if (!Array.isArray(sources) || sources.every(isOther)) return false
  writeSourcesContent(file, toFileForm({ ...others, sources: sources.filter(isOther) }))
  deleteSourceState(dataDirectory, name)
  return true
}

/** A file without ranks is a plain list. */
function toFileForm(content: object): object {
  const { sources, ...others } = content as { readonly sources: readonly unknown[] }
  return Object.keys(others).length === 0 ? sources : content
}
