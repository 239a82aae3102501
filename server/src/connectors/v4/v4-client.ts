import { isObject, type JsonObject } from '../../ingest/parse/fields.ts'
import type { Clock } from '../../lib/clock.ts'
import { UserError } from '../../lib/errors.ts'
import {
  type ApiAnswer,
  ApiClient,
  type ApiClientOptions,
  ApiRefusedError,
  ApiUnavailableError,
} from '../fetch/api-client.ts'
import { QuotaReachedError, QuotaTracker } from '../fetch/quota-tracker.ts'
import { toObjects, toText } from '../records/values.ts'

/** Address, key and limits of a client. */
export interface V4ClientOptions
  extends Pick<ApiClientOptions, 'timer' | 'requestsPerSecond' | 'attempts' | 'timeoutMs' | 'maxBytes' | 'transport'> {
  /** The base address: it ends in `/v4` for direct keys, and has no version for keys of a marketplace. */
  readonly from: string
  readonly key: string
  /** The header of the key; by default `X-API-Key`, which only the base `/v4` takes. */
  readonly keyHeader?: string
  readonly keep: number
  readonly maxRequests: number
  readonly clock: Clock
}

/** A series of some thousand episodes in all countries has tens of megabytes. */
const MAX_RESPONSE_BYTES = 96 * 1024 * 1024

/** A page of a search: its shows, and the cursor of the next page if there is one. */
export interface ShowPage {
  readonly shows: readonly JsonObject[]
  readonly next: string | undefined
  readonly etag: string | undefined
}

/** A page of changes: the changes, and the shows that they are about, by id. */
export interface ChangesPage {
  readonly changes: readonly JsonObject[]
  readonly shows: ReadonlyMap<string, JsonObject>
  readonly next: string | undefined
}

type Query = Readonly<Record<string, string | undefined>>

/** Requests to another service of the same contract. */
export class V4Client {
  readonly quota: QuotaTracker
  private readonly base: URL
  private readonly headers: Readonly<Record<string, string>>
  private readonly client: ApiClient
  private readonly clock: Clock
  private offsetSeconds = 0

  constructor({ from, key, keyHeader, keep, maxRequests, clock, ...options }: V4ClientOptions) {
    this.base = new URL(from.endsWith('/') ? from : `${from}/`)
    const isDirect = /\/v4\/$/.test(this.base.pathname)
    if (!isDirect && keyHeader === undefined) {
      throw new UserError(
        `--from is "${from}", which does not end in /v4. Give the base address of direct keys, such as ` +
          'https://api.example.com/v4, or the header of a marketplace key with --key-header.',
      )
    }
    this.headers = { accept: 'application/json', [keyHeader ?? 'X-API-Key']: key }
    this.clock = clock
    this.quota = new QuotaTracker({ keep, maxRequests }, clock)
    this.client = new ApiClient({
      maxBytes: MAX_RESPONSE_BYTES,
      ...options,
      name: this.base.host,
      errorField: 'message',
      onSend: () => this.quota.admit(),
      onHeaders: (headers) => this.observe(headers),
    })
  }

  /** The host of the service. */
  get host(): string {
    return this.base.host
  }

  /** The number of requests sent. */
  get requests(): number {
    return this.client.requests
  }

  /** The present instant by the clock of the service, from the `Date` of its answers. */
  remoteNow(): number {
    return this.clock() + this.offsetSeconds
  }

  /** All countries with their services. The answer is an array, or a map from country code to country. */
  async countries(language: string): Promise<readonly JsonObject[] | undefined> {
    const listCountries = (body: unknown) => toObjects(isObject(body) ? Object.values(body) : body)
    const answer = await this.get('countries', { output_language: language }, (body) => {
      const countries = listCountries(body)
      const isValid = (country: JsonObject) =>
        typeof country.countryCode === 'string' && Array.isArray(country.services)
      return countries.length > 0 && countries.every(isValid) ? undefined : 'it has no countries with services'
    })
    return answer && listCountries(answer.body)
  }

  /** All genres. */
  async genres(language: string): Promise<readonly JsonObject[]> {
    return toObjects((await this.get('genres', { output_language: language }, expectList))?.body)
  }

  /** A show; undefined if the service does not have it. */
  async show(id: string, query: Query): Promise<JsonObject | undefined> {
    const answer = await this.get(`shows/${encodeURIComponent(id)}`, query, (body) =>
      isObject(body) && typeof body.showType === 'string' ? undefined : 'it is no show',
    )
    return answer?.body as JsonObject | undefined
  }

  /** A page of a filter search; undefined if it has not changed since the entity tag. */
  async searchPage(query: Query, etag?: string): Promise<ShowPage | undefined> {
    const answer = await this.get('shows/search/filters', query, expectPage('shows'), etag)
    if (answer?.isModified !== true) return undefined
    const body = answer.body as JsonObject
    const tag = answer.headers.get('etag') ?? undefined
    return { shows: toObjects(body.shows), next: nextCursor(body), etag: tag }
  }

  /** The official top list of a service. */
  async topList(query: Query): Promise<readonly JsonObject[]> {
    return toObjects((await this.get('shows/top', query, expectList))?.body)
  }

  /** A page of changes. */
  async changesPage(query: Query): Promise<ChangesPage> {
    const body = ((await this.get('changes', query, expectPage('changes')))?.body ?? {}) as JsonObject
    const listed = Array.isArray(body.shows) ? body.shows : Object.values(isObject(body.shows) ? body.shows : {})
    const shows = toObjects(listed).map((show) => [toText(show.id), show] as const)
    return { changes: toObjects(body.changes), shows: new Map(shows), next: nextCursor(body) }
  }

  /** The attributions that the service passes on; none if it does not publish any. */
  async attributions(): Promise<unknown> {
    const url = new URL('/attributions.json', this.base)
    const request = { url, headers: { accept: 'application/json' }, isAuthenticated: false }
    try {
      const missingStatuses = [400, 401, 403, 404, 405]
      return (await this.client.get({ ...request, missingStatuses }, expectList))?.body
    } catch (error) {
      if (error instanceof ApiUnavailableError) return undefined
      throw error
    }
  }

  private async get(
    path: string,
    query: Query,
    validate: (body: unknown) => string | undefined,
    etag?: string,
  ): Promise<ApiAnswer | undefined> {
    const url = new URL(path, this.base)
    for (const [name, value] of Object.entries(query)) if (value !== undefined) url.searchParams.set(name, value)
    const headers = etag === undefined ? this.headers : { ...this.headers, 'if-none-match': etag }
    try {
      return await this.client.get({ url, headers, isAuthenticated: true, missingStatuses: [404] }, validate)
    } catch (error) {
      // The answer that says so has the quota headers, too.
      if (error instanceof QuotaReachedError || !(error instanceof ApiRefusedError) || !this.quota.isUsedUp())
        throw error
      throw new QuotaReachedError(error.message, this.quota.resetsAt)
    }
  }

  private observe(headers: Headers): void {
    this.quota.observe(headers)
    const date = Date.parse(headers.get('date') ?? '') / 1000
    const offset = date - this.clock()
    // A larger difference is a wrong clock on either side, which no offset mends.
    if (Math.abs(offset) < MAX_CLOCK_OFFSET_SECONDS) this.offsetSeconds = Math.floor(offset)
  }
}

const MAX_CLOCK_OFFSET_SECONDS = 86_400

function expectList(body: unknown): string | undefined {
  return Array.isArray(body) ? undefined : 'it is no list'
}

/** A page needs its list and, if there are more, the cursor: without it the rest would be taken for removed. */
function expectPage(list: string): (body: unknown) => string | undefined {
  return (body) => {
    if (!isObject(body) || !Array.isArray(body[list])) return `it has no ${list}`
    if (body.hasMore === true && typeof body.nextCursor !== 'string') return 'it has more and no nextCursor'
    return undefined
  }
}

function nextCursor(body: JsonObject): string | undefined {
  return body.hasMore === true ? (body.nextCursor as string) : undefined
}
