import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { AccountError, AccountErrorCode } from '../../accounts/store/account-error.ts'
import { newRequestId } from '../request/exchange.ts'
import { ApiError, type ErrorCode } from './errors.ts'
import { formatHeaders } from './headers.ts'
import { JSON_TYPE } from './responder.ts'

/** What Node says of a request that it could not read. */
export interface ClientError {
  readonly code?: string | undefined
  readonly rawPacket?: unknown
}

/** QueryEngine, straight on the socket, a request that never became one, and closes the connection. */
export function handleClientError(error: ClientError, socket: Socket): void {
  // After an answer was begun, or when nobody listens any more, there is nothing that could be said.
  const busy = (socket as { _httpMessage?: unknown })._httpMessage != null
  if (error.code === 'ECONNRESET' || !socket.writable || busy) {
    if (!socket.writableEnded) socket.destroy()
    return
  }
  closeWithError(socket, toClientApiError(error))
}

/** Writes an error to a bare socket and closes it, giving the client a moment to read. */
export function closeWithError(socket: Socket, error: ApiError): void {
  const body = error.body()
  const head = [
    `HTTP/1.1 ${error.status} ${STATUS_CODES[error.status]}`,
    `X-Request-Id: ${newRequestId()}`,
    'Access-Control-Allow-Origin: *',
    `Content-Type: ${JSON_TYPE}`,
    'Cache-Control: no-store',
    `Content-Length: ${body.length}`,
    'Connection: close',
  ]
  const further = formatHeaders(error.details.headers ?? [])
  socket.end(Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n${further}\r\n`, 'latin1'), body]))
  socket.setTimeout(1000, () => socket.destroy())
}

/** The error of the API that stands for a failure of the HTTP parser. */
export function toClientApiError(error: ClientError): ApiError {
  switch (error.code) {
    case 'HPE_HEADER_OVERFLOW':
      return isRequestLineTooLong(error.rawPacket)
        ? new ApiError('uri_too_long', 'The URL is too long; it may have at most 8192 bytes.')
        : new ApiError('headers_too_large', 'The headers are too large; together they may have at most 32 KiB.')
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new ApiError('request_timeout', 'The request did not arrive completely in time.')
    default:
      return new ApiError('malformed_request', 'The request is not valid HTTP.')
  }
}

/** The parser stops at the same size whether it is in the request line or in the headers; the packet tells which. */
function isRequestLineTooLong(packet: unknown): boolean {
  if (!Buffer.isBuffer(packet)) return false
  const lineEnd = packet.indexOf('\n')
  return lineEnd === -1 || (lineEnd > 8192 && /^[A-Z]+ /.test(packet.toString('latin1', 0, 16)))
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
  invalid_email: 'invalid_body',
  weak_password: 'invalid_body',
  wrong_password: 'wrong_password',
  sign_in_failed: 'sign_in_failed',
  sign_up_closed: 'sign_up_closed',
  invitation_needed: 'invitation_needed',
  too_many_attempts: 'too_many_attempts',
  too_many_changes: 'too_many_attempts',
  key_taken: 'conflict',
  unavailable: 'unavailable',
}

/** A problem of the accounts as an error of the service; `problem` tells apart what shares a code. */
export function toAccountApiError({ code, message, retryAfter }: AccountError): ApiError {
  return new ApiError(ACCOUNT_ERROR_CODES[code], `${message}.`, {
    extras: { problem: code, ...(retryAfter !== undefined && { retryAfter }) },
    ...(retryAfter !== undefined && { headers: ['Retry-After', String(retryAfter)] }),
  })
}
