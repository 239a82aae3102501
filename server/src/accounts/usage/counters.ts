import type { LatencyCounts } from '../store/usage-store.ts'

const MIN_BUCKET_MS = 0.05
const BUCKETS_PER_OCTAVE = 2
const LAST_BUCKET = 41

/** The bucket of a latency. */
export function latencyBucket(ms: number): number {
  if (ms <= MIN_BUCKET_MS) return 0
  return Math.min(LAST_BUCKET, Math.ceil(Math.log2(ms / MIN_BUCKET_MS) * BUCKETS_PER_OCTAVE))
}

/** The number of buckets. */
export const LATENCY_BUCKETS = LAST_BUCKET + 1

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
