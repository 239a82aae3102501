import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { AdmissionQueue } from './admission-queue.ts'
import type { FairQueue } from './fair-queue.ts'

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
