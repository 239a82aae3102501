import type { AccountEnvironment, AccountTables } from '../store/account-tables.ts'
import type { LatencyCounts } from './counters.ts'

/** What one key did at one endpoint. */
export interface EndpointUsage {
  /** QueryEngine by status. */
  readonly statuses: Readonly<Record<number, number>>
  readonly latency: LatencyCounts
}

/** What one key did within an hour or a day, by endpoint. */
export type UsageRecord = Readonly<Record<string, EndpointUsage>>

/** An answer that was an error. */
export interface Failure {
  readonly at: number
  readonly endpoint: string
  readonly status: number
  readonly code: string
}

/** When a key was last used and from which web origin, and which errors it got lately, newest first. */
export interface KeyUse {
  readonly at: number
  readonly origin?: string
  readonly failures: readonly Failure[]
}

/** What one key did since it was last written down. */
export interface UsageDelta {
  readonly keyId: string
  readonly at: number
  readonly origin?: string
  readonly usage: UsageRecord
  readonly failures: readonly Failure[]
}

/** Use by key, endpoint and status, hour by hour and day by day. */
export interface UsageStore {
  add(deltas: readonly UsageDelta[]): Promise<void>
  /** Records of a key whose span starts within [from, to), in order. */
  read(span: UsageSpan, keyId: string, from: number, to: number): Iterable<{ start: number; usage: UsageRecord }>
  lastUse(keyId: string): KeyUse | undefined
  /** Lets go of hours and days that are too old. */
  prune(now: number): Promise<void>
}

export const USAGE_SPANS = ['hour', 'day'] as const
export type UsageSpan = (typeof USAGE_SPANS)[number]

export const SPAN_SECONDS = { hour: 3_600, day: 86_400 } as const satisfies Record<UsageSpan, number>

/** How long records are kept: hours for a month, days for thirteen. */
export const RETENTION_SECONDS = { hour: 35 * 86_400, day: 400 * 86_400 } as const satisfies Record<UsageSpan, number>

const MAX_FAILURES = 50

/** The book in the tables of a data directory. */
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
      const kept = now - RETENTION_SECONDS[span]
      const old = [...table.getKeys()].filter((key) => Number(key.slice(key.indexOf('/') + 1)) < kept)
      if (old.length > 0) await root.transaction(() => old.forEach((key) => void table.remove(key)))
    }
  }
}

/** Adds to the records of the hour and the day, within a transaction. */
export function addUsage(tables: AccountTables, { keyId, at, origin, usage, failures }: UsageDelta): void {
  for (const span of USAGE_SPANS) {
    const table = usageTable(tables, span)
    const key = usageKey(keyId, at - (at % SPAN_SECONDS[span]))
    table.put(key, addUsageRecords(table.get(key) ?? {}, usage))
  }
  tables.uses.put(keyId, mergeKeyUse(tables.uses.get(keyId), { at, origin, failures }))
}

/** When a key was last used, and its errors, after some more use. */
export function mergeKeyUse(
  before: KeyUse | undefined,
  { at, origin, failures }: Pick<UsageDelta, 'at' | 'failures'> & { readonly origin?: string | undefined },
): KeyUse {
  const from = origin ?? before?.origin
  return {
    at: Math.max(at, before?.at ?? 0),
    ...(from !== undefined && { origin: from }),
    failures: [...[...failures].reverse(), ...(before?.failures ?? [])].slice(0, MAX_FAILURES),
  }
}

/** Deltas as few: those of a key within an hour as one. Nothing is lost by it but errors that are too many to be kept. */
export function mergeDeltas(deltas: readonly UsageDelta[]): UsageDelta[] {
  const joined = new Map<string, UsageDelta>()
  for (const delta of deltas) {
    const key = usageKey(delta.keyId, delta.at - (delta.at % SPAN_SECONDS.hour))
    const known = joined.get(key)
    joined.set(key, known === undefined ? delta : addDeltas(known, delta))
  }
  return [...joined.values()]
}

function addDeltas(a: UsageDelta, b: UsageDelta): UsageDelta {
  return {
    ...a,
    ...b,
    usage: addUsageRecords(a.usage, b.usage),
    failures: [...a.failures, ...b.failures].slice(-MAX_FAILURES),
  }
}

/** Two records as one. */
export function addUsageRecords(a: UsageRecord, b: UsageRecord): UsageRecord {
  const sum: Record<string, EndpointUsage> = { ...a }
  for (const [endpoint, { statuses, latency }] of Object.entries(b)) {
    const known = sum[endpoint]
    sum[endpoint] = {
      statuses: addCounts(known?.statuses ?? {}, statuses),
      latency: addCounts(known?.latency ?? {}, latency),
    }
  }
  return sum
}

function addCounts(
  a: Readonly<Record<number, number>>,
  b: Readonly<Record<number, number>>,
): Readonly<Record<number, number>> {
  const sum: Record<number, number> = { ...a }
  for (const [key, count] of Object.entries(b)) sum[Number(key)] = (sum[Number(key)] ?? 0) + count
  return sum
}

/** The table of a span. */
export function usageTable(tables: AccountTables, span: UsageSpan) {
  return span === 'hour' ? tables.hours : tables.days
}

/** Instants have ten digits until the year 2286, so they are in order as texts too. */
export function usageKey(keyId: string, start: number): string {
  return `${keyId}/${String(Math.max(0, start)).padStart(10, '0')}`
}
