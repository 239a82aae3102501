import type { Database } from 'lmdb'
import type { AccountEnvironment } from '../store/account-tables.ts'
import { RETENTION_SECONDS } from '../usage/usage-store.ts'
import { type QuotaDelta, type QuotaStore, quotaKey } from './quota-counters.ts'

/** Quota counters in the tables of a data directory. */
export class LocalQuotaStore implements QuotaStore {
  private readonly environment: AccountEnvironment

  constructor(environment: AccountEnvironment) {
    this.environment = environment
  }

  total(owner: string, period: string): number {
    return this.environment.tables.quota.get(quotaKey(owner, period)) ?? 0
  }

  add(deltas: readonly QuotaDelta[]): Promise<number[]> {
    const { root, tables } = this.environment
    return root.transaction(() => deltas.map((delta) => increment(tables.quota, delta)))
  }

  async prune(now: number): Promise<void> {
    const { root, tables } = this.environment
    const first = firstRetainedDay(now)
    const expired = [...tables.quota.getKeys()].filter((key) => {
      const period = key.slice(key.lastIndexOf('/') + 1)
      // A month is retained as long as one of its days is.
      return period < first.slice(0, period.length)
    })
    if (expired.length > 0) await root.transaction(() => expired.forEach((key) => void tables.quota.remove(key)))
  }
}

/** The first day whose counters are retained: as long as the days of usage. */
export function firstRetainedDay(now: number): string {
  return new Date((now - RETENTION_SECONDS.day) * 1000).toISOString().slice(0, 10)
}

function increment(quota: Database<number, string>, { owner, period, requests }: QuotaDelta): number {
  const key = quotaKey(owner, period)
  const total = (quota.get(key) ?? 0) + requests
  if (requests !== 0) quota.put(key, total)
  return total
}
