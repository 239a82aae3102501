import { ApiError } from './errors.ts'
import type { ApiRequest } from './exchange.ts'

const LONGEST_URL = 8 * 1024

/** Refuses what no route should have to look at: endless URLs, and HTTP/1.1 requests without a host. */
export function checkRequest(req: ApiRequest): void {
  const length = req.url?.length ?? 0
  if (length > LONGEST_URL) {
    throw new ApiError('uri_too_long', `The URL has ${length} bytes; it may have at most ${LONGEST_URL}.`)
  }
  if (req.headers.host === undefined && req.httpVersionMajor === 1 && req.httpVersionMinor === 1) {
    throw new ApiError('malformed_request', 'The request has no Host header; HTTP/1.1 requires one.')
  }
}
