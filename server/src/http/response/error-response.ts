import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { Admission } from '../../accounts/keys/meter.ts'
import { AccountError, type AccountErrorCode } from '../../accounts/store/account-store.ts'
import { findDamage } from '../../catalog/storage/environment.ts'
import { systemErrorCode } from '../../lib/errors.ts'
import { InvalidTokenError, TokenExpiredError } from '../../query/changes/journal-token.ts'
import { InvalidCursorError } from '../../query/page-cursor.ts'
import { ApiError, ERRORS, type ErrorCode, pathNotFoundError } from '../exchange/errors.ts'
import { newRequestId } from '../exchange/exchange.ts'
import { encodeHeaderText, formatHeaders, JSON_TYPE } from '../exchange/headers.ts'
import { allowOriginHeaders, exposedHeaders } from './cors.ts'

/** The largest body that the platform reads. */
export const MAX_BODY_BYTES = 16 * 1024

/** Where an exception was caught: in the API and its pages, in the platform, or on a socket before there was a request. */
type ErrorOrigin = 'api' | 'platform' | 'connection'

/** Members of the errors of Node's HTTP parser and of Fastify. */
interface FrameworkError {
  readonly code?: string | undefined
  readonly statusCode?: number
  /** What Node's parser was reading. */
  readonly rawPacket?: unknown
  /** What a body schema rejected. */
  readonly validation?: readonly { readonly instancePath: string; readonly message?: string }[]
}

/** System errors of a disk that is full, failing or read-only. */
const DISK_ERRORS: ReadonlySet<string> = new Set(['ENOSPC', 'EDQUOT', 'EIO', 'EROFS'])

/** The one place where an exception becomes an error response, whatever was thrown and wherever. */
export function toApiError(error: unknown, origin: ErrorOrigin = 'api'): ApiError {
  if (error instanceof ApiError) return error
  if (error instanceof InvalidCursorError) {
    return new ApiError('invalid_cursor', error.message, { parameter: 'cursor' })
  }
  if (error instanceof InvalidTokenError) {
    return new ApiError('invalid_parameter', error.message, { parameter: 'since' })
  }
  if (error instanceof TokenExpiredError) {
    return new ApiError('token_expired', error.message, { parameter: error.parameter })
  }
  if (error instanceof AccountError) return fromAccountError(error)
  const thrown = (error ?? {}) as FrameworkError
  const known = origin === 'connection' ? fromParserError(thrown) : fromFastifyError(thrown, origin)
  if (known !== undefined) return known
  if (DISK_ERRORS.has(systemErrorCode(error) ?? '')) {
    const message = 'The service cannot store anything at the moment; try again in a minute.'
    return new ApiError('unavailable', message, { cause: error, retryAfter: 60 })
  }
  const damage = findDamage(error)
  if (damage !== undefined) {
    const message = 'A part of the catalog that this answer needs is damaged; the request id finds it in the log.'
    return new ApiError('internal', message, { cause: damage })
  }
  const message = 'Something went wrong inside the service; the request id finds it in the log.'
  return new ApiError('internal', message, { cause: error })
}

/** Errors on connections of Node's server before there is a request. */
export interface ConnectionErrors {
  /**
   * Responds, directly on the socket, to bytes that Node's parser rejected, and closes the connection. `whenIdle` calls
   * back when the requests before them are answered.
   */
  handleClientError(error: FrameworkError, socket: Socket, whenIdle: (callback: () => void) => void): void
  /** Writes an error response to a bare socket and closes it after the client had a second to read. */
  close(socket: Socket, error: unknown, accept: string | undefined): void
}

export function createConnectionErrors(renderError: RenderError): ConnectionErrors {
  function close(socket: Socket, error: unknown, accept: string | undefined): void {
    const id = newRequestId()
    const apiError = toApiError(error, 'connection')
    const { headers, body } = renderError(apiError, id, accept)
    const head =
      `HTTP/1.1 ${apiError.status} ${STATUS_CODES[apiError.status]}\r\n` +
      formatHeaders(['X-Request-Id', id, 'Vary', 'Accept', ...headers, 'Content-Length', String(body.length)]) +
      allowOriginHeaders(undefined) +
      exposedHeaders([]) +
      'Connection: close\r\n\r\n'
    // Node takes its own listeners off the socket of a CONNECT; a reset without a listener would end the process.
    socket.on('error', () => socket.destroy())
    socket.end(Buffer.concat([Buffer.from(head, 'latin1'), body]))
    socket.setTimeout(1000, () => socket.destroy())
  }

  /** Connections that are about to be closed: Node's parser rejects each further chunk on them, too. */
  const closing = new WeakSet<Socket>()

  function handleClientError(error: FrameworkError, socket: Socket, whenIdle: (callback: () => void) => void): void {
    if (closing.has(socket)) return
    closing.add(socket)
    if (error.code === 'ECONNRESET') destroyUnlessEnded(socket)
    else {
      whenIdle(() => {
        // Nothing can be sent within a response, or when the peer is gone. `_httpMessage` is internal to Node.
        const isResponding = (socket as { _httpMessage?: unknown })._httpMessage != null
        if (!socket.writable || isResponding) destroyUnlessEnded(socket)
        else close(socket, error, findAccept(error.rawPacket))
      })
    }
  }

  return { handleClientError, close }
}

function destroyUnlessEnded(socket: Socket): void {
  if (!socket.writableEnded) socket.destroy()
}

/** The `Accept` header in a packet that Node's parser rejected. */
function findAccept(packet: unknown): string | undefined {
  if (!Buffer.isBuffer(packet)) return undefined
  return /\naccept[ \t]*:([^\r\n]*)/i.exec(packet.toString('latin1'))?.[1]
}

/** Errors of Node's HTTP parser. */
function fromParserError({ code, rawPacket }: FrameworkError): ApiError {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return isRequestLineTooLong(rawPacket)
        ? new ApiError('uri_too_long', 'The URL is too long; it may have at most 8192 bytes.')
        : new ApiError('headers_too_large', 'The headers are too large; together they may have at most 32 KiB.')
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new ApiError('request_timeout', 'The request did not arrive completely in time.')
    default:
      return new ApiError('malformed_request', 'The request is not valid HTTP.')
  }
}

/** The parser has one limit for request line and headers; the packet shows which of them exceeded it. */
function isRequestLineTooLong(packet: unknown): boolean {
  if (!Buffer.isBuffer(packet)) return false
  const lineEnd = packet.indexOf('\n')
  return lineEnd === -1 || (lineEnd > 8192 && /^[A-Z]+ /.test(packet.toString('latin1', 0, 16)))
}

function fromFastifyError({ code = '', statusCode = 500, validation }: FrameworkError, origin: ErrorOrigin) {
  if (code === 'FST_ERR_BAD_URL') {
    const message = 'The path is not valid percent-encoded UTF-8; write a percent sign as %25.'
    return new ApiError('malformed_request', message)
  }
  if (origin === 'platform') {
    // Nobody reads this response: it only keeps the abort out of the log of failures.
    if (code === 'ECONNRESET') return new ApiError('malformed_request', 'The connection closed within the body.')
    if (validation !== undefined) {
      const [first] = validation
      const member = first?.instancePath.slice(1).replaceAll('/', '.') ?? ''
      return new ApiError('invalid_body', `The body${member === '' ? '' : `'s "${member}"`} ${first?.message}.`)
    }
    if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') {
      return new ApiError('unsupported_media_type', 'The body must be JSON, with Content-Type: application/json.')
    }
    if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') {
      return new ApiError('body_too_large', `The body may have ${MAX_BODY_BYTES} bytes.`)
    }
  }
  // Outside the platform only unknown paths read a body: known ones reject every method that has one before it is read.
  if (code === 'FST_ERR_MAX_PARAM_LENGTH' || code.startsWith('FST_ERR_CTP')) return pathNotFoundError()
  if (statusCode >= 400 && statusCode < 500 && code.startsWith('FST_ERR')) {
    return new ApiError('malformed_request', 'The request cannot be understood.')
  }
  return undefined
}

const ACCOUNT_ERROR_CODES: Record<AccountErrorCode, ErrorCode> = {
  unknown_plan: 'invalid_body',
  invalid_plan: 'invalid_body',
  plan_in_use: 'conflict',
  unknown_key: 'not_found',
  key_ended: 'conflict',
  too_many_keys: 'conflict',
  invalid_origin: 'invalid_body',
  invalid_name: 'invalid_body',
  unknown_account: 'not_found',
  account_disabled: 'account_disabled',
  invalid_email: 'invalid_body',
  weak_password: 'invalid_body',
  wrong_password: 'wrong_password',
  sign_in_failed: 'sign_in_failed',
  sign_up_closed: 'sign_up_closed',
  invitation_needed: 'invitation_needed',
  reset_needed: 'reset_needed',
  too_many_attempts: 'too_many_attempts',
  too_many_changes: 'too_many_attempts',
  key_taken: 'conflict',
  too_many_feeds: 'conflict',
  unknown_feed: 'not_found',
  too_many_webhooks: 'conflict',
  unknown_webhook: 'not_found',
  unavailable: 'unavailable',
}

/** An error of the accounts; `problem` tells apart the ones that share a code. */
function fromAccountError({ code, message, retryAfter }: AccountError): ApiError {
  return new ApiError(ACCOUNT_ERROR_CODES[code], `${message}.`, { extras: { problem: code }, retryAfter })
}

/** The error of a request that the plan rejects; `cost` is what the request would have counted for. */
export function toQuotaError({ plan, used, refusal, resetsAt, retryAfter = 1 }: Admission, cost = 1): ApiError {
  const remaining = (plan.quota?.requests ?? 0) - used
  const message =
    refusal === 'quota_exceeded' && remaining > 0
      ? `The quota of the plan "${plan.name}" has ${remaining} requests left until ${new Date(resetsAt * 1000).toISOString()}, and this request counts as ${cost}; ask for less at once.`
      : refusal === 'quota_exceeded'
        ? `The quota of the plan "${plan.name}", ${plan.quota?.requests} requests a ${plan.quota?.per}, is used up until ${new Date(resetsAt * 1000).toISOString()}.`
        : plan.rate === undefined
          ? `The quota is nearly used up, and requests come faster than they are counted; try again in ${retryAfter} s.`
          : `The plan "${plan.name}" allows ${plan.rate} requests a second; try again in ${retryAfter} s.`
  return new ApiError(refusal ?? 'rate_limited', message, { retryAfter })
}

/** The media type of problem details (RFC 9457). */
const PROBLEM_TYPE = 'application/problem+json'

/** The page of the documentation that describes every error, each under its code as the fragment. */
const ERRORS_PAGE = '/docs/errors'

/** An error as it goes over the wire. */
interface RenderedError {
  /** Name, value, name, value. */
  readonly headers: readonly string[]
  readonly body: Buffer
}

/** Renders an error for a request with the given `Accept` header. */
export type RenderError = (error: ApiError, requestId: string, accept: string | undefined) => RenderedError

/**
 * Creates the renderer of errors. The body is `{"message"}` alone, because generated clients refuse unknown members;
 * code and parameter are headers. A request that accepts problem details gets those instead. `publicUrl` makes their
 * `type` an absolute address; without it, it is relative to the root of the service.
 */
export function createErrorRenderer(publicUrl = ''): RenderError {
  return (error, requestId, accept) => {
    const isProblem = acceptsProblemDetails(accept)
    const { parameter, retryAfter, headers = [] } = error.details
    const members = isProblem ? problemDetails(error, requestId, publicUrl) : { message: error.message }
    return {
      body: Buffer.from(JSON.stringify(members)),
      headers: [
        'Content-Type',
        isProblem ? PROBLEM_TYPE : JSON_TYPE,
        'Cache-Control',
        'no-store',
        'X-Error-Code',
        error.code,
        ...(parameter === undefined ? [] : ['X-Error-Parameter', encodeHeaderText(parameter)]),
        ...headers,
        ...(retryAfter === undefined ? [] : ['Retry-After', String(retryAfter)]),
      ],
    }
  }
}

/** The members of problem details, keys in the order of the contract. */
function problemDetails({ code, status, message, details }: ApiError, requestId: string, publicUrl: string): object {
  const { parameter, retryAfter, extras } = details
  return {
    type: publicUrl + errorAddress(code),
    title: ERRORS[code].title,
    status,
    detail: message,
    code,
    ...(parameter === undefined ? {} : { parameter }),
    ...(retryAfter === undefined ? {} : { retryAfter }),
    requestId,
    ...extras,
  }
}

/** Where the documentation describes an error. */
export function errorAddress(code: ErrorCode): string {
  return `${ERRORS_PAGE}#${code}`
}

/** Whether an `Accept` header names problem details. Wildcards do not: every client sends them. */
export function acceptsProblemDetails(accept: string | undefined): boolean {
  if (accept === undefined || !accept.toLowerCase().includes(PROBLEM_TYPE)) return false
  return accept.split(',').some((range) => {
    const [type, ...parameters] = range.split(';').map((part) => part.trim().toLowerCase())
    return type === PROBLEM_TYPE && !parameters.some((parameter) => /^q\s*=\s*0(?:\.0*)?$/.test(parameter))
  })
}
