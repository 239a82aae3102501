/**
 * Latencies counted in steps that grow by half an octave, from 50 µs to about a minute: as exact at a millisecond as at
 * a second, and small enough to be kept for every hour.
 */
export type LatencyCounts = Readonly<Record<number, number>>

const MIN_BUCKET_MS = 0.05
const BUCKETS_PER_OCTAVE = 2
const LAST_BUCKET = 41

/** The step that a latency falls into. */
export function latencyBucket(ms: number): number {
  if (ms <= MIN_BUCKET_MS) return 0
  return Math.min(LAST_BUCKET, Math.ceil(Math.log2(ms / MIN_BUCKET_MS) * BUCKETS_PER_OCTAVE))
}

/** How many steps there are. */
export const LATENCY_BUCKETS = LAST_BUCKET + 1

/** The longest latency, in milliseconds, that falls into a step. */
export function bucketUpperBound(step: number): number {
  return MIN_BUCKET_MS * 2 ** (step / BUCKETS_PER_OCTAVE)
}

/** The latency, in milliseconds, that the given part of all requests stayed within; undefined where there were none. */
export function percentile(counts: LatencyCounts, part: number): number | undefined {
  const steps = Object.keys(counts)
    .map(Number)
    .sort((a, b) => a - b)
  const total = steps.reduce((sum, step) => sum + (counts[step] as number), 0)
  let left = total * part
  for (const step of steps) {
    const count = counts[step] as number
    if (left <= count) return round(interpolate(step, left / count))
    left -= count
  }
  const last = steps.at(-1)
  return last === undefined ? undefined : round(bucketUpperBound(last))
}

/** A latency inside a step, as far into it as the given part. */
function interpolate(step: number, part: number): number {
  const from = step === 0 ? MIN_BUCKET_MS / 2 : bucketUpperBound(step - 1)
  return from * (bucketUpperBound(step) / from) ** part
}

function round(ms: number): number {
  return Number(ms.toPrecision(3))
}

/**
 * QueryEngine counted by status. There are few statuses, and nearly all answers have the first or the second of them, so they
 * are looked through: a map would take longer.
 */
export class StatusCounter {
  private readonly statuses: number[] = []
  private readonly counts: number[] = []

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
