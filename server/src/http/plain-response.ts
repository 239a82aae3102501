import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { AnswerBody } from '../render/answers.ts'
import type { DirectResponse } from './exchange.ts'
import type { Fields } from './header-fields.ts'

/** Answers up to this size are copied, to be sent in one piece with their head. */
const ONE_PIECE = 32 * 1024
/** Room for the head. */
const HEAD = 8 * 1024

/** Where heads and small answers are put together. While the system still reads from it, another one is used. */
let piece = Buffer.allocUnsafeSlow(ONE_PIECE + HEAD)

const NOTHING = Buffer.alloc(0)

/** The first lines of answers, by status. */
const statusLines: string[] = []

function statusLine(status: number): string {
  const line = statusLines[status] ?? `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n`
  statusLines[status] = line
  return line
}

/** The fields that every head ends with, and the empty line after them; they are made once a second. */
export function lastFields(keepAliveSeconds: number): () => Fields {
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
function writeBoth(socket: Socket, head: string, { bytes, headroom = 0 }: AnswerBody): boolean {
  if (head.length <= headroom) {
    const whole = Buffer.from(bytes.buffer, bytes.byteOffset - head.length, head.length + bytes.length)
    whole.write(head, 0, 'latin1')
    socket.write(whole)
    return false
  }
  if (head.length > HEAD || bytes.length > ONE_PIECE) {
    socket.cork()
    socket.write(head, 'latin1')
    socket.write(bytes)
    socket.uncork()
    return false
  }
  const length = piece.write(head, 0, 'latin1')
  socket.write(piece.subarray(0, length + bytes.copy(piece, length)))
  if (socket.writableLength > 0) piece = Buffer.allocUnsafeSlow(ONE_PIECE + HEAD)
  return true
}

/** The answers to the plain requests of one connection, one after the other. They look as Node's do, byte by byte. */
export class PlainResponse implements DirectResponse {
  statusCode = 0
  headersSent = false
  /** Whether an answer is still to be given, or to be taken over by the system. */
  busy = false
  private listeners: (() => void)[] = []
  private readonly socket: Socket
  private readonly lastFields: () => Fields
  private readonly onFinish: () => void

  constructor(socket: Socket, lastFields: () => Fields, onFinish: () => void) {
    this.socket = socket
    this.lastFields = lastFields
    this.onFinish = onFinish
  }

  /** Makes it ready for the next answer. */
  begin(): this {
    this.headersSent = false
    this.busy = true
    return this
  }

  send(status: number, fields: Fields, body?: AnswerBody): void {
    const { socket } = this
    const head = statusLine(status) + fields + this.lastFields()
    this.statusCode = status
    this.headersSent = true
    if (body === undefined) socket.write(head, 'latin1')
    else if (writeBoth(socket, head, body) || socket.writableLength === 0) body.release?.()
    else if (body.release !== undefined) this.listeners.push(body.release)
    if (socket.writableLength === 0) this.finish()
    // What is written after it, though it is nothing, is written when all of it is.
    else socket.write(NOTHING, this.finish)
  }

  once(_event: 'finish', listener: () => void): this {
    if (this.busy) this.listeners.push(listener)
    else listener()
    return this
  }

  destroy(): this {
    this.socket.destroy()
    return this
  }

  private readonly finish = (): void => {
    this.busy = false
    if (this.listeners.length > 0) {
      const { listeners } = this
      this.listeners = []
      for (const listener of listeners) listener()
    }
    this.onFinish()
  }
}
