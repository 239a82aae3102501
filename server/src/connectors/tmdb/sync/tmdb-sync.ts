import type { Reference } from '../../../catalog/storage/reference.ts'
import type { JsonObject } from '../../../ingest/parse/fields.ts'
import type { Attribution } from '../../../model/source.ts'
import { ProviderDirectory } from '../../providers/provider-directory.ts'
import { toObjects } from '../../records/json-fields.ts'
import { StoredServices } from '../../sync/stored-services.ts'
import type { SyncDependencies, SyncNote } from '../../sync/sync-importer.ts'
import type { SyncStore } from '../../sync/sync-store.ts'
import { type SyncOptions, type SyncPlan, type TitleApi, TitleSync } from '../../sync/title-sync.ts'
import { fetchTitle, TITLE_KINDS, type TitleKey } from '../client/fetch-title.ts'
import type { TmdbClient } from '../client/tmdb-client.ts'
import { buildReferenceRecords } from '../records/provider-lists.ts'
import { buildShowRecord } from '../records/show-record.ts'
import { planSync, type SyncTarget, scopeKey, targetKey } from './sync-plan.ts'

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
