import { accessSync, constants, statSync } from 'node:fs'
import { describeSystemError } from '../../lib/system-error.ts'
import { tryFetch } from '../fetch/fetch-file.ts'
import { isWebUrl, resolveHeaders, type ScheduledImport, type ScheduledSource } from './sources-file.ts'

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
