import {
  addUsageRecords,
  type Failure,
  type LatencyCounts,
  SPAN_SECONDS,
  type UsageRecord,
  type UsageSpan,
  type UsageStore,
} from '../store/usage-store.ts'
import { percentile } from './usage-recorder.ts'

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

/** A request of an account, as its dashboard lists it. */
export interface RequestEntry {
  readonly at: number
  /** Path and query string, cut if they are long. */
  readonly url: string
  readonly status: number
  readonly ms: number
  readonly requestId: string
  readonly keyId: string
}

/** Requests of one account since the last flush, oldest first. */
export interface RequestBatch {
  readonly accountId: string
  readonly entries: readonly RequestEntry[]
}

/** The requests that are kept of an account. */
export const MAX_LOGGED_REQUESTS = 100

/** Of this many accounts, those that sent requests last: about 15 MB. */
const MAX_ACCOUNTS = 500

const MAX_URL_LENGTH = 300

/** The latest requests of accounts, in memory only: the least recently active account is evicted. */
export class RequestHistory {
  private readonly accounts = new Map<string, readonly RequestEntry[]>()

  /** Adds requests that a process has counted. */
  add(batches: readonly RequestBatch[]): void {
    for (const { accountId, entries } of batches) {
      const known = this.accounts.get(accountId) ?? []
      // Processes flush at different times.
      const merged = [...known, ...entries].sort((a, b) => a.at - b.at).slice(-MAX_LOGGED_REQUESTS)
      this.accounts.delete(accountId)
      this.accounts.set(accountId, merged)
    }
    for (const accountId of this.accounts.keys()) {
      if (this.accounts.size <= MAX_ACCOUNTS) break
      this.accounts.delete(accountId)
    }
  }

  /** The latest requests of an account, newest first. */
  list(accountId: string): RequestEntry[] {
    return [...(this.accounts.get(accountId) ?? [])].reverse()
  }
}

/** Collects the requests of a process and flushes them once per interval. Nothing is lost but what no list would show. */
export class RequestBuffer {
  private readonly send: (batches: readonly RequestBatch[]) => Promise<void>
  private buffered = new Map<string, RequestEntry[]>()
  private timer: NodeJS.Timeout | undefined

  constructor(send: (batches: readonly RequestBatch[]) => Promise<void>) {
    this.send = send
  }

  record(accountId: string, entry: RequestEntry): void {
    let entries = this.buffered.get(accountId)
    if (entries === undefined) {
      if (this.buffered.size >= MAX_ACCOUNTS) return
      entries = []
      this.buffered.set(accountId, entries)
    }
    if (entries.length >= MAX_LOGGED_REQUESTS) entries.shift()
    entries.push(
      entry.url.length > MAX_URL_LENGTH ? { ...entry, url: `${entry.url.slice(0, MAX_URL_LENGTH)}…` } : entry,
    )
  }

  async flush(): Promise<void> {
    if (this.buffered.size === 0) return
    const batches = Array.from(this.buffered, ([accountId, entries]) => ({ accountId, entries }))
    this.buffered = new Map()
    await this.send(batches)
  }

  /** Starts to flush once per interval. What cannot be sent is dropped: it is a help, not a record. */
  start(intervalMs = 1000): void {
    this.timer ??= setInterval(() => this.flush().catch(() => {}), intervalMs).unref()
  }

  stop(): void {
    clearInterval(this.timer)
  }
}
