import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { ResponseBody } from '../../render/query-engine.ts'
import { type DirectResponse, writePieces } from '../exchange/exchange.ts'
import type { HeaderBlock } from '../exchange/headers.ts'

/** Bodies up to this size are copied behind their head and sent with one write. */
const MAX_COPIED_BODY_BYTES = 32 * 1024
const MAX_HEAD_BYTES = 8 * 1024

/** Where heads and small bodies are joined. It is replaced when the kernel has not taken the last write yet. */
let sharedBuffer = Buffer.allocUnsafeSlow(MAX_COPIED_BODY_BYTES + MAX_HEAD_BYTES)

const EMPTY = Buffer.alloc(0)

/** Status lines by status. */
const statusLines: string[] = []

function statusLine(status: number): string {
  const line = statusLines[status] ?? `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n`
  statusLines[status] = line
  return line
}

/** The headers that every head ends with, and its empty line, formatted once a second. */
export function createFinalHeaders(keepAliveSeconds: number): () => HeaderBlock {
  let headers = ''
  let formattedAt = 0
  return () => {
    const now = Date.now()
    const second = Math.floor(now / 1000)
    if (second !== formattedAt) {
      formattedAt = second
      const date = new Date(now).toUTCString()
      headers = `Date: ${date}\r\nConnection: keep-alive\r\nKeep-Alive: timeout=${keepAliveSeconds}\r\n\r\n`
    }
    return headers
  }
}

/** Writes head and body, with one write if possible. Returns whether the body was copied and can be released. */
function writeHeadAndBody(socket: Socket, head: string, { bytes, headroom = 0 }: ResponseBody): boolean {
  if (head.length <= headroom) {
    const whole = Buffer.from(bytes.buffer, bytes.byteOffset - head.length, head.length + bytes.length)
    whole.write(head, 0, 'latin1')
    socket.write(whole)
    return false
  }
  if (head.length > MAX_HEAD_BYTES || bytes.length > MAX_COPIED_BODY_BYTES) {
    socket.cork()
    socket.write(head, 'latin1')
    socket.write(bytes)
    socket.uncork()
    return false
  }
  const length = sharedBuffer.write(head, 0, 'latin1')
  socket.write(sharedBuffer.subarray(0, length + bytes.copy(sharedBuffer, length)))
  if (socket.writableLength > 0) sharedBuffer = Buffer.allocUnsafeSlow(MAX_COPIED_BODY_BYTES + MAX_HEAD_BYTES)
  return true
}

/** The responses of one connection, one after the other. They equal those of Node's server byte for byte. */
export class FastPathResponse implements DirectResponse {
  statusCode = 0
  headersSent = false
  /** Whether a response is still to be sent, or the kernel has not taken all of it. */
  isBusy = false
  private listeners: (() => void)[] = []
  private readonly socket: Socket
  private readonly finalHeaders: () => HeaderBlock
  private readonly onFinish: () => void

  constructor(socket: Socket, finalHeaders: () => HeaderBlock, onFinish: () => void) {
    this.socket = socket
    this.finalHeaders = finalHeaders
    this.onFinish = onFinish
  }

  /** Prepares the object for the next response. */
  reset(): this {
    this.headersSent = false
    this.isBusy = true
    return this
  }

  send(status: number, headers: HeaderBlock, body?: ResponseBody): void {
    const { socket } = this
    const head = statusLine(status) + headers + this.finalHeaders()
    this.statusCode = status
    this.headersSent = true
    if (body?.rest !== undefined) {
      this.sendPieces(head, body)
      return
    }
    if (body === undefined) socket.write(head, 'latin1')
    else if (writeHeadAndBody(socket, head, body) || socket.writableLength === 0) body.release?.()
    else if (body.release !== undefined) this.listeners.push(body.release)
    if (socket.writableLength === 0) this.finish()
    // The callback of an empty write runs after all writes before it.
    else socket.write(EMPTY, this.finish)
  }

  private sendPieces(head: string, { bytes, rest = [], release }: ResponseBody): void {
    const { socket } = this
    void writePieces(socket, socket, [Buffer.from(head, 'latin1'), bytes, ...rest]).then(() => {
      release?.()
      this.finish()
    })
  }

  once(_event: 'finish', listener: () => void): this {
    if (this.isBusy) this.listeners.push(listener)
    else listener()
    return this
  }

  destroy(): this {
    this.socket.destroy()
    return this
  }

  private readonly finish = (): void => {
    this.isBusy = false
    if (this.listeners.length > 0) {
      const { listeners } = this
      this.listeners = []
      for (const listener of listeners) listener()
    }
    this.onFinish()
  }
}

/** A response that stays in this process. It is there as soon as the request is handled, unless it is large. */
export class InternalResponse implements DirectResponse {
  statusCode = 0
  headersSent = false
  body = ''
  private listeners: (() => void)[] = []

  send(status: number, _headers: HeaderBlock, body?: ResponseBody): void {
    this.statusCode = status
    this.headersSent = true
    if (body !== undefined) {
      const { bytes, rest, release } = body
      this.body = (rest === undefined ? bytes : Buffer.concat([bytes, ...rest])).toString()
      release?.()
    }
    for (const listener of this.listeners) listener()
    this.listeners = []
  }

  once(_event: 'finish', listener: () => void): this {
    if (this.headersSent) listener()
    else this.listeners.push(listener)
    return this
  }

  /** Resolves when it was sent: a large response is rendered over many turns of the event loop. */
  sent(): Promise<this> {
    return new Promise((resolve) => this.once('finish', () => resolve(this)))
  }

  destroy(): this {
    return this
  }
}
