import { createHash } from 'node:crypto'
import { accessSync, constants, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { backoffMs } from '../../lib/backoff.ts'
import { describeSystemError } from '../../lib/errors.ts'
import { makeFolder } from '../../lib/files.ts'
import type { ProcessIdentity } from '../../lib/process-info.ts'
import { tryFetch, type Validators } from '../fetch/fetch-file.ts'
import { isWebUrl, resolveHeaders, type ScheduledImport, type ScheduledSource } from './sources-file.ts'

/** The state of a scheduled source, stored as JSON in the data directory. */
export interface SourceState {
  /** The start of the first run. */
  readonly firstRunAt?: number
  /** The end of the last run, and its outcome. */
  readonly lastRunAt?: number
  readonly lastOutcome?: 'imported' | 'unchanged' | 'failed'
  /** The error of the last run. */
  readonly problem?: string
  /** Failed runs since the last successful one. */
  readonly failures: number
  /** The end of the last successful run; an unchanged source counts as success. */
  readonly lastSuccessAt?: number
  /** The process of the current run. */
  readonly running?: ProcessIdentity & { readonly since: number }
  /** Recognise an unchanged source: HTTP validators of a URL, a fingerprint of files. */
  readonly validators?: Validators
  readonly fingerprint?: string
  /** The hash of the entry of `sources.json`; if the entry changes, validators and fingerprint are ignored. */
  readonly entry?: string
}

const NEVER_RUN: SourceState = { failures: 0 }

/** The folder of the states and of downloads. */
export const scheduleFolder = (dataDirectory: string): string => join(dataDirectory, 'schedule')

/** Reads the state of a source. A missing or unreadable one is that of a source that never ran. */
export function readSourceState(dataDirectory: string, name: string): SourceState {
  try {
    return JSON.parse(readFileSync(join(scheduleFolder(dataDirectory), `${name}.json`), 'utf8')) as SourceState
  } catch {
    return NEVER_RUN
  }
}

/** Replaces the state of a source atomically, by renaming a new file over it. */
export function writeSourceState(dataDirectory: string, name: string, state: SourceState): void {
  const folder = scheduleFolder(dataDirectory)
  makeFolder(folder)
  const draft = join(folder, `.${name}.${process.pid}`)
  writeFileSync(draft, JSON.stringify(state))
  renameSync(draft, join(folder, `${name}.json`))
}

/** Deletes the state of a source that is no longer on the schedule. */
export function deleteSourceState(dataDirectory: string, name: string): void {
  rmSync(join(scheduleFolder(dataDirectory), `${name}.json`), { force: true })
  rmSync(controlFile(dataDirectory, name), { force: true })
}

/** What an operator wants of a source: no runs until it is resumed, or one at once. */
export interface SourceControl {
  readonly pausedAt?: number
  readonly runRequestedAt?: number
}

/** Reads what an operator wants. It has a file of its own: a run that ends meanwhile writes only the state. */
export function readSourceControl(dataDirectory: string, name: string): SourceControl {
  try {
    return JSON.parse(readFileSync(controlFile(dataDirectory, name), 'utf8')) as SourceControl
  } catch {
    return {}
  }
}

/** Changes what an operator wants of a source; undefined takes a wish back. */
export function changeSourceControl(
  dataDirectory: string,
  name: string,
  change: { readonly [key in keyof SourceControl]: number | undefined },
): void {
  const { pausedAt, runRequestedAt } = { ...readSourceControl(dataDirectory, name), ...change }
  const control = {
    ...(pausedAt !== undefined && { pausedAt }),
    ...(runRequestedAt !== undefined && { runRequestedAt }),
  }
  const file = controlFile(dataDirectory, name)
  if (Object.keys(control).length === 0) {
    rmSync(file, { force: true })
    return
  }
  makeFolder(scheduleFolder(dataDirectory))
  const draft = join(scheduleFolder(dataDirectory), `.${name}.control.${process.pid}`)
  writeFileSync(draft, JSON.stringify(control))
  renameSync(draft, file)
}

/** Not a name that a state can have: names of sources have no `~`. */
function controlFile(dataDirectory: string, name: string): string {
  return join(scheduleFolder(dataDirectory), `${name}~control.json`)
}

/** A hash of the sizes, modification times and inodes of a file or of all files in a folder. */
export function fingerprintPath(path: string): string {
  const hash = createHash('sha256')
  const files = statSync(path).isDirectory() ? readdirSync(path, { recursive: true, encoding: 'utf8' }).sort() : ['']
  for (const file of files) {
    const { size, mtimeMs, ino } = statSync(join(path, file))
    hash.update(JSON.stringify([file, size, mtimeMs, ino]))
  }
  return hash.digest('base64url')
}

const FIRST_RETRY_SECONDS = 60
/** Runs are delayed by up to this share of the interval, so that installations do not all send requests at once. */
const MAX_JITTER = 0.1

/**
 * The next run of a source: one interval after the last run, or after a failure with backoff up to that interval. The
 * jitter is a hash of the last run, so every process computes the same instant. A last run in the future comes from a
 * wrong clock: the source is due at once.
 */
export function nextRunAt({ name, every }: ScheduledSource, { lastRunAt, failures }: SourceState, now: number): number {
  if (lastRunAt === undefined || lastRunAt > now) return Number.NEGATIVE_INFINITY
  const backoff = { firstMs: FIRST_RETRY_SECONDS * 1000, maxMs: every * 1000 }
  const wait = failures === 0 ? every : backoffMs(failures, backoff) / 1000
  return lastRunAt + wait + Math.floor(wait * MAX_JITTER * hashFraction(`${name} ${lastRunAt}`))
}

/**
 * Whether the last success of a source is too old, or in the future because the clock was wrong. A source that never ran
 * is not stale.
 */
export function isStale({ staleAfter }: ScheduledSource, state: SourceState, now: number): boolean {
  const since = state.lastSuccessAt ?? state.firstRunAt
  return since !== undefined && (since > now || now - since > staleAfter)
}

/** A pseudo-random number from 0 to 1 that depends only on the text. */
function hashFraction(text: string): number {
  return createHash('sha256').update(text).digest().readUInt32BE() / 2 ** 32
}

/** The outcome of trying a source without importing it. */
export interface TriedSource {
  readonly name: string
  readonly isReady: boolean
  /** What was found, or what is wrong. */
  readonly detail: string
}

/** What a source needs of the settings. */
export interface TryContext {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly allowPrivate: boolean
}

/** Servers must begin to answer within this time. */
const TRY_TIMEOUT_MS = 20_000

/** The variable with the key of each API that needs one. */
const KEY_VARIABLES: Readonly<Record<string, string>> = { tmdb: 'TMDB_TOKEN', watchmode: 'WATCHMODE_KEY', v4: 'V4_KEY' }

/** Tries a source: whether its file is there, whether its address answers with something that can be a feed, whether its key is set. */
export async function trySource(source: ScheduledSource, context: TryContext): Promise<TriedSource> {
  const { name } = source
  try {
    const detail = source.kind === 'import' ? await tryImport(source, context) : tryKey(source, context)
    return { name, isReady: true, detail }
  } catch (error) {
    return { name, isReady: false, detail: describeSystemError(error) ?? (error as Error).message }
  }
}

async function tryImport(source: ScheduledImport, { env, allowPrivate }: TryContext): Promise<string> {
  const { from, maxBytes } = source
  if (!isWebUrl(from)) {
    accessSync(from, constants.R_OK)
    return statSync(from).isDirectory() ? 'the folder is there' : 'the file is there'
  }
  const headers = resolveHeaders(source, env)
  const size = await tryFetch(from, { allowPrivate, maxBytes, headers, timeoutMs: TRY_TIMEOUT_MS })
  return size === undefined ? 'the address answers' : `the address answers, with ${size} bytes`
}

function tryKey(source: Extract<ScheduledSource, { kind: 'sync' }>, { env }: TryContext): string {
  const variable = KEY_VARIABLES[source.with]
  if (variable === undefined) return 'it needs no key'
  if (env[variable] || source.flags.key !== undefined) return 'its key is set'
  throw new Error(`${variable} is not set; it holds the key of the API`)
}
