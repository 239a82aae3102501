import { AccountError } from '../store/account-error.ts'
import { type AccountStore, type AccountTransaction, deleteExpired } from '../store/account-store.ts'
import type { Attempts } from '../store/account-tables.ts'

/** The limit of a fixed window. */
interface AttemptLimit {
  readonly maxAttempts: number
  readonly windowSeconds: number
}

/** A counter, such as that of one client address, and its limit. */
export interface AttemptCounter {
  readonly name: string
  readonly limit: AttemptLimit
}

/** Error messages by error code. */
const MESSAGES = { too_many_attempts: 'Too many attempts', too_many_changes: 'Too many changes' } as const

/** A fixed-window rate limiter. Its counters are stored, so that processes share them and restarts keep them. */
export class AttemptLimiter {
  private readonly store: AccountStore

  constructor(store: AccountStore) {
    this.store = store
  }

  /** Increments all counters, or throws and increments none if one of them is at its limit. */
  async consume(
    counters: readonly AttemptCounter[],
    now: number,
    code: keyof typeof MESSAGES = 'too_many_attempts',
  ): Promise<void> {
    // Refused without a commit: a flood of attempts would wait for the write lock, and the whole process with it.
    const before = this.examine(counters, now, code)
    if (before.error !== undefined && before.misdated.length === 0) throw before.error
    const refusal = await this.store.commit((tx) => {
      const { windows, error, misdated } = this.examine(counters, now, code)
      if (error === undefined) {
        for (const { name, count, endsAt } of windows) tx.put('attempts', name, { count: count + 1, endsAt })
        return undefined
      }
      // Throwing aborts the commit: each commit invalidates the key caches of all processes.
      if (misdated.length === 0) throw error
      for (const { name, count, endsAt } of misdated) tx.put('attempts', name, { count, endsAt })
      return error
    })
    if (refusal !== undefined) throw refusal
  }

  /** The windows of counters, the error if one of them is at its limit, and those at their limit with a wrong end. */
  private examine(counters: readonly AttemptCounter[], now: number, code: keyof typeof MESSAGES) {
    const windows = counters.map(({ name, limit }) => ({ name, limit, ...this.currentWindow(name, limit, now) }))
    const full = windows.filter(({ count, limit }) => count >= limit.maxAttempts)
    if (full.length === 0) return { windows, error: undefined, misdated: [] }
    const wait = Math.max(...full.map(({ endsAt }) => endsAt - now))
    const message = `${MESSAGES[code]}; try again in ${Math.ceil(wait / 60)} min`
    const misdated = full.filter(({ isMisdated }) => isMisdated)
    return { windows, error: new AccountError(code, message, wait), misdated }
  }

  /** Takes one attempt back. The others stay counted. */
  takeBack(tx: AccountTransaction, name: string): void {
    const attempts = this.store.tables.attempts.get(name)
    if (attempts === undefined) return
    if (attempts.count <= 1) tx.delete('attempts', name)
    else tx.put('attempts', name, { ...attempts, count: attempts.count - 1 })
  }

  /** Deletes a counter. Returns whether there was one. */
  delete(tx: AccountTransaction, name: string): boolean {
    const exists = this.store.tables.attempts.get(name) !== undefined
    if (exists) tx.delete('attempts', name)
    return exists
  }

  /** The names of all counters that begin with a prefix. */
  names(prefix: string): string[] {
    return [...this.store.tables.attempts.getKeys({ start: prefix, end: `${prefix}\uffff` })]
  }

  /** Deletes expired counters. */
  async prune(now: number): Promise<void> {
    await deleteExpired(this.store, 'attempts', now)
  }

  /** The current window of a counter. An end beyond a whole window was set by a wrong clock and is corrected. */
  private currentWindow(
    name: string,
    { windowSeconds }: AttemptLimit,
    now: number,
  ): Attempts & { readonly isMisdated: boolean } {
    const attempts = this.store.tables.attempts.get(name)
    const latest = now + windowSeconds
    if (attempts === undefined || attempts.endsAt <= now) return { count: 0, endsAt: latest, isMisdated: false }
    const { count, endsAt } = attempts
    return { count, endsAt: Math.min(endsAt, latest), isMisdated: endsAt > latest }
  }
}

/** More than anyone changes by hand, and few enough to bound the storage. */
const KEY_CHANGE_LIMIT: AttemptLimit = { maxAttempts: 60, windowSeconds: 3_600 }

/** Limits how often an account's owner may change its keys: revoked keys and audit entries are kept for good. */
export class KeyChangeLimiter {
  private readonly limiter: AttemptLimiter

  constructor(limiter: AttemptLimiter) {
    this.limiter = limiter
  }

  /** Counts a change by the owner of an account; throws if there were too many. */
  consume(accountId: string, now: number): Promise<void> {
    return this.limiter.consume([{ name: `changes/${accountId}`, limit: KEY_CHANGE_LIMIT }], now, 'too_many_changes')
  }
}
