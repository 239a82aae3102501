import { AccountError } from '../store/account-error.ts'
import { type AccountStore, type AccountTransaction, deleteExpired } from '../store/account-store.ts'

/** Attempts that were counted, and until when they are. */
export interface Attempts {
  readonly count: number
  readonly endsAt: number
}

/** How many attempts are taken within how many seconds. */
export interface AttemptLimit {
  readonly maxAttempts: number
  readonly windowSeconds: number
}

/** One thing that attempts are counted by, such as an address. */
export interface AttemptCounter {
  readonly name: string
  readonly limit: AttemptLimit
}

/** What is refused when there was too much of it. */
const MESSAGES = { too_many_attempts: 'Too many attempts', too_many_changes: 'Too many changes' } as const

/** Counts attempts in the store, so that all processes count together and a restart forgives nothing. */
export class AttemptLimiter {
  private readonly store: AccountStore

  constructor(ledger: AccountStore) {
    this.store = ledger
  }

  /** Counts an attempt by all of the given things, or refuses it if one of them has had its share. */
  async consume(
    counted: readonly AttemptCounter[],
    now: number,
    refusal: keyof typeof MESSAGES = 'too_many_attempts',
  ): Promise<void> {
    const refused = await this.store.commit((writes) => {
      const seen = counted.map(({ name, limit }) => ({ name, limit, ...this.currentWindow(name, limit, now) }))
      const full = seen.filter(({ count, limit }) => count >= limit.maxAttempts)
      if (full.length === 0) {
        for (const { name, count, endsAt } of seen) writes.put('attempts', name, { count: count + 1, endsAt })
        return undefined
      }
      const wait = Math.max(...full.map(({ endsAt }) => endsAt - now))
      const message = `${MESSAGES[refusal]}; try again in ${Math.ceil(wait / 60)} min`
      const problem = new AccountError(refusal, message, wait)
      const misdated = full.filter(({ isMisdated }) => isMisdated)
      // A refusal that alters nothing commits nothing: commits are felt by all processes.
      if (misdated.length === 0) throw problem
      for (const { name, count, endsAt } of misdated) writes.put('attempts', name, { count, endsAt })
      return problem
    })
    if (refused !== undefined) throw refused
  }

  /** Forgets the attempts by one thing: the last of them succeeded. */
  reset(writes: AccountTransaction, name: string): void {
    writes.delete('attempts', name)
  }

  /** Lets go of counts that have ended. */
  async prune(now: number): Promise<void> {
    await deleteExpired(this.store, 'attempts', now)
  }

  /** What was counted by a thing; an end that lies too far ahead was set by a clock that was wrong, and is brought near. */
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

/** More than anybody changes by hand, and little enough for what is kept of each change. */
const KEY_CHANGE_LIMIT: AttemptLimit = { maxAttempts: 60, windowSeconds: 3_600 }

/** How often the owner of an account may change its keys. Ended keys are kept, so endless changes would fill a disk. */
export class KeyChangeLimiter {
  private readonly limiter: AttemptLimiter

  constructor(throttle: AttemptLimiter) {
    this.limiter = throttle
  }

  /** Counts a change by the owner of an account, or refuses it if there were too many. */
  consume(accountId: string, now: number): Promise<void> {
    return this.limiter.consume([{ name: `changes/${accountId}`, limit: KEY_CHANGE_LIMIT }], now, 'too_many_changes')
  }
}
