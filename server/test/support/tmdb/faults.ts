import type { ServerResponse } from 'node:http'

/** Ways in which the stand-in can fail on a request. */
export type Fault =
  | { readonly kind: 'status'; readonly status: number; readonly retryAfter?: string }
  /** The body breaks off in the middle, with the connection. */
  | { readonly kind: 'cut' }
  /** Something else than JSON, with status 200. */
  | { readonly kind: 'no-json' }
  /** JSON of another shape than TMDB's. */
  | { readonly kind: 'body'; readonly body: unknown }
  /** A body of so many megabytes; `onPoured` hears of each that the connection takes. */
  | { readonly kind: 'huge'; readonly megabytes: number; readonly onPoured: () => void }
  /** A byte now and then, for as long as somebody listens. */
  | { readonly kind: 'drip' }

const STATUS_CODES: Readonly<Record<number, readonly [number, string]>> = {
  400: [27, 'Too many append to response objects: The maximum number of remote calls is 20.'],
  401: [7, 'Invalid API key: You must be granted a valid key.'],
  404: [34, 'The resource you requested could not be found.'],
  429: [25, 'Your request count is over the allowed limit.'],
}

/** QueryEngine as TMDB does when it has nothing better to say. */
export function sendError(response: ServerResponse, status: number, headers: Record<string, string> = {}): void {
  const [code, message] = STATUS_CODES[status] ?? [11, 'Internal error: Something went wrong, contact TMDB.']
  const body = JSON.stringify({ success: false, status_code: code, status_message: message })
  response.writeHead(status, { 'content-type': 'application/json;charset=utf-8', ...headers }).end(body)
}

/** Fails in the given way. `body` is what a good answer would have been. */
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
  const more = () => {
    while (left > 0 && !response.destroyed) {
      left--
      onPoured()
      if (!response.write(MEGABYTE)) {
        response.once('drain', more)
        return
      }
    }
    if (left === 0) response.end('{}')
  }
  more()
}
