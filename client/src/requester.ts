import { type Credentials, resolveCredentials } from './credentials.ts'
import { type CallDeadline, onAbort, startDeadline } from './deadline.ts'
import { ConnectionError, MarqueeError } from './errors.ts'
import type { CachedAnswer, CallOptions, MarqueeOptions } from './options.ts'
import { type Check, parseBody, parseQuota, type Quota, responseInfo } from './response.ts'
import { backoffMs, isRetryable, sleep } from './retry.ts'

/** Sends GET requests with the key, within a timeout, with retries and revalidation. */
export class Requester {
  readonly credentials: Credentials
  /** The quota by the last response that had its headers. */
  quota: Quota | undefined
  readonly #options: MarqueeOptions

  constructor(options: MarqueeOptions) {
    this.credentials = resolveCredentials(options)
    this.#options = options
    if (options.fetch === undefined && typeof fetch !== 'function') {
      throw new TypeError('There is no fetch here; give one in the options')
    }
    checkLimits(options)
  }

  /** Requests a path and returns the checked body. */
  async get<T>(path: string, parameters: object, check: Check, options: CallOptions = {}): Promise<T> {
    const { timeout, retries, pause } = this.#limits(options)
    const url = requestUrl(this.credentials.base, path, parameters)
    const deadline = startDeadline(timeout, options.signal)
    try {
      for (let retry = 1; ; retry++) {
        try {
          return (await this.#attempt(url, check, deadline)) as T
        } catch (error) {
          if (!(error instanceof MarqueeError) || retry > retries || !isRetryable(error)) throw error
          const milliseconds = backoffMs(retry, error)
          if (!deadline.allows(milliseconds)) throw error
          await deadline.within(pause(milliseconds, deadline.signal ?? neverAborted()))
        }
      }
    } catch (error) {
      if (deadline.timedOut) throw new ConnectionError(`No answer from ${url} within ${timeout} ms`, url, true, error)
      throw error
    } finally {
      deadline.stop()
    }
  }

  /**
   * Requests a path and yields the lines of the body as they arrive. Retries until the body begins; the timeout holds for
   * the head and for each part of the body.
   */
  async *lines(
    path: string,
    parameters: object,
    options: CallOptions = {},
    headers: Record<string, string> = {},
  ): AsyncGenerator<string, void, undefined> {
    const { timeout, retries } = this.#limits(options)
    const url = requestUrl(this.credentials.base, path, parameters)
    const controller = new AbortController()
    const unsubscribe = options.signal && onAbort(options.signal, () => controller.abort(options.signal?.reason))
    const within = <T>(work: Promise<T>) => withinTimeout(work, timeout, url, options.signal)
    try {
      options.signal?.throwIfAborted()
      let response: Response
      for (let retry = 1; ; retry++) {
        try {
          response = await within(this.#open(url, headers, controller.signal))
          break
        } catch (error) {
          if (!(error instanceof MarqueeError) || retry > retries || !isRetryable(error)) throw error
          await this.pauseBefore(retry, error, options)
        }
      }
      const reader = (response.body as ReadableStream<Uint8Array>).getReader()
      const decoder = new TextDecoder()
      let rest = ''
      for (;;) {
        const { done, value } = await within(readPart(reader, url))
        rest += done ? decoder.decode() : decoder.decode(value, { stream: true })
        const lines = rest.split('\n')
        rest = lines.pop() as string
        yield* lines
        if (!done) continue
        if (rest !== '') yield rest
        return
      }
    } finally {
      unsubscribe?.()
      // A caller that stops early must not leave the download running.
      controller.abort()
    }
  }

  /** Waits before a retry; throws the error instead when there were too many. */
  async pauseBefore(retry: number, error: MarqueeError, options: CallOptions): Promise<void> {
    const { retries, pause } = this.#limits(options)
    if (retry > retries) throw error
    const signal = options.signal ?? neverAborted()
    await pause(backoffMs(retry, error), signal)
    signal.throwIfAborted()
  }

  /** The limits of a call: its own, those of the client, or the defaults. */
  #limits(call: CallOptions) {
    checkLimits(call)
    const { timeout = 30_000, retries = 2, sleep: pause = sleep } = this.#options
    return { timeout: call.timeout ?? timeout, retries: call.retries ?? retries, pause }
  }

  /** Sends a request whose body is read part by part. An error response is read whole, and thrown. */
  async #open(url: string, headers: Record<string, string>, signal: AbortSignal): Promise<Response> {
    const { fetch: send = globalThis.fetch } = this.#options
    let response: Response
    let text = ''
    try {
      response = await send(url, { headers: this.#headers(headers), redirect: 'manual', signal })
      if (response.status !== 200) text = await response.text()
    } catch (error) {
      throw new ConnectionError(`Could not reach ${url}: ${errorReason(error)}`, url, false, error)
    }
    this.quota = parseQuota(response.headers) ?? this.quota
    if (response.status !== 200) parseBody(responseInfo(url, response), response.headers, text, () => undefined)
    return response
  }

  /** The headers of a request. */
  #headers(conditional: Record<string, string>): Record<string, string> {
    return {
      // Errors come as problem details (RFC 9457), with all that the service says of them.
      Accept: 'application/json, application/problem+json',
      Prefer: 'handling=strict',
      ...this.credentials.headers,
      ...conditional,
    }
  }

  /** Sends one request and parses its response. */
  async #attempt(url: string, check: Check, deadline: CallDeadline): Promise<unknown> {
    deadline.signal?.throwIfAborted()
    const cached = await this.#getCached(url, deadline)
    const [response, text] = await this.#send(url, cached ? { 'If-None-Match': cached.etag } : {}, deadline)
    this.quota = parseQuota(response.headers) ?? this.quota
    const info = responseInfo(url, response)
    const { headers } = response
    if (cached && info.status === 304) return parseBody({ ...info, status: 200 }, headers, cached.body, check)
    const body = parseBody(info, headers, text, check)
    const etag = headers.get('ETag')
    if (etag !== null) await this.#setCached(url, { etag, body: text }, deadline)
    return body
  }

  /** Reads the cache. An error counts as a miss. */
  async #getCached(url: string, deadline: CallDeadline): Promise<CachedAnswer | undefined> {
    try {
      return await deadline.within(Promise.resolve(this.#options.cache?.get(url)))
    } catch (error) {
      if (deadline.signal?.aborted) throw error
      return undefined
    }
  }

  /** Writes to the cache. An error or a timeout of the cache does not fail the call. */
  async #setCached(url: string, answer: CachedAnswer, deadline: CallDeadline): Promise<void> {
    try {
      await deadline.within(Promise.resolve(this.#options.cache?.set(url, answer)))
    } catch (error) {
      if (deadline.signal?.aborted && !deadline.timedOut) throw error
    }
  }

  /** Sends the request and reads the whole body. */
  async #send(url: string, conditional: Record<string, string>, deadline: CallDeadline): Promise<[Response, string]> {
    const { fetch: send = globalThis.fetch } = this.#options
    const headers = this.#headers(conditional)
    try {
      // Redirects are not followed: the key would be sent to their target.
      const request = send(url, { headers, redirect: 'manual', signal: deadline.signal ?? null })
      const response = await deadline.within(request)
      return [response, await deadline.within(response.text())]
    } catch (error) {
      if (deadline.signal?.aborted) throw deadline.signal.reason
      throw new ConnectionError(`Could not reach ${url}: ${errorReason(error)}`, url, false, error)
    }
  }
}

/** The next part of a body. */
async function readPart(reader: ReadableStreamDefaultReader<Uint8Array>, url: string) {
  try {
    return await reader.read()
  } catch (error) {
    throw new ConnectionError(`The answer of ${url} was cut off: ${errorReason(error)}`, url, false, error)
  }
}

/** Awaits work, but fails when it takes too long or the caller aborts. */
async function withinTimeout<T>(
  work: Promise<T>,
  timeout: number,
  url: string,
  caller: AbortSignal | undefined,
): Promise<T> {
  const deadline = startDeadline(timeout, caller)
  try {
    return await deadline.within(work)
  } catch (error) {
    if (!deadline.timedOut) throw caller?.aborted === true ? caller.reason : error
    throw new ConnectionError(`No answer from ${url} within ${timeout} ms`, url, true, error)
  } finally {
    deadline.stop()
  }
}

/** Node puts the reason of a "fetch failed" into its cause. */
function errorReason(error: unknown): string {
  const { message, cause } = error as Error
  return (cause instanceof Error && cause.message) || message || String(error)
}

function checkLimits({ timeout, retries }: CallOptions): void {
  if (timeout !== undefined && !(timeout > 0)) throw new TypeError(`timeout is ${timeout}; it must be above 0`)
  if (retries !== undefined && !(retries >= 0)) throw new TypeError(`retries is ${retries}; it must be 0 or more`)
}

function neverAborted(): AbortSignal {
  return new AbortController().signal
}

type ParameterValue = string | number | boolean | Date | readonly string[] | null | undefined

/** Builds the URL of a request. Parameters in camelCase become snake_case; undefined and empty ones are left out. */
export function requestUrl(base: string, path: string, parameters: object): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(parameters) as [string, ParameterValue][]) {
    const text = parameterText(value)
    if (text !== '') query.set(toSnakeCase(name), text)
  }
  const search = query.toString()
  return search === '' ? base + path : `${base + path}?${search}`
}

/** `outputLanguage` becomes `output_language`. */
function toSnakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}

function parameterText(value: ParameterValue): string {
  // Times of the API are Unix seconds.
  if (value instanceof Date) return String(Math.floor(value.getTime() / 1000))
  return value === null || value === undefined ? '' : String(value)
}

/**
 * Builds the path of an id. An id with a slash has two segments. Empty segments and dots would change the path, so they
 * are a `TypeError`.
 */
export function idPath(what: string, id: string, segments: number): string {
  const parts = String(id).split('/')
  if (parts.length > segments || parts.some((part) => /^\.{0,2}$/.test(part))) {
    throw new TypeError(`${JSON.stringify(id)} is not ${what}`)
  }
  return `/${parts.map(encodeURIComponent).join('/')}`
}
