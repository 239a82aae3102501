import { SyncStore } from '../../connectors/sync/sync-store.ts'
import { WatchmodeClient } from '../../connectors/watchmode/client/watchmode-client.ts'
import { createWatchmodeSync, type WatchmodeSyncOptions } from '../../connectors/watchmode/sync/watchmode-sync.ts'
import { systemClock, systemTimer } from '../../lib/clock.ts'
import { UserError } from '../../lib/user-error.ts'
import { FlagParser } from './flag-parser.ts'
import { runSync, type SyncCommand, type SyncFlags, textFlag } from './run-sync.ts'

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
    const { limits, ...options } = parseFlags(flags)
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

function parseFlags(flags: SyncFlags): WatchmodeSyncOptions & {
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
