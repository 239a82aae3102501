import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Command } from 'commander'
import { readSettings, type Settings } from '../../config.ts'
import { SyncStore } from '../../connectors/sync/sync-store.ts'
import type { SyncReport } from '../../connectors/sync/title-sync.ts'
import { TITLE_KINDS } from '../../connectors/tmdb/client/fetch-title.ts'
import { TmdbClient } from '../../connectors/tmdb/client/tmdb-client.ts'
import { type ProviderMapping, parseProviderMapping } from '../../connectors/tmdb/records/provider-directory.ts'
import { createTmdbSync, type TmdbSyncOptions } from '../../connectors/tmdb/sync/tmdb-sync.ts'
import { withImportLock } from '../../ingest/import-lock.ts'
import { systemClock, systemTimer } from '../../lib/clock.ts'
import { UserError } from '../../lib/user-error.ts'
import { isCountryCode, normalizeCountryCode } from '../../model/country.ts'
import { isLanguageCode, OUTPUT_LANGUAGES } from '../../model/language.ts'
import { isServiceId } from '../../model/service.ts'
import { openLedger } from '../../runtime/open-stores.ts'
import { Progress } from '../../runtime/progress.ts'
import { type JsonFlag, parseWholeNumber } from '../terminal/flags.ts'
import { printJson } from '../terminal/output.ts'
import { printSyncReport, toJsonSyncReport } from './print-report.ts'

/** The options of a TMDB sync, from the command line or from a schedule. */
interface TmdbFlags extends JsonFlag {
  readonly countries: string
  readonly languages?: string
  readonly limit?: string
  readonly only?: string
  readonly providers?: string
  readonly refreshDays?: string
  readonly rate?: string
  readonly source?: string
  readonly force?: boolean
}

/** Adds `marquee sync tmdb`. */
export function addSyncCommand(program: Command): void {
  program
    .command('sync')
    .description('bring the catalog up to date with a service on the network')
    .command('tmdb')
    .description('fetch movies and series from TMDB with your own token: everything first, later only changes')
    .requiredOption('--countries <codes>', 'countries whose offers to fetch, such as us,gb')
    .option('--languages <codes>', 'languages whose texts and images to fetch', OUTPUT_LANGUAGES.join(','))
    .option('--limit <n>', 'how many titles to keep, the most popular first', '10000')
    .option('--only <kind>', 'movies, or series')
    .option('--providers <file>', 'a JSON file that maps providers of TMDB to services, beyond the built-in mapping')
    .option('--refresh-days <n>', 'refetch a title after this many days, changed or not', '7')
    .option('--rate <n>', 'requests per second', '40')
    .option('--source <name>', 'the source that the imported records belong to', 'tmdb')
    .option('--force', 'import even if it removes more than a fifth of what the source holds of the fetched titles')
    .option('--json', 'print one JSON object')
    .action(async (flags: TmdbFlags) => {
      const report = await syncTmdb(readSettings(process.env), flags)
      if (flags.json === true) printJson(toJsonSyncReport(report))
      else printSyncReport(report)
      if (report.failures.length > 0) process.exitCode = 1
    })
}

/** Syncs the catalog of the data directory with TMDB. */
export async function syncTmdb(settings: Settings, flags: TmdbFlags): Promise<SyncReport> {
  const { tmdb, dataDir } = settings
  const { requestsPerSecond, ...options } = parseFlags(flags)
  if (tmdb.token === '') {
    throw new UserError(
      'TMDB_TOKEN is not set. Make a free account at https://www.themoviedb.org, ask for a token under ' +
        'Settings, API, and put the "API Read Access Token" into the environment variable TMDB_TOKEN.',
    )
  }
  const progress = new Progress()
  const ledger = await openLedger(settings, 'import')
  try {
    const store = new SyncStore(join(dataDir, 'sync', options.source))
    try {
      const client = new TmdbClient({ ...tmdb, requestsPerSecond, timer: systemTimer })
      const onWait = () => void process.stderr.write('Another process is importing; waiting for it to end.\n')
      const lock = { what: `what was fetched from TMDB for ${options.source}`, onWait }
      return await createTmdbSync(
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

/** Parses all flags; one error names everything that is wrong with them. */
function parseFlags(flags: TmdbFlags): TmdbSyncOptions & { readonly requestsPerSecond: number } {
  const problems: string[] = []
  const parseCodes = (flag: string, text: string, isCode: (code: string) => boolean, example: string) => {
    const codes = [...new Set(text.split(',').map((code) => normalizeCountryCode(code.trim())))]
    if (!codes.every(isCode)) problems.push(`--${flag} is "${text}"; it must be codes such as ${example}`)
    return codes
  }
  const parseNumber = (flag: string, text: string, min: number, max: number) => {
    try {
      return parseWholeNumber(`--${flag}`, text, min, max)
    } catch (error) {
      problems.push((error as UserError).message)
      return min
    }
  }
  const { only, source = 'tmdb' } = flags
  if (only !== undefined && only !== 'movies' && only !== 'series') {
    problems.push(`--only is "${only}"; it must be movies or series`)
  }
  if (!isServiceId(source)) problems.push(`--source is "${source}"; it must be letters, digits, "-" and "_"`)
  const options = {
    source,
    countries: parseCodes('countries', flags.countries, isCountryCode, 'us,gb'),
    languages: parseCodes('languages', flags.languages ?? OUTPUT_LANGUAGES.join(','), isLanguageCode, 'en,de'),
    limit: parseNumber('limit', flags.limit ?? '10000', 1, 10_000_000),
    kinds: TITLE_KINDS.filter((kind) => only === undefined || (only === 'movies') === (kind === 'movie')),
    refreshDays: parseNumber('refresh-days', flags.refreshDays ?? '7', 1, 3650),
    requestsPerSecond: parseNumber('rate', flags.rate ?? '40', 1, 10_000),
    // Enough to use a rate of 40 requests per second with responses of half a second, without bursts.
    concurrency: 20,
    force: flags.force === true,
    mapping: flags.providers === undefined ? new Map() : readMapping(flags.providers, problems),
  }
  if (problems.length > 0) throw new UserError(problems.join('\n'))
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
