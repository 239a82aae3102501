import type { Database } from 'lmdb'
import type { AccountEnvironment } from './account-tables.ts'

/** Requests to add to the count of one owner in one period. */
export interface QuotaDelta {
  /** Whom requests are counted for: an account, or a key of its own. */
  readonly owner: string
  readonly period: string
  readonly requests: number
}

/** The counts that all processes share. A period is named by its day or month: `2026-03-01`, `2026-03`. */
export interface QuotaCounts {
  /** Requests counted so far; undefined where that is told by `add` alone. */
  total(owner: string, period: string): number | undefined
  /** Adds all deltas in one transaction and gives the new totals, in the same order. */
  add(deltas: readonly QuotaDelta[]): Promise<number[]>
}

/** The counts in the tables of a data directory. */
export class LocalQuotaCounts implements QuotaCounts {
  private readonly environment: AccountEnvironment

  constructor(environment: AccountEnvironment) {
    this.environment = environment
  }

  total(owner: string, period: string): number {
    return this.environment.tables.quota.get(quotaKey(owner, period)) ?? 0
  }

  add(deltas: readonly QuotaDelta[]): Promise<number[]> {
    const { root, tables } = this.environment
    return root.transaction(() => deltas.map((delta) => addOne(tables.quota, delta)))
  }
}

function addOne(quota: Database<number, string>, { owner, period, requests }: QuotaDelta): number {
  const key = quotaKey(owner, period)
  const total = (quota.get(key) ?? 0) + requests
  if (requests !== 0) quota.put(key, total)
  return total
}

export function quotaKey(owner: string, period: string): string {
  return `${owner}/${period}`
}
