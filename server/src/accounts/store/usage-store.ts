/**
 * A latency histogram: counts by bucket. There are two buckets per octave, from 50 µs to about a minute, so the relative
 * error is the same everywhere and a histogram is small enough to be stored for every hour.
 */
export type LatencyCounts = Readonly<Record<number, number>>

/** The use of one endpoint by one key. */
export interface EndpointUsage {
  /** Responses by status code. */
  readonly statuses: Readonly<Record<number, number>>
  readonly latency: LatencyCounts
}

/** The use of one key in an hour or a day, by endpoint. */
export type UsageRecord = Readonly<Record<string, EndpointUsage>>

/** An error response. */
export interface Failure {
  readonly at: number
  readonly endpoint: string
  readonly status: number
  readonly code: string
}

/** When and from which web origin a key was last used, and its latest errors, newest first. */
export interface KeyUse {
  readonly at: number
  readonly origin?: string
  readonly failures: readonly Failure[]
}

/** The use of one key since the last flush. */
export interface UsageDelta {
  readonly keyId: string
  readonly at: number
  readonly origin?: string
  readonly usage: UsageRecord
  readonly failures: readonly Failure[]
}

/** Usage by key, endpoint and status, per hour and per day. */
export interface UsageStore {
  /** Adds deltas to the records of their hour and their day. */
  add(deltas: readonly UsageDelta[]): Promise<void>
  /** Reads the records of a key whose span starts in [from, to), in order. */
  read(span: UsageSpan, keyId: string, from: number, to: number): Iterable<{ start: number; usage: UsageRecord }>
  /** When a key was last used, and its latest errors. */
  lastUse(keyId: string): KeyUse | undefined
  /** Deletes records past their retention. */
  prune(now: number): Promise<void>
}

/** The lengths of time that usage is recorded for. */
export const USAGE_SPANS = ['hour', 'day'] as const
export type UsageSpan = (typeof USAGE_SPANS)[number]

export const SPAN_SECONDS = { hour: 3_600, day: 86_400 } as const satisfies Record<UsageSpan, number>

/** Retention: hours for 35 days, days for 400. */
export const RETENTION_SECONDS = { hour: 35 * 86_400, day: 400 * 86_400 } as const satisfies Record<UsageSpan, number>

/** Errors stored for a key. */
const MAX_FAILURES = 50

/** Adds a delta to the last use of a key. */
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

/** Merges the deltas of a key within an hour into one. Only errors beyond `MAX_FAILURES` are lost. */
export function mergeDeltas(deltas: readonly UsageDelta[]): UsageDelta[] {
  const joined = new Map<string, UsageDelta>()
  for (const delta of deltas) {
    const key = `${delta.keyId}/${delta.at - (delta.at % SPAN_SECONDS.hour)}`
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

/** Adds up two records. */
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
