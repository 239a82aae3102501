import type { JsonObject } from '../../ingest/parse/fields.ts'
import type { Clock } from '../../lib/clock.ts'
import {
  ApiClient,
  type ApiClientOptions,
  ApiRefusedError,
  ApiUnavailableError,
  readTextLines,
} from '../fetch/api-client.ts'
import { QuotaReachedError, QuotaTracker } from '../fetch/quota-tracker.ts'
import { numberField, objectListField, toObjects } from '../records/values.ts'

/** Addresses, key and limits of a client. */
export interface WatchmodeClientOptions
  extends Pick<ApiClientOptions, 'timer' | 'requestsPerSecond' | 'attempts' | 'timeoutMs' | 'maxBytes'> {
  /** Base URL of the API and of its id map: `https://api.watchmode.com`. */
  readonly api: string
  readonly key: string
  readonly keep: number
  readonly maxRequests: number
  readonly clock: Clock
}

type Query = Readonly<Record<string, string | undefined>>

/** The largest page of lists. */
const PAGE_SIZE = '250'

/** The parts of a title that are fetched with its details. */
const PARTS = 'sources,seasons,episodes,cast-crew'

/** A series of some thousand episodes with the offers of each has tens of megabytes. */
const MAX_RESPONSE_BYTES = 96 * 1024 * 1024

/** The id map has over a million lines. */
const FILE_TIMEOUT_MS = 15 * 60_000

/** The status of an answer when the quota of the key is used up. */
const OVER_QUOTA = 402

/** A list of changed titles: of offers, of details, or of episodes. */
export type ChangeList = 'titles_sources_changed' | 'titles_details_changed' | 'titles_episodes_changed'

/** Requests to Watchmode's API. */
export class WatchmodeClient {
  readonly quota: QuotaTracker
  private readonly base: URL
  private readonly key: string
  private readonly client: ApiClient

  constructor({ api, key, keep, maxRequests, clock, ...options }: WatchmodeClientOptions) {
    this.base = new URL(api.endsWith('/') ? api : `${api}/`)
    this.key = key
    this.quota = new QuotaTracker({ keep, maxRequests }, clock)
    this.client = new ApiClient({
      maxBytes: MAX_RESPONSE_BYTES,
      ...options,
      name: 'Watchmode',
      errorField: 'statusMessage',
      onSend: () => this.quota.admit(),
      onHeaders: (headers) => this.quota.observe(headers),
    })
  }

  /** The number of requests sent. */
  get requests(): number {
    return this.client.requests
  }

  /** All streaming services: id, name, type and logo. */
  async sources(countries: readonly string[]): Promise<readonly JsonObject[]> {
    const expectList = (answer: unknown) => (Array.isArray(answer) ? undefined : 'it is no list')
    return toObjects(await this.get('v1/sources/', { regions: toRegions(countries) }, expectList, []))
  }

  /** The details of a title with its offers, seasons, episodes and people; undefined if there is no such title. */
  async title(id: number, countries: readonly string[]): Promise<JsonObject | undefined> {
    const query = { append_to_response: PARTS, regions: toRegions(countries), language: 'en' }
    const body = await this.get(
      `v1/title/${id}/details/`,
      query,
      (answer) => {
        const title = (answer ?? {}) as JsonObject
        if (title.id !== id) return `its id is not ${id}`
        // A document without its sources would remove all offers of the title.
        return Array.isArray(title.sources) ? undefined : 'it has no sources'
      },
      [404],
    )
    return body as JsonObject | undefined
  }

  /** A page of titles with offers in some countries, the most popular first, with the number of pages. */
  async listTitles(query: { types: string; countries: readonly string[]; page: number }): Promise<WatchmodePage> {
    const { types, countries, page } = query
    const body = await this.get(
      'v1/list-titles/',
      { types, regions: toRegions(countries), sort_by: 'popularity_desc', limit: PAGE_SIZE, page: String(page) },
      expectTitles,
      [],
    )
    const ids = objectListField(body as JsonObject, 'titles').flatMap((title) => numberField(title, 'id') ?? [])
    return { ids, pages: numberField(body as JsonObject, 'total_pages') ?? 1 }
  }

  /**
   * A page of the ids of changed titles; undefined if the plan of the key does not include lists of changes.
   * The list of changed offers is that of one region.
   */
  async listChanges(list: ChangeList, query: Query & { readonly page: string }): Promise<WatchmodePage | undefined> {
    const path = `v1/changes/${list}/`
    // Keys of a free plan get 401, although they are valid.
    const body = await this.get(path, { ...query, limit: PAGE_SIZE }, expectTitles, [401, 403, 404])
    if (body === undefined) return undefined
    const { titles } = body as { readonly titles: readonly unknown[] }
    const ids = titles.filter((id): id is number => Number.isSafeInteger(id))
    return { ids, pages: numberField(body as JsonObject, 'total_pages') ?? 1 }
  }

  /** Streams the lines of the id map, a CSV table of the ids of all titles. */
  async readIdMap<T>(create: () => T, addLine: (into: T, text: string) => void): Promise<T> {
    const url = new URL('datasets/title_id_map.csv', this.base)
    const request = { url, headers: {}, isAuthenticated: false, missingStatuses: [], timeoutMs: FILE_TIMEOUT_MS }
    const read = await this.client.readLines(request, create, addLine, readTextLines)
    return read ?? create()
  }

  private async get(
    path: string,
    query: Query,
    validate: (body: unknown) => string | undefined,
    missingStatuses: readonly number[],
  ): Promise<unknown> {
    const url = new URL(path, this.base)
    for (const [name, value] of Object.entries(query)) if (value !== undefined) url.searchParams.set(name, value)
    const headers = { accept: 'application/json', 'X-API-Key': this.key }
    try {
      return (await this.client.get({ url, headers, isAuthenticated: true, missingStatuses }, validate))?.body
    } catch (error) {
      if (error instanceof QuotaReachedError) throw error
      const isOverQuota = error instanceof ApiUnavailableError && error.status === OVER_QUOTA
      if (isOverQuota || (error instanceof ApiRefusedError && this.quota.isUsedUp())) {
        throw new QuotaReachedError(error.message, this.quota.resetsAt)
      }
      throw error
    }
  }
}

/** Ids of titles, and the number of pages. */
export interface WatchmodePage {
  readonly ids: readonly number[]
  readonly pages: number
}

function toRegions(countries: readonly string[]): string {
  return countries.map((country) => country.toUpperCase()).join(',')
}

function expectTitles(body: unknown): string | undefined {
  return Array.isArray((body as JsonObject | null)?.titles) ? undefined : 'it has no titles'
}
