import type { Clock } from '../../lib/clock.ts'
import { hasElapsed } from '../../model/time.ts'

/** Requests to add to the counter of one owner in one period. */
export interface QuotaDelta {
  /** The owner of the counter: an account, a subscription, or a key. */
  readonly owner: string
  /** The name of the period: `2026-03-01`, `2026-03`. */
  readonly period: string
  readonly requests: number
}

/** Quota counters that several processes share. */
export interface QuotaCounters {
  /** Requests counted so far; undefined if only `add` can tell. */
  total(owner: string, period: string): number | undefined
  /** Applies all deltas in one transaction and returns the new totals in the same order. */
  add(deltas: readonly QuotaDelta[]): Promise<number[]>
}

/** Quota counters in persistent storage. */
export interface QuotaStore extends QuotaCounters {
  total(owner: string, period: string): number
  /** Deletes counters past their retention. */
  prune(now: number): Promise<void>
}

/** The storage key of a counter. */
export function quotaKey(owner: string, period: string): string {
  return `${owner}/${period}`
}

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
