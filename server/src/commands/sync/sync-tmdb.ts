import { SyncStore } from '../../connectors/sync/sync-store.ts'
import { TITLE_KINDS } from '../../connectors/tmdb/client/fetch-title.ts'
import { TmdbClient } from '../../connectors/tmdb/client/tmdb-client.ts'
import { createTmdbSync, type TmdbSyncOptions } from '../../connectors/tmdb/sync/tmdb-sync.ts'
import { systemTimer } from '../../lib/clock.ts'
import { UserError } from '../../lib/user-error.ts'
import { OUTPUT_LANGUAGES } from '../../model/language.ts'
import { FlagParser } from './flag-parser.ts'
import { runSync, type SyncCommand, type SyncFlags, textFlag } from './run-sync.ts'

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
    const { requestsPerSecond, ...options } = parseFlags(flags)
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

function parseFlags(flags: SyncFlags): TmdbSyncOptions & { readonly requestsPerSecond: number } {
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
