import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { ApiResponse } from './exchange.ts'
import { type Fields, fieldsOf } from './header-fields.ts'

/** Answers up to this size are sent in one piece with their head. */
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

/** The answers to the plain requests of one connection, one after the other. They look as Node's do, byte by byte. */
export class PlainResponse implements ApiResponse {
  statusCode = 0
  headersSent = false
  /** Whether an answer is still to be given, or to be taken over by the system. */
  busy = false
  private head = ''
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

  get writableLength(): number {
    return this.socket.writableLength
  }

  writeHead(status: number, headers: string[]): this {
    this.writeFields(status, fieldsOf(headers))
    return this
  }

  writeFields(status: number, fields: Fields): void {
    this.head = statusLine(status) + fields + this.lastFields()
    this.statusCode = status
  }

  end(body?: Buffer): this {
    const { socket, head } = this
    this.headersSent = true
    if (body === undefined) socket.write(head, 'latin1')
    else if (head.length > HEAD || body.length > ONE_PIECE) {
      socket.cork()
      socket.write(head, 'latin1')
      socket.write(body)
      socket.uncork()
    } else {
      const length = piece.write(head, 0, 'latin1')
      socket.write(piece.subarray(0, length + body.copy(piece, length)))
      if (socket.writableLength > 0) piece = Buffer.allocUnsafeSlow(ONE_PIECE + HEAD)
    }
    if (socket.writableLength === 0) this.finish()
    // What is written after it, though it is nothing, is written when all of it is.
    else socket.write(NOTHING, this.finish)
    return this
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
