import { Readable } from 'node:stream'
import { decompress, type FeedLine, MAX_LINE_BYTES, readFeedLines } from '../../ingest/lines/feed-lines.ts'
import { isObject, type JsonObject } from '../../ingest/parse/fields.ts'
import { type BackoffOptions, backoffMs, retryAfterMs } from '../../lib/backoff.ts'
import type { Timer } from '../../lib/clock.ts'
import { UserError } from '../../lib/errors.ts'
import { parseJson } from '../../lib/text/parse-json.ts'

/** Settings of a client of one API. */
export interface ApiClientOptions {
  /** The name of the API in messages. */
  readonly name: string
  /** The member of an error response that holds its message. */
  readonly errorField: string
  readonly timer: Timer
  readonly requestsPerSecond: number
  /** Attempts at one request; 6 by default. */
  readonly attempts?: number
  readonly timeoutMs?: number
  /** The largest response body that is read; 24 MB by default. */
  readonly maxBytes?: number
  /** Sends a request; `fetch` by default. */
  readonly transport?: Transport
  /** Called before each attempt; may throw to send no further request. */
  readonly onSend?: () => void
  /** Called with the headers of each response. */
  readonly onHeaders?: (headers: Headers) => void
}

/** Sends one GET request and returns the response, without following redirects. */
export type Transport = (
  url: URL,
  init: { readonly headers: Readonly<Record<string, string>>; readonly signal: AbortSignal },
) => Promise<Response>

const fetchTransport: Transport = (url, init) => fetch(url, { ...init, redirect: 'error' })

/** One GET request. */
export interface ApiRequest {
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  /** Whether it carries credentials, so that status 401 means that they are invalid. */
  readonly isAuthenticated: boolean
  /** Statuses that mean that the resource does not exist. */
  readonly missingStatuses: readonly number[]
  readonly timeoutMs?: number
}

/** Thrown when the API rejects all further requests: an invalid token, or a long pause that it asks for. */
export class ApiRefusedError extends UserError {
  override readonly name = 'ApiRefusedError'
}

/** Thrown when one resource could not be read after all attempts; others may still be read. */
export class ApiUnavailableError extends UserError {
  override readonly name = 'ApiUnavailableError'
  /** The status of the last answer, if there was one. */
  readonly status: number | undefined

  constructor(message: string, status?: number) {
    super(message)
    this.status = status
  }
}

/** The JSON of an answer with its headers; no body if the resource has not changed since the given entity tag. */
export interface ApiAnswer {
  readonly isModified: boolean
  readonly body: unknown
  readonly headers: Headers
}

const MAX_ATTEMPTS = 6
const TIMEOUT_MS = 60_000
const MAX_RESPONSE_BYTES = 24 * 1024 * 1024
const MAX_ERROR_BYTES = 64 * 1024
const BACKOFF: BackoffOptions = { firstMs: 1_000, maxMs: 60_000, jitter: 0.5 }
/** Without a `Retry-After` header, and at least, requests pause this long after a 429. */
const MIN_RETRY_AFTER_MS = 1_000
/** A longer pause is reported to the operator instead. */
const MAX_RETRY_AFTER_MS = 15 * 60_000
/** 429 does not count as a failed attempt, but this many for one request do. */
const MAX_RATE_LIMITS = 50

/** A failure that another attempt may fix. */
class RetryableError extends Error {
  /** The pause that the server asks for before that attempt. */
  readonly retryAfterMs: number

  constructor(message: string, retryAfterMs = 0) {
    super(message)
    this.retryAfterMs = retryAfterMs
  }
}

/** Status 429, with the pause that the server asks for. */
class RateLimitedError extends RetryableError {
  readonly pauseMs: number

  constructor(name: string, pauseMs: number) {
    super(`${name} asks for fewer requests`)
    this.pauseMs = pauseMs
  }
}

/** A client of a JSON API over HTTP: limits the request rate, retries with backoff, and bounds the response size. */
export class ApiClient {
  /** The number of requests sent. */
  requests = 0
  private readonly options: ApiClientOptions
  private readonly pace: RequestPace

  constructor(options: ApiClientOptions) {
    this.options = options
    this.pace = new RequestPace(options.requestsPerSecond, options.timer)
  }

  /**
   * Requests a JSON object; undefined if the resource does not exist.
   * @param validate says what is wrong with an object; the request is then retried
   */
  async getJson(
    request: ApiRequest,
    validate: (answer: JsonObject) => string | undefined,
  ): Promise<JsonObject | undefined> {
    const answer = await this.get(request, (body) => (isObject(body) ? validate(body) : 'it is no JSON object'))
    return answer?.body as JsonObject | undefined
  }

  /**
   * Requests JSON of any shape; undefined if the resource does not exist. A request with `if-none-match` may be answered
   * by "not modified".
   */
  get(request: ApiRequest, validate: (body: unknown) => string | undefined): Promise<ApiAnswer | undefined> {
    return this.retry(request.url.pathname, async () => {
      const response = await this.send(request)
      if (response === undefined) return undefined
      const { headers } = response
      if (response.status === 304) return { isModified: false, body: undefined, headers }
      const body = parseAnswer(await readBody(response, this.options.maxBytes ?? MAX_RESPONSE_BYTES))
      const problem = validate(body)
      if (problem !== undefined) throw new RetryableError(`the answer cannot be used: ${problem}`)
      return { isModified: true, body, headers }
    })
  }

  /**
   * Streams a file of lines, plain or gzipped, into an accumulator; undefined if the file does not exist. A truncated
   * file is read again from the start, into a new accumulator.
   * @param readFileLines by default lines are JSON, so that a last line that breaks off is noticed
   */
  readLines<T>(
    request: ApiRequest,
    create: () => T,
    addLine: (into: T, text: string) => void,
    readFileLines: (source: Readable) => AsyncIterable<FeedLine> = readFeedLines,
  ): Promise<T | undefined> {
    return this.retry(request.url.pathname, async () => {
      const response = await this.send(request)
      if (response?.body == null) return undefined
      const into = create()
      for await (const line of readFileLines(Readable.fromWeb(response.body as never))) {
        if ('text' in line) addLine(into, line.text)
        else if ('problem' in line) throw new RetryableError(`line ${line.line}: ${line.detail}`)
      }
      return into
    })
  }

  /** Sends one request. Returns undefined if the resource does not exist; throws if the status is no success. */
  private async send(request: ApiRequest): Promise<Response | undefined> {
    const { name, errorField, transport = fetchTransport } = this.options
    const { url, headers, timeoutMs = this.options.timeoutMs ?? TIMEOUT_MS } = request
    await this.pace.acquire()
    this.options.onSend?.()
    this.requests++
    const response = await transport(url, { headers, signal: AbortSignal.timeout(timeoutMs) })
    this.options.onHeaders?.(response.headers)
    const { status } = response
    if (response.ok || (status === 304 && 'if-none-match' in headers)) return response
    const message = await readErrorMessage(response, errorField)
    if (request.missingStatuses.includes(status)) return undefined
    if ((status === 401 || status === 403) && request.isAuthenticated) {
      throw new ApiRefusedError(`${name} does not accept the token: ${message}`)
    }
    if (status === 429) {
      const pauseMs = Math.max(retryAfterMs(response.headers.get('retry-after')) ?? 0, MIN_RETRY_AFTER_MS)
      if (pauseMs <= MAX_RETRY_AFTER_MS) throw new RateLimitedError(name, pauseMs)
      throw new ApiRefusedError(`${name} asks to send no request for ${Math.round(pauseMs / 1000)} seconds: ${message}`)
    }
    if (status >= 500 || status === 408) {
      const pauseMs = retryAfterMs(response.headers.get('retry-after')) ?? 0
      throw new RetryableError(`${status} ${message}`, Math.min(pauseMs, BACKOFF.maxMs))
    }
    throw new ApiUnavailableError(`${name} answered ${status} for ${url.pathname}: ${message}`, status)
  }

  private async retry<T>(path: string, attempt: () => Promise<T>): Promise<T> {
    const { attempts = MAX_ATTEMPTS, timer } = this.options
    let failures = 0
    let rateLimits = 0
    for (;;) {
      try {
        return await attempt()
      } catch (error) {
        if (error instanceof RateLimitedError && ++rateLimits <= MAX_RATE_LIMITS) {
          this.pace.pause(error.pauseMs)
          continue
        }
        const problem = describeTransientError(error)
        if (problem === undefined) throw error
        failures++
        if (failures >= attempts) throw new ApiUnavailableError(`${path}: ${problem} (tried ${failures} times)`)
        const askedMs = error instanceof RetryableError ? error.retryAfterMs : 0
        await timer.sleep(Math.max(backoffMs(failures, BACKOFF), askedMs))
      }
    }
  }
}

/** Reads lines of plain text, such as a table; empty ones are skipped. */
export async function* readTextLines(source: Readable): AsyncGenerator<FeedLine> {
  const decoder = new TextDecoder()
  let line = 0
  let rest = ''
  for await (const chunk of decompress(source)) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split(/\r?\n/)
    rest = lines.pop() ?? ''
    if (rest.length > MAX_LINE_BYTES) throw new RetryableError(`line ${line + lines.length} is too long`)
    for (const text of lines) {
      line++
      if (text !== '') yield { line, text }
    }
  }
  if (rest !== '') yield { line: line + 1, text: rest }
}

/** Describes an error that another attempt may fix; undefined for any other. */
function describeTransientError(error: unknown): string | undefined {
  if (error instanceof RetryableError) return error.message
  if (!(error instanceof Error) || error instanceof UserError) return undefined
  const { name, message, cause } = error
  if (name === 'TimeoutError') return 'it took too long'
  // The messages of fetch for a connection that could not be opened, or that was closed.
  if (message !== 'fetch failed' && message !== 'terminated') return undefined
  return `the connection failed (${cause instanceof Error ? cause.message : message})`
}

function parseAnswer(text: string): unknown {
  try {
    return parseJson(text)
  } catch (error) {
    throw new RetryableError(`the answer is not JSON (${(error as Error).message.slice(0, 80)})`)
  }
}

/** The message in the body of an error response, else the status text. */
async function readErrorMessage(response: Response, field: string): Promise<string> {
  try {
    const answer: unknown = JSON.parse(await readBody(response, MAX_ERROR_BYTES))
    const message = isObject(answer) ? answer[field] : undefined
    return typeof message === 'string' ? message : response.statusText
  } catch {
    return response.statusText
  }
}

/** Reads a body, and stops as soon as it is too large after decompression. */
async function readBody(response: Response, maxBytes: number): Promise<string> {
  if (response.body === null) return ''
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
    size += chunk.byteLength
    if (size > maxBytes) {
      // Leaving the loop closes the connection. The query is left out, since it may hold a key.
      const path = response.url === '' ? '' : new URL(response.url).pathname
      throw new ApiUnavailableError(`${path}: the answer has more than ${maxBytes} bytes`)
    }
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

/** Slots that passed unused, for instance while an import blocked the event loop, are made up for this long. */
const MAX_CATCH_UP_MS = 500

/** Limits the rate of requests to an API: one slot each interval, and none while the server has asked to wait. */
export class RequestPace {
  private readonly timer: Timer
  private readonly intervalMs: number
  private nextSlot: number
  private pausedUntil = Number.NEGATIVE_INFINITY

  constructor(requestsPerSecond: number, timer: Timer) {
    this.timer = timer
    this.intervalMs = 1000 / requestsPerSecond
    this.nextSlot = timer.now()
  }

  /** Resolves when the next request may be sent. */
  async acquire(): Promise<void> {
    const now = this.timer.now()
    const slot = Math.max(this.nextSlot, now - MAX_CATCH_UP_MS)
    this.nextSlot = slot + this.intervalMs
    if (slot > now) await this.timer.sleep(slot - now)
    // The pause may have been set while this request waited for its slot.
    for (let left = this.remainingPauseMs(); left > 0; left = this.remainingPauseMs()) await this.timer.sleep(left)
  }

  /** Holds all requests back for some time. */
  pause(ms: number): void {
    this.pausedUntil = Math.max(this.pausedUntil, this.timer.now() + ms)
    this.nextSlot = Math.max(this.nextSlot, this.pausedUntil)
  }

  private remainingPauseMs(): number {
    return this.pausedUntil - this.timer.now()
  }
}
