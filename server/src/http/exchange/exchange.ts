import { randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { ResponseBody } from '../../render/query-engine.ts'
import { ApiError } from './errors.ts'
import type { HeaderBlock } from './headers.ts'

/** The part of a request that handlers read. Node's requests have it, and so do those of the fast path. */
export type ApiRequest = Pick<
  IncomingMessage,
  'method' | 'url' | 'headers' | 'httpVersionMajor' | 'httpVersionMinor' | 'socket'
>

/** What both kinds of response have. */
interface BaseResponse {
  readonly statusCode: number
  readonly headersSent: boolean
  /** Calls back when the kernel has taken the whole response. */
  once(event: 'finish', listener: () => void): unknown
  /** Closes the connection at once. */
  destroy(): unknown
}

/** A response of Node's server. */
export interface NodeResponse extends BaseResponse {
  /** Bytes that the kernel has not taken yet. */
  readonly writableLength: number
  /** Sets status and headers: name, value, name, value. */
  writeHead(status: number, headers: string[]): unknown
  /** Writes a piece of the body; calls back when the kernel has taken it. */
  write(piece: Buffer, callback: () => void): unknown
  /** Ends the response, with a body or without. */
  end(body?: Buffer): unknown
}

/** A response that the fast path writes to its socket. */
export interface DirectResponse extends BaseResponse {
  /** Sends a response, with a body or without, and releases the body after the kernel has taken it. */
  send(status: number, headers: HeaderBlock, body?: ResponseBody): void
}

export type ApiResponse = NodeResponse | DirectResponse

const MAX_URL_BYTES = 8 * 1024

/** Rejects URLs that are too long, and HTTP/1.1 requests without a host. */
export function checkRequest(req: ApiRequest): void {
  const length = req.url?.length ?? 0
  if (length > MAX_URL_BYTES) {
    throw new ApiError('uri_too_long', `The URL has ${length} bytes; it may have at most ${MAX_URL_BYTES}.`)
  }
  if (req.headers.host === undefined && req.httpVersionMajor === 1 && req.httpVersionMinor === 1) {
    throw new ApiError('malformed_request', 'The request has no Host header; HTTP/1.1 requires one.')
  }
}

/** Distinguishes the ids of this process from those of others. */
const processPrefix = randomBytes(6).toString('hex')
let requestCount = 0

/** A new request id: a random prefix for the process and a counter. */
export function newRequestId(): string {
  requestCount++
  return `${processPrefix}-${requestCount}`
}

/** The request's own `X-Request-Id` if it is safe in headers and logs, else a new id. */
export function resolveRequestId(request: Pick<IncomingMessage, 'headers'>): string {
  const given = request.headers['x-request-id']
  return typeof given === 'string' && /^[A-Za-z0-9._:/+=-]{1,128}$/.test(given) ? given : newRequestId()
}

interface PieceWriter {
  write(piece: Buffer, callback: () => void): unknown
}

/**
 * Writes the pieces of a large body, each when the kernel has taken the one before and in a turn of the event loop of its
 * own. Resolves when all are written, or when the connection is closed, as the server does if the client takes nothing.
 */
export async function writePieces(out: PieceWriter, socket: Socket, pieces: readonly Buffer[]): Promise<void> {
  let stopWaiting = () => {}
  const onClose = () => stopWaiting()
  socket.once('close', onClose)
  for (const piece of pieces) {
    if (socket.destroyed) break
    await new Promise<void>((resolve) => {
      stopWaiting = resolve
      out.write(piece, () => resolve())
    })
    await nextTurn()
  }
  socket.off('close', onClose)
}
