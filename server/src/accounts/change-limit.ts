import type { Allowance, Throttle } from './throttle.ts'

/** More than anybody changes by hand, and little enough for what is kept of each change. */
const ALLOWANCE: Allowance = { attempts: 60, seconds: 3_600 }

/** How often the owner of an account may change its keys. Ended keys are kept, so endless changes would fill a disk. */
export class ChangeLimit {
  private readonly throttle: Throttle

  constructor(throttle: Throttle) {
    this.throttle = throttle
  }

  /** Counts a change by the owner of an account, or refuses it if there were too many. */
  take(accountId: string, now: number): Promise<void> {
    return this.throttle.take([{ name: `changes/${accountId}`, allowance: ALLOWANCE }], now, 'too_many_changes')
  }
}
