import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { ApiRequest } from '../exchange/exchange.ts'
import type { AdmissionQueue } from './admission-queue.ts'

/** The most requests of a connection that are answered or waiting to be answered at the same time. */
export const MAX_PIPELINED_REQUESTS = 8

/** The requests of one connection. */
interface ConnectionQueue {
  /** Whether a request is being answered. */
  isRunning: boolean
  /** Whether a request was rejected, so that those behind it are dropped. */
  isClosed: boolean
  readonly waiting: [req: IncomingMessage, res: ServerResponse][]
  /** Called once when nothing runs or waits. */
  onIdle?: (() => void) | undefined
}

interface RequestQueueOptions {
  readonly handle: RequestListener
  /** Answers a request that is one too many of its connection. */
  readonly rejectPipelined: RequestListener
  readonly fairQueue: FairQueue
  /** Delays requests, or rejects them, while the process cannot keep up. */
  readonly admission: AdmissionQueue | undefined
  /** Answers a request when the process cannot keep up. */
  readonly rejectOverload: RequestListener
  /** Whether a request is a probe, which is answered before all others. */
  readonly isProbe: (req: IncomingMessage) => boolean
}

/**
 * Answers the pipelined requests of a connection one after the other. Node parses all requests of a packet at once and
 * calls its listener for each, so one packet could hold a worker for seconds, and the responses of a client that reads
 * nothing would pile up. Here a request starts when the kernel has taken the response before it, so a connection holds
 * one response at most. The first request beyond the limit gets an error and ends the connection; those behind it are
 * dropped. HTTP lets a client repeat them on another connection.
 */
export class RequestQueue {
  private readonly queues = new WeakMap<Socket, ConnectionQueue>()
  private readonly options: RequestQueueOptions

  constructor(options: RequestQueueOptions) {
    this.options = options
  }

  /** The listener for Node's server. */
  readonly listener: RequestListener = (req, res) => {
    const { socket } = req
    let queue = this.queues.get(socket)
    if (queue === undefined) {
      queue = { isRunning: false, isClosed: false, waiting: [] }
      this.queues.set(socket, queue)
    }
    if (queue.isClosed || !socket.writable) return
    if (!queue.isRunning) this.run(queue, req, res)
    else if (queue.waiting.length < MAX_PIPELINED_REQUESTS - 1) queue.waiting.push([req, res])
    else {
      queue.isClosed = true
      res.shouldKeepAlive = false
      // Node keeps the order: this response is sent after those of the waiting requests.
      this.options.rejectPipelined(req, res)
      discardInput(socket)
    }
  }

  /** Calls back when all requests that have arrived on a connection are answered; never if it closes before. */
  whenIdle(socket: Socket, callback: () => void): void {
    const queue = this.queues.get(socket)
    if (queue === undefined || !queue.isRunning) callback()
    else queue.onIdle = callback
  }

  private run(queue: ConnectionQueue, req: IncomingMessage, res: ServerResponse): void {
    queue.isRunning = true
    res.once('close', () => {
      queue.isRunning = false
      // Nobody would read the responses to the requests that wait.
      if (!req.socket.writable) queue.waiting.length = 0
      const next = queue.waiting.shift()
      if (next !== undefined) this.run(queue, ...next)
      else if (req.socket.writable) {
        queue.onIdle?.()
        queue.onIdle = undefined
      }
    })
    const { admission, rejectOverload, isProbe } = this.options
    if (admission === undefined || isProbe(req) || admission.isOpen()) this.start(req, res)
    else
      admission.enqueue({
        start: () => {
          if (req.socket.writable) this.start(req, res)
        },
        reject: () => {
          if (req.socket.writable) rejectOverload(req, res)
        },
      })
  }

  /** Handles a request when it is the turn of its network. */
  private start(req: IncomingMessage, res: ServerResponse): void {
    const { handle, fairQueue } = this.options
    if (fairQueue.isExempt(req)) {
      handle(req, res)
      return
    }
    fairQueue.admit(req, (release) => {
      // The response is complete, although its client may not have read it.
      res.once('prefinish', release)
      res.once('close', release)
      if (req.socket.writable) handle(req, res)
      else release()
    })
  }
}

/** Takes a socket's input from Node's parser, which would make an object of every further request in it. */
function discardInput(socket: Socket): void {
  socket.removeAllListeners('data')
  socket.on('data', () => {})
}

/** Requests without a key of one client network that are handled at the same time. */
const MAX_RUNNING = 2

/** Fewer requests that wait are those of ordinary visitors: a browser has six connections. */
const MIN_FLOOD = 8

/**
 * In a flood, which has one slot only, the slot rests for this many times as long as its request took: a flood has at most an
 * eighth of a worker, and the requests of others never wait for two of its pages.
 */
const REST_FACTOR = 7

/** Shorter rests are added up, longer ones are cut: a request that takes long mostly waits for something. */
const MIN_REST_MS = 2
const MAX_REST_MS = 200

/** A request that takes longer than this waits for something, so others of its network may start. */
const MAX_SLOT_MS = 250

interface FairQueueOptions {
  /** Whether a request has a key; its plan limits it instead. */
  readonly hasKey: (req: ApiRequest) => boolean
  /** The client network of a request. */
  readonly network: (req: ApiRequest) => string
}

/** Starts a request; `release` is to be called when its response is made. */
type StartRequest = (release: () => void) => void

/** The requests without a key of one client network. */
interface NetworkQueue {
  readonly network: string
  running: number
  readonly waiting: StartRequest[]
  /** Rest that is due, and too short for a timer. */
  restMs: number
}

/**
 * Shares a worker between client networks. Requests without a key of one network take turns in two slots; while many wait,
 * they have one slot, which rests after each request in proportion to the time that it took. So a flood delays its own
 * network, while the sockets of others are read in between. At most one request of a connection waits here.
 */
export class FairQueue {
  private readonly hasKey: FairQueueOptions['hasKey']
  private readonly network: FairQueueOptions['network']
  private readonly queues = new Map<string, NetworkQueue>()
  /** Queues with a slot that becomes free in the next turn of the event loop, once for each slot. */
  private released: NetworkQueue[] = []

  constructor({ hasKey, network }: FairQueueOptions) {
    this.hasKey = hasKey
    this.network = network
  }

  /** Whether a request need not wait for its turn. */
  isExempt(req: ApiRequest): boolean {
    return this.hasKey(req)
  }

  /** Starts a request now, or when it is the turn of its network. */
  admit(req: ApiRequest, start: StartRequest): void {
    const network = this.network(req)
    let queue = this.queues.get(network)
    if (queue === undefined) {
      queue = { network, running: 0, waiting: [], restMs: 0 }
      this.queues.set(network, queue)
    }
    if (queue.running < MAX_RUNNING) this.run(queue, start)
    else queue.waiting.push(start)
  }

  private run(queue: NetworkQueue, start: StartRequest): void {
    queue.running++
    const startedAt = performance.now()
    let timer: NodeJS.Timeout | undefined
    let isReleased = false
    const release = () => {
      if (isReleased) return
      isReleased = true
      clearTimeout(timer)
      this.rest(queue, REST_FACTOR * (performance.now() - startedAt))
    }
    start(release)
    if (!isReleased) timer = setTimeout(release, MAX_SLOT_MS)
  }

  /** Frees a slot after a rest, in the next turn of the event loop at the earliest. */
  private rest(queue: NetworkQueue, ms: number): void {
    queue.restMs = isFlood(queue) ? queue.restMs + ms : 0
    if (queue.restMs >= MIN_REST_MS) {
      setTimeout(() => this.freeSlot(queue), Math.min(queue.restMs, MAX_REST_MS))
      queue.restMs = 0
    } else {
      if (this.released.length === 0) setImmediate(this.freeReleased)
      this.released.push(queue)
    }
  }

  private readonly freeReleased = (): void => {
    const { released } = this
    this.released = []
    for (const queue of released) this.freeSlot(queue)
  }

  private freeSlot(queue: NetworkQueue): void {
    queue.running--
    while (queue.waiting.length > 0 && queue.running < (isFlood(queue) ? 1 : MAX_RUNNING)) {
      this.run(queue, queue.waiting.shift() as StartRequest)
    }
    if (queue.running === 0) this.queues.delete(queue.network)
  }
}

function isFlood({ waiting }: NetworkQueue): boolean {
  return waiting.length >= MIN_FLOOD
}
