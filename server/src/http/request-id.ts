import { randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

const started = randomBytes(6).toString('hex')
let count = 0

/** A new request id: unique to the process by its random part, and to the request by a counter. */
export function newRequestId(): string {
  count++
  return `${started}-${count}`
}

/** The id that the request brings along, if it is harmless to repeat in headers and logs, else a new one. */
export function requestIdOf(request: Pick<IncomingMessage, 'headers'>): string {
  const brought = request.headers['x-request-id']
  return typeof brought === 'string' && /^[A-Za-z0-9._:/+=-]{1,128}$/.test(brought) ? brought : newRequestId()
}
