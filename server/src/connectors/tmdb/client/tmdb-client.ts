import { Readable } from 'node:stream'
import { type FeedLine, readFeedLines } from '../../../ingest/parse/feed-lines.ts'
import { isObject, type JsonObject } from '../../../ingest/parse/fields.ts'
import { UserError } from '../../../lib/user-error.ts'
import { RequestPace, type Timer } from './request-pace.ts'

export interface TmdbClientOptions {
  /** Where the interface is: `https://api.themoviedb.org`. */
  readonly api: string
  /** Where the daily files are: `https://files.tmdb.org`. */
  readonly files: string
  /** A read access token, or an API key of 32 hexadecimal digits. */
  readonly token: string
  readonly timer: Timer
  /** Requests a second. */
  readonly requestsPerSecond: number
  /** How often something is tried, how long one request may take, and how large an answer may be. */
  readonly attempts?: number
  readonly timeoutMs?: number
  readonly maxBytes?: number
}

const MAX_ATTEMPTS = 6
const TIMEOUT_MS = 60_000
/** The daily files are streamed, and large. */
const FILE_TIMEOUT_MS = 15 * 60_000
/** The largest answers, with twenty parts appended, have a few megabytes. */
const MAX_RESPONSE_BYTES = 24 * 1024 * 1024
const MIN_BACKOFF_MS = 1_000
const MAX_BACKOFF_MS = 60_000
/** If TMDB wants to be left alone for longer than this, the operator should know. */
const MAX_RETRY_AFTER_SECONDS = 15 * 60
/** Being told to wait is no failure, but it must not go on for ever either. */
const MAX_RATE_LIMITS = 50

/** What came of one attempt that did not succeed, but may the next time. */
class RetryableError extends Error {}

/** The server asked for a rest. */
class RateLimitedError extends Error {
  readonly ms: number

  constructor(ms: number) {
    super('TMDB asks for fewer requests')
    this.ms = ms
  }
}

/** Asks TMDB: at its pace, again where something went wrong, and never for more than fits into memory. */
export class TmdbClient {
  /** Requests sent so far. */
  requests = 0
  private readonly options: TmdbClientOptions
  private readonly pace: RequestPace

  constructor(options: TmdbClientOptions) {
    this.options = options
    this.pace = new RequestPace(options.requestsPerSecond, options.timer)
  }

  /**
   * The JSON object at a path of the interface, or undefined where there is none. `lacks` says what is wrong with an
   * answer that is JSON but not what was asked for; such an answer is asked for again.
   */
  get(
    path: string,
    query: Readonly<Record<string, string>>,
    lacks: (answer: JsonObject) => string | undefined = () => undefined,
  ): Promise<JsonObject | undefined> {
    return this.retry(path, async () => {
      const response = await this.send(this.buildUrl(path, query), this.options.timeoutMs ?? TIMEOUT_MS)
      if (response === undefined) return undefined
      const answer = parseJson(await readBoundedBody(response, this.options.maxBytes ?? MAX_RESPONSE_BYTES))
      const problem = isObject(answer) ? lacks(answer) : 'it is no JSON object'
      if (problem !== undefined) throw new RetryableError(`the answer cannot be used: ${problem}`)
      return answer as JsonObject
    })
  }

  /**
   * Reads a daily file, a line of JSON at a time, into what `begin` makes anew for each attempt: a file that breaks
   * off is read again from its start. Undefined where there is no such file.
   */
  readFile<T>(path: string, begin: () => T, take: (into: T, text: string) => void): Promise<T | undefined> {
    return this.retry(path, async () => {
      const response = await this.send(new URL(path, this.options.files), FILE_TIMEOUT_MS)
      if (response?.body == null) return undefined
      const into = begin()
      for await (const line of readFeedLines(Readable.fromWeb(response.body as never)) as AsyncIterable<FeedLine>) {
        if ('text' in line) take(into, line.text)
        else if ('problem' in line) throw new RetryableError(`line ${line.line}: ${line.detail}`)
      }
      return into
    })
  }

  private buildUrl(path: string, query: Readonly<Record<string, string>>): URL {
    const url = new URL(path, this.options.api)
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
    return url
  }

  /** Sends one request. Undefined for what there is not; throws `Again` for what may succeed the next time. */
  private async send(url: URL, timeoutMs: number): Promise<Response | undefined> {
    const { token, api } = this.options
    const own = url.href.startsWith(new URL(api).origin)
    const headers: Record<string, string> = { accept: 'application/json' }
    if (own && /^[0-9a-f]{32}$/i.test(token)) url.searchParams.set('api_key', token)
    else if (own) headers.authorization = `Bearer ${token}`
    await this.pace.acquire()
    this.requests++
    const response = await fetch(url, { headers, signal: AbortSignal.timeout(timeoutMs), redirect: 'error' })
    if (response.ok) return response
    const said = await readErrorMessage(response)
    if (response.status === 401 && own) throw new TmdbRefusedError(`TMDB does not accept the token: ${said}`)
    if (response.status === 404 || (response.status === 403 && !own)) return undefined
    if (response.status === 429) throw new RateLimitedError(parseRetryAfterMs(response, said))
    if (response.status >= 500 || response.status === 408) throw new RetryableError(`${response.status} ${said}`)
    throw new TmdbUnavailableError(`TMDB answered ${response.status} for ${url.pathname}: ${said}`)
  }

  /** Tries until it succeeds or there is no hope left. */
  private async retry<T>(path: string, attempt: () => Promise<T>): Promise<T> {
    const { attempts = MAX_ATTEMPTS, timer } = this.options
    let failures = 0
    let rests = 0
    for (;;) {
      try {
        return await attempt()
      } catch (error) {
        if (error instanceof RateLimitedError && ++rests <= MAX_RATE_LIMITS) {
          this.pace.pause(error.ms)
          continue
        }
        const problem = findTransientProblem(error)
        if (problem === undefined) throw error
        failures++
        if (failures >= attempts) throw new TmdbUnavailableError(`${path}: ${problem} (tried ${failures} times)`)
        // Half of it is chance, so that many who failed together do not come back together.
        const backoff = Math.min(MIN_BACKOFF_MS * 2 ** (failures - 1), MAX_BACKOFF_MS)
        await timer.sleep(backoff * (0.5 + Math.random() / 2))
      }
    }
  }
}

function parseRetryAfterMs(response: Response, said: string): number {
  const text = response.headers.get('retry-after') ?? ''
  const seconds = /^\d+$/.test(text) ? Number(text) : (Date.parse(text) - Date.now()) / 1000
  if (seconds > MAX_RETRY_AFTER_SECONDS) {
    throw new TmdbRefusedError(`TMDB asks to be left alone for ${Math.round(seconds)} seconds: ${said}`)
  }
  return Math.max(Number.isFinite(seconds) ? seconds : 1, 1) * 1000
}

/** What went wrong, if it may pass; undefined for what will not. */
function findTransientProblem(error: unknown): string | undefined {
  if (
    error instanceof ResponseTooLargeError ||
    error instanceof TmdbRefusedError ||
    error instanceof TmdbUnavailableError
  )
    return undefined
  if (error instanceof RetryableError || error instanceof RateLimitedError) return error.message
  if (!(error instanceof Error)) return undefined
  const { name, message, cause } = error
  if (name === 'TimeoutError') return 'it took too long'
  // What fetch throws where a connection could not be made, or broke off.
  if (message !== 'fetch failed' && message !== 'terminated') return undefined
  return `the connection failed (${cause instanceof Error ? cause.message : message})`
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new RetryableError(`the answer is not JSON (${(error as Error).message.slice(0, 80)})`)
  }
}

/** What an error says of itself: TMDB's own words, if it used any. */
async function readErrorMessage(response: Response): Promise<string> {
  try {
    const answer: unknown = JSON.parse(await readBoundedBody(response, 64 * 1024))
    const said = isObject(answer) ? answer.status_message : undefined
    return typeof said === 'string' ? said : response.statusText
  } catch {
    return response.statusText
  }
}

/** Thrown when TMDB does not let this token in, or cannot be used at all: there is no point in going on. */
export class TmdbRefusedError extends UserError {
  override readonly name = 'TmdbRefused'
}

/** Thrown when one thing could not be had from TMDB, though it was tried again; others may be had. */
export class TmdbUnavailableError extends UserError {
  override readonly name = 'TmdbUnavailable'
}

/** Thrown when an answer is larger than it may be; the rest of it is not read. */
export class ResponseTooLargeError extends TmdbUnavailableError {}

/** The text of an answer. One that is too large, packed or not, is given up as soon as that shows. */
export async function readBoundedBody(response: Response, mostBytes: number): Promise<string> {
  if (response.body === null) return ''
  const pieces: Uint8Array[] = []
  let size = 0
  for await (const piece of response.body as unknown as AsyncIterable<Uint8Array>) {
    size += piece.byteLength
    // Leaving the loop closes the connection.
    if (size > mostBytes)
      throw new ResponseTooLargeError(`${responsePath(response)}: the answer has more than ${mostBytes} bytes`)
    pieces.push(piece)
  }
  return Buffer.concat(pieces).toString('utf8')
}

/** Where an answer came from, without its query, which may hold a key. */
function responsePath({ url }: Response): string {
  return url === '' ? '' : new URL(url).pathname
}
