import type { Socket } from 'node:net'
import type { ApiRequest, ApiResponse } from './exchange.ts'
import type { Fields } from './header-fields.ts'
import { PlainRequestReader } from './plain-request.ts'
import { PlainResponse } from './plain-response.ts'

/** What the requests of a connection are answered by. */
export interface PlainAnswering {
  /** Answers a request, or says with false that it is none that it answers. */
  answer(request: ApiRequest, response: ApiResponse): boolean
  /** Whether connections should be let go of for now, which is said in ways that only Node's server has. */
  isClosing(): boolean
  /** The fields that every head ends with. */
  lastFields(): Fields
  /** Takes the connection over, with all that has come on it and is not answered. */
  handOver(socket: Socket): void
}

/** How long a connection may be silent: before its first request, and after each. */
export interface Patience {
  readonly firstMs: number
  readonly keepAliveMs: number
}

/**
 * A connection whose requests are plain is read and answered here, without the objects that Node makes for each request.
 * With the first one that is not, it goes to Node's server, and stays there.
 */
export class PlainConnection {
  private readonly socket: Socket
  private readonly answering: PlainAnswering
  private readonly patience: Patience
  private readonly reader = new PlainRequestReader()
  private readonly response: PlainResponse
  /** What came while an answer was under way. */
  private waiting: Buffer | undefined
  private hasEnded = false

  constructor(socket: Socket, answering: PlainAnswering, patience: Patience) {
    this.socket = socket
    this.answering = answering
    this.patience = patience
    this.response = new PlainResponse(socket, answering.lastFields, this.next)
    socket.setTimeout(patience.firstMs)
    socket.on('timeout', this.giveUp)
    socket.on('error', this.giveUp)
    socket.on('end', this.end)
    socket.on('data', this.receive)
  }

  /** Ends the connection, after the answer that is under way. */
  close(): void {
    if (this.response.busy) this.hasEnded = true
    else this.socket.destroy()
  }

  private readonly receive = (data: Buffer): void => {
    if (this.response.busy) {
      this.waiting = this.waiting === undefined ? data : Buffer.concat([this.waiting, data])
      this.socket.pause()
      return
    }
    const { answering, response, socket } = this
    const plain = answering.isClosing() ? undefined : this.reader.read(data)
    if (plain === undefined) {
      this.handOver(data)
      return
    }
    const { url, headers } = plain
    const request: ApiRequest = { method: 'GET', url, headers, httpVersionMajor: 1, httpVersionMinor: 1, socket }
    if (!answering.answer(request, response.begin())) this.handOver(data)
  }

  /** Goes on after an answer. */
  private readonly next = (): void => {
    if (this.socket.timeout !== this.patience.keepAliveMs) this.socket.setTimeout(this.patience.keepAliveMs)
    if (this.waiting !== undefined) process.nextTick(this.resume)
    else if (this.hasEnded) this.socket.end()
  }

  private readonly resume = (): void => {
    const data = this.waiting
    this.waiting = undefined
    if (data === undefined || this.socket.destroyed) return
    this.socket.resume()
    this.receive(data)
  }

  private readonly end = (): void => {
    this.hasEnded = true
    if (!this.response.busy) this.socket.end()
  }

  private readonly giveUp = (): void => {
    this.socket.destroy()
  }

  private handOver(data: Buffer): void {
    const { socket } = this
    socket.pause()
    socket.setTimeout(0)
    socket.off('timeout', this.giveUp)
    socket.off('error', this.giveUp)
    socket.off('end', this.end)
    socket.off('data', this.receive)
    socket.unshift(data)
    this.answering.handOver(socket)
    socket.resume()
  }
}
