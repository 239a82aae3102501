import type { Clock } from '../../lib/clock.ts'
import { hasElapsed } from '../../model/time.ts'
import { type QuotaCounters, type QuotaDelta, quotaKey } from '../store/quota-store.ts'

/** Counters without an increment for two generations are evicted. */
const GENERATION_SECONDS = 60

/** Counters in the memory of one process, for rate limits only. Idle counters are evicted by generation. */
export class MemoryCounters implements QuotaCounters {
  private readonly clock: Clock
  private current = new Map<string, number>()
  private previous = new Map<string, number>()
  private generationStart: number

  constructor(clock: Clock) {
    this.clock = clock
    this.generationStart = clock()
  }

  total(owner: string, period: string): number {
    return this.get(quotaKey(owner, period))
  }

  async add(deltas: readonly QuotaDelta[]): Promise<number[]> {
    this.rotateGenerations()
    return deltas.map(({ owner, period, requests }) => {
      const key = quotaKey(owner, period)
      const total = this.get(key) + requests
      this.current.set(key, total)
      return total
    })
  }

  private get(key: string): number {
    return this.current.get(key) ?? this.previous.get(key) ?? 0
  }

  private rotateGenerations(): void {
    const now = this.clock()
    if (!hasElapsed(GENERATION_SECONDS, this.generationStart, now)) return
    this.previous = this.current
    this.current = new Map()
    this.generationStart = now
  }
}
