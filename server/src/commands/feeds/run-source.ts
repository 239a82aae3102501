import { createHash } from 'node:crypto'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { Settings } from '../../config.ts'
import type { WebOrigin } from '../../connectors/connector.ts'
import { createSourceFetch, type FetchOptions, type Validators } from '../../connectors/fetch/fetch-file.ts'
import { openSource } from '../../connectors/registry.ts'
import { readSourceRanks } from '../../connectors/schedule/source-ranks-file.ts'
import {
  fingerprintPath,
  readSourceState,
  type SourceState,
  scheduleFolder,
  writeSourceState,
} from '../../connectors/schedule/source-state.ts'
import {
  isWebUrl,
  resolveHeaders,
  type ScheduledImport,
  type ScheduledSource,
} from '../../connectors/schedule/sources-file.ts'
import { importFeed } from '../../ingest/import-feed.ts'
import { withImportLock } from '../../ingest/import-lock.ts'
import type { ImportReport } from '../../ingest/import-report.ts'
import { type Clock, systemClock } from '../../lib/clock.ts'
import { makeFolder } from '../../lib/files.ts'
import { currentProcess } from '../../lib/process-info.ts'
import { openLedger } from '../../runtime/open-ledger.ts'
import { formatCount } from '../../runtime/progress.ts'
import { findSyncCommand } from '../sync/sync-commands.ts'
import { describeFailure } from '../terminal/command-exit.ts'
import { describePause, printImportWait } from '../terminal/output.ts'

/** The outcome of a successful run, and what the next run needs to detect an unchanged feed. */
interface RunResult {
  readonly outcome: 'imported' | 'unchanged'
  /** A problem that did not fail the run. */
  readonly problem?: string
  readonly validators?: Validators
  readonly fingerprint?: string
}

/** Runs a scheduled source now and stores its new state. Never throws: a failure is an outcome of the state. */
export async function runSource(
  settings: Settings,
  source: ScheduledSource,
  clock: Clock = systemClock,
): Promise<SourceState> {
  const { dataDir } = settings
  const before = readSourceState(dataDir, source.name)
  const entry = createHash('sha256').update(describeEntry(source, settings)).digest('base64url')
  const { running: _running, problem: _problem, ...rest } = before
  const firstRunAt = before.firstRunAt ?? clock()
  writeSourceState(dataDir, source.name, { firstRunAt, ...before, running: { ...currentProcess(), since: clock() } })
  let after: SourceState
  try {
    // A changed entry in sources.json, and changed ranks, invalidate validators and fingerprint.
    const known = before.entry === entry ? before : { failures: before.failures }
    const { outcome, ...result } = await runOnce(settings, source, known, clock)
    const now = clock()
    after = { firstRunAt, lastRunAt: now, lastOutcome: outcome, lastSuccessAt: now, failures: 0, entry, ...result }
  } catch (error) {
    const { message } = error as Error
    const problem = describeFailure(error) ?? message
    const failures = before.failures + 1
    after = { ...rest, firstRunAt, lastRunAt: clock(), lastOutcome: 'failed', failures, problem }
  }
  writeSourceState(dataDir, source.name, after)
  return after
}

/** All of sources.json that the result of a run depends on. */
function describeEntry(source: ScheduledSource, { sourcesFile }: Settings): string {
  const { all, fields } = readSourceRanks(sourcesFile)
  const isRanked = all.length > 0 || Object.keys(fields).length > 0
  return JSON.stringify(isRanked ? [source, all, fields] : source)
}

async function runOnce(
  settings: Settings,
  source: ScheduledSource,
  known: SourceState,
  clock: Clock,
): Promise<RunResult> {
  if (source.kind === 'import') {
    return isWebUrl(source.from)
      ? importFromWeb(settings, source, known, clock)
      : importFromDisk(settings, source, known, clock)
  }
  const sync = findSyncCommand(source.with)
  if (sync === undefined) throw new Error(`There is no sync with ${source.with}`)
  const { failures, paused } = await sync.run(settings, { ...source.flags, source: source.source }, true)
  const problems = [
    ...(paused === undefined ? [] : [describePause(paused)]),
    ...(failures.length === 0
      ? []
      : [
          `${formatCount(failures.length, 'title')} could not be fetched, ${failures[0]?.key} among them: ${failures[0]?.problem}`,
        ]),
  ]
  return { outcome: 'imported', ...(problems.length > 0 && { problem: problems.join(' ') }) }
}

async function importFromDisk(
  settings: Settings,
  source: ScheduledImport,
  known: SourceState,
  clock: Clock,
): Promise<RunResult> {
  const fingerprint = fingerprintPath(source.from)
  if (fingerprint === known.fingerprint) return { outcome: 'unchanged', fingerprint }
  return { ...(await importPath(settings, source, source.from, clock)), fingerprint }
}

async function importFromWeb(
  settings: Settings,
  source: ScheduledImport,
  { validators }: SourceState,
  clock: Clock,
): Promise<RunResult> {
  const folder = makeFetchFolder(settings.dataDir, source.name)
  const options: FetchOptions = {
    allowPrivate: settings.privateSources === 'allow',
    maxBytes: source.maxBytes,
    timeoutMs: source.timeout * 1000,
    headers: resolveHeaders(source, process.env),
  }
  const fetchFromSource = createSourceFetch(options)
  try {
    const file = join(folder, basename(new URL(source.from).pathname).replace(/[^\w.-]/g, '_') || 'feed')
    const fetched = await fetchFromSource(source.from, file, { ...options, validators })
    if (fetched.unchanged) return { outcome: 'unchanged', ...(validators !== undefined && { validators }) }
    let pages = 0
    const fetchPage = async (url: string) => {
      const page = join(folder, `page-${++pages}`)
      await fetchFromSource(url, page, options)
      return page
    }
    const result = await importPath(settings, source, file, clock, { address: source.from, fetchPage })
    return { ...result, validators: fetched.validators }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Makes a folder to download into, and deletes those of killed runs. */
function makeFetchFolder(dataDir: string, name: string): string {
  const parent = scheduleFolder(dataDir)
  makeFolder(parent)
  for (const entry of readdirSync(parent)) {
    if (entry.startsWith(`fetch-${name}.`)) rmSync(join(parent, entry), { recursive: true, force: true })
  }
  return mkdtempSync(join(parent, `fetch-${name}.`))
}

async function importPath(
  settings: Settings,
  source: ScheduledImport,
  path: string,
  clock: Clock,
  web?: WebOrigin,
): Promise<RunResult> {
  const ledger = await openLedger(settings, 'import')
  try {
    const { catalog } = ledger
    const { format, options, mode } = source
    const feed = await openSource({ path, format, options }, { catalog, ...(web !== undefined && { web }) })
    const scope = source.scope && {
      ...(source.scope.countries !== undefined && { countries: new Set(source.scope.countries) }),
      ...(source.scope.services !== undefined && { services: new Set(source.scope.services) }),
    }
    try {
      const lock = { what: `${source.from} for ${source.source}`, now: clock(), onWait: printImportWait }
      const ranks = readSourceRanks(settings.sourcesFile)
      const report = await withImportLock(ledger, lock, () =>
        importFeed(feed.lines, ledger, { clock, ranks, source: source.source, mode, scope }),
      )
      assertComplete(report)
      return { outcome: 'imported' }
    } finally {
      await feed.dispose()
    }
  } finally {
    await ledger.close()
  }
}

/** Throws if the feed was refused or incomplete: the run failed, and the next one reads the feed again. */
function assertComplete({ refused, complete, noticeList }: ImportReport): void {
  const notice = noticeList.find(({ severity }) => severity === 'error')
  const why = notice === undefined ? '' : `: ${notice.message}`
  if (refused !== undefined) throw new Error(`The feed was refused (${refused.reason})${why}`)
  if (!complete) throw new Error(`The feed was incomplete, so nothing was removed${why}`)
}
