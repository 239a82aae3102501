/**
 * A turn of the event loop handles requests for this long; then sockets are read. It is short because a worker takes one new
 * connection from the primary in a turn.
 */
const SLICE_MS = 5

/** How long a request may wait in a burst, and while the queue has not been empty for so long. */
const INTERVAL_MS = 500
const TARGET_MS = 100

/** Fewer requests that wait are no overload, whatever each of them takes: a worker that has just started is slow. */
const MIN_OVERLOAD = 16

/** A rejection is sent this late, so that clients that retry at once cost little. */
const REJECTION_DELAY_MS = 500

/** A request that waits to be handled. */
interface QueuedRequest {
  readonly start: () => void
  /** Sends 503. */
  readonly reject: () => void
}

/** A request, and since when it waits. */
interface QueueEntry {
  readonly request: QueuedRequest
  readonly since: number
}

/**
 * Sheds load by waiting time, as CoDel does. Requests that a turn of the event loop cannot handle within its slice wait here,
 * before their parameters are parsed and their keys are looked up. If the queue has not been empty for an interval, the process
 * cannot keep up, and requests that have waited for longer than the target are rejected. A burst may wait for the interval.
 * Probes of monitoring do not wait here: they are answered between two slices.
 */
export class AdmissionQueue {
  private readonly clock: () => number
  private readonly waiting: QueueEntry[] = []
  private sliceStartedAt: number | undefined
  private emptyAt: number
  private isDraining = false
  private rejections = 0

  /** @param clock in milliseconds */
  constructor(clock: () => number = () => performance.now()) {
    this.clock = clock
    this.emptyAt = clock()
  }

  /** The requests that were rejected so far, and those that wait. */
  stats(): { readonly rejected: number; readonly waiting: number } {
    return { rejected: this.rejections, waiting: this.waiting.length }
  }

  /** Whether a request can be handled at once: none waits, and this turn's slice is not used up. */
  isOpen(): boolean {
    if (this.waiting.length > 0) return false
    if (this.sliceStartedAt === undefined) {
      this.sliceStartedAt = this.clock()
      setImmediate(this.endSlice)
      return true
    }
    return this.clock() - this.sliceStartedAt < SLICE_MS
  }

  /** Handles a request in its turn, or rejects it. To be called when the queue is not open. */
  enqueue(request: QueuedRequest): void {
    const now = this.clock()
    if (this.waiting.length === 0) this.emptyAt = now
    this.waiting.push({ request, since: now })
    if (this.isDraining) return
    this.isDraining = true
    setImmediate(this.drain)
  }

  private readonly endSlice = (): void => {
    this.sliceStartedAt = undefined
  }

  /** Handles waiting requests for one slice. */
  private readonly drain = (): void => {
    const startedAt = this.clock()
    const rejected: QueuedRequest[] = []
    for (let now = startedAt; this.waiting.length > 0 && now - startedAt < SLICE_MS; now = this.clock()) {
      const { request, since } = this.waiting.shift() as QueueEntry
      const maxWaitMs = now - this.emptyAt > INTERVAL_MS ? TARGET_MS : INTERVAL_MS
      if (this.waiting.length >= MIN_OVERLOAD && now - since > maxWaitMs) rejected.push(request)
      else request.start()
    }
    if (rejected.length > 0) this.rejectLater(rejected)
    this.isDraining = this.waiting.length > 0
    if (this.isDraining) setImmediate(this.drain)
  }

  private rejectLater(requests: readonly QueuedRequest[]): void {
    this.rejections += requests.length
    setTimeout(() => {
      for (const request of requests) request.reject()
    }, REJECTION_DELAY_MS)
  }
}
