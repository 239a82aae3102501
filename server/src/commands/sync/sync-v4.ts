import { createGuardedTransport } from '../../connectors/fetch/guarded-transport.ts'
import { V4Client, type V4ClientOptions } from '../../connectors/v4/client/v4-client.ts'
import { CatalogFilter, parseCatalogs } from '../../connectors/v4/records/catalog-filter.ts'
import { V4Store } from '../../connectors/v4/sync/v4-store.ts'
import { V4Sync, type V4SyncOptions } from '../../connectors/v4/sync/v4-sync.ts'
import { systemClock, systemTimer } from '../../lib/clock.ts'
import { OUTPUT_LANGUAGES } from '../../model/language.ts'
import { POPULARITY_WINDOWS } from '../../model/show.ts'
import { FlagParser } from './flag-parser.ts'
import { runSync, type SyncCommand, type SyncFlags, textFlag } from './run-sync.ts'

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
    const { client: clientOptions, ...options } = parseFlags(flags, settings.v4Key)
    const client = new V4Client({ ...clientOptions, ...transport })
    return runSync(settings, {
      source: options.source,
      api: client.host,
      openStore: (folder) => new V4Store(folder),
      start: (dependencies, progress) => new V4Sync({ ...dependencies, client }, { ...options, ...progress }),
    })
  },
}

function parseFlags(flags: SyncFlags, keySetting: string): V4SyncOptions & { readonly client: V4ClientOptions } {
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
