import { type MeteredCache, VersionedCache } from '../../lib/cache.ts'

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

/** The counters of about 60,000 owners. */
const MAX_COUNTER_BYTES = 16 * 1024 * 1024

/** About what an entry of the map takes beside its key. */
const ENTRY_BYTES = 160

/** Adds deltas to the counters of another process and returns the new totals, in order. */
type AddUpstream = (deltas: readonly QuotaDelta[]) => Promise<number[]>

/**
 * Counters in the memory of one process. Beyond a bound the least recently used ones are evicted and start again at 0.
 * With `upstream`, another process counts, and this one keeps the last known totals.
 */
export class MemoryCounters implements QuotaCounters {
  private readonly upstream: AddUpstream | undefined
  private readonly totals: VersionedCache<string, number>

  constructor(upstream?: AddUpstream, maxBytes = MAX_COUNTER_BYTES) {
    this.upstream = upstream
    this.totals = new VersionedCache({
      name: 'visitor_counters',
      maxBytes,
      sizeOf: (_total, key) => ENTRY_BYTES + key.length,
    })
  }

  total(owner: string, period: string): number {
    return this.totals.get(quotaKey(owner, period)) ?? 0
  }

  async add(deltas: readonly QuotaDelta[]): Promise<number[]> {
    const known = await this.upstream?.(deltas)
    return deltas.map(({ owner, period, requests }, i) => {
      const total = known?.[i] ?? this.total(owner, period) + requests
      this.totals.set(quotaKey(owner, period), total)
      return total
    })
  }

  caches(): readonly MeteredCache[] {
    return [this.totals]
  }
}
