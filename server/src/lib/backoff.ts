/** Exponential backoff: each attempt waits longer than the one before, up to a maximum. */
export interface BackoffOptions {
  /** The delay after the first failure. */
  readonly firstMs: number
  readonly maxMs: number
  /** Growth from one attempt to the next; 2 by default. */
  readonly factor?: number
  /** The share of the delay that is random, from 0 (default) to 1, so that many clients do not retry at once. */
  readonly jitter?: number
}

/**
 * The delay before the next attempt, in milliseconds.
 * @param failures failures in a row so far, at least 1
 * @param random a number from 0 up to 1; tests pass a fixed one
 */
export function backoffMs(failures: number, options: BackoffOptions, random: () => number = Math.random): number {
  const { firstMs, maxMs, factor = 2, jitter = 0 } = options
  const delay = Math.min(firstMs * factor ** Math.max(0, failures - 1), maxMs)
  return jitter === 0 ? delay : delay * (1 - jitter * random())
}

/** The delay that a `Retry-After` header asks for, in milliseconds: seconds or an HTTP date. Undefined without a valid one. */
export function retryAfterMs(header: string | null | undefined, nowMs: number = Date.now()): number | undefined {
  const text = header?.trim() ?? ''
  if (/^\d+$/.test(text)) return Number(text) * 1000
  const date = text === '' ? Number.NaN : Date.parse(text)
  return Number.isNaN(date) ? undefined : Math.max(0, date - nowMs)
}
