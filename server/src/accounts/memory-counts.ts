import type { Clock } from '../lib/clock.ts'
import { hasElapsed } from '../model/time.ts'
import { type QuotaCounts, type QuotaDelta, quotaKey } from './quota-counts.ts'

/** Counts that nobody added to for twice this long are gone. */
const GENERATION_SECONDS = 60

/** Counts in the memory of one process, for rates alone: what has not been asked about for a while is forgotten. */
export class MemoryCounts implements QuotaCounts {
  private readonly clock: Clock
  private present = new Map<string, number>()
  private former = new Map<string, number>()
  private since: number

  constructor(clock: Clock) {
    this.clock = clock
    this.since = clock()
  }

  total(owner: string, period: string): number {
    return this.of(quotaKey(owner, period))
  }

  async add(deltas: readonly QuotaDelta[]): Promise<number[]> {
    this.forget()
    return deltas.map(({ owner, period, requests }) => {
      const key = quotaKey(owner, period)
      const total = this.of(key) + requests
      this.present.set(key, total)
      return total
    })
  }

  private of(key: string): number {
    return this.present.get(key) ?? this.former.get(key) ?? 0
  }

  private forget(): void {
    const now = this.clock()
    if (!hasElapsed(GENERATION_SECONDS, this.since, now)) return
    this.former = this.present
    this.present = new Map()
    this.since = now
  }
}
