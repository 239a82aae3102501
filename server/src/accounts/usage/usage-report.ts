import {
  addUsageRecords,
  type Failure,
  type LatencyCounts,
  SPAN_SECONDS,
  type UsageRecord,
  type UsageSpan,
  type UsageStore,
} from '../store/usage-store.ts'
import { percentile } from './counters.ts'

/** Which keys and which period a report covers. */
interface UsageQuery {
  readonly keyIds: readonly string[]
  readonly span: UsageSpan
  readonly from: number
  readonly to: number
}

/** The usage of some keys, as commands and the web pages show it. */
export interface UsageReport {
  readonly span: UsageSpan
  readonly from: number
  readonly to: number
  readonly requests: number
  /** Every span from the first to the last, empty ones included. */
  readonly spans: readonly { readonly start: number; readonly requests: number; readonly statuses: StatusTotals }[]
  readonly endpoints: readonly EndpointReport[]
  /** The latest errors, newest first. */
  readonly failures: readonly (Failure & { readonly keyId: string })[]
}

type StatusTotals = Readonly<Record<string, number>>

interface EndpointReport {
  readonly endpoint: string
  readonly requests: number
  readonly statuses: StatusTotals
  /** Percentiles in milliseconds. */
  readonly latency: { readonly p50: number; readonly p95: number; readonly p99: number }
}

const MAX_FAILURES = 50

/** Builds the usage report of some keys. */
export function buildUsageReport(store: UsageStore, { keyIds, span, from, to }: UsageQuery): UsageReport {
  const seconds = SPAN_SECONDS[span]
  const first = from - (from % seconds)
  const bySpan = new Map<number, UsageRecord>()
  for (const keyId of keyIds) {
    for (const { start, usage } of store.read(span, keyId, first, to)) {
      bySpan.set(start, addUsageRecords(bySpan.get(start) ?? {}, usage))
    }
  }
  const spans = []
  let all: UsageRecord = {}
  for (let start = first; start < to; start += seconds) {
    const usage = bySpan.get(start) ?? {}
    const statuses = addStatuses(Object.values(usage))
    spans.push({ start, requests: sum(statuses), statuses })
    all = addUsageRecords(all, usage)
  }
  const endpoints = Object.entries(all)
    .map(([endpoint, { statuses, latency }]) => ({
      endpoint,
      requests: sum(statuses),
      statuses,
      latency: percentiles(latency),
    }))
    .sort((a, b) => b.requests - a.requests || (a.endpoint < b.endpoint ? -1 : 1))
  const failures = keyIds
    .flatMap((keyId) => (store.lastUse(keyId)?.failures ?? []).map((failure) => ({ keyId, ...failure })))
    .filter(({ at }) => at >= from && at < to)
    .sort((a, b) => b.at - a.at)
    .slice(0, MAX_FAILURES)
  return {
    span,
    from: first,
    to,
    requests: endpoints.reduce((n, one) => n + one.requests, 0),
    spans,
    endpoints,
    failures,
  }
}

function addStatuses(usages: readonly { readonly statuses: StatusTotals }[]): StatusTotals {
  const counts: Record<string, number> = {}
  for (const { statuses } of usages) {
    for (const [status, count] of Object.entries(statuses)) counts[status] = (counts[status] ?? 0) + count
  }
  return counts
}

function percentiles(counts: LatencyCounts): EndpointReport['latency'] {
  const at = (part: number) => percentile(counts, part) ?? 0
  return { p50: at(0.5), p95: at(0.95), p99: at(0.99) }
}

function sum(counts: StatusTotals): number {
  return Object.values(counts).reduce((total, count) => total + count, 0)
}
