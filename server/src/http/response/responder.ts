import { InvalidCursorError } from '../../query/page-cursor.ts'
import type { ResponseBody } from '../../render/query-engine.ts'
import type { RequestLog } from '../observe/request-log.ts'
import type { ApiRequest, ApiResponse } from '../request/exchange.ts'
import { chooseEncoding, createCompressor } from './compression.ts'
import { ApiError } from './errors.ts'
import {
  EXPOSED_HEADERS,
  formatHeader,
  formatHeaders,
  type HeaderBlock,
  type KeyHeaders,
  toHeaderList,
} from './headers.ts'

/** QueryEngine are written straight to the response, past the framework. */
export interface Responder {
  /** The header fields that every answer begins with. */
  baseHeaders(req: ApiRequest, id: string, allowOrigin?: string): HeaderBlock
  /**
   * Sends a body, compressed if the client takes that, and releases it; `contentKey` names the content of a body that may
   * be kept. Gives a promise where compressing takes a while.
   */
  send(
    req: ApiRequest,
    res: ApiResponse,
    status: number,
    fields: HeaderBlock,
    body: ResponseBody,
    contentKey?: string,
  ): Promise<void> | undefined
  /** Sends headers alone. */
  sendHeaders(res: ApiResponse, status: number, fields: HeaderBlock): void
  /** QueryEngine with an error, whatever was thrown. */
  sendError(req: ApiRequest, res: ApiResponse, id: string, error: unknown, fields?: HeaderBlock): void
}

export const JSON_TYPE = 'application/json; charset=utf-8'

const NO_STORE_HEADERS = formatHeaders(['Content-Type', JSON_TYPE, 'Cache-Control', 'no-store'])

export function createResponder(names: KeyHeaders, log: RequestLog): Responder {
  const compressor = createCompressor()
  const vary = formatHeader(
    'Vary',
    ['Accept-Encoding', 'Origin', 'Prefer', names.direct, ...names.marketplace].join(', '),
  )
  const forAll = vary + formatHeader('Access-Control-Allow-Origin', '*')
  const exposed = formatHeader('Access-Control-Expose-Headers', EXPOSED_HEADERS)

  function fieldsFor(req: ApiRequest, id: string, allowOrigin?: string): HeaderBlock {
    // Ids are made here, or were looked at when they came.
    const allowed = allowOrigin === undefined ? forAll : vary + formatHeader('Access-Control-Allow-Origin', allowOrigin)
    const fields = `X-Request-Id: ${id}\r\n${allowed}`
    // Only browsers look for this one, and they say where they come from.
    return req.headers.origin === undefined ? fields : fields + exposed
  }

  function send(
    req: ApiRequest,
    res: ApiResponse,
    status: number,
    fields: HeaderBlock,
    body: ResponseBody,
    contentKey?: string,
  ): Promise<void> | undefined {
    const encoding =
      contentKey === undefined
        ? undefined
        : chooseEncoding(req.headers['accept-encoding'] as string | undefined, body.bytes.length)
    if (encoding === undefined) {
      finish(req, res, status, fields, body)
      return undefined
    }
    if (req.method === 'HEAD') {
      // Nothing is compressed only to be measured: the length is left out.
      body.release?.()
      writeResponse(res, status, fields + formatHeader('Content-Encoding', encoding))
      return undefined
    }
    const compressed = compressor.compress(contentKey as string, body.bytes, encoding)
    if (Buffer.isBuffer(compressed)) {
      body.release?.()
      finish(req, res, status, fields + formatHeader('Content-Encoding', encoding), { bytes: compressed })
      return undefined
    }
    return compressed.then(
      (ready) => {
        body.release?.()
        finish(req, res, status, fields + formatHeader('Content-Encoding', encoding), { bytes: ready })
      },
      () => finish(req, res, status, fields, body),
    )
  }

  function finish(req: ApiRequest, res: ApiResponse, status: number, fields: HeaderBlock, body: ResponseBody): void {
    const all = `${fields}Content-Length: ${body.bytes.length}\r\n`
    if (req.method !== 'HEAD') {
      writeResponse(res, status, all, body)
      return
    }
    body.release?.()
    writeResponse(res, status, all)
  }

  function fail(req: ApiRequest, res: ApiResponse, id: string, error: unknown, fields = fieldsFor(req, id)): void {
    const answer = toApiError(error, id)
    if (answer.code === 'internal') log.logError(req, id, error)
    else if (answer.status >= 500) log.logRejection(req, id, answer.code)
    if (res.headersSent) {
      res.destroy()
      return
    }
    const further = formatHeaders(answer.details.headers ?? [])
    finish(req, res, answer.status, fields + NO_STORE_HEADERS + further, { bytes: answer.body() })
  }

  return {
    baseHeaders: fieldsFor,
    send,
    sendHeaders: writeResponse,
    sendError: fail,
  }
}

function writeResponse(res: ApiResponse, status: number, fields: HeaderBlock, body?: ResponseBody): void {
  if ('send' in res) {
    res.send(status, fields, body)
    return
  }
  res.writeHead(status, toHeaderList(fields))
  res.end(body?.bytes)
  if (body?.release === undefined) return
  // Mostly the system has taken over all of it by now; else it has when the answer is finished.
  if (res.writableLength === 0) body.release()
  else res.once('finish', body.release)
}

/** The one place where whatever was thrown becomes an error of the API. */
export function toApiError(error: unknown, requestId: string): ApiError {
  if (error instanceof ApiError) return error
  if (error instanceof InvalidCursorError) {
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
  if (code === 'FST_ERR_MAX_PARAM_LENGTH' || String(code).startsWith('FST_ERR_CTP')) return pathNotFoundError()
  if (typeof statusCode === 'number' && statusCode >= 400 && statusCode < 500 && String(code).startsWith('FST_ERR')) {
    return new ApiError('malformed_request', 'The request cannot be understood.')
  }
  const message = 'Something went wrong inside the service; the request id finds it in the log.'
  return new ApiError('internal', message, { extras: { requestId } })
}

/** The error of a path that does not exist. */
export function pathNotFoundError(): ApiError {
  return new ApiError('not_found', 'There is nothing at this path; /docs lists what there is.')
}
