import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Command } from 'commander'
import { readSettings, type Settings } from '../../config.ts'
import { TITLE_KINDS } from '../../connectors/tmdb/client/fetch-title.ts'
import { TmdbClient } from '../../connectors/tmdb/client/tmdb-client.ts'
import { type ProviderMapping, parseProviderMapping } from '../../connectors/tmdb/records/provider-directory.ts'
import { SyncStore } from '../../connectors/tmdb/sync/sync-store.ts'
import { type SyncOptions, type SyncReport, TmdbSync } from '../../connectors/tmdb/sync/tmdb-sync.ts'
import { withImportLock } from '../../ingest/import-lock.ts'
import type { ImportReport } from '../../ingest/import-report.ts'
import { systemClock, systemTimer } from '../../lib/clock.ts'
import { isCountryCode, normalizeCountryCode } from '../../model/country.ts'
import { isLanguageCode, OUTPUT_LANGUAGES } from '../../model/language.ts'
import { isServiceId } from '../../model/service.ts'
import { openLedger } from '../../runtime/open-stores.ts'
import { formatCount, formatNumber, Progress } from '../../runtime/progress.ts'
import { CommandError, parseWholeNumber, printJson, printLines } from '../terminal/output.ts'

/** How a sync with TMDB is asked for, on the command line or in a schedule. */
export interface TmdbFlags {
  readonly countries: string
  readonly languages?: string
  readonly limit?: string
  readonly only?: string
  readonly providers?: string
  readonly refreshDays?: string
  readonly rate?: string
  readonly source?: string
  readonly force?: boolean
  readonly json?: boolean
}

const FAILURES_SHOWN = 10

/** Adds `marquee sync tmdb`. */
export function addSyncCommand(program: Command): void {
  program
    .command('sync')
    .description('bring the catalog up to date with a service that is asked over the network')
    .command('tmdb')
    .description("fetch movies and series from TMDB, with your own token: all at first, later only what's new")
    .requiredOption('--countries <codes>', 'countries whose offers are wanted: us,gb')
    .option('--languages <codes>', 'languages whose texts and images are wanted', OUTPUT_LANGUAGES.join(','))
    .option('--limit <n>', 'how many titles to hold, the most popular ones', '10000')
    .option('--only <kind>', 'movies, or series')
    .option('--providers <file>', 'JSON: which services the providers of TMDB are, where that is not known already')
    .option('--refresh-days <n>', 'fetch titles anew after so many days, changed or not', '7')
    .option('--rate <n>', 'requests a second', '40')
    .option('--source <name>', 'who says what is imported', 'tmdb')
    .option('--force', 'import even what removes more than a fifth of what is known of the fetched titles')
    .option('--json', 'print one JSON object')
    .action(async (flags: TmdbFlags) => {
      const report = await syncTmdb(readSettings(process.env), flags)
      if (flags.json === true) printJson(jsonReport(report))
      else printReport(report)
      if (report.failures.length > 0) process.exitCode = 1
    })
}

/** Syncs the catalog of the data directory with TMDB. */
export async function syncTmdb(settings: Settings, flags: TmdbFlags): Promise<SyncReport> {
  const { tmdb, dataDir } = settings
  const { perSecond, ...options } = readFlags(flags)
  if (tmdb.token === '') {
    throw new CommandError(
      'TMDB_TOKEN is not set. Make a free account at https://www.themoviedb.org, ask for a token under ' +
        'Settings, API, and put the "API Read Access Token" into the environment variable TMDB_TOKEN.',
    )
  }
  const progress = new Progress()
  const ledger = await openLedger(settings, 'import')
  try {
    const store = new SyncStore(join(dataDir, 'sync', options.source))
    try {
      const client = new TmdbClient({ ...tmdb, requestsPerSecond: perSecond, timer: systemTimer })
      const onWait = () => void process.stderr.write('Another process is importing; waiting for it to end.\n')
      const lock = { what: `what was fetched from TMDB for ${options.source}`, onWait }
      return await new TmdbSync(
        {
          client,
          store,
          ledger,
          clock: systemClock,
          withLock: (work) => withImportLock(ledger, { ...lock, now: systemClock() }, work),
        },
        {
          ...options,
          onProgress: (done, planned) => progress.update('titles fetched', done, () => done / planned),
        },
      ).run()
    } finally {
      progress.end()
      await store.close()
    }
  } finally {
    await ledger.close()
  }
}

/** Reads all flags, and reports everything that is wrong with them at once. */
function readFlags(flags: TmdbFlags): SyncOptions & { readonly perSecond: number } {
  const problems: string[] = []
  const list = (flag: string, text: string, fits: (code: string) => boolean, example: string) => {
    const codes = [...new Set(text.split(',').map((code) => normalizeCountryCode(code.trim())))]
    if (!codes.every(fits)) problems.push(`--${flag} is "${text}"; it must be codes such as ${example}`)
    return codes
  }
  const number = (flag: string, text: string, least: number, most: number) => {
    try {
      return parseWholeNumber(`--${flag}`, text, least, most)
    } catch (error) {
      problems.push((error as CommandError).message)
      return least
    }
  }
  const { only, source = 'tmdb' } = flags
  if (only !== undefined && only !== 'movies' && only !== 'series') {
    problems.push(`--only is "${only}"; it must be movies or series`)
  }
  if (!isServiceId(source)) problems.push(`--source is "${source}"; it must be letters, digits, "-" and "_"`)
  const options = {
    source,
    countries: list('countries', flags.countries, isCountryCode, 'us,gb'),
    languages: list('languages', flags.languages ?? OUTPUT_LANGUAGES.join(','), isLanguageCode, 'en,de'),
    limit: number('limit', flags.limit ?? '10000', 1, 10_000_000),
    kinds: TITLE_KINDS.filter((kind) => only === undefined || (only === 'movies') === (kind === 'movie')),
    refreshDays: number('refresh-days', flags.refreshDays ?? '7', 1, 3650),
    perSecond: number('rate', flags.rate ?? '40', 1, 10_000),
    // At TMDB's pace this is enough for answers that take half a second, and few enough not to come in a flood.
    concurrency: 20,
    force: flags.force === true,
    mapping: flags.providers === undefined ? new Map() : readMapping(flags.providers, problems),
  }
  if (problems.length > 0) throw new CommandError(problems.join('\n'))
  return options
}

function readMapping(path: string, problems: string[]): ProviderMapping {
  try {
    return parseProviderMapping(JSON.parse(readFileSync(path, 'utf8')))
  } catch (error) {
    problems.push(`--providers: ${path} cannot be used: ${(error as Error).message}`)
    return new Map()
  }
}

/** The sums over all imports of a sync. */
function sumReports(imports: readonly ImportReport[]) {
  const sum = (of: (report: ImportReport) => number) => imports.reduce((total, report) => total + of(report), 0)
  const notices: Record<string, number> = {}
  for (const report of imports) {
    for (const [code, number] of Object.entries(report.notices)) notices[code] = (notices[code] ?? 0) + number
  }
  return {
    shows: sum(({ shows }) => shows),
    offers: sum(({ offers }) => offers),
    created: sum(({ created }) => created),
    altered: sum(({ altered }) => altered),
    unchanged: sum(({ unchanged }) => unchanged),
    changes: {
      new: sum(({ changes }) => changes.new),
      updated: sum(({ changes }) => changes.updated),
      removed: sum(({ changes }) => changes.removed),
    },
    notices,
  }
}

function jsonReport({ imports, ...report }: SyncReport): object {
  return { ...report, ...sumReports(imports) }
}

function printReport({ source, resumed, requests, fetched, gone, failures, imports }: SyncReport): void {
  const { created, altered, unchanged, offers, changes, notices } = sumReports(imports)
  printLines(
    `${source} ${resumed ? 'went on where it was and ' : ''}is up to date: ${formatCount(fetched, 'title')} in ${formatCount(requests, 'request')}`,
    `  shows    ${formatNumber(created)} new, ${formatNumber(altered)} altered, ${formatNumber(unchanged)} as they were; ${formatCount(offers, 'offer')}`,
    `  changes  ${formatNumber(changes.new)} new, ${formatNumber(changes.updated)} updated, ${formatNumber(changes.removed)} removed`,
    ...(gone === 0 ? [] : [`  gone     ${formatCount(gone, 'title')} that TMDB no longer has`]),
    ...Object.entries(notices).map(([code, number]) => `  notice   ${code} (${formatNumber(number)})`),
    ...(failures.length === 0
      ? []
      : ['', `${formatCount(failures.length, 'title')} could not be had; the next sync asks again:`]),
    ...failures.slice(0, FAILURES_SHOWN).map(({ key, problem }) => `  ${key}: ${problem}`),
  )
}
