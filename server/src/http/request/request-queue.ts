import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
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

/**
 * Answers the pipelined requests of a connection one after the other. Node parses all requests of a packet at once and
 * calls its listener for each, so one packet could hold a worker for seconds, and the responses of a client that reads
 * nothing would pile up. Here a request starts when the kernel has taken the response before it, so a connection holds
 * one response at most. The first request beyond the limit gets an error and ends the connection; those behind it are
 * dropped. HTTP lets a client repeat them on another connection.
 */
export class RequestQueue {
  private readonly queues = new WeakMap<Socket, ConnectionQueue>()
  private readonly handle: RequestListener
  private readonly reject: RequestListener
  private readonly fairQueue: FairQueue

  constructor(handle: RequestListener, reject: RequestListener, fairQueue: FairQueue) {
    this.handle = handle
    this.reject = reject
    this.fairQueue = fairQueue
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
      this.reject(req, res)
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
    if (this.fairQueue.isExempt(req)) this.handle(req, res)
    else
      this.fairQueue.admit(req, (release) => {
        // The response is complete, although its client may not have read it.
        res.once('prefinish', release)
        res.once('close', release)
        if (req.socket.writable) this.handle(req, res)
        else release()
      })
  }
}

/** Takes a socket's input from Node's parser, which would make an object of every further request in it. */
function discardInput(socket: Socket): void {
  socket.removeAllListeners('data')
  socket.on('data', () => {})
}
