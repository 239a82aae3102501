import type { IncomingMessage } from 'node:http'
import type { AnswerBody } from '../render/answers.ts'
import type { Fields } from './header-fields.ts'

/** What answering reads of a request. Node's requests have it, and so have those that are read from a socket directly. */
export type ApiRequest = Pick<
  IncomingMessage,
  'method' | 'url' | 'headers' | 'httpVersionMajor' | 'httpVersionMinor' | 'socket'
>

/** What answering needs of a response, whichever kind it is. */
interface AnyResponse {
  readonly statusCode: number
  readonly headersSent: boolean
  /** Calls back when the system has taken over the whole answer. */
  once(event: 'finish', listener: () => void): unknown
  /** Gives the connection up. */
  destroy(): unknown
}

/** A response of Node's server. */
export interface NodeResponse extends AnyResponse {
  /** Bytes that the system has not taken over yet. */
  readonly writableLength: number
  /** Sets status and headers: name, value, name, value. */
  writeHead(status: number, headers: string[]): unknown
  /** Sends the answer, with a body or without. */
  end(body?: Buffer): unknown
}

/** A response that goes to a socket directly. */
export interface DirectResponse extends AnyResponse {
  /** Sends an answer, with a body or without, and releases the body as soon as it was sent. */
  send(status: number, fields: Fields, body?: AnswerBody): void
}

export type ApiResponse = NodeResponse | DirectResponse
