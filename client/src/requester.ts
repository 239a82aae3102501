import { type Credentials, resolveCredentials } from './credentials.ts'
import { Deadline } from './deadline.ts'
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
    const { timeout = 30_000, retries = 2, sleep: pause = sleep } = { ...this.#options, ...defined(options) }
    checkLimits(options)
    const url = requestUrl(this.credentials.base, path, parameters)
    const deadline = new Deadline(timeout, options.signal)
    try {
      for (let retry = 1; ; retry++) {
        try {
          return (await this.#attempt(url, check, deadline)) as T
        } catch (error) {
          if (!(error instanceof MarqueeError) || retry > retries || !isRetryable(error)) throw error
          const milliseconds = backoffMs(retry, error)
          if (!deadline.allows(milliseconds)) throw error
          await deadline.within(pause(milliseconds, deadline.signal))
        }
      }
    } catch (error) {
      if (deadline.timedOut) throw new ConnectionError(`No answer from ${url} within ${timeout} ms`, url, true, error)
      throw error
    } finally {
      deadline.stop()
    }
  }

  /** Sends one request and parses its response. */
  async #attempt(url: string, check: Check, deadline: Deadline): Promise<unknown> {
    deadline.signal.throwIfAborted()
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
  async #getCached(url: string, deadline: Deadline): Promise<CachedAnswer | undefined> {
    try {
      return await deadline.within(Promise.resolve(this.#options.cache?.get(url)))
    } catch (error) {
      if (deadline.signal.aborted) throw error
      return undefined
    }
  }

  /** Writes to the cache. An error or a timeout of the cache does not fail the call. */
  async #setCached(url: string, answer: CachedAnswer, deadline: Deadline): Promise<void> {
    try {
      await deadline.within(Promise.resolve(this.#options.cache?.set(url, answer)))
    } catch (error) {
      if (deadline.signal.aborted && !deadline.timedOut) throw error
    }
  }

  /** Sends the request and reads the whole body. */
  async #send(url: string, conditional: Record<string, string>, deadline: Deadline): Promise<[Response, string]> {
    const { fetch: send = globalThis.fetch } = this.#options
    const headers = {
      // Errors come as problem details (RFC 9457), with all that the service says of them.
      Accept: 'application/json, application/problem+json',
      Prefer: 'handling=strict',
      ...this.credentials.headers,
      ...conditional,
    }
    try {
      // Redirects are not followed: the key would be sent to their target.
      const request = send(url, { headers, redirect: 'manual', signal: deadline.signal })
      const response = await deadline.within(request)
      return [response, await deadline.within(response.text())]
    } catch (error) {
      if (deadline.signal.aborted) throw deadline.signal.reason
      throw new ConnectionError(`Could not reach ${url}: ${errorReason(error)}`, url, false, error)
    }
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

/** Drops options that are undefined, which would override those of the client. */
function defined(options: CallOptions): CallOptions {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined))
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
