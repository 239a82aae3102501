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
