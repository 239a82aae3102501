import type { IncomingMessage } from 'node:http'
import type { Fields } from './header-fields.ts'

/** What answering reads of a request. Node's requests have it, and so have those that are read from a socket directly. */
export type ApiRequest = Pick<
  IncomingMessage,
  'method' | 'url' | 'headers' | 'httpVersionMajor' | 'httpVersionMinor' | 'socket'
>

/** What answering needs of a response. Node's responses have it, and so have those that go to a socket directly. */
export interface ApiResponse {
  readonly statusCode: number
  readonly headersSent: boolean
  /** Bytes that the system has not taken over yet. */
  readonly writableLength: number
  /** Sets status and headers: name, value, name, value. */
  writeHead(status: number, headers: string[]): unknown
  /** Sets status and headers as they go over the wire, where that is possible. */
  writeFields?(status: number, fields: Fields): void
  /** Sends the answer, with a body or without. */
  end(body?: Buffer): unknown
  /** Calls back when the system has taken over the whole answer. */
  once(event: 'finish', listener: () => void): unknown
  /** Gives the connection up. */
  destroy(): unknown
}
