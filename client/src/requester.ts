import type { ErrorBody } from './api-types.ts'
import { Deadline } from './deadline.ts'
import { type AnswerFacts, ConnectionError, ContractError, MarqueeError, ServiceError } from './errors.ts'
import { type Route, routeOf } from './key-source.ts'
import type { CallOptions, MarqueeOptions } from './options.ts'
import { type Quota, quotaOf } from './quota.ts'
import { requestUrl } from './request-url.ts'
import { isWorthRetrying, pauseBefore, readRetryAfter, sleep } from './retry.ts'

/** Says what is wrong with a body, or nothing if it is what the contract says. */
export type Check = (body: never) => string | undefined

/** Sends requests: with the key, within the timeout, again where that helps. */
export class Requester {
  readonly route: Route
  /** What the last answer that spoke of it said. */
  quota: Quota | undefined
  readonly #options: MarqueeOptions

  constructor(options: MarqueeOptions) {
    this.route = routeOf(options)
    this.#options = options
    if (options.fetch === undefined && typeof fetch !== 'function') {
      throw new TypeError('There is no fetch here; give one in the options')
    }
    checkNumber('timeout', options.timeout)
    checkNumber('retries', options.retries)
  }

  /** Asks for a path and returns the body, which the check has approved. */
  async get<T>(path: string, parameters: object, check: Check, options: CallOptions = {}): Promise<T> {
    const { timeout = 30_000, retries = 2, sleep: pause = sleep } = { ...this.#options, ...defined(options) }
    checkNumber('timeout', timeout)
    checkNumber('retries', retries)
    const url = requestUrl(this.route.base, path, parameters)
    const deadline = new Deadline(timeout, options.signal)
    try {
      for (let retry = 1; ; retry++) {
        try {
          return (await this.#attempt(url, check, deadline)) as T
        } catch (error) {
          if (!(error instanceof MarqueeError) || retry > retries || !isWorthRetrying(error)) throw error
          const milliseconds = pauseBefore(retry, error)
          if (!deadline.allows(milliseconds)) throw error
          await deadline.within(pause(milliseconds, deadline.signal))
        }
      }
    } catch (error) {
      if (deadline.timedOut) throw new ConnectionError(`No answer within ${timeout} ms`, url, true, error)
      throw error
    } finally {
      deadline.stop()
    }
  }

  async #attempt(url: string, check: Check, deadline: Deadline): Promise<unknown> {
    deadline.signal.throwIfAborted()
    const { cache, fetch: send = globalThis.fetch } = this.#options
    const kept = await cache?.get(url)
    const headers: Record<string, string> = {
      Accept: 'application/json',
      Prefer: 'handling=strict',
      ...this.route.headers,
      ...(kept && { 'If-None-Match': kept.etag }),
    }
    let response: Response
    let text: string
    try {
      // Redirects are not followed: the key would go along, wherever they lead.
      const answering = send(url, { headers, redirect: 'manual', signal: deadline.signal })
      response = await deadline.within(answering)
      text = await deadline.within(response.text())
    } catch (error) {
      if (deadline.signal.aborted) throw deadline.signal.reason
      throw new ConnectionError(`Could not reach ${url}: ${reasonOf(error)}`, url, false, error)
    }
    this.quota = quotaOf(response.headers) ?? this.quota
    const facts: AnswerFacts = {
      url,
      status: response.status,
      requestId: response.headers.get('X-Request-Id') ?? undefined,
      retryAfter: readRetryAfter(response.headers.get('Retry-After')),
    }
    if (facts.status === 304 && kept) return JSON.parse(kept.body)
    const body = parse(text, facts)
    if (facts.status !== 200) {
      if (isErrorBody(body)) throw new ServiceError(body, facts)
      throw new ContractError(`Not an answer of this API: status ${facts.status}`, facts)
    }
    const problem = check(body as never)
    if (problem !== undefined) throw new ContractError(`Not an answer of this API: ${problem}`, facts)
    const etag = response.headers.get('ETag')
    if (etag !== null) await cache?.set(url, { etag, body: text })
    return body
  }
}

function parse(text: string, facts: AnswerFacts): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new ContractError(`Not an answer of this API: status ${facts.status}, and no JSON`, facts, error)
  }
}

function isErrorBody(body: unknown): body is ErrorBody {
  const { message, code } = (body ?? {}) as Partial<ErrorBody>
  return typeof message === 'string' && typeof code === 'string'
}

/** Node hides the true reason in the cause of a "fetch failed". */
function reasonOf(error: unknown): string {
  const { message, cause } = error as Error
  return (cause instanceof Error && cause.message) || message || String(error)
}

function checkNumber(name: string, value: number | undefined): void {
  if (value !== undefined && !(value >= 0)) throw new TypeError(`${name} is ${value}; it must be a number from 0 on`)
}

/** An option that is there but undefined does not hide that of the client. */
function defined(options: CallOptions): CallOptions {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined))
}
