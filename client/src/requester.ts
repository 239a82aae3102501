import type { CachedAnswer } from './answer-cache.ts'
import { Deadline } from './deadline.ts'
import { ConnectionError, MarqueeError } from './errors.ts'
import { type Route, routeOf } from './key-source.ts'
import type { CallOptions, MarqueeOptions } from './options.ts'
import { type Quota, quotaOf } from './quota.ts'
import { type Check, factsOf, readAnswer } from './read-answer.ts'
import { requestUrl } from './request-url.ts'
import { isWorthRetrying, pauseBefore, sleep } from './retry.ts'

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
    checkLimits(options)
  }

  /** Asks for a path and returns the body, which the check has approved. */
  async get<T>(path: string, parameters: object, check: Check, options: CallOptions = {}): Promise<T> {
    const { timeout = 30_000, retries = 2, sleep: pause = sleep } = { ...this.#options, ...defined(options) }
    checkLimits(options)
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
      if (deadline.timedOut) throw new ConnectionError(`No answer from ${url} within ${timeout} ms`, url, true, error)
      throw error
    } finally {
      deadline.stop()
    }
  }

  /** One request, and what came of it. */
  async #attempt(url: string, check: Check, deadline: Deadline): Promise<unknown> {
    deadline.signal.throwIfAborted()
    const kept = await this.#recall(url, deadline)
    const [response, text] = await this.#send(url, kept ? { 'If-None-Match': kept.etag } : {}, deadline)
    this.quota = quotaOf(response.headers) ?? this.quota
    const facts = factsOf(url, response)
    if (kept && facts.status === 304) return readAnswer({ ...facts, status: 200 }, kept.body, check)
    const body = readAnswer(facts, text, check)
    const etag = response.headers.get('ETag')
    if (etag !== null) await this.#keep(url, { etag, body: text }, deadline)
    return body
  }

  /** What the cache holds for an address. One that fails counts as empty. */
  async #recall(url: string, deadline: Deadline): Promise<CachedAnswer | undefined> {
    try {
      return await deadline.within(Promise.resolve(this.#options.cache?.get(url)))
    } catch (error) {
      if (deadline.signal.aborted) throw error
      return undefined
    }
  }

  /** Lets the cache keep an answer. The answer is good, even if the cache fails or does not come to an end in time. */
  async #keep(url: string, answer: CachedAnswer, deadline: Deadline): Promise<void> {
    try {
      await deadline.within(Promise.resolve(this.#options.cache?.set(url, answer)))
    } catch (error) {
      if (deadline.signal.aborted && !deadline.timedOut) throw error
    }
  }

  /** The answer with its whole body, or an error that says why there is none. */
  async #send(url: string, condition: Record<string, string>, deadline: Deadline): Promise<[Response, string]> {
    const { fetch: send = globalThis.fetch } = this.#options
    const headers = { Accept: 'application/json', Prefer: 'handling=strict', ...this.route.headers, ...condition }
    try {
      // Redirects are not followed: the key would go along, wherever they lead.
      const answering = send(url, { headers, redirect: 'manual', signal: deadline.signal })
      const response = await deadline.within(answering)
      return [response, await deadline.within(response.text())]
    } catch (error) {
      if (deadline.signal.aborted) throw deadline.signal.reason
      throw new ConnectionError(`Could not reach ${url}: ${reasonOf(error)}`, url, false, error)
    }
  }
}

/** Node hides the true reason in the cause of a "fetch failed". */
function reasonOf(error: unknown): string {
  const { message, cause } = error as Error
  return (cause instanceof Error && cause.message) || message || String(error)
}

function checkLimits({ timeout, retries }: CallOptions): void {
  if (timeout !== undefined && !(timeout > 0)) throw new TypeError(`timeout is ${timeout}; it must be above 0`)
  if (retries !== undefined && !(retries >= 0)) throw new TypeError(`retries is ${retries}; it must be 0 or more`)
}

/** An option that is there but undefined does not hide that of the client. */
function defined(options: CallOptions): CallOptions {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined))
}
