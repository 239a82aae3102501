import { onAbort } from './deadline.ts'
import { ConnectionError, ContractError, type MarqueeError, ServiceError } from './errors.ts'

/** Whether a retry may succeed: after a network error, 429 and 503. */
export function isRetryable(error: MarqueeError): boolean {
  if (error instanceof ConnectionError) return !error.timedOut
  if (error instanceof ServiceError && error.code === 'quota_exceeded') return false
  const { status } = error as ServiceError | ContractError
  return status === 429 || status === 503
}

/**
 * Exponential backoff with jitter, in milliseconds, before retry 1, 2, … Jitter keeps clients that failed together from
 * retrying together. A `Retry-After` replaces the fixed part.
 */
export function backoffMs(retry: number, error: MarqueeError, random = Math.random()): number {
  const half = Math.min(500 * 2 ** (retry - 1), 8000) / 2
  const asked = error instanceof ServiceError || error instanceof ContractError ? error.retryAfter : undefined
  return (asked === undefined ? half : asked * 1000) + random * half
}

/** Parses a `Retry-After`, whole seconds or a date, into seconds; undefined for anything else. */
export function parseRetryAfter(text: string | null, now = Date.now()): number | undefined {
  if (text === null) return undefined
  if (/^\d+$/.test(text)) return Number(text)
  const instant = parseHttpDate(text)
  return instant === undefined ? undefined : Math.max(0, Math.ceil((instant - now) / 1000))
}

/** Waits, at most until the signal is aborted, which may be before. Callers that go on look at the signal. */
export function sleep(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer)
      unsubscribe()
      resolve()
    }
    const timer = setTimeout(end, milliseconds)
    const unsubscribe = onAbort(signal, end)
    if (signal.aborted) end()
  })
}

/** IMF-fixdate, and the two obsolete formats that recipients must accept. */
const HTTP_DATE_FORMATS = [
  /^\w{3}, (?<day>\d\d) (?<month>\w{3}) (?<year>\d{4}) (?<time>\d\d:\d\d:\d\d) GMT$/,
  /^\w{3,6}day, (?<day>\d\d)-(?<month>\w{3})-(?<year>\d\d) (?<time>\d\d:\d\d:\d\d) GMT$/,
  /^\w{3} (?<month>\w{3}) (?<day>[ \d]\d) (?<time>\d\d:\d\d:\d\d) (?<year>\d{4})$/,
]

/**
 * Parses an HTTP date into milliseconds since 1970; undefined for anything else. `Date.parse` alone is too lenient: it
 * reads `1.5` as a day in January 2001.
 */
function parseHttpDate(text: string): number | undefined {
  for (const format of HTTP_DATE_FORMATS) {
    const { day, month, year, time } = format.exec(text)?.groups ?? {}
    const instant = Date.parse(`${day} ${month} ${year} ${time} GMT`)
    // The 31st of February would be a day in March.
    if (new Date(instant).getUTCDate() === Number(day)) return instant
  }
  return undefined
}
