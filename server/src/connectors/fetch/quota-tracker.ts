import { ApiRefusedError } from './api-client.ts'

/** Thrown before a request that the quota of the key, or the limit of the run, does not allow. */
export class QuotaReachedError extends ApiRefusedError {
  /** When requests are allowed again, in Unix seconds; undefined for the limit of the run. */
  readonly resetsAt: number | undefined

  constructor(message: string, resetsAt?: number) {
    super(message)
    this.resetsAt = resetsAt
  }
}

/** Header names of the quota: those of this service's contract, of Watchmode, and of two marketplaces. */
const GRANTED_HEADERS = ['x-quota-granted', 'x-account-quota']
const USED_HEADERS = ['x-quota-used', 'x-account-quota-used']
const REMAINING_HEADERS = ['x-ratelimit-api-request-remaining', 'x-ratelimit-requests-remaining']
const RESET_HEADERS = ['x-ratelimit-api-request-reset', 'x-ratelimit-requests-reset']

/** A reset header below this is a number of seconds from now, not an instant. */
const MIN_INSTANT = 1_000_000_000

interface QuotaLimits {
  /** Requests of the key's quota that are left unused, for other users of the key. */
  readonly keep: number
  /** Requests of this run. */
  readonly maxRequests: number
}

/** Follows the quota of a key by the headers of the answers, and stops requests before it is used up. */
export class QuotaTracker {
  /** Requests left in the period; undefined before the first answer, and for answers without quota headers. */
  remaining: number | undefined
  /** When the next period begins, in Unix seconds. */
  resetsAt: number | undefined
  private readonly limits: QuotaLimits
  private readonly now: () => number
  private sent = 0

  constructor(limits: QuotaLimits, now: () => number) {
    this.limits = limits
    this.now = now
  }

  /** Counts a request that is about to be sent; throws if it must not be. */
  admit(): void {
    if (this.sent >= this.limits.maxRequests) {
      throw new QuotaReachedError(`The limit of ${this.limits.maxRequests} requests for one run is reached`)
    }
    if (this.isUsedUp()) {
      const left = `${this.remaining} requests of the quota are left, of which ${this.limits.keep} are kept`
      throw new QuotaReachedError(left, this.resetsAt)
    }
    this.sent++
    // Answers of concurrent requests lag behind.
    if (this.remaining !== undefined) this.remaining--
  }

  /** Whether no request is left in the current period. */
  isUsedUp(): boolean {
    if (this.remaining === undefined || this.remaining > this.limits.keep) return false
    if (this.resetsAt === undefined || this.now() < this.resetsAt) return true
    this.remaining = undefined
    return false
  }

  /** Reads the quota of an answer. */
  observe(headers: Headers): void {
    const granted = readFirst(headers, GRANTED_HEADERS)
    const used = readFirst(headers, USED_HEADERS)
    const remaining =
      granted !== undefined && used !== undefined ? granted - used : readFirst(headers, REMAINING_HEADERS)
    if (remaining === undefined) return
    const resetsAt = readNumber(headers, 'x-quota-reset') ?? readFirst(headers, RESET_HEADERS)
    const isNewPeriod = resetsAt !== undefined && this.resetsAt !== undefined && resetsAt > this.resetsAt
    // Answers may arrive out of order, so within a period only the lowest count holds.
    this.remaining = isNewPeriod ? remaining : Math.min(this.remaining ?? remaining, remaining)
    if (resetsAt !== undefined) this.resetsAt = resetsAt < MIN_INSTANT ? this.now() + resetsAt : resetsAt
  }
}

function readFirst(headers: Headers, names: readonly string[]): number | undefined {
  return names.map((name) => readNumber(headers, name)).find((value) => value !== undefined)
}

function readNumber(headers: Headers, name: string): number | undefined {
  const text = headers.get(name)
  return text !== null && /^\d{1,15}$/.test(text.trim()) ? Number(text) : undefined
}
