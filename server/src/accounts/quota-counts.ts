import type { Database } from 'lmdb'
import type { AccountEnvironment } from './account-tables.ts'
import { KEPT_SECONDS } from './usage-book.ts'

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

/** Counts that outlast the process. */
export interface StoredQuotaCounts extends QuotaCounts {
  total(owner: string, period: string): number
  /** Lets go of periods that are too old. */
  prune(now: number): Promise<void>
}

/** The first day whose counts are kept still: they are kept as long as the days of usage. */
export function firstKeptDay(now: number): string {
  return new Date((now - KEPT_SECONDS.day) * 1000).toISOString().slice(0, 10)
}

/** The counts in the tables of a data directory. */
export class LocalQuotaCounts implements StoredQuotaCounts {
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

  async prune(now: number): Promise<void> {
    const { root, tables } = this.environment
    const first = firstKeptDay(now)
    const old = [...tables.quota.getKeys()].filter((key) => {
      const period = key.slice(key.lastIndexOf('/') + 1)
      // A month is kept as long as one of its days is.
      return period < first.slice(0, period.length)
    })
    if (old.length > 0) await root.transaction(() => old.forEach((key) => void tables.quota.remove(key)))
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
