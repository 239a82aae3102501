import type { Catalog } from '../../catalog/catalog.ts'
import type { Reference } from '../../catalog/storage/reference.ts'
import type { JsonObject } from '../../ingest/parse/fields.ts'
import { isImdbId, isTmdbId } from '../../model/show.ts'
import type { Attribution } from '../../model/source-ranks.ts'
import { SECONDS_PER_DAY } from '../../model/time.ts'
import { ApiUnavailableError } from '../fetch/api-client.ts'
import { ProviderDirectory, type ProviderMapping, sortMapping } from '../providers/provider-directory.ts'
import { toObjects, toText } from '../records/values.ts'
import type { SyncDependencies, SyncNote } from '../sync/sync-importer.ts'
import { digestScope, StoredServices, type SyncStore } from '../sync/sync-store.ts'
import { type SyncOptions, type SyncPlan, type TitleApi, TitleSync } from '../sync/title-sync.ts'
import { buildServiceRecords, buildShowRecord, type WatchmodeContext } from './show-record.ts'
import type { WatchmodeClient } from './watchmode-client.ts'

/** What a sync with Watchmode should hold. */
export interface WatchmodeTarget {
  readonly countries: readonly string[]
  /** Watchmode's types of titles. */
  readonly types: readonly string[]
  /** Only titles that the catalog has, by their IMDb and TMDB ids; otherwise the most popular ones. */
  readonly onlyKnown: boolean
  readonly limit: number
  readonly refreshDays: number
  readonly images: boolean
  readonly mapping: ProviderMapping
}

/** The target of a sync, and how it is run. */
export interface WatchmodeSyncOptions extends WatchmodeTarget, SyncOptions {}

/** A sync with Watchmode. */
export function createWatchmodeSync(
  { client, ...dependencies }: SyncDependencies & { readonly client: WatchmodeClient },
  options: WatchmodeSyncOptions,
): TitleSync {
  const { store, ledger } = dependencies
  return new TitleSync(new WatchmodeApi(client, store, ledger.catalog, options), dependencies, options)
}

const ATTRIBUTION: readonly Attribution[] = [
  { text: 'Streaming data powered by Watchmode.com', link: 'https://www.watchmode.com' },
]

/** The lists of changes take times of an American zone, which are up to eight hours behind UTC. */
const MAX_OFFSET_SECONDS = 8 * 3_600

/** Watchmode as an API of titles. The context of a run holds its list of services. */
class WatchmodeApi implements TitleApi {
  readonly name = 'Watchmode'
  readonly attribution = ATTRIBUTION
  private readonly client: WatchmodeClient
  private readonly catalog: Catalog
  private readonly target: WatchmodeTarget
  private readonly stored: StoredServices
  private readonly context: WatchmodeContext

  constructor(client: WatchmodeClient, store: SyncStore, catalog: Catalog, target: WatchmodeTarget) {
    this.client = client
    this.catalog = catalog
    this.target = target
    this.stored = new StoredServices(store)
    const directory = new ProviderDirectory(target.mapping, this.stored.services)
    this.context = { countries: target.countries, images: target.images, directory }
  }

  get requests(): number {
    return this.client.requests
  }

  get targetKey(): string {
    const { types, onlyKnown, limit } = this.target
    return digestScope([this.scopeKey, types, onlyKnown, limit])
  }

  get scopeKey(): string {
    const { countries, images, mapping } = this.target
    return digestScope([[...countries].sort(), images, sortMapping(mapping)])
  }

  /** Titles that are new, changed, failed, of another scope or too old, in the order of popularity. */
  async plan(store: SyncStore, now: number): Promise<SyncPlan> {
    const sources = await this.client.sources(this.target.countries)
    const wanted = this.target.onlyKnown ? await this.listKnownTitles() : await this.listPopularTitles()
    const changed = await this.listChangedTitles(store, now)
    const failed = new Set(store.failures().map(({ key }) => key))
    const oldest = now - this.target.refreshDays * SECONDS_PER_DAY
    const isDue = (key: string) => {
      const title = store.getImported(key)
      if (title === undefined || title.scope !== this.scopeKey) return true
      return changed.has(key) || failed.has(key) || title.at < oldest
    }
    const held = [...store.importedTitles()].map(({ key }) => key)
    const keys = [...new Set([...wanted.map(String), ...held, ...failed])].filter(isDue)
    return { keys, context: { sources } }
  }

  async fetchRecord(key: string): Promise<JsonObject | undefined> {
    const title = await this.client.title(Number(key), this.target.countries)
    const record = title && buildShowRecord(title, this.context)
    await this.stored.save()
    return record
  }

  buildReference({ sources }: JsonObject, reference: Reference): object[] {
    return buildServiceRecords(toObjects(sources), this.context, reference)
  }

  takeNotes(): SyncNote[] {
    return this.context.directory.takeNotes()
  }

  private async listPopularTitles(): Promise<number[]> {
    const { types, countries, limit } = this.target
    const ids: number[] = []
    for (let page = 1, pages = 1; page <= pages && ids.length < limit; page++) {
      const answer = await this.client.listTitles({ types: types.join(','), countries, page })
      ids.push(...answer.ids)
      pages = answer.pages
    }
    return ids.slice(0, limit)
  }

  /** The titles of the id map that the catalog has, in the order of the map. */
  private async listKnownTitles(): Promise<number[]> {
    const { limit, types } = this.target
    const isKnown = (id: string | undefined) => {
      const doc = id === undefined ? undefined : this.catalog.findDoc(id)
      const showType = doc === undefined ? undefined : this.catalog.facts(doc)?.showType
      return showType !== undefined && types.includes(showType === 'movie' ? 'movie' : 'tv_series')
    }
    const { ids } = await this.client.readIdMap(
      () => ({ parser: new IdMapParser(), ids: [] as number[] }),
      ({ parser, ids }, text) => {
        const row = parser.parseLine(text)
        if (row !== undefined && ids.length < limit && (isKnown(row.imdbId) || isKnown(row.tmdbId))) ids.push(row.id)
      },
    )
    return ids
  }

  /** The titles that changed since the last sync; none if the plan of the key has no such lists. */
  private async listChangedTitles(store: SyncStore, now: number): Promise<ReadonlySet<string>> {
    const changed = new Set<string>()
    if (store.lastStart === undefined) return changed
    const span = { start_date: formatTime(store.lastStart - MAX_OFFSET_SECONDS), end_date: formatTime(now) }
    const regions = this.target.countries.map((country) => ({ regions: country.toUpperCase() }))
    for (const [list, queries] of [
      ['titles_sources_changed', regions],
      ['titles_details_changed', [{}]],
      ['titles_episodes_changed', [{}]],
    ] as const) {
      for (const query of queries) {
        for (let page = 1, pages = 1; page <= pages; page++) {
          const answer = await this.client.listChanges(list, { ...query, ...span, page: String(page) })
          if (answer === undefined) return changed
          for (const id of answer.ids) changed.add(toText(id))
          pages = answer.pages
        }
      }
    }
    return changed
  }
}

/** A time as the lists of changes take it: `20260315120000`. */
function formatTime(seconds: number): string {
  return new Date(seconds * 1000).toISOString().slice(0, 19).replace(/\D/g, '')
}

/** A row of Watchmode's id map. */
export interface IdMapRow {
  /** Watchmode's own id. */
  readonly id: number
  readonly imdbId: string | undefined
  readonly tmdbId: string | undefined
}

/** The columns that are read, folded. */
const COLUMNS = ['watchmodeid', 'imdbid', 'tmdbid', 'tmdbtype'] as const

/**
 * Parses the lines of Watchmode's id map: `3173903,tt0903747,1396,tv,Breaking Bad,2008`. The ids come before the title,
 * which may be quoted, so a line is split at commas up to the last id.
 */
export class IdMapParser {
  private positions: readonly number[] | undefined

  /** The row of a line; undefined for the headings, and for a line without an id of its own. */
  parseLine(text: string): IdMapRow | undefined {
    if (this.positions === undefined) {
      this.positions = findPositions(text)
      return undefined
    }
    const cells = text.split(',', Math.max(...this.positions) + 1)
    const [id = '', imdb = '', tmdb = '', kind = ''] = this.positions.map((i) => unquote(cells[i] ?? ''))
    const tmdbId = `${kind.toLowerCase()}/${tmdb}`
    if (!/^\d{1,15}$/.test(id)) return undefined
    return {
      id: Number(id),
      imdbId: isImdbId(imdb) ? imdb : undefined,
      tmdbId: isTmdbId(tmdbId) ? tmdbId : undefined,
    }
  }
}

/** The positions of the id columns by the headings. */
function findPositions(line: string): readonly number[] {
  const headings = line.split(',').map((heading) =>
    unquote(heading)
      .toLowerCase()
      .replace(/[^a-z]/g, ''),
  )
  const title = headings.indexOf('title')
  const positions = COLUMNS.map((column) => headings.indexOf(column))
  // A title may hold commas, so that columns after it cannot be counted.
  if (positions.some((at) => at < 0 || (title >= 0 && at > title))) {
    const found = line.slice(0, 120)
    throw new ApiUnavailableError(
      `The id map of Watchmode begins with "${found}"; the columns Watchmode ID, IMDB ID, TMDB ID and TMDB Type are needed before the title`,
    )
  }
  return positions
}

function unquote(cell: string): string {
  return cell
    .trim()
    .replace(/^\ufeff/, '')
    .replace(/^"|"$/g, '')
    .trim()
}
