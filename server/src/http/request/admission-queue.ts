import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { clientNetwork } from './client.ts'

/** A turn of the event loop handles requests for this long; then sockets are read. */
const SLICE_MS = 2

/** How long a request may wait in a burst. It can be an overload when the queue has not been empty for so long and does not shrink. */
const INTERVAL_MS = 250

/** A wait that is no overload, however long it lasts: some hundred clients that each wait for their answers make no longer one. */
const MIN_OVERLOAD_WAIT_MS = 200

/** How long a request may wait in an overload. */
const TARGET_MS = 15

/** An overload ends when no request had to be rejected for so long. */
const RECOVERY_MS = 2_000

/**
 * After so long an overload is left for a trial: clients that send again what was rejected look like one. Where it was one, the next
 * trial comes after twice the time.
 */
const FIRST_TRIAL_MS = 10_000
const MAX_TRIAL_MS = 160_000
/** Soon after an overload ended, in a trial or by itself, it goes on when a request has waited for so long. */
const MAX_TRIAL_WAIT_MS = 60

/** Fewer requests that wait begin no overload, whatever each of them takes: a worker that has just started is slow. */
const MIN_OVERLOAD = 32

/**
 * A turn accepts one connection, and others may wait behind it. Requests give way to connections for so long: otherwise their
 * first requests would wait unseen.
 */
const MAX_CONNECTING_MS = 20

/** So many rejections are sent in so long, however late the timer is: clients that retry at once wait for theirs, and cost little. */
const REJECTIONS_PER_MS = 4
const REJECTION_INTERVAL_MS = 25
/** No rejection waits for longer: clients that do not wait for answers would open more and more connections. */
const MAX_REJECTION_WAIT_MS = 250

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
 * before their parameters are parsed and their keys are looked up. If the queue has not been empty for an interval, does not
 * become shorter, and lets requests wait for long, the process cannot keep up: then the newest request is handled first, which
 * its client still waits for, and those that have waited for longer than the target are rejected. A burst is handled in order and
 * may wait for the interval, and so may what has piled up while the process was stopped for a moment. Probes of monitoring do not
 * wait here: they are answered between two slices.
 */
export class AdmissionQueue {
  private readonly clock: () => number
  /** The oldest first. */
  private readonly waiting: QueueEntry[] = []
  private sliceStartedAt: number | undefined
  private emptyAt: number
  /** The length of the queue half an interval ago or earlier, and at the last of these checks. */
  private lengthBefore = 0
  private lengthAtCheck = 0
  private checkedAt = Number.NEGATIVE_INFINITY
  private overloadedAt = Number.NEGATIVE_INFINITY
  /** When the overload began, and how long it lasts until a trial. */
  private overloadSince = Number.NEGATIVE_INFINITY
  private trialMs = FIRST_TRIAL_MS
  private isDraining = false
  /** Whether this turn has accepted a connection. */
  private hasConnected = false
  /** Since when requests give way to connections. */
  private connectingSince: number | undefined
  private readonly rejected: QueueEntry[] = []
  private rejections = 0
  /** When rejections were sent, or began to wait. */
  private rejectionsSentAt = 0

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

  /** To be called for each new connection. */
  readonly onConnection = (): void => {
    this.hasConnected = true
  }

  private readonly endSlice = (): void => {
    this.sliceStartedAt = undefined
  }

  /** Handles waiting requests for one slice. */
  private readonly drain = (): void => {
    const startedAt = this.clock()
    if (!this.givesWay(startedAt)) this.handleSlice(startedAt)
    this.isDraining = this.waiting.length > 0
    if (this.isDraining) setImmediate(this.drain)
  }

  /** Whether connections are accepted in this turn instead of handling requests. */
  private givesWay(now: number): boolean {
    if (this.hasConnected) this.connectingSince ??= now
    else this.connectingSince = undefined
    this.hasConnected = false
    if (this.connectingSince === undefined) return false
    if (now - this.connectingSince < MAX_CONNECTING_MS) return true
    this.connectingSince = undefined
    return false
  }

  private handleSlice(startedAt: number): void {
    const { waiting } = this
    for (let now = startedAt; waiting.length > 0 && now - startedAt < SLICE_MS; now = this.clock()) {
      const isOverload = this.isOverloaded(now)
      const [maxWaitMs, minLength] = isOverload ? [TARGET_MS, 2] : [INTERVAL_MS, MIN_OVERLOAD]
      while (waiting.length >= minLength && now - (waiting[0] as QueueEntry).since > maxWaitMs) {
        this.reject((waiting.shift() as QueueEntry).request, now)
        this.markOverload(now)
      }
      const next = (isOverload ? waiting.pop() : waiting.shift()) as QueueEntry
      next.request.start()
    }
  }

  private isOverloaded(now: number): boolean {
    const { length } = this.waiting
    const longestWaitMs = now - (this.waiting[0] as QueueEntry).since
    if (now - this.checkedAt >= INTERVAL_MS / 2) {
      this.checkedAt = now
      this.lengthBefore = this.lengthAtCheck
      this.lengthAtCheck = length
    }
    const isShrinking = length < this.lengthBefore
    const sinceEndMs = now - this.overloadEndsAt()
    const isTrial = sinceEndMs >= 0 && sinceEndMs < RECOVERY_MS
    const isLasting = isTrial
      ? longestWaitMs > MAX_TRIAL_WAIT_MS
      : longestWaitMs > MIN_OVERLOAD_WAIT_MS && now - this.emptyAt > INTERVAL_MS
    if (length >= MIN_OVERLOAD && isLasting && !isShrinking) this.markOverload(now)
    return now < this.overloadEndsAt()
  }

  /** When an overload ends, or has ended: by recovery or for a trial. */
  private overloadEndsAt(): number {
    return Math.min(this.overloadedAt + RECOVERY_MS, this.overloadSince + this.trialMs)
  }

  private markOverload(now: number): void {
    const endsAt = this.overloadEndsAt()
    if (now >= endsAt) {
      this.trialMs = now - endsAt < RECOVERY_MS ? Math.min(2 * this.trialMs, MAX_TRIAL_MS) : FIRST_TRIAL_MS
      this.overloadSince = now
    }
    this.overloadedAt = now
  }

  private reject(request: QueuedRequest, now: number): void {
    this.rejections++
    if (this.rejected.push({ request, since: now }) > 1) return
    this.rejectionsSentAt = now
    setTimeout(this.sendRejections, REJECTION_INTERVAL_MS)
  }

  private readonly sendRejections = (): void => {
    const { rejected } = this
    const now = this.clock()
    let count = Math.ceil(REJECTIONS_PER_MS * Math.max(REJECTION_INTERVAL_MS, now - this.rejectionsSentAt))
    while (count < rejected.length && now - (rejected[count] as QueueEntry).since > MAX_REJECTION_WAIT_MS) count++
    this.rejectionsSentAt = now
    for (const { request } of rejected.splice(0, count)) request.reject()
    if (rejected.length > 0) setTimeout(this.sendRejections, REJECTION_INTERVAL_MS)
  }
}

/** How many connections one client may have open. */
export interface ConnectionLimit {
  /** The most open connections of one client network to this process. */
  readonly maxPerNetwork: number
  /** Whether an address is that of a trusted proxy, which has the connections of many clients. */
  isTrustedProxy(address: string): boolean
}

/**
 * Bounds the open connections of a client network. A connection beyond the limit never reaches the server's own
 * listeners: `reject` answers and closes it.
 */
export function limitConnections(
  server: Server,
  { maxPerNetwork, isTrustedProxy }: ConnectionLimit,
  reject: (socket: Socket) => void,
): void {
  const open = new Map<string, number>()
  const listeners = server.listeners('connection') as ((socket: Socket) => void)[]
  server.removeAllListeners('connection')
  server.on('connection', (socket: Socket) => {
    const { remoteAddress = '' } = socket
    if (!isTrustedProxy(remoteAddress)) {
      const network = clientNetwork(remoteAddress)
      const count = open.get(network) ?? 0
      if (count >= maxPerNetwork) {
        reject(socket)
        return
      }
      open.set(network, count + 1)
      socket.once('close', () => {
        const left = (open.get(network) ?? 1) - 1
        if (left === 0) open.delete(network)
        else open.set(network, left)
      })
    }
    for (const listener of listeners) listener.call(server, socket)
  })
}
