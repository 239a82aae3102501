import type { Socket } from 'node:net'
import type { ApiRequest, ApiResponse } from '../exchange/exchange.ts'
import type { HeaderBlock } from '../exchange/headers.ts'
import type { AdmissionQueue } from '../request/admission-queue.ts'
import { type FairQueue, MAX_PIPELINED_REQUESTS } from '../request/request-queue.ts'
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
  /** Whether a request waits for admission, or for the turn of its network. */
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
    const { admission } = this.handler
    if (admission === undefined || admission.isOpen()) this.process(data)
    else if (mayBeProbe(data)) this.enqueueUnlessProbe(data, admission)
    else this.enqueue(data, admission)
  }

  private process(data: Buffer): void {
    const request = this.parse(data)
    if (request === undefined) this.handToNode(this.takeData(data))
    else this.dispatch(request, data)
  }

  /** Parses a simple request; undefined for anything else. */
  private parse(data: Buffer): ApiRequest | undefined {
    const parsed = this.handler.isClosing() ? undefined : this.parser.parse(data)
    if (parsed === undefined) return undefined
    const { url, headers } = parsed
    return { method: 'GET', url, headers, httpVersionMajor: 1, httpVersionMinor: 1, socket: this.socket }
  }

  private dispatch(request: ApiRequest, data: Buffer): void {
    if (this.handler.fairQueue.isExempt(request)) this.serve(request, data)
    else this.serveInTurn(request, data)
  }

  private enqueueUnlessProbe(data: Buffer, admission: AdmissionQueue): void {
    const request = this.parse(data)
    if (request === undefined || this.handler.isProbe(request)) this.handToNode(data)
    else this.enqueue(data, admission)
  }

  /**
   * Handles or rejects a request when the process gets to it. It is parsed only then: while the process cannot keep up, what is done
   * for each request that arrives delays all others.
   */
  private enqueue(data: Buffer, admission: AdmissionQueue): void {
    this.isWaiting = true
    admission.enqueue({
      start: () => {
        this.isWaiting = false
        if (this.socket.writable) this.process(data)
      },
      reject: () => {
        this.isWaiting = false
        if (this.socket.writable) this.reject(data)
      },
    })
  }

  private reject(data: Buffer): void {
    const request = this.parse(data)
    if (request === undefined) this.handToNode(this.takeData(data))
    else this.handler.rejectOverload(request, this.response.reset())
  }

  /** Data with what arrived after it. */
  private takeData(data: Buffer): Buffer {
    const { pendingData } = this
    this.pendingData = undefined
    return pendingData === undefined ? data : Buffer.concat([data, pendingData])
  }

  private serve(request: ApiRequest, data: Buffer): void {
    const { handler, response, socket } = this
    if (handler.handle(request, response.reset())) {
      if (response.isBusy) socket.setTimeout(this.timeouts.writeMs)
      return
    }
    response.isBusy = false
    this.handToNode(this.takeData(data))
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

const LETTER_G = 0x47
const SLASH = 0x2f
const PROBE_INITIALS = new Set(Buffer.from('hrm'))

/** Whether data may begin a request for `/healthz`, `/readyz` or `/metrics`, as far as can be told without parsing. */
function mayBeProbe(data: Buffer): boolean {
  const isGet = data[0] === LETTER_G && data[4] === SLASH
  return !isGet || PROBE_INITIALS.has(data[5] as number)
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
