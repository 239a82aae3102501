/** Requests to add to the count of one key in one period. */
export interface UsageDelta {
  readonly keyId: string
  readonly period: string
  readonly requests: number
}

/** The counts that all processes share. A period is named by its day or month: `2026-03-01`, `2026-03`. */
export interface UsageStore {
  /** Requests counted so far. */
  total(keyId: string, period: string): number
  /** Adds all deltas in one transaction and gives the new totals, in the same order. */
  add(deltas: readonly UsageDelta[]): Promise<number[]>
}
