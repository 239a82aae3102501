import { join } from 'node:path'
import type { Command } from 'commander'
import { readSettings, type Settings } from '../../config.ts'
import { createGuardedTransport } from '../../connectors/fetch/ssrf-guard.ts'
import { readSourceRanks } from '../../connectors/schedule/source-ranks-file.ts'
import type { SyncDependencies } from '../../connectors/sync/sync-importer.ts'
import { SyncStore } from '../../connectors/sync/sync-store.ts'
import type { SyncOptions, SyncReport } from '../../connectors/sync/title-sync.ts'
import { TITLE_KINDS, TmdbClient } from '../../connectors/tmdb/tmdb-client.ts'
import { createTmdbSync, type TmdbSyncOptions } from '../../connectors/tmdb/tmdb-sync.ts'
import { createTvmazeSync, TvmazeClient, type TvmazeSyncOptions } from '../../connectors/tvmaze/tvmaze-sync.ts'
import { CatalogFilter, parseCatalogs } from '../../connectors/v4/records.ts'
import { V4Client, type V4ClientOptions } from '../../connectors/v4/v4-client.ts'
import { V4Store } from '../../connectors/v4/v4-store.ts'
import { V4Sync, type V4SyncOptions } from '../../connectors/v4/v4-sync.ts'
import { WatchmodeClient } from '../../connectors/watchmode/watchmode-client.ts'
import { createWatchmodeSync, type WatchmodeSyncOptions } from '../../connectors/watchmode/watchmode-sync.ts'
import { withImportLock } from '../../ingest/import-lock.ts'
import { systemClock, systemTimer } from '../../lib/clock.ts'
import { UserError } from '../../lib/errors.ts'
import { OUTPUT_LANGUAGES } from '../../model/language.ts'
import { POPULARITY_WINDOWS } from '../../model/show.ts'
import { openLedger } from '../../runtime/open-ledger.ts'
import { Progress } from '../../runtime/progress.ts'
import { FlagParser } from '../terminal/flags.ts'
import { printImportWait, printJson, printSyncReport, toJsonSyncReport } from '../terminal/output.ts'

/** Facts that need walks of their own through all shows. */
const FACTS = ['popularity', 'original-language', 'none'] as const

/** `marquee sync v4`. */
export const v4SyncCommand: SyncCommand = {
  name: 'v4',
  description: 'copy the catalog of another service of this API: everything first, later only changes',
  addOptions: (command) =>
    command
      .requiredOption('--from <url>', 'base address of the service, such as https://api.example.com/v4')
      .option('--key <key>', 'your key there; better set V4_KEY, which other users of the machine cannot see')
      .option('--key-header <name>', 'header of a marketplace key, such as X-Market-API-Key')
      .option('--countries <codes>', 'countries to copy, such as us,gb (default: all)')
      .option('--catalogs <entries>', 'only these catalogs, such as netflix,prime.rent (default: all)')
      .option('--languages <codes>', 'languages of texts; each needs further requests', OUTPUT_LANGUAGES.join(','))
      .option('--facts <names>', 'facts that need further requests', 'popularity,original-language')
      .option('--refresh-days <n>', 'copy all shows of a country again after this many days', '30')
      .option('--rate <n>', 'requests per second', '10')
      .option('--keep <n>', 'requests of the quota of the key to leave unused', '0')
      .option('--max-requests <n>', 'stop after this many requests (default: no limit but the quota)')
      .option('--source <name>', 'the source that the imported records belong to (default: v4- and the host)')
      .option('--force', 'import even if more than a fifth of what the source holds is gone'),
  run: async (settings, flags, isScheduled) => {
    const transport = isScheduled
      ? { transport: createGuardedTransport({ allowPrivate: settings.privateSources === 'allow' }) }
      : {}
    const { client: clientOptions, ...options } = parseV4Flags(flags, settings.v4Key)
    const client = new V4Client({ ...clientOptions, ...transport })
    return runSync(settings, {
      source: options.source,
      api: client.host,
      openStore: (folder) => new V4Store(folder),
      start: (dependencies, progress) => new V4Sync({ ...dependencies, client }, { ...options, ...progress }),
    })
  },
}

function parseV4Flags(flags: SyncFlags, keySetting: string): V4SyncOptions & { readonly client: V4ClientOptions } {
  const parser = new FlagParser()
  const text = (name: string) => textFlag(flags, name)
  const from = text('from') ?? ''
  const isAddress = /^https?:\/\/[^/]/i.test(from) && URL.canParse(from)
  if (!isAddress) parser.add(`--from is "${from}"; it must be an address such as https://api.example.com/v4`)
  const key = text('key') ?? keySetting
  if (key === '') parser.add('A key is needed: set V4_KEY to it, or give --key')
  const catalogs = text('catalogs') === undefined ? [] : parseCatalogs(text('catalogs') as string)
  if (typeof catalogs === 'string') {
    parser.add(`--catalogs has "${catalogs}"; an entry is a service, service.type or service.addon.id`)
  }
  const facts = parser.words('facts', text('facts') ?? 'popularity,original-language', FACTS)
  const countries = text('countries')
  const keyHeader = text('keyHeader')
  const options = {
    source: parser.source(text('source') ?? (isAddress ? defaultSource(from) : 'v4')),
    countries: countries === undefined ? undefined : parser.countries(countries),
    filter: new CatalogFilter(typeof catalogs === 'string' ? [] : catalogs),
    languages: parser.languages(text('languages') ?? OUTPUT_LANGUAGES.join(',')),
    popularity: facts.includes('popularity') ? POPULARITY_WINDOWS : [],
    originalLanguages: facts.includes('original-language'),
    refreshDays: parser.wholeNumber('refresh-days', text('refreshDays') ?? '30', 1, 3650),
    // Pages of one walk come one after the other, so only walks run side by side.
    concurrency: 4,
    force: flags.force === true,
    client: {
      from,
      key,
      ...(keyHeader !== undefined && { keyHeader }),
      keep: parser.wholeNumber('keep', text('keep') ?? '0', 0, 1_000_000_000),
      maxRequests: parser.wholeNumber('max-requests', text('maxRequests') ?? '1000000000', 1, 1_000_000_000),
      requestsPerSecond: parser.wholeNumber('rate', text('rate') ?? '10', 1, 10_000),
      timer: systemTimer,
      clock: systemClock,
    },
  }
  parser.assertValid()
  return options
}

/** A source name from the host: `v4-api-example-com`. */
function defaultSource(from: string): string {
  return `v4-${new URL(from).host.replace(/[^a-z0-9]+/gi, '-').replace(/-$/, '')}`.slice(0, 64)
}

/** `marquee sync tmdb`. */
export const tmdbSyncCommand: SyncCommand = {
  name: 'tmdb',
  description: 'fetch movies and series from TMDB with your own token: everything first, later only changes',
  addOptions: (command) =>
    command
      .requiredOption('--countries <codes>', 'countries whose offers to fetch, such as us,gb')
      .option('--languages <codes>', 'languages whose texts and images to fetch', OUTPUT_LANGUAGES.join(','))
      .option('--limit <n>', 'how many titles to keep, the most popular first', '10000')
      .option('--only <kind>', 'movies, or series')
      .option('--providers <file>', 'a JSON file that maps providers of TMDB to services, beyond the built-in mapping')
      .option('--refresh-days <n>', 'refetch a title after this many days, changed or not', '7')
      .option('--rate <n>', 'requests per second', '40')
      .option('--source <name>', 'the source that the imported records belong to', 'tmdb')
      .option('--force', 'import even if it removes more than a fifth of what the source holds of the fetched titles'),
  run: async (settings, flags) => {
    const { tmdb } = settings
    const { requestsPerSecond, ...options } = parseTmdbFlags(flags)
    if (tmdb.token === '') {
      throw new UserError(
        'TMDB_TOKEN is not set. Make a free account at https://www.themoviedb.org, ask for a token under ' +
          'Settings, API, and put the "API Read Access Token" into the environment variable TMDB_TOKEN.',
      )
    }
    const client = new TmdbClient({ ...tmdb, requestsPerSecond, timer: systemTimer })
    return runSync(settings, {
      source: options.source,
      api: 'TMDB',
      openStore: (folder) => new SyncStore(folder),
      start: (dependencies, progress) => createTmdbSync({ ...dependencies, client }, { ...options, ...progress }),
    })
  },
}

function parseTmdbFlags(flags: SyncFlags): TmdbSyncOptions & { readonly requestsPerSecond: number } {
  const parser = new FlagParser()
  const only = textFlag(flags, 'only')
  if (only !== undefined && only !== 'movies' && only !== 'series') {
    parser.add(`--only is "${only}"; it must be movies or series`)
  }
  const options = {
    source: parser.source(textFlag(flags, 'source') ?? 'tmdb'),
    countries: parser.countries(textFlag(flags, 'countries') ?? ''),
    languages: parser.languages(textFlag(flags, 'languages') ?? OUTPUT_LANGUAGES.join(',')),
    limit: parser.wholeNumber('limit', textFlag(flags, 'limit') ?? '10000', 1, 10_000_000),
    kinds: TITLE_KINDS.filter((kind) => only === undefined || (only === 'movies') === (kind === 'movie')),
    refreshDays: parser.wholeNumber('refresh-days', textFlag(flags, 'refreshDays') ?? '7', 1, 3650),
    requestsPerSecond: parser.wholeNumber('rate', textFlag(flags, 'rate') ?? '40', 1, 10_000),
    // Enough to use a rate of 40 requests per second with responses of half a second, without bursts.
    concurrency: 20,
    force: flags.force === true,
    mapping: parser.providers(textFlag(flags, 'providers')),
  }
  parser.assertValid()
  return options
}

/** Watchmode's types of titles. */
const MOVIE_TYPES = ['movie', 'tv_special', 'short_film']
const SERIES_TYPES = ['tv_series', 'tv_miniseries']

/** `marquee sync watchmode`. */
export const watchmodeSyncCommand: SyncCommand = {
  name: 'watchmode',
  description: 'fetch movies and series with offers and prices from Watchmode with your own key',
  addOptions: (command) =>
    command
      .requiredOption('--countries <codes>', 'countries whose offers to fetch, such as us,gb')
      .option('--only <kind>', 'movies, or series')
      .option('--known', 'only titles that the catalog has, by the id map of Watchmode')
      .option('--limit <n>', 'how many titles to keep, the most popular first', '10000')
      .option(
        '--providers <file>',
        'a JSON file that maps sources of Watchmode to services, beyond the built-in mapping',
      )
      .option('--refresh-days <n>', 'refetch a title after this many days, changed or not', '7')
      .option('--images', 'take posters; check first that you may show them')
      .option('--rate <n>', 'requests per second', '5')
      .option('--keep <n>', 'requests of the quota of the key to leave unused', '0')
      .option('--max-requests <n>', 'stop after this many requests (default: no limit but the quota)')
      .option('--source <name>', 'the source that the imported records belong to', 'watchmode')
      .option('--force', 'import even if it removes more than a fifth of what the source holds of the fetched titles'),
  run: async (settings, flags) => {
    const { limits, ...options } = parseWatchmodeFlags(flags)
    if (settings.watchmode.key === '') {
      throw new UserError(
        'WATCHMODE_KEY is not set. Ask for a key at https://api.watchmode.com/requestApiKey and put it into the ' +
          'environment variable WATCHMODE_KEY.',
      )
    }
    const client = new WatchmodeClient({ ...settings.watchmode, ...limits, timer: systemTimer, clock: systemClock })
    return runSync(settings, {
      source: options.source,
      api: 'Watchmode',
      openStore: (folder) => new SyncStore(folder),
      start: (dependencies, progress) => createWatchmodeSync({ ...dependencies, client }, { ...options, ...progress }),
    })
  },
}

function parseWatchmodeFlags(flags: SyncFlags): WatchmodeSyncOptions & {
  readonly limits: { readonly requestsPerSecond: number; readonly keep: number; readonly maxRequests: number }
} {
  const parser = new FlagParser()
  const text = (name: string) => textFlag(flags, name)
  const only = text('only')
  if (only !== undefined && only !== 'movies' && only !== 'series') {
    parser.add(`--only is "${only}"; it must be movies or series`)
  }
  const options = {
    source: parser.source(text('source') ?? 'watchmode'),
    countries: parser.countries(text('countries') ?? ''),
    types: [...(only === 'series' ? [] : MOVIE_TYPES), ...(only === 'movies' ? [] : SERIES_TYPES)],
    onlyKnown: flags.known === true,
    limit: parser.wholeNumber('limit', text('limit') ?? '10000', 1, 10_000_000),
    refreshDays: parser.wholeNumber('refresh-days', text('refreshDays') ?? '7', 1, 3650),
    images: flags.images === true,
    mapping: parser.providers(text('providers')),
    concurrency: 8,
    force: flags.force === true,
    limits: {
      requestsPerSecond: parser.wholeNumber('rate', text('rate') ?? '5', 1, 10_000),
      keep: parser.wholeNumber('keep', text('keep') ?? '0', 0, 1_000_000_000),
      maxRequests: parser.wholeNumber('max-requests', text('maxRequests') ?? '1000000000', 1, 1_000_000_000),
    },
  }
  parser.assertValid()
  return options
}

/** `marquee sync tvmaze`. */
export const tvmazeSyncCommand: SyncCommand = {
  name: 'tvmaze',
  description: 'fetch seasons and episodes of the series in the catalog from TVmaze, which needs no key',
  addOptions: (command) =>
    command
      .option('--countries <codes>', 'take the web channel of a series as its offer in these countries (default: none)')
      .option('--create', 'also create series that the catalog does not have')
      .option('--limit <n>', 'how many series to keep', '100000')
      .option('--providers <file>', 'a JSON file that maps web channels of TVmaze to services')
      .option('--refresh-days <n>', 'refetch a series after this many days, changed or not', '30')
      .option('--rate <n>', 'requests per second', '2')
      .option('--source <name>', 'the source that the imported records belong to', 'tvmaze')
      .option('--force', 'import even if it removes more than a fifth of what the source holds of the fetched titles'),
  run: async (settings, flags) => {
    const { requestsPerSecond, ...options } = parseTvmazeFlags(flags)
    const client = new TvmazeClient({ api: settings.tvmazeApi, requestsPerSecond, timer: systemTimer })
    return runSync(settings, {
      source: options.source,
      api: 'TVmaze',
      openStore: (folder) => new SyncStore(folder),
      start: (dependencies, progress) => createTvmazeSync({ ...dependencies, client }, { ...options, ...progress }),
    })
  },
}

function parseTvmazeFlags(flags: SyncFlags): TvmazeSyncOptions & { readonly requestsPerSecond: number } {
  const parser = new FlagParser()
  const countries = textFlag(flags, 'countries')
  const options = {
    source: parser.source(textFlag(flags, 'source') ?? 'tvmaze'),
    countries: countries === undefined ? [] : parser.countries(countries),
    create: flags.create === true,
    limit: parser.wholeNumber('limit', textFlag(flags, 'limit') ?? '100000', 1, 10_000_000),
    mapping: parser.providers(textFlag(flags, 'providers')),
    refreshDays: parser.wholeNumber('refresh-days', textFlag(flags, 'refreshDays') ?? '30', 1, 3650),
    // TVmaze answers at least 20 requests in ten seconds for one address.
    requestsPerSecond: parser.wholeNumber('rate', textFlag(flags, 'rate') ?? '2', 1, 10_000),
    concurrency: 4,
    force: flags.force === true,
  }
  parser.assertValid()
  return options
}

/** All kinds of syncs. */
const SYNC_COMMANDS: readonly SyncCommand[] = [tmdbSyncCommand, watchmodeSyncCommand, tvmazeSyncCommand, v4SyncCommand]

/** The sync of a name. */
export function findSyncCommand(name: string): SyncCommand | undefined {
  return SYNC_COMMANDS.find((command) => command.name === name)
}

/** Adds `marquee sync` with a subcommand for each API. */
export function addSyncCommand(program: Command): void {
  const sync = program.command('sync').description('bring the catalog up to date with a service on the network')
  for (const { name, description, addOptions, run } of SYNC_COMMANDS) {
    addOptions(sync.command(name).description(description))
      .option('--json', 'print one JSON object')
      .action(async (flags: SyncFlags) => {
        const report = await run(readSettings(process.env), flags, false)
        if (flags.json === true) printJson(toJsonSyncReport(report))
        else printSyncReport(report)
        if (report.failures.length > 0 || report.paused !== undefined) process.exitCode = 1
      })
  }
}

/** Flags of a sync by name in camel case, from the command line or from a schedule. */
export type SyncFlags = Readonly<Record<string, string | boolean | undefined>>

/** One kind of sync: a subcommand of `marquee sync`, and the value of `sync` in `sources.json`. */
export interface SyncCommand {
  readonly name: string
  readonly description: string
  addOptions(command: Command): Command
  /** @param isScheduled the flags come from `sources.json`, so addresses in them are checked */
  run(settings: Settings, flags: SyncFlags, isScheduled: boolean): Promise<SyncReport>
}

/** The text of a flag. */
export function textFlag(flags: SyncFlags, name: string): string | undefined {
  const value = flags[name]
  return typeof value === 'string' ? value : undefined
}

/** A sync to be run: which source it fills, and where it fetches from. */
interface SyncJob<S extends SyncStore> {
  readonly source: string
  /** The name of the API in messages. */
  readonly api: string
  readonly openStore: (folder: string) => S
  readonly start: (
    dependencies: SyncDependencies<S>,
    options: Pick<SyncOptions, 'onProgress'>,
  ) => { run(): Promise<SyncReport> }
}

/** Opens the ledger and the state of a sync, runs it with a progress line, and closes both. */
export async function runSync<S extends SyncStore>(settings: Settings, job: SyncJob<S>): Promise<SyncReport> {
  const { source, api, openStore, start } = job
  const progress = new Progress()
  const ledger = await openLedger(settings, 'import')
  try {
    const store = openStore(join(settings.dataDir, 'sync', source))
    try {
      const lock = { what: `what was fetched from ${api} for ${source}`, onWait: printImportWait }
      const dependencies: SyncDependencies<S> = {
        store,
        ledger,
        clock: systemClock,
        ranks: readSourceRanks(settings.sourcesFile),
        withLock: (work) => withImportLock(ledger, { ...lock, now: systemClock() }, work),
      }
      const onProgress = (done: number, planned: number) =>
        progress.update('titles fetched', done, planned > 0 ? () => done / planned : undefined)
      return await start(dependencies, { onProgress }).run()
    } finally {
      progress.end()
      await store.close()
    }
  } finally {
    await ledger.close()
  }
}
