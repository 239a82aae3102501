import type { Catalog } from '../../catalog/catalog.ts'
import { isObject, type JsonObject } from '../../ingest/parse/fields.ts'
import type { Show } from '../../model/show.ts'
import type { Attribution } from '../../model/source-ranks.ts'
import { SECONDS_PER_DAY } from '../../model/time.ts'
import { ApiClient, type ApiClientOptions } from '../fetch/api-client.ts'
import { ProviderDirectory, type ProviderMapping, sortMapping } from '../providers/provider-directory.ts'
import { numberField, objectField, textField, toObjects } from '../records/values.ts'
import type { SyncDependencies, SyncNote } from '../sync/sync-importer.ts'
import { digestScope, StoredServices, type SyncStore } from '../sync/sync-store.ts'
import { type SyncOptions, type SyncPlan, type TitleApi, TitleSync } from '../sync/title-sync.ts'
import { buildEmptyRecord, buildShowRecord, type TvmazeContext } from './show-record.ts'

/** What a sync with TVmaze should hold. */
export interface TvmazeTarget {
  readonly countries: readonly string[]
  /** Whether series that the catalog does not have are created. */
  readonly create: boolean
  readonly limit: number
  readonly refreshDays: number
  readonly mapping: ProviderMapping
}

/** The target of a sync, and how it is run. */
export interface TvmazeSyncOptions extends TvmazeTarget, SyncOptions {}

/** A sync with TVmaze. */
export function createTvmazeSync(
  { client, ...dependencies }: SyncDependencies & { readonly client: TvmazeClient },
  options: TvmazeSyncOptions,
): TitleSync {
  const { store, ledger } = dependencies
  return new TitleSync(new TvmazeApi(client, store, ledger.catalog, options), dependencies, options)
}

/** TVmaze's licence, CC BY-SA, asks for a link. */
const ATTRIBUTION: readonly Attribution[] = [
  { text: 'TV data by TVmaze (CC BY-SA 4.0)', link: 'https://www.tvmaze.com' },
]

/** Pages of the index are fetched again after this time, since old shows may have got an IMDb id. */
const INDEX_AGE_SECONDS = 30 * SECONDS_PER_DAY

/** One day less than the list of updates covers. */
const MAX_UPDATES_DAYS = 29

/** A page of the index in the store: when it was fetched, and the ids of its shows with their IMDb ids. */
interface StoredIndexPage {
  readonly at: number
  readonly shows: readonly (readonly [id: number, imdbId: string | null])[]
}

/** TVmaze as an API of titles. */
class TvmazeApi implements TitleApi {
  readonly name = 'TVmaze'
  readonly attribution = ATTRIBUTION
  private readonly client: TvmazeClient
  private readonly store: SyncStore
  private readonly catalog: Catalog
  private readonly target: TvmazeTarget
  private readonly stored: StoredServices
  private readonly context: TvmazeContext
  private notes: SyncNote[] = []

  constructor(client: TvmazeClient, store: SyncStore, catalog: Catalog, target: TvmazeTarget) {
    this.client = client
    this.store = store
    this.catalog = catalog
    this.target = target
    this.stored = new StoredServices(store)
    const directory = new ProviderDirectory(target.mapping, this.stored.services)
    const onLeftOut = (detail: string, record: string) => void this.notes.push({ note: 'left_out', detail, record })
    this.context = { countries: target.countries, directory, onLeftOut }
  }

  get requests(): number {
    return this.client.requests
  }

  get targetKey(): string {
    return digestScope([this.scopeKey, this.target.create, this.target.limit])
  }

  get scopeKey(): string {
    const { countries, mapping } = this.target
    return digestScope([[...countries].sort(), sortMapping(mapping)])
  }

  /** The shows of the index that the catalog has, or all: new, updated, failed, of another scope, or too old. */
  async plan(store: SyncStore, now: number): Promise<SyncPlan> {
    const wanted = await this.listWantedShows(now)
    const failed = new Set(store.failures().map(({ key }) => key))
    const updates = await this.fetchUpdates(store, now)
    const oldest = now - this.target.refreshDays * SECONDS_PER_DAY
    const isDue = (key: string) => {
      const title = store.getImported(key)
      if (title === undefined || title.scope !== this.scopeKey || updates === undefined) return true
      return failed.has(key) || title.at < oldest || Number(updates[key] ?? 0) >= title.at
    }
    const held = [...store.importedTitles()].map(({ key }) => key)
    return { keys: [...new Set([...wanted, ...held, ...failed])].filter(isDue), context: {} }
  }

  async fetchRecord(key: string): Promise<JsonObject | undefined> {
    const show = await this.client.show(Number(key))
    const known = show && this.findSeries(textField(objectField(show, 'externals'), 'imdb'))
    if (show === undefined || (known === undefined && !this.target.create)) return this.buildGoneRecord(key)
    const record = buildShowRecord(show, known, this.context)
    await this.stored.save()
    return record
  }

  buildReference(): object[] {
    return []
  }

  takeNotes(): SyncNote[] {
    const notes = [...this.notes, ...this.context.directory.takeNotes()]
    this.notes = []
    return notes
  }

  /** The record of a show that is gone. Shows that the sync has created are removed. */
  private buildGoneRecord(key: string): JsonObject | undefined {
    const { removal } = this.store.getImported(key) ?? {}
    const known = this.target.create ? undefined : this.findSeries(removal?.imdbId ?? removal?.id)
    return known && buildEmptyRecord(known)
  }

  /** The series of the catalog with an id, its own or that of IMDb. */
  private findSeries(id: unknown): Show | undefined {
    const doc = typeof id === 'string' ? this.catalog.findDoc(id) : undefined
    const known = doc === undefined ? undefined : this.catalog.show(doc)
    return known?.deleted === true || known?.showType !== 'series' ? undefined : known
  }

  private async listWantedShows(now: number): Promise<string[]> {
    const { create, limit } = this.target
    const wanted: string[] = []
    for (let page = 0; ; page++) {
      const shows = await this.readIndexPage(page, now)
      if (shows === undefined) return wanted.slice(0, limit)
      for (const [id, imdbId] of shows) if (create || this.isKnownSeries(imdbId)) wanted.push(String(id))
    }
  }

  private isKnownSeries(imdbId: string | null): boolean {
    const doc = imdbId === null ? undefined : this.catalog.findDoc(imdbId)
    return doc !== undefined && this.catalog.facts(doc)?.showType === 'series'
  }

  /** A page of the index. Pages are stored; the last one is fetched again, since new shows are added to it. */
  private async readIndexPage(page: number, now: number): Promise<StoredIndexPage['shows'] | undefined> {
    const { store } = this
    const stored = store.getValue(`index ${page}`) as StoredIndexPage | undefined
    const isLast = store.getValue(`index ${page + 1}`) === undefined
    if (stored !== undefined && !isLast && now - stored.at < INDEX_AGE_SECONDS) return stored.shows
    const fetched = await this.client.indexPage(page)
    if (fetched === undefined) return undefined
    const shows = fetched.flatMap((show) => {
      const id = numberField(show, 'id')
      return id === undefined ? [] : [[id, textField(objectField(show, 'externals'), 'imdb') ?? null] as const]
    })
    await store.setValue(`index ${page}`, { at: now, shows })
    return shows
  }

  /** The times of the last updates, for a span that covers the last sync; undefined if none does. */
  private async fetchUpdates(store: SyncStore, now: number): Promise<JsonObject | undefined> {
    if (store.lastStart === undefined) return {}
    const days = (now - store.lastStart) / SECONDS_PER_DAY
    if (days > MAX_UPDATES_DAYS) return undefined
    return this.client.updates(days < 0.9 ? 'day' : days < 6.5 ? 'week' : 'month')
  }
}

/** Address and limits of a client. */
export interface TvmazeClientOptions
  extends Pick<ApiClientOptions, 'timer' | 'requestsPerSecond' | 'attempts' | 'timeoutMs' | 'maxBytes'> {
  /** Base URL of the API: `https://api.tvmaze.com`. */
  readonly api: string
}

/** The spans of the list of updated shows. */
type UpdateSpan = 'day' | 'week' | 'month'

/** Requests to TVmaze's public API, which needs no key. */
export class TvmazeClient {
  private readonly base: URL
  private readonly client: ApiClient

  constructor({ api, ...options }: TvmazeClientOptions) {
    this.base = new URL(api)
    this.client = new ApiClient({ ...options, name: 'TVmaze', errorField: 'message' })
  }

  /** The number of requests sent. */
  get requests(): number {
    return this.client.requests
  }

  /** A page of the index of all shows, by id; undefined after the last one. */
  async indexPage(page: number): Promise<readonly JsonObject[] | undefined> {
    const body = await this.get(`/shows?page=${page}`, (answer) =>
      Array.isArray(answer) ? undefined : 'it is no list of shows',
    )
    return body === undefined ? undefined : toObjects(body)
  }

  /** A show with its episodes and cast; undefined if there is none. */
  async show(id: number): Promise<JsonObject | undefined> {
    const path = `/shows/${id}?embed%5B%5D=episodes&embed%5B%5D=cast&embed%5B%5D=akas`
    const body = await this.get(path, (answer) => {
      if (!isObject(answer) || answer.id !== id) return `its id is not ${id}`
      const embedded = answer._embedded
      // Without its episodes, those of the catalog would lose what this source has said of them.
      return isObject(embedded) && Array.isArray(embedded.episodes) ? undefined : 'it has no episodes'
    })
    return body as JsonObject | undefined
  }

  /** The time of the last update of each show that was updated within a span, in Unix seconds, by show id. */
  async updates(span: UpdateSpan): Promise<JsonObject> {
    const body = await this.get(`/updates/shows?since=${span}`, (answer) => {
      // An empty map is sent as an empty list.
      const isMap = isObject(answer) || (Array.isArray(answer) && answer.length === 0)
      return isMap && Object.values(answer).every(Number.isFinite) ? undefined : 'it is no map of shows'
    })
    return isObject(body) ? body : {}
  }

  private async get(path: string, validate: (body: unknown) => string | undefined): Promise<unknown> {
    const url = new URL(path, this.base)
    const headers = { accept: 'application/json', 'user-agent': 'marquee' }
    const request = { url, headers, isAuthenticated: false, missingStatuses: [404] }
    return (await this.client.get(request, validate))?.body
  }
}
