import type { JsonObject } from '../../../ingest/parse/fields.ts'
import { ApiClient, type ApiClientOptions, type ApiRequest } from '../../fetch/api-client.ts'

/** The hosts of TMDB, the token, and the limits of the client. */
export interface TmdbClientOptions extends Omit<ApiClientOptions, 'name' | 'errorField'> {
  /** Base URL of the API: `https://api.themoviedb.org`. */
  readonly api: string
  /** Base URL of the daily files: `https://files.tmdb.org`. */
  readonly files: string
  /** A read access token, or an API key of 32 hexadecimal digits. */
  readonly token: string
}

/** The daily files are large. */
const FILE_TIMEOUT_MS = 15 * 60_000

/** Requests to TMDB: API paths with the token, and daily files without it. */
export class TmdbClient {
  private readonly options: TmdbClientOptions
  private readonly client: ApiClient

  constructor(options: TmdbClientOptions) {
    this.options = options
    this.client = new ApiClient({ ...options, name: 'TMDB', errorField: 'status_message' })
  }

  /** The number of requests sent. */
  get requests(): number {
    return this.client.requests
  }

  /**
   * The JSON object at a path of the API; undefined if there is none.
   * @param validate says what an answer lacks; the request is then retried
   */
  get(
    path: string,
    query: Readonly<Record<string, string>>,
    validate: (answer: JsonObject) => string | undefined = () => undefined,
  ): Promise<JsonObject | undefined> {
    const url = new URL(path, this.options.api)
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
    return this.client.getJson(this.withCredentials({ url, missingStatuses: [404] }), validate)
  }

  /** Streams the lines of a daily file into an accumulator; undefined if there is no such file. */
  readFile<T>(path: string, create: () => T, addLine: (into: T, text: string) => void): Promise<T | undefined> {
    const url = new URL(path, this.options.files)
    // The file host answers 403 for a missing file, unless it is the API itself, as in tests.
    const missingStatuses = this.isApi(url) ? [404] : [403, 404]
    const request = this.withCredentials({ url, missingStatuses, timeoutMs: FILE_TIMEOUT_MS })
    return this.client.readLines(request, create, addLine)
  }

  /** Adds the token to requests to the API, and to no other host. */
  private withCredentials(request: Omit<ApiRequest, 'headers' | 'isAuthenticated'>): ApiRequest {
    const { token } = this.options
    const { url } = request
    const headers: Record<string, string> = { accept: 'application/json' }
    const isAuthenticated = this.isApi(url)
    if (isAuthenticated && /^[0-9a-f]{32}$/i.test(token)) url.searchParams.set('api_key', token)
    else if (isAuthenticated) headers.authorization = `Bearer ${token}`
    return { ...request, headers, isAuthenticated }
  }

  private isApi(url: URL): boolean {
    return url.origin === new URL(this.options.api).origin
  }
}
