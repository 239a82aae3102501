import type { Clock } from '../../lib/clock.ts'
import {
  type EndpointUsage,
  type Failure,
  type LatencyCounts,
  mergeDeltas,
  type UsageDelta,
  type UsageStore,
} from '../store/usage-store.ts'

/** The use of an endpoint by one key since the last flush. */
interface EndpointTally {
  readonly statuses: StatusCounter
  readonly latency: Uint32Array
}

interface KeyTally {
  readonly endpoints: Map<string, EndpointTally>
  readonly failures: Failure[]
  origin: string | undefined
}

/** Errors recorded for a key between two flushes; further ones are dropped. */
const MAX_FAILURES_PER_FLUSH = 20

/** Accumulates usage in memory and flushes it to the store once per interval, so that no request waits. */
export class UsageRecorder {
  private readonly store: UsageStore
  private readonly clock: Clock
  private readonly onError: (error: unknown) => void
  private tallies = new Map<string, KeyTally>()
  /** The tally of the last response, which the next response mostly belongs to as well. */
  private last: { readonly keyId: string; readonly endpoint: string; readonly tally: EndpointTally } | undefined
  private unflushed: UsageDelta[] = []
  private timer: NodeJS.Timeout | undefined
  private flushing: Promise<void> | undefined

  constructor(store: UsageStore, clock: Clock, onError: (error: unknown) => void = () => {}) {
    this.store = store
    this.clock = clock
    this.onError = onError
  }

  /** Records a response. */
  record(keyId: string, endpoint: string, status: number, ms: number, origin: string | undefined): void {
    const tally = this.endpointTally(keyId, endpoint)
    tally.statuses.add(status)
    ;(tally.latency[latencyBucket(ms)] as number)++
    if (origin !== undefined) this.keyTally(keyId).origin = origin
  }

  /** Records the error of a response that was recorded. */
  recordFailure(keyId: string, failure: Failure): void {
    const { failures } = this.keyTally(keyId)
    if (failures.length < MAX_FAILURES_PER_FLUSH) failures.push(failure)
  }

  /** Flushes to the store. What cannot be flushed is kept for the next time. */
  flush(): Promise<void> {
    this.flushing ??= this.writeDeltas().finally(() => {
      this.flushing = undefined
    })
    return this.flushing
  }

  /** Starts to flush once per interval. */
  start(intervalMs = 1000): void {
    this.timer ??= setInterval(() => this.flush().catch(this.onError), intervalMs).unref()
  }

  /** Flushes a last time and stops. */
  async stop(): Promise<void> {
    clearInterval(this.timer)
    this.timer = undefined
    await this.flushing?.catch(() => {})
    await this.flush()
  }

  private async writeDeltas(): Promise<void> {
    const at = this.clock()
    const recorded = [...this.tallies].map(([keyId, tally]) => toDelta(keyId, at, tally))
    this.tallies = new Map()
    this.last = undefined
    const deltas = [...this.unflushed, ...recorded]
    this.unflushed = []
    try {
      await this.store.add(deltas)
    } catch (error) {
      // Merged, so that memory does not grow with the length of an outage.
      this.unflushed = mergeDeltas(deltas)
      throw error
    }
  }

  private endpointTally(keyId: string, endpoint: string): EndpointTally {
    const { last } = this
    if (last !== undefined && last.keyId === keyId && last.endpoint === endpoint) return last.tally
    const { endpoints } = this.keyTally(keyId)
    let tally = endpoints.get(endpoint)
    if (tally === undefined) {
      tally = { statuses: new StatusCounter(), latency: new Uint32Array(LATENCY_BUCKETS) }
      endpoints.set(endpoint, tally)
    }
    this.last = { keyId, endpoint, tally }
    return tally
  }

  private keyTally(keyId: string): KeyTally {
    let tally = this.tallies.get(keyId)
    if (tally === undefined) {
      tally = { endpoints: new Map(), failures: [], origin: undefined }
      this.tallies.set(keyId, tally)
    }
    return tally
  }
}

function toDelta(keyId: string, at: number, { endpoints, failures, origin }: KeyTally): UsageDelta {
  const usage: Record<string, EndpointUsage> = {}
  for (const [endpoint, { statuses, latency }] of endpoints) {
    const counts: Record<number, number> = {}
    latency.forEach((count, bucket) => {
      if (count > 0) counts[bucket] = count
    })
    usage[endpoint] = { statuses: Object.fromEntries(statuses.entries()), latency: counts }
  }
  return { keyId, at, ...(origin !== undefined && { origin }), usage, failures }
}

const MIN_BUCKET_MS = 0.05
const BUCKETS_PER_OCTAVE = 2
const LAST_BUCKET = 41

/** The bucket of a latency. */
export function latencyBucket(ms: number): number {
  if (ms <= MIN_BUCKET_MS) return 0
  return Math.min(LAST_BUCKET, Math.ceil(Math.log2(ms / MIN_BUCKET_MS) * BUCKETS_PER_OCTAVE))
}

/** The number of buckets. */
const LATENCY_BUCKETS = LAST_BUCKET + 1

/** The upper bound of a bucket in milliseconds. */
export function bucketUpperBound(bucket: number): number {
  return MIN_BUCKET_MS * 2 ** (bucket / BUCKETS_PER_OCTAVE)
}

/** The percentile of a histogram in milliseconds, `share` being 0 to 1; undefined if it is empty. */
export function percentile(counts: LatencyCounts, share: number): number | undefined {
  const buckets = Object.keys(counts)
    .map(Number)
    .sort((a, b) => a - b)
  const total = buckets.reduce((sum, bucket) => sum + (counts[bucket] as number), 0)
  let remaining = total * share
  for (const bucket of buckets) {
    const count = counts[bucket] as number
    if (remaining <= count) return round(interpolate(bucket, remaining / count))
    remaining -= count
  }
  const last = buckets.at(-1)
  return last === undefined ? undefined : round(bucketUpperBound(last))
}

/** Interpolates geometrically within a bucket. */
function interpolate(bucket: number, share: number): number {
  const from = bucket === 0 ? MIN_BUCKET_MS / 2 : bucketUpperBound(bucket - 1)
  return from * (bucketUpperBound(bucket) / from) ** share
}

function round(ms: number): number {
  return Number(ms.toPrecision(3))
}

/**
 * Counts responses by status. There are few statuses, and nearly all responses have one of the first two, so a linear
 * search in arrays is faster than a map.
 */
export class StatusCounter {
  private readonly statuses: number[] = []
  private readonly counts: number[] = []

  /** Counts one response. */
  add(status: number): void {
    let at = 0
    while (at < this.statuses.length && this.statuses[at] !== status) at++
    if (at === this.statuses.length) {
      this.statuses.push(status)
      this.counts.push(0)
    }
    ;(this.counts[at] as number)++
  }

  /** Each status with its count. */
  entries(): [number, number][] {
    return this.statuses.map((status, at) => [status, this.counts[at] as number])
  }
}
