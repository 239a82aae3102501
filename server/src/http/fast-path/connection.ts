import type { Socket } from 'node:net'
import type { ApiRequest, ApiResponse } from '../request/exchange.ts'
import type { HeaderBlock } from '../response/headers.ts'
import { FastPathRequestParser } from './request-parser.ts'
import { FastPathResponse } from './response.ts'

/** What the requests of a connection are answered by. */
export interface FastPathHandler {
  /** QueryEngine a request, or says with false that it is none that it answers. */
  answer(request: ApiRequest, response: ApiResponse): boolean
  /** Whether connections should be let go of for now, which is said in ways that only Node's server has. */
  isClosing(): boolean
  /** The fields that every head ends with. */
  lastFields(): HeaderBlock
  /** Takes the connection over, with all that has come on it and is not answered. */
  handOver(socket: Socket): void
}

/** How long a connection may be silent: before its first request, and after each. */
export interface Timeouts {
  readonly firstRequestMs: number
  readonly keepAliveMs: number
}

/**
 * A connection whose requests are plain is read and answered here, without the objects that Node makes for each request.
 * With the first one that is not, it goes to Node's server, and stays there.
 */
export class FastPathConnection {
  private readonly socket: Socket
  private readonly handler: FastPathHandler
  private readonly timeouts: Timeouts
  private readonly parser = new FastPathRequestParser()
  private readonly response: FastPathResponse
  /** What came while an answer was under way. */
  private pendingData: Buffer | undefined
  private hasEnded = false

  constructor(socket: Socket, answering: FastPathHandler, patience: Timeouts) {
    this.socket = socket
    this.handler = answering
    this.timeouts = patience
    this.response = new FastPathResponse(socket, answering.lastFields, this.onResponseFinished)
    socket.setTimeout(patience.firstRequestMs)
    socket.on('timeout', this.destroy)
    socket.on('error', this.destroy)
    socket.on('end', this.onEnd)
    socket.on('data', this.onData)
  }

  /** Ends the connection, after the answer that is under way. */
  close(): void {
    if (this.response.isBusy) this.hasEnded = true
    else this.socket.destroy()
  }

  private readonly onData = (data: Buffer): void => {
    if (this.response.isBusy) {
      this.pendingData = this.pendingData === undefined ? data : Buffer.concat([this.pendingData, data])
      this.socket.pause()
      return
    }
    const { handler, response, socket } = this
    const plain = handler.isClosing() ? undefined : this.parser.parse(data)
    if (plain === undefined) {
      this.handToNode(data)
      return
    }
    const { url, headers } = plain
    const request: ApiRequest = { method: 'GET', url, headers, httpVersionMajor: 1, httpVersionMinor: 1, socket }
    if (!handler.answer(request, response.reset())) this.handToNode(data)
  }

  /** Goes on after an answer. */
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
    if (!this.response.isBusy) this.socket.end()
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
    socket.unshift(data)
    this.handler.handOver(socket)
    socket.resume()
  }
}
