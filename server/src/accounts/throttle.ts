import type { AccountLedger, AccountWrites } from './account-ledger.ts'
import { AccountProblem } from './account-problem.ts'
import { removeEnded } from './remove-ended.ts'

/** Attempts that were counted, and until when they are. */
export interface Attempts {
  readonly count: number
  readonly endsAt: number
}

/** How many attempts are taken within how many seconds. */
export interface Allowance {
  readonly attempts: number
  readonly seconds: number
}

/** One thing that attempts are counted by, such as an address. */
export interface Counted {
  readonly name: string
  readonly allowance: Allowance
}

/** What is refused when there was too much of it. */
const REFUSALS = { too_many_attempts: 'Too many attempts', too_many_changes: 'Too many changes' } as const

/** Counts attempts in the store, so that all processes count together and a restart forgives nothing. */
export class Throttle {
  private readonly ledger: AccountLedger

  constructor(ledger: AccountLedger) {
    this.ledger = ledger
  }

  /** Counts an attempt by all of the given things, or refuses it if one of them has had its share. */
  async take(
    counted: readonly Counted[],
    now: number,
    refusal: keyof typeof REFUSALS = 'too_many_attempts',
  ): Promise<void> {
    const refused = await this.ledger.commit((writes) => {
      const seen = counted.map(({ name, allowance }) => ({ name, allowance, ...this.current(name, allowance, now) }))
      const full = seen.filter(({ count, allowance }) => count >= allowance.attempts)
      if (full.length === 0) {
        for (const { name, count, endsAt } of seen) writes.put('attempts', name, { count: count + 1, endsAt })
        return undefined
      }
      const wait = Math.max(...full.map(({ endsAt }) => endsAt - now))
      const message = `${REFUSALS[refusal]}; try again in ${Math.ceil(wait / 60)} min`
      const problem = new AccountProblem(refusal, message, wait)
      const misdated = full.filter(({ isMisdated }) => isMisdated)
      // A refusal that alters nothing commits nothing: commits are felt by all processes.
      if (misdated.length === 0) throw problem
      for (const { name, count, endsAt } of misdated) writes.put('attempts', name, { count, endsAt })
      return problem
    })
    if (refused !== undefined) throw refused
  }

  /** Forgets the attempts by one thing: the last of them succeeded. */
  forgive(writes: AccountWrites, name: string): void {
    writes.remove('attempts', name)
  }

  /** Lets go of counts that have ended. */
  async prune(now: number): Promise<void> {
    await removeEnded(this.ledger, 'attempts', now)
  }

  /** What was counted by a thing; an end that lies too far ahead was set by a clock that was wrong, and is brought near. */
  private current(name: string, { seconds }: Allowance, now: number): Attempts & { readonly isMisdated: boolean } {
    const attempts = this.ledger.tables.attempts.get(name)
    const latest = now + seconds
    if (attempts === undefined || attempts.endsAt <= now) return { count: 0, endsAt: latest, isMisdated: false }
    const { count, endsAt } = attempts
    return { count, endsAt: Math.min(endsAt, latest), isMisdated: endsAt > latest }
  }
}
