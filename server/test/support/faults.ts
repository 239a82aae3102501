import type { ServerResponse } from 'node:http'

/** A fault that the stand-in sends instead of an answer. */
export type Fault =
  | { readonly kind: 'status'; readonly status: number; readonly retryAfter?: string }
  /** The connection closes in the middle of the body. */
  | { readonly kind: 'cut' }
  /** An HTML page with status 200. */
  | { readonly kind: 'no-json' }
  /** JSON of another shape. */
  | { readonly kind: 'body'; readonly body: unknown }
  /** A large body; `onPoured` is called for each megabyte that is written. */
  | { readonly kind: 'huge'; readonly megabytes: number; readonly onPoured: () => void }
  /** A body that never ends, one byte at a time. */
  | { readonly kind: 'drip' }

const STATUS_CODES: Readonly<Record<number, readonly [number, string]>> = {
  400: [27, 'Too many append to response objects: The maximum number of remote calls is 20.'],
  401: [7, 'Invalid API key: You must be granted a valid key.'],
  404: [34, 'The resource you requested could not be found.'],
  429: [25, 'Your request count is over the allowed limit.'],
}

/** Sends an error document as TMDB does. */
export function sendError(response: ServerResponse, status: number, headers: Record<string, string> = {}): void {
  const [code, message] = STATUS_CODES[status] ?? [11, 'Internal error: Something went wrong, contact TMDB.']
  const body = JSON.stringify({ success: false, status_code: code, status_message: message })
  response.writeHead(status, { 'content-type': 'application/json;charset=utf-8', ...headers }).end(body)
}

/** Sends a fault. `body` is the correct answer. */
export function fail(response: ServerResponse, fault: Fault, body: string | Buffer): void {
  const type = { 'content-type': 'application/json;charset=utf-8' }
  switch (fault.kind) {
    case 'status':
      sendError(response, fault.status, fault.retryAfter === undefined ? {} : { 'retry-after': fault.retryAfter })
      return
    case 'cut':
      response.writeHead(200, { ...type, 'content-length': String(Buffer.byteLength(body)) })
      response.write(body.slice(0, body.length / 2), () => response.destroy())
      return
    case 'no-json':
      response.writeHead(200, type).end('<html><body>Back soon</body></html>')
      return
    case 'body':
      response.writeHead(200, type).end(JSON.stringify(fault.body))
      return
    case 'huge':
      response.writeHead(200, type)
      pour(response, fault.megabytes, fault.onPoured)
      return
    case 'drip': {
      response.writeHead(200, type)
      const timer = setInterval(() => response.write(' '), 5)
      response.on('close', () => clearInterval(timer))
    }
  }
}

const MEGABYTE = Buffer.alloc(1 << 20, ' ')

function pour(response: ServerResponse, megabytes: number, onPoured: () => void): void {
  let left = megabytes
  const writeMore = () => {
    while (left > 0 && !response.destroyed) {
      left--
      onPoured()
      if (!response.write(MEGABYTE)) {
        response.once('drain', writeMore)
        return
      }
    }
    if (left === 0) response.end('{}')
  }
  writeMore()
}
