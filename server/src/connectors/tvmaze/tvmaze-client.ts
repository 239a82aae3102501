import { isObject, type JsonObject } from '../../ingest/parse/fields.ts'
import { ApiClient, type ApiClientOptions } from '../fetch/api-client.ts'
import { toObjects } from '../records/json-fields.ts'

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
