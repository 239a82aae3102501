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
    await this.ledger.commit((writes) => {
      const seen = counted.map(({ name, allowance }) => ({ name, allowance, attempts: this.current(name, now) }))
      const full = seen.filter(({ attempts, allowance }) => (attempts?.count ?? 0) >= allowance.attempts)
      if (full.length > 0) {
        const wait = Math.max(...full.map(({ attempts }) => (attempts?.endsAt ?? now) - now))
        const message = `${REFUSALS[refusal]}; try again in ${Math.ceil(wait / 60)} min`
        throw new AccountProblem(refusal, message, wait)
      }
      for (const { name, allowance, attempts } of seen) {
        const { count, endsAt } = attempts ?? { count: 0, endsAt: now + allowance.seconds }
        writes.put('attempts', name, { count: count + 1, endsAt })
      }
    })
  }

  /** Forgets the attempts by one thing: the last of them succeeded. */
  forgive(writes: AccountWrites, name: string): void {
    writes.remove('attempts', name)
  }

  /** Lets go of counts that have ended. */
  async prune(now: number): Promise<void> {
    await removeEnded(this.ledger, 'attempts', now)
  }

  private current(name: string, now: number): Attempts | undefined {
    const attempts = this.ledger.tables.attempts.get(name)
    return attempts !== undefined && attempts.endsAt > now ? attempts : undefined
  }
}
