import { ConnectionError, ContractError, type MarqueeError, ServiceError } from './errors.ts'
import { readHttpDate } from './http-date.ts'
import { onAbort } from './on-abort.ts'

/** Whether it is worth trying again: the network failed, or the service asks to come back later. */
export function isWorthRetrying(error: MarqueeError): boolean {
  if (error instanceof ConnectionError) return !error.timedOut
  if (error instanceof ServiceError && error.code === 'quota_exceeded') return false
  const { status } = error as ServiceError | ContractError
  return status === 429 || status === 503
}

/**
 * Milliseconds to wait before a retry (1, 2, …). The pause doubles each time, and a part of it is left to chance, so
 * that many clients that failed together do not come back together.
 */
export function pauseBefore(retry: number, error: MarqueeError, random = Math.random()): number {
  const half = Math.min(500 * 2 ** (retry - 1), 8000) / 2
  const asked = error instanceof ServiceError || error instanceof ContractError ? error.retryAfter : undefined
  return (asked === undefined ? half : asked * 1000) + random * half
}

/** Seconds of a `Retry-After`, which is a whole number or a date; what is neither counts as absent. */
export function readRetryAfter(text: string | null, now = Date.now()): number | undefined {
  if (text === null) return undefined
  if (/^\d+$/.test(text)) return Number(text)
  const instant = readHttpDate(text)
  return instant === undefined ? undefined : Math.max(0, Math.ceil((instant - now) / 1000))
}

/** Waits, unless the signal is aborted first. */
export function sleep(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const letGo = onAbort(signal, () => clearTimeout(timer))
    const timer = setTimeout(() => {
      letGo()
      resolve()
    }, milliseconds)
  })
}
