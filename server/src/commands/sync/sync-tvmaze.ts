import { SyncStore } from '../../connectors/sync/sync-store.ts'
import { TvmazeClient } from '../../connectors/tvmaze/tvmaze-client.ts'
import { createTvmazeSync, type TvmazeSyncOptions } from '../../connectors/tvmaze/tvmaze-sync.ts'
import { systemTimer } from '../../lib/clock.ts'
import { FlagParser } from './flag-parser.ts'
import { runSync, type SyncCommand, type SyncFlags, textFlag } from './run-sync.ts'

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
    const { requestsPerSecond, ...options } = parseFlags(flags)
    const client = new TvmazeClient({ api: settings.tvmazeApi, requestsPerSecond, timer: systemTimer })
    return runSync(settings, {
      source: options.source,
      api: 'TVmaze',
      openStore: (folder) => new SyncStore(folder),
      start: (dependencies, progress) => createTvmazeSync({ ...dependencies, client }, { ...options, ...progress }),
    })
  },
}

function parseFlags(flags: SyncFlags): TvmazeSyncOptions & { readonly requestsPerSecond: number } {
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
