import type { Socket } from 'node:net'
import type { ApiRequest, ApiResponse } from '../exchange/exchange.ts'
import type { HeaderBlock } from '../exchange/headers.ts'
import type { AdmissionQueue } from '../request/admission-queue.ts'
import type { FairQueue } from '../request/fair-queue.ts'
import { MAX_PIPELINED_REQUESTS } from '../request/request-queue.ts'
import { FastPathRequestParser } from './request-parser.ts'
import { FastPathResponse } from './response.ts'

/** What a connection needs from the fast path. */
export interface FastPathHandler {
  /** Handles a request; returns false if the URL is not one of an endpoint. */
  handle(request: ApiRequest, response: ApiResponse): boolean
  /** Whether connections should be closed; only Node's server sends `Connection: close`. */
  isClosing(): boolean
  /** The headers that every response ends with. */
  finalHeaders(): HeaderBlock
  /** Gives the connection, with all unread bytes, to Node's server. */
  handToNode(socket: Socket): void
  /** Delays requests, or rejects them, while the process cannot keep up. */
  readonly admission: AdmissionQueue | undefined
  /** Whether a request is a probe, which waits for nothing. */
  isProbe(request: ApiRequest): boolean
  /** Delays requests without a key while others of their network are handled. */
  readonly fairQueue: FairQueue
  /** Sends the error for a process that cannot keep up. */
  rejectOverload(request: ApiRequest, response: ApiResponse): void
}

/** How long a connection may be idle: before its first request, after each response, and within one. */
export interface Timeouts {
  readonly firstRequestMs: number
  readonly keepAliveMs: number
  /** How long the client may take nothing of a response. */
  readonly writeMs: number
}

const HEADERS_END = '\r\n\r\n'

/**
 * A connection on the fast path. It parses and handles simple requests without the objects that Node creates for each.
 * With the first request of another kind it goes to Node's server and stays there.
 */
export class FastPathConnection {
  private readonly socket: Socket
  private readonly handler: FastPathHandler
  private readonly timeouts: Timeouts
  private readonly parser = new FastPathRequestParser()
  private readonly response: FastPathResponse
  /** Bytes that arrived before the last response was finished. */
  private pendingData: Buffer | undefined
  private hasEnded = false
  /** Whether a request waits for the turn of its network. */
  private isWaiting = false

  constructor(socket: Socket, handler: FastPathHandler, timeouts: Timeouts) {
    this.socket = socket
    this.handler = handler
    this.timeouts = timeouts
    this.response = new FastPathResponse(socket, handler.finalHeaders, this.onResponseFinished)
    socket.setTimeout(timeouts.firstRequestMs)
    socket.on('timeout', this.destroy)
    socket.on('error', this.destroy)
    socket.on('end', this.onEnd)
    socket.on('data', this.onData)
  }

  /** Closes the connection, after the response in progress. */
  close(): void {
    if (this.response.isBusy || this.isWaiting) this.hasEnded = true
    else this.socket.destroy()
  }

  private readonly onData = (data: Buffer): void => {
    if (this.response.isBusy || this.isWaiting) {
      this.pendingData = this.pendingData === undefined ? data : Buffer.concat([this.pendingData, data])
      this.socket.pause()
      return
    }
    const { handler, socket } = this
    const parsed = handler.isClosing() ? undefined : this.parser.parse(data)
    if (parsed === undefined) {
      this.handToNode(data)
      return
    }
    const { url, headers } = parsed
    const request: ApiRequest = { method: 'GET', url, headers, httpVersionMajor: 1, httpVersionMinor: 1, socket }
    const { admission } = handler
    if (admission === undefined || admission.isOpen()) this.dispatch(request, data)
    else if (handler.isProbe(request)) this.handToNode(data)
    else this.enqueue(request, data, admission)
  }

  private dispatch(request: ApiRequest, data: Buffer): void {
    if (this.handler.fairQueue.isExempt(request)) this.serve(request, data)
    else this.serveInTurn(request, data)
  }

  /** Handles or rejects a request when the process gets to it. Meanwhile nothing more is read. */
  private enqueue(request: ApiRequest, data: Buffer, admission: AdmissionQueue): void {
    const { socket, handler, response } = this
    this.isWaiting = true
    socket.pause()
    const proceed = (work: () => void) => {
      this.isWaiting = false
      if (!socket.writable) return
      work()
      if (!this.isWaiting) socket.resume()
    }
    admission.enqueue({
      start: () => proceed(() => this.dispatch(request, data)),
      reject: () => proceed(() => handler.rejectOverload(request, response.reset())),
    })
  }

  private serve(request: ApiRequest, data: Buffer): void {
    const { handler, response, socket, pendingData } = this
    if (handler.handle(request, response.reset())) {
      if (response.isBusy) socket.setTimeout(this.timeouts.writeMs)
      return
    }
    response.isBusy = false
    this.pendingData = undefined
    this.handToNode(pendingData === undefined ? data : Buffer.concat([data, pendingData]))
  }

  /** Serves a request without a key when it is the turn of its network. Meanwhile nothing more is read. */
  private serveInTurn(request: ApiRequest, data: Buffer): void {
    const { socket } = this
    this.isWaiting = true
    this.handler.fairQueue.admit(request, (release) => {
      const hasWaited = socket.isPaused()
      this.isWaiting = false
      if (socket.writable) {
        this.serve(request, data)
        if (hasWaited) socket.resume()
      }
      release()
    })
    if (this.isWaiting) socket.pause()
  }

  private readonly onResponseFinished = (): void => {
    if (this.socket.timeout !== this.timeouts.keepAliveMs) this.socket.setTimeout(this.timeouts.keepAliveMs)
    if (this.pendingData !== undefined) process.nextTick(this.resume)
    else if (this.hasEnded) this.socket.end()
  }

  private readonly resume = (): void => {
    const data = this.pendingData
    this.pendingData = undefined
    if (data === undefined || this.socket.destroyed) return
    this.socket.resume()
    this.onData(data)
  }

  private readonly onEnd = (): void => {
    this.hasEnded = true
    if (!this.response.isBusy && !this.isWaiting) this.socket.end()
  }

  private readonly destroy = (): void => {
    this.socket.destroy()
  }

  private handToNode(data: Buffer): void {
    const { socket } = this
    socket.pause()
    socket.setTimeout(0)
    socket.off('timeout', this.destroy)
    socket.off('error', this.destroy)
    socket.off('end', this.onEnd)
    socket.off('data', this.onData)
    const end = findPipelineEnd(data)
    if (end < data.length) socket.unshift(data.subarray(end))
    socket.unshift(data.subarray(0, end))
    this.handler.handToNode(socket)
    socket.resume()
  }
}

/**
 * Where the first request ends that is one too many, as far as can be told without parsing. Node's parser gets the rest
 * apart: one packet may hold thousands of requests, and within a piece the parser cannot be stopped.
 */
function findPipelineEnd(data: Buffer): number {
  let end = 0
  for (let requests = 0; requests <= MAX_PIPELINED_REQUESTS; requests++) {
    const found = data.indexOf(HEADERS_END, end)
    if (found < 0) return data.length
    end = found + HEADERS_END.length
  }
  return end
}
