import type { Database } from 'lmdb'
import type { AccountEnvironment, AccountTables } from './account-tables.ts'
import { type QuotaDelta, type QuotaStore, quotaKey } from './quota-store.ts'
import {
  addUsageRecords,
  type KeyUse,
  mergeKeyUse,
  RETENTION_SECONDS,
  SPAN_SECONDS,
  USAGE_SPANS,
  type UsageDelta,
  type UsageRecord,
  type UsageSpan,
  type UsageStore,
} from './usage-store.ts'

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

/** Usage records in the tables of a data directory. */
export class LocalUsageStore implements UsageStore {
  private readonly environment: AccountEnvironment

  constructor(environment: AccountEnvironment) {
    this.environment = environment
  }

  async add(deltas: readonly UsageDelta[]): Promise<void> {
    const { root, tables } = this.environment
    if (deltas.length === 0) return
    await root.transaction(() => {
      for (const delta of deltas) addUsage(tables, delta)
    })
  }

  *read(span: UsageSpan, keyId: string, from: number, to: number): Iterable<{ start: number; usage: UsageRecord }> {
    const range = { start: usageKey(keyId, from), end: usageKey(keyId, to) }
    for (const { key, value } of usageTable(this.environment.tables, span).getRange(range)) {
      yield { start: Number(key.slice(key.indexOf('/') + 1)), usage: value }
    }
  }

  lastUse(keyId: string): KeyUse | undefined {
    return this.environment.tables.uses.get(keyId)
  }

  async prune(now: number): Promise<void> {
    const { root, tables } = this.environment
    for (const span of USAGE_SPANS) {
      const table = usageTable(tables, span)
      const firstRetained = now - RETENTION_SECONDS[span]
      const expired = [...table.getKeys()].filter((key) => Number(key.slice(key.indexOf('/') + 1)) < firstRetained)
      if (expired.length > 0) await root.transaction(() => expired.forEach((key) => void table.remove(key)))
    }
  }
}

/** Adds a delta to the records of its hour and its day. Must run in a transaction. */
function addUsage(tables: AccountTables, { keyId, at, origin, usage, failures }: UsageDelta): void {
  for (const span of USAGE_SPANS) {
    const table = usageTable(tables, span)
    const key = usageKey(keyId, at - (at % SPAN_SECONDS[span]))
    table.put(key, addUsageRecords(table.get(key) ?? {}, usage))
  }
  tables.uses.put(keyId, mergeKeyUse(tables.uses.get(keyId), { at, origin, failures }))
}

/** The table of a span: `hours` or `days`. */
export function usageTable(tables: AccountTables, span: UsageSpan) {
  return span === 'hour' ? tables.hours : tables.days
}

/** The storage key of a record. Times are padded to ten digits, so that keys sort by time. */
export function usageKey(keyId: string, start: number): string {
  return `${keyId}/${String(Math.max(0, start)).padStart(10, '0')}`
}
