import { randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { ResponseBody } from '../../render/query-engine.ts'
import { ApiError } from '../response/errors.ts'
import type { HeaderBlock } from '../response/headers.ts'

/** What answering reads of a request. Node's requests have it, and so have those that are read from a socket directly. */
export type ApiRequest = Pick<
  IncomingMessage,
  'method' | 'url' | 'headers' | 'httpVersionMajor' | 'httpVersionMinor' | 'socket'
>

/** What answering needs of a response, whichever kind it is. */
interface BaseResponse {
  readonly statusCode: number
  readonly headersSent: boolean
  /** Calls back when the system has taken over the whole answer. */
  once(event: 'finish', listener: () => void): unknown
  /** Gives the connection up. */
  destroy(): unknown
}

/** A response of Node's server. */
export interface NodeResponse extends BaseResponse {
  /** Bytes that the system has not taken over yet. */
  readonly writableLength: number
  /** Sets status and headers: name, value, name, value. */
  writeHead(status: number, headers: string[]): unknown
  /** Sends the answer, with a body or without. */
  end(body?: Buffer): unknown
}

/** A response that goes to a socket directly. */
export interface DirectResponse extends BaseResponse {
  /** Sends an answer, with a body or without, and releases the body as soon as it was sent. */
  send(status: number, fields: HeaderBlock, body?: ResponseBody): void
}

export type ApiResponse = NodeResponse | DirectResponse

const MAX_URL_BYTES = 8 * 1024

/** Refuses what no route should have to look at: endless URLs, and HTTP/1.1 requests without a host. */
export function checkRequest(req: ApiRequest): void {
  const length = req.url?.length ?? 0
  if (length > MAX_URL_BYTES) {
    throw new ApiError('uri_too_long', `The URL has ${length} bytes; it may have at most ${MAX_URL_BYTES}.`)
  }
  if (req.headers.host === undefined && req.httpVersionMajor === 1 && req.httpVersionMinor === 1) {
    throw new ApiError('malformed_request', 'The request has no Host header; HTTP/1.1 requires one.')
  }
}

const processPrefix = randomBytes(6).toString('hex')
let requestCount = 0

/** A new request id: unique to the process by its random part, and to the request by a counter. */
export function newRequestId(): string {
  requestCount++
  return `${processPrefix}-${requestCount}`
}

/** The id that the request brings along, if it is harmless to repeat in headers and logs, else a new one. */
export function resolveRequestId(request: Pick<IncomingMessage, 'headers'>): string {
  const brought = request.headers['x-request-id']
  return typeof brought === 'string' && /^[A-Za-z0-9._:/+=-]{1,128}$/.test(brought) ? brought : newRequestId()
}
