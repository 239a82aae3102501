import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import { Readable } from 'node:stream'
import { createBrotliDecompress, createGunzip } from 'node:zlib'
import type { Transport } from './api-client.ts'
import { checkHostLiteral, createCheckedLookup, FetchError, type ResolveHost } from './ssrf-guard.ts'

interface GuardOptions {
  /** Whether private addresses and plain HTTP are allowed. */
  readonly allowPrivate: boolean
  /** Replaces the system's DNS in tests. */
  readonly resolve?: ResolveHost
}

/**
 * A transport that checks addresses as downloads do, for APIs whose address comes from `sources.json`. `fetch` offers no
 * hook between the resolution of a name and the connection, so this one uses `node:https`.
 */
export function createGuardedTransport({ allowPrivate, resolve }: GuardOptions): Transport {
  const agent = { http: new HttpAgent({ keepAlive: true }), https: new HttpsAgent({ keepAlive: true }) }
  const guard = allowPrivate ? {} : { lookup: createCheckedLookup(resolve) }
  return async (url, { headers, signal }) => {
    const isSecure = url.protocol === 'https:'
    if (!isSecure && !allowPrivate) throw new FetchError(`${url.origin} is no https:// address`)
    if (!allowPrivate) checkHostLiteral(url.hostname)
    const options = { headers: { ...headers, 'accept-encoding': 'gzip, br' }, signal, ...guard }
    try {
      const message = await new Promise<IncomingMessage>((done, fail) => {
        const request = isSecure
          ? httpsRequest(url, { ...options, agent: agent.https }, done)
          : httpRequest(url, { ...options, agent: agent.http }, done)
        request.on('error', fail)
        request.end()
      })
      return toResponse(message, signal)
    } catch (error) {
      throw error instanceof FetchError ? error : toFetchError(error, signal, 'fetch failed')
    }
  }
}

/** Statuses whose responses have no body. */
const EMPTY_STATUSES = new Set([204, 304])

function toResponse(message: IncomingMessage, signal: AbortSignal): Response {
  const { statusCode: status = 0, statusMessage: statusText = '' } = message
  const headers = new Headers()
  for (const [name, value] of Object.entries(message.headers)) {
    if (value !== undefined) headers.set(name, String(value))
  }
  if (EMPTY_STATUSES.has(status)) {
    message.resume()
    return new Response(null, { status, statusText, headers })
  }
  const body = Readable.toWeb(Readable.from(readBody(message, signal))) as ReadableStream
  return new Response(body, { status, statusText, headers })
}

async function* readBody(message: IncomingMessage, signal: AbortSignal): AsyncGenerator<Buffer> {
  const encoding = message.headers['content-encoding']
  const decoder = encoding === 'gzip' ? createGunzip() : encoding === 'br' ? createBrotliDecompress() : undefined
  message.on('error', (error) => decoder?.destroy(error))
  try {
    yield* decoder === undefined ? message : message.pipe(decoder)
  } catch (error) {
    throw toFetchError(error, signal, 'terminated')
  } finally {
    message.destroy()
  }
}

/** An error as `fetch` throws it: the reason of the abort, or a `TypeError` with the cause. */
function toFetchError(error: unknown, signal: AbortSignal, message: string): unknown {
  return signal.aborted ? signal.reason : new TypeError(message, { cause: error })
}
