import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ProcessIdentity } from '../../lib/process-identity.ts'
import type { Validators } from '../fetch/fetch-file.ts'
import type { ScheduledSource } from './sources-file.ts'

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

export const NEVER_RUN: SourceState = { failures: 0 }

/** Where the states are kept, and what is being fetched. */
export const scheduleFolder = (dataDirectory: string): string => join(dataDirectory, 'schedule')

/** The state of a source; that of one that never ran where there is none, or none that can be read. */
export function readSourceState(dataDirectory: string, name: string): SourceState {
  try {
    return JSON.parse(readFileSync(join(scheduleFolder(dataDirectory), `${name}.json`), 'utf8')) as SourceState
  } catch {
    return NEVER_RUN
  }
}

/** Replaces the state of a source; somebody who reads meanwhile finds the old one or the new one. */
export function writeSourceState(dataDirectory: string, name: string, state: SourceState): void {
  const folder = scheduleFolder(dataDirectory)
  mkdirSync(folder, { recursive: true })
  const draft = join(folder, `.${name}.${process.pid}`)
  writeFileSync(draft, JSON.stringify(state))
  renameSync(draft, join(folder, `${name}.json`))
}

/** Names a file or a folder as it is now: the same as long as no file in it is written, added or removed. */
export function fingerprintPath(path: string): string {
  const hash = createHash('sha256')
  const about = statSync(path)
  const files = about.isDirectory() ? readdirSync(path, { recursive: true, encoding: 'utf8' }).sort() : ['']
  for (const file of files) {
    const { size, mtimeMs, ino } = statSync(join(path, file))
    hash.update(JSON.stringify([file, size, mtimeMs, ino]))
  }
  return hash.digest('base64url')
}

const FIRST_RETRY_SECONDS = 60
/** Runs come up to this part of their span later than they might, so that not everybody asks at the full hour. */
const MAX_JITTER = 0.1

/**
 * When a source is to run next: its span after the last run, or, while it fails, sooner at first and then less and
 * less often, though never later than its span. The chance in it depends on the last run alone, so everybody who
 * reckons comes to the same instant. A last run later than now was dated by a clock that was wrong: it is due at once.
 */
export function nextRunAt({ name, every }: ScheduledSource, { lastRunAt, failures }: SourceState, now: number): number {
  if (lastRunAt === undefined || lastRunAt > now) return Number.NEGATIVE_INFINITY
  const retry = FIRST_RETRY_SECONDS * 2 ** Math.min(failures - 1, 20)
  const wait = failures === 0 ? every : Math.min(retry, every)
  return lastRunAt + wait + Math.floor(wait * MAX_JITTER * hashFraction(`${name} ${lastRunAt}`))
}

/**
 * Whether a source has not succeeded for longer than it should, or nobody knows for how long, since the clock was wrong
 * when it did. One that never ran has not been waited for yet.
 */
export function isStale({ staleAfter }: ScheduledSource, state: SourceState, now: number): boolean {
  const since = state.lastSuccessAt ?? state.firstRunAt
  return since !== undefined && (since > now || now - since > staleAfter)
}

/** A number from 0 to 1 that looks random, and is the same for the same text. */
function hashFraction(text: string): number {
  return createHash('sha256').update(text).digest().readUInt32BE() / 2 ** 32
}
