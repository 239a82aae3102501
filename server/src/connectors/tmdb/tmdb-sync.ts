import type { Reference } from '../../catalog/storage/reference.ts'
import type { JsonObject } from '../../ingest/parse/fields.ts'
import type { Attribution } from '../../model/source-ranks.ts'
import { SECONDS_PER_DAY } from '../../model/time.ts'
import { ProviderDirectory, type ProviderMapping, sortMapping } from '../providers/provider-directory.ts'
import { toObjects } from '../records/values.ts'
import type { SyncDependencies, SyncNote } from '../sync/sync-importer.ts'
import { digestScope, StoredServices, type SyncStore } from '../sync/sync-store.ts'
import { type SyncOptions, type SyncPlan, type TitleApi, TitleSync } from '../sync/title-sync.ts'
import { buildReferenceRecords } from './offers.ts'
import { buildShowRecord, type RecordScope } from './show-record.ts'
import {
  fetchChangedTitles,
  fetchPopularTitles,
  fetchTitle,
  MAX_CHANGES_DAYS,
  parseTitleKey,
  TITLE_KINDS,
  type TitleKey,
  type TitleKind,
  type TmdbClient,
} from './tmdb-client.ts'

/** The target of a sync with TMDB, and how it is run. */
export interface TmdbSyncOptions extends SyncTarget, SyncOptions {}

/** A sync with TMDB. */
export function createTmdbSync(
  { client, ...dependencies }: SyncDependencies & { readonly client: TmdbClient },
  options: TmdbSyncOptions,
): TitleSync {
  return new TitleSync(new TmdbApi(client, dependencies.store, options), dependencies, options)
}

/** The attribution that TMDB's terms require wherever its data is shown, and JustWatch's for its offers. */
const TMDB_ATTRIBUTION: readonly Attribution[] = [
  {
    text: 'This product uses the TMDB API but is not endorsed or certified by TMDB.',
    link: 'https://www.themoviedb.org',
  },
  { text: 'Watch provider data by JustWatch.', link: 'https://www.justwatch.com' },
]

/** TMDB as an API of titles. The context of a run holds its provider lists by country. */
class TmdbApi implements TitleApi {
  readonly name = 'TMDB'
  readonly attribution = TMDB_ATTRIBUTION
  private readonly client: TmdbClient
  private readonly target: SyncTarget
  private readonly stored: StoredServices
  private readonly directory: ProviderDirectory

  constructor(client: TmdbClient, store: SyncStore, target: SyncTarget) {
    this.client = client
    this.target = target
    this.stored = new StoredServices(store)
    this.directory = new ProviderDirectory(target.mapping, this.stored.services)
  }

  get requests(): number {
    return this.client.requests
  }

  get targetKey(): string {
    return targetKey(this.target)
  }

  get scopeKey(): string {
    return scopeKey(this.target)
  }

  async plan(store: SyncStore, now: number): Promise<SyncPlan> {
    const context = await this.fetchProviderLists()
    return { keys: await planSync(this.client, store, this.target, now), context }
  }

  async fetchRecord(key: string): Promise<JsonObject | undefined> {
    const title = await fetchTitle(this.client, key as TitleKey, this.target.languages)
    const record = title && buildShowRecord(title, this.target, this.directory)
    await this.stored.save()
    return record
  }

  buildReference(providerLists: JsonObject, reference: Reference): object[] {
    const lists = Object.entries(providerLists).map(([country, list]) => [country, toObjects(list)])
    return buildReferenceRecords(Object.fromEntries(lists), this.directory, reference)
  }

  takeNotes(): SyncNote[] {
    return this.directory.takeNotes()
  }

  buildRemoval(key: string): object {
    return { kind: 'remove', tmdbId: key }
  }

  private async fetchProviderLists(): Promise<JsonObject> {
    const lists: Record<string, JsonObject[]> = {}
    const validate = (answer: JsonObject) => (Array.isArray(answer.results) ? undefined : 'it has no results')
    for (const country of this.target.countries) {
      const query = { watch_region: country.toUpperCase(), language: 'en-US' }
      const requests = TITLE_KINDS.map((kind) => this.client.get(`/3/watch/providers/${kind}`, query, validate))
      lists[country] = (await Promise.all(requests)).filter((list) => list !== undefined)
    }
    return lists
  }
}

/** What a sync should hold. */
export interface SyncTarget extends RecordScope {
  readonly kinds: readonly TitleKind[]
  /** The number of titles, the most popular ones of all kinds together. */
  readonly limit: number
  /** The age at which titles are fetched again, whether or not TMDB lists them as changed. */
  readonly refreshDays: number
  readonly mapping: ProviderMapping
}

/** A key of everything that a record depends on. A title whose record has another key is fetched again. */
function scopeKey({ countries, languages, mapping }: SyncTarget): string {
  return digestScope([[...countries].sort(), [...languages].sort(), sortMapping(mapping)])
}

/** A key of everything that a plan depends on. A plan with another key is not resumed. */
function targetKey(target: SyncTarget): string {
  return digestScope([scopeKey(target), target.kinds, target.limit])
}

/** One day less than TMDB's list of changes covers, so that no change is missed at its edge. */
const MAX_CHANGES_AGE_SECONDS = (MAX_CHANGES_DAYS - 1) * SECONDS_PER_DAY

/**
 * Selects the titles to fetch, the most popular first: titles that are new, were fetched for another scope, changed,
 * failed in the last sync, or are older than the refresh age.
 */
async function planSync(client: TmdbClient, store: SyncStore, target: SyncTarget, now: number): Promise<TitleKey[]> {
  const scope = scopeKey(target)
  const popular = await fetchPopularTitles(client, target.kinds, target.limit, now)
  const imported = new Map([...store.importedTitles()].map(({ key, ...title }) => [key as TitleKey, title]))
  const failed = new Set(store.failures().map(({ key }) => key as TitleKey))
  const changed = await fetchChangedSince(client, store, target, now)
  const oldest = now - Math.min(target.refreshDays * SECONDS_PER_DAY, MAX_CHANGES_AGE_SECONDS)
  const isDue = (key: TitleKey) => {
    const title = imported.get(key)
    if (title === undefined || title.scope !== scope) return true
    return changed.has(key) || failed.has(key) || title.at < oldest
  }
  const candidates = [...new Set([...popular, ...imported.keys(), ...failed])]
  return candidates.filter((key) => target.kinds.includes(parseTitleKey(key).kind) && isDue(key))
}

/** The titles that changed since the last sync, or since the oldest fetch if no sync has finished. */
async function fetchChangedSince(
  client: TmdbClient,
  store: SyncStore,
  { kinds }: SyncTarget,
  now: number,
): Promise<ReadonlySet<TitleKey>> {
  let since = store.lastStart
  if (since === undefined) for (const { at } of store.importedTitles()) since = Math.min(since ?? at, at)
  // No title was imported yet, so none can have changed.
  if (since === undefined) return new Set()
  const changed = new Set<TitleKey>()
  for (const kind of kinds) {
    const from = Math.max(since, now - MAX_CHANGES_AGE_SECONDS)
    for (const key of await fetchChangedTitles(client, kind, from, now)) changed.add(key)
  }
  return changed
}
