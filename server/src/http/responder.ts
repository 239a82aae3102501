import { InvalidCursor } from '../query/invalid-cursor.ts'
import { chooseEncoding, createCompressor } from './compression.ts'
import { EXPOSED_HEADERS } from './cors.ts'
import { ApiError } from './errors.ts'
import type { ApiRequest, ApiResponse } from './exchange.ts'
import type { KeyHeaders } from './key-headers.ts'
import type { RequestLog } from './request-log.ts'

/** Answers are written straight to Node's response: header arrays are the cheapest form that it takes. */
export interface Responder {
  /** The headers that every answer has, as a new list: name, value, name, value. */
  headers(req: ApiRequest, id: string, allowOrigin?: string): string[]
  /**
   * Sends a body, compressed if the client takes that; `contentKey` names the content of a body that may be kept.
   * `release` is called once the body is no longer needed. Gives a promise where compressing takes a while.
   */
  send(
    req: ApiRequest,
    res: ApiResponse,
    status: number,
    headers: string[],
    body: Buffer,
    contentKey?: string,
    release?: () => void,
  ): Promise<void> | undefined
  /** Sends headers alone. */
  sendEmpty(res: ApiResponse, status: number, headers: string[]): void
  /** Answers with an error, whatever was thrown. */
  fail(req: ApiRequest, res: ApiResponse, id: string, error: unknown, headers?: string[]): void
}

export const JSON_TYPE = 'application/json; charset=utf-8'

export function createResponder(names: KeyHeaders, log: RequestLog): Responder {
  const compressor = createCompressor()
  const vary = ['Accept-Encoding', 'Origin', 'Prefer', names.direct, ...names.marketplace].join(', ')

  function headers(req: ApiRequest, id: string, allowOrigin = '*'): string[] {
    const list = ['X-Request-Id', id, 'Vary', vary, 'Access-Control-Allow-Origin', allowOrigin]
    // Only browsers look for this one, and they say where they come from.
    if (req.headers.origin !== undefined) list.push('Access-Control-Expose-Headers', EXPOSED_HEADERS)
    return list
  }

  function send(
    req: ApiRequest,
    res: ApiResponse,
    status: number,
    list: string[],
    body: Buffer,
    contentKey?: string,
    release?: () => void,
  ): Promise<void> | undefined {
    // The answer to HEAD describes the plain body, so that nothing is compressed only to be measured.
    const encoding =
      req.method === 'HEAD' || contentKey === undefined
        ? undefined
        : chooseEncoding(req.headers['accept-encoding'] as string | undefined, body.length)
    if (encoding === undefined) {
      finish(req, res, status, list, body, release)
      return undefined
    }
    const compressed = compressor.compress(contentKey as string, body, encoding)
    if (Buffer.isBuffer(compressed)) {
      release?.()
      finish(req, res, status, encoded(list, encoding), compressed)
      return undefined
    }
    return compressed.then(
      (ready) => {
        release?.()
        finish(req, res, status, encoded(list, encoding), ready)
      },
      () => finish(req, res, status, list, body, release),
    )
  }

  function finish(
    req: ApiRequest,
    res: ApiResponse,
    status: number,
    list: string[],
    body: Buffer,
    release?: () => void,
  ): void {
    list.push('Content-Length', String(body.length))
    res.writeHead(status, list)
    if (req.method === 'HEAD') {
      release?.()
      res.end()
      return
    }
    res.end(body)
    if (release === undefined) return
    // Mostly the system has taken over all of it by now; else it has when the answer is finished.
    if (res.writableLength === 0) release()
    else res.once('finish', release)
  }

  function fail(req: ApiRequest, res: ApiResponse, id: string, error: unknown, list = headers(req, id)): void {
    const answer = asApiError(error, id)
    if (answer.code === 'internal') log.failure(req, id, error)
    else if (answer.status >= 500) log.turnedAway(req, id, answer.code)
    if (res.headersSent) {
      res.destroy()
      return
    }
    list.push('Content-Type', JSON_TYPE, 'Cache-Control', 'no-store', ...(answer.details.headers ?? []))
    finish(req, res, answer.status, list, answer.body())
  }

  return {
    headers,
    send,
    sendEmpty(res, status, list) {
      res.writeHead(status, list)
      res.end()
    },
    fail,
  }
}

function encoded(list: string[], encoding: string): string[] {
  list.push('Content-Encoding', encoding)
  return list
}

/** The one place where whatever was thrown becomes an error of the API. */
export function asApiError(error: unknown, requestId: string): ApiError {
  if (error instanceof ApiError) return error
  if (error instanceof InvalidCursor) {
    const { message } = error
    return new ApiError('invalid_cursor', message, { parameter: 'cursor' })
  }
  const { code, statusCode } = (error ?? {}) as { code?: unknown; statusCode?: unknown }
  if (code === 'FST_ERR_BAD_URL') {
    return new ApiError(
      'malformed_request',
      'The path is not valid percent-encoded UTF-8; write a percent sign as %25.',
    )
  }
  // Bodies are read on unknown paths only: known ones refuse every method that has one before it is read.
  if (code === 'FST_ERR_MAX_PARAM_LENGTH' || String(code).startsWith('FST_ERR_CTP')) return nothingHere()
  if (typeof statusCode === 'number' && statusCode >= 400 && statusCode < 500 && String(code).startsWith('FST_ERR')) {
    return new ApiError('malformed_request', 'The request cannot be understood.')
  }
  const message = 'Something went wrong inside the service; the request id finds it in the log.'
  return new ApiError('internal', message, { extras: { requestId } })
}

/** The error of a path that does not exist. */
export function nothingHere(): ApiError {
  return new ApiError('not_found', 'There is nothing at this path; /docs lists what there is.')
}
