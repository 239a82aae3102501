import type { Clock } from '../lib/clock.ts'
import { LATENCY_STEPS, latencyStep } from './latency-histogram.ts'
import { StatusCounts } from './status-counts.ts'
import { type EndpointUsage, type Failure, joinDeltas, type UsageBook, type UsageDelta } from './usage-book.ts'

/** What an endpoint was asked by one key since the last time that it was written down. */
interface EndpointTally {
  readonly statuses: StatusCounts
  readonly latency: Uint32Array
}

interface KeyTally {
  readonly endpoints: Map<string, EndpointTally>
  readonly failures: Failure[]
  origin: string | undefined
}

/** Errors of a key that are noted within a second; more of them would be more of the same. */
const MOST_FAILURES = 20

/** Gathers in memory what keys do, and writes it into the book about once a second, so that no request waits for it. */
export class UsageRecorder {
  private readonly book: UsageBook
  private readonly clock: Clock
  private readonly onError: (error: unknown) => void
  private tallies = new Map<string, KeyTally>()
  /** Where the last answer was counted: mostly the next one belongs there, too. */
  private last: { readonly keyId: string; readonly endpoint: string; readonly tally: EndpointTally } | undefined
  private unwritten: UsageDelta[] = []
  private timer: NodeJS.Timeout | undefined
  private writing: Promise<void> | undefined

  constructor(book: UsageBook, clock: Clock, onError: (error: unknown) => void = () => {}) {
    this.book = book
    this.clock = clock
    this.onError = onError
  }

  /** Notes an answer. */
  record(keyId: string, endpoint: string, status: number, ms: number, origin: string | undefined): void {
    const tally = this.endpointTallyOf(keyId, endpoint)
    tally.statuses.add(status)
    ;(tally.latency[latencyStep(ms)] as number)++
    if (origin !== undefined) this.tallyOf(keyId).origin = origin
  }

  /** Notes what went wrong with an answer that was recorded. */
  recordFailure(keyId: string, failure: Failure): void {
    const { failures } = this.tallyOf(keyId)
    if (failures.length < MOST_FAILURES) failures.push(failure)
  }

  /** Writes down what was gathered; what cannot be written is kept for the next time. */
  flush(): Promise<void> {
    this.writing ??= this.write().finally(() => {
      this.writing = undefined
    })
    return this.writing
  }

  /** Writes about once a second from now on. */
  start(intervalMs = 1000): void {
    this.timer ??= setInterval(() => this.flush().catch(this.onError), intervalMs).unref()
  }

  /** Writes a last time and ends. */
  async stop(): Promise<void> {
    clearInterval(this.timer)
    this.timer = undefined
    await this.writing?.catch(() => {})
    await this.flush()
  }

  private async write(): Promise<void> {
    const at = this.clock()
    const gathered = [...this.tallies].map(([keyId, tally]) => deltaOf(keyId, at, tally))
    this.tallies = new Map()
    this.last = undefined
    const deltas = [...this.unwritten, ...gathered]
    this.unwritten = []
    try {
      await this.book.add(deltas)
    } catch (error) {
      // However long the book is away, they do not grow by the second.
      this.unwritten = joinDeltas(deltas)
      throw error
    }
  }

  private endpointTallyOf(keyId: string, endpoint: string): EndpointTally {
    const { last } = this
    if (last !== undefined && last.keyId === keyId && last.endpoint === endpoint) return last.tally
    const { endpoints } = this.tallyOf(keyId)
    let tally = endpoints.get(endpoint)
    if (tally === undefined) {
      tally = { statuses: new StatusCounts(), latency: new Uint32Array(LATENCY_STEPS) }
      endpoints.set(endpoint, tally)
    }
    this.last = { keyId, endpoint, tally }
    return tally
  }

  private tallyOf(keyId: string): KeyTally {
    let tally = this.tallies.get(keyId)
    if (tally === undefined) {
      tally = { endpoints: new Map(), failures: [], origin: undefined }
      this.tallies.set(keyId, tally)
    }
    return tally
  }
}

function deltaOf(keyId: string, at: number, { endpoints, failures, origin }: KeyTally): UsageDelta {
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
