import type { Database } from 'lmdb'
import type { Clock } from '../../lib/clock.ts'
import { hasElapsed } from '../../model/time.ts'
import type { AccountEnvironment } from '../store/account-tables.ts'
import { RETENTION_SECONDS } from '../usage/usage-store.ts'

/** Requests to add to the count of one owner in one period. */
export interface QuotaDelta {
  /** Whom requests are counted for: an account, or a key of its own. */
  readonly owner: string
  readonly period: string
  readonly requests: number
}

/** The counts that all processes share. A period is named by its day or month: `2026-03-01`, `2026-03`. */
export interface QuotaCounters {
  /** Requests counted so far; undefined where that is told by `add` alone. */
  total(owner: string, period: string): number | undefined
  /** Adds all deltas in one transaction and gives the new totals, in the same order. */
  add(deltas: readonly QuotaDelta[]): Promise<number[]>
}

/** Counts that outlast the process. */
export interface QuotaStore extends QuotaCounters {
  total(owner: string, period: string): number
  /** Lets go of periods that are too old. */
  prune(now: number): Promise<void>
}

/** The first day whose counts are kept still: they are kept as long as the days of usage. */
export function firstRetainedDay(now: number): string {
  return new Date((now - RETENTION_SECONDS.day) * 1000).toISOString().slice(0, 10)
}

/** The counts in the tables of a data directory. */
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
    const old = [...tables.quota.getKeys()].filter((key) => {
      const period = key.slice(key.lastIndexOf('/') + 1)
      // A month is kept as long as one of its days is.
      return period < first.slice(0, period.length)
    })
    if (old.length > 0) await root.transaction(() => old.forEach((key) => void tables.quota.remove(key)))
  }
}

function increment(quota: Database<number, string>, { owner, period, requests }: QuotaDelta): number {
  const key = quotaKey(owner, period)
  const total = (quota.get(key) ?? 0) + requests
  if (requests !== 0) quota.put(key, total)
  return total
}

export function quotaKey(owner: string, period: string): string {
  return `${owner}/${period}`
}

/** Counts that nobody added to for twice this long are gone. */
const GENERATION_SECONDS = 60

/** Counts in the memory of one process, for rates alone: what has not been asked about for a while is forgotten. */
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
