import type { Clock } from '../../lib/clock.ts'
import { LATENCY_BUCKETS, latencyBucket, StatusCounter } from './counters.ts'
import { type EndpointUsage, type Failure, mergeDeltas, type UsageDelta, type UsageStore } from './usage-store.ts'

/** What an endpoint was asked by one key since the last time that it was written down. */
interface EndpointTally {
  readonly statuses: StatusCounter
  readonly latency: Uint32Array
}

interface KeyTally {
  readonly endpoints: Map<string, EndpointTally>
  readonly failures: Failure[]
  origin: string | undefined
}

/** Errors of a key that are noted within a second; more of them would be more of the same. */
const MAX_FAILURES_PER_FLUSH = 20

/** Gathers in memory what keys do, and writes it into the book about once a second, so that no request waits for it. */
export class UsageRecorder {
  private readonly store: UsageStore
  private readonly clock: Clock
  private readonly onError: (error: unknown) => void
  private tallies = new Map<string, KeyTally>()
  /** Where the last answer was counted: mostly the next one belongs there, too. */
  private last: { readonly keyId: string; readonly endpoint: string; readonly tally: EndpointTally } | undefined
  private unflushed: UsageDelta[] = []
  private timer: NodeJS.Timeout | undefined
  private flushing: Promise<void> | undefined

  constructor(book: UsageStore, clock: Clock, onError: (error: unknown) => void = () => {}) {
    this.store = book
    this.clock = clock
    this.onError = onError
  }

  /** Notes an answer. */
  record(keyId: string, endpoint: string, status: number, ms: number, origin: string | undefined): void {
    const tally = this.endpointTally(keyId, endpoint)
    tally.statuses.add(status)
    ;(tally.latency[latencyBucket(ms)] as number)++
    if (origin !== undefined) this.keyTally(keyId).origin = origin
  }

  /** Notes what went wrong with an answer that was recorded. */
  recordFailure(keyId: string, failure: Failure): void {
    const { failures } = this.keyTally(keyId)
    if (failures.length < MAX_FAILURES_PER_FLUSH) failures.push(failure)
  }

  /** Writes down what was gathered; what cannot be written is kept for the next time. */
  flush(): Promise<void> {
    this.flushing ??= this.write().finally(() => {
      this.flushing = undefined
    })
    return this.flushing
  }

  /** Writes about once a second from now on. */
  start(intervalMs = 1000): void {
    this.timer ??= setInterval(() => this.flush().catch(this.onError), intervalMs).unref()
  }

  /** Writes a last time and ends. */
  async stop(): Promise<void> {
    clearInterval(this.timer)
    this.timer = undefined
    await this.flushing?.catch(() => {})
    await this.flush()
  }

  private async write(): Promise<void> {
    const at = this.clock()
    const gathered = [...this.tallies].map(([keyId, tally]) => toDelta(keyId, at, tally))
    this.tallies = new Map()
    this.last = undefined
    const deltas = [...this.unflushed, ...gathered]
    this.unflushed = []
    try {
      await this.store.add(deltas)
    } catch (error) {
      // However long the book is away, they do not grow by the second.
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
    latency.forEach((count, step) => {
      if (count > 0) counts[step] = count
    })
    usage[endpoint] = { statuses: Object.fromEntries(statuses.entries()), latency: counts }
  }
  return { keyId, at, ...(origin !== undefined && { origin }), usage, failures }
}
