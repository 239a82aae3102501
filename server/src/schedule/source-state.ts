import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Validators } from '../fetching/fetch-file.ts'
import type { ProcessIdentity } from '../lib/process-identity.ts'

/** What is known of the runs of a scheduled source. */
export interface SourceState {
  /** When it was first run. */
  readonly firstRunAt?: number
  /** When the last run ended, and what came of it. */
  readonly lastRunAt?: number
  readonly lastOutcome?: 'imported' | 'unchanged' | 'failed'
  /** What went wrong in the last run. */
  readonly problem?: string
  /** Runs that failed since one last succeeded. */
  readonly failures: number
  /** When a run last succeeded, be it by finding nothing new. */
  readonly lastSuccessAt?: number
  /** Who is at it, while a run is under way. */
  readonly running?: ProcessIdentity & { readonly since: number }
  /** By what the next run knows that there is nothing new: of a web address, or of files on a disk. */
  readonly validators?: Validators
  readonly fingerprint?: string
  /** Names the entry of `sources.json` that the two belong to: another one may mean something else. */
  readonly entry?: string
}

export const NO_RUNS: SourceState = { failures: 0 }

/** Where the states are kept, and what is being fetched. */
export const scheduleFolder = (dataDirectory: string): string => join(dataDirectory, 'schedule')

/** The state of a source; that of one that never ran where there is none, or none that can be read. */
export function readState(dataDirectory: string, name: string): SourceState {
  try {
    return JSON.parse(readFileSync(join(scheduleFolder(dataDirectory), `${name}.json`), 'utf8')) as SourceState
  } catch {
    return NO_RUNS
  }
}

/** Replaces the state of a source; somebody who reads meanwhile finds the old one or the new one. */
export function writeState(dataDirectory: string, name: string, state: SourceState): void {
  const folder = scheduleFolder(dataDirectory)
  mkdirSync(folder, { recursive: true })
  const draft = join(folder, `.${name}.${process.pid}`)
  writeFileSync(draft, JSON.stringify(state))
  renameSync(draft, join(folder, `${name}.json`))
}
