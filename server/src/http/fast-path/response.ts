import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { ResponseBody } from '../../render/query-engine.ts'
import type { DirectResponse } from '../request/exchange.ts'
import type { HeaderBlock } from '../response/headers.ts'

/** QueryEngine up to this size are copied, to be sent in one piece with their head. */
const MAX_COPIED_BODY_BYTES = 32 * 1024
/** Room for the head. */
const MAX_HEAD_BYTES = 8 * 1024

/** Where heads and small answers are put together. While the system still reads from it, another one is used. */
let sharedBuffer = Buffer.allocUnsafeSlow(MAX_COPIED_BODY_BYTES + MAX_HEAD_BYTES)

const EMPTY = Buffer.alloc(0)

/** The first lines of answers, by status. */
const statusLines: string[] = []

function statusLine(status: number): string {
  const line = statusLines[status] ?? `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n`
  statusLines[status] = line
  return line
}

/** The fields that every head ends with, and the empty line after them; they are made once a second. */
export function createFinalHeaders(keepAliveSeconds: number): () => HeaderBlock {
  let fields = ''
  let madeIn = 0
  return () => {
    const now = Date.now()
    const second = Math.floor(now / 1000)
    if (second !== madeIn) {
      madeIn = second
      const date = new Date(now).toUTCString()
      fields = `Date: ${date}\r\nConnection: keep-alive\r\nKeep-Alive: timeout=${keepAliveSeconds}\r\n\r\n`
    }
    return fields
  }
}

/** Writes a head and a body, in one piece if possible; says whether the body's memory is no longer needed for it. */
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

/** The answers to the plain requests of one connection, one after the other. They look as Node's do, byte by byte. */
export class FastPathResponse implements DirectResponse {
  statusCode = 0
  headersSent = false
  /** Whether an answer is still to be given, or to be taken over by the system. */
  isBusy = false
  private listeners: (() => void)[] = []
  private readonly socket: Socket
  private readonly lastFields: () => HeaderBlock
  private readonly onFinish: () => void

  constructor(socket: Socket, lastFields: () => HeaderBlock, onFinish: () => void) {
    this.socket = socket
    this.lastFields = lastFields
    this.onFinish = onFinish
  }

  /** Makes it ready for the next answer. */
  reset(): this {
    this.headersSent = false
    this.isBusy = true
    return this
  }

  send(status: number, fields: HeaderBlock, body?: ResponseBody): void {
    const { socket } = this
    const head = statusLine(status) + fields + this.lastFields()
    this.statusCode = status
    this.headersSent = true
    if (body === undefined) socket.write(head, 'latin1')
    else if (writeHeadAndBody(socket, head, body) || socket.writableLength === 0) body.release?.()
    else if (body.release !== undefined) this.listeners.push(body.release)
    if (socket.writableLength === 0) this.finish()
    // What is written after it, though it is nothing, is written when all of it is.
    else socket.write(EMPTY, this.finish)
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
