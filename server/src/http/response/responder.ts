import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Transform, Writable } from 'node:stream'
import { finished, pipeline } from 'node:stream/promises'
import * as zlib from 'node:zlib'
import type { MeteredCache } from '../../lib/cache.ts'
import { bodyLength, type ResponseBody } from '../../render/query-engine.ts'
import { type ApiRequest, type ApiResponse, type NodeResponse, writePieces } from '../exchange/exchange.ts'
import { formatHeader, formatHeaders, type HeaderBlock, type KeyHeaders, toHeaderList } from '../exchange/headers.ts'
import type { RequestLog } from '../exchange/request-log.ts'
import { chooseEncoding, createCompressor, parseAcceptEncoding } from './compression.ts'
import { allowOriginHeaders, exposedHeaders } from './cors.ts'
import { type RenderError, toApiError } from './error-response.ts'

/** Writes responses directly, without the framework's reply object. */
export interface Responder {
  /** The headers that every response begins with. With an origin, only its pages may read the response. */
  baseHeaders(req: ApiRequest, id: string, allowOrigin?: string): HeaderBlock
  /**
   * Sends a body and releases it. A body with a `contentKey` is compressed if the client accepts that; the key
   * identifies its content in the cache. Returns a promise where compression is not finished yet.
   */
  send(
    req: ApiRequest,
    res: ApiResponse,
    status: number,
    headers: HeaderBlock,
    body: ResponseBody,
    contentKey?: string,
  ): Promise<void> | undefined
  /** Sends a response without a body. */
  sendHeaders(res: ApiResponse, status: number, headers: HeaderBlock): void
  /** Sends the error response for anything that was thrown, and logs it if the service is at fault. */
  sendError(req: ApiRequest, res: ApiResponse, id: string, error: unknown, headers?: HeaderBlock): void
  caches(): readonly MeteredCache[]
}

interface ResponderOptions {
  readonly names: KeyHeaders
  readonly log: RequestLog
  readonly renderError: RenderError
  /** Headers of this setup that scripts of other origins may read beside the usual ones. */
  readonly extraHeaders: readonly string[]
}

export function createResponder({ names, log, renderError, extraHeaders }: ResponderOptions): Responder {
  const compressor = createCompressor()
  const varyNames = ['Accept-Encoding', 'Origin', 'Prefer', names.direct, ...names.marketplace].join(', ')
  const vary = formatHeader('Vary', varyNames)
  // Only errors have more than one form.
  const varyForError = formatHeader('Vary', `Accept, ${varyNames}`)
  const anyOrigin = vary + allowOriginHeaders(undefined)
  const exposed = exposedHeaders(extraHeaders)

  function baseHeaders(req: ApiRequest, id: string, allowOrigin?: string): HeaderBlock {
    const allowed = allowOrigin === undefined ? anyOrigin : vary + allowOriginHeaders(allowOrigin)
    // The id needs no check: it was generated here or validated on arrival.
    const headers = `X-Request-Id: ${id}\r\n${allowed}`
    // Only browsers read this header, and they send an origin.
    return req.headers.origin === undefined ? headers : headers + exposed
  }

  function send(
    req: ApiRequest,
    res: ApiResponse,
    status: number,
    headers: HeaderBlock,
    body: ResponseBody,
    contentKey?: string,
  ): Promise<void> | undefined {
    const encoding =
      contentKey === undefined
        ? undefined
        : chooseEncoding(req.headers['accept-encoding'] as string | undefined, bodyLength(body))
    if (encoding === undefined) {
      finish(req, res, status, headers, body)
      return undefined
    }
    if (req.method === 'HEAD') {
      // Content-Length is omitted: compressing only to measure costs too much.
      body.release?.()
      writeResponse(res, status, headers + formatHeader('Content-Encoding', encoding))
      return undefined
    }
    const compressed = compressor.compress(contentKey as string, body, encoding)
    if (Buffer.isBuffer(compressed)) {
      body.release?.()
      finish(req, res, status, headers + formatHeader('Content-Encoding', encoding), { bytes: compressed })
      return undefined
    }
    return compressed.then(
      (bytes) => {
        body.release?.()
        finish(req, res, status, headers + formatHeader('Content-Encoding', encoding), { bytes })
      },
      () => finish(req, res, status, headers, body),
    )
  }

  function finish(req: ApiRequest, res: ApiResponse, status: number, headers: HeaderBlock, body: ResponseBody): void {
    const all = `${headers}Content-Length: ${bodyLength(body)}\r\n`
    if (req.method !== 'HEAD') {
      if (body.rest !== undefined && !('send' in res)) writeLargeResponse(req.socket, res, status, all, body)
      else writeResponse(res, status, all, body)
      return
    }
    body.release?.()
    writeResponse(res, status, all)
  }

  function sendError(
    req: ApiRequest,
    res: ApiResponse,
    id: string,
    error: unknown,
    headers = baseHeaders(req, id),
  ): void {
    const apiError = toApiError(error)
    log.logErrorResponse(req, id, apiError)
    if (res.headersSent) {
      res.destroy()
      return
    }
    const { headers: errorHeaders, body } = renderError(apiError, id, req.headers.accept)
    const all = headers.replace(vary, varyForError) + formatHeaders(errorHeaders)
    finish(req, res, apiError.status, all, { bytes: body })
  }

  return { baseHeaders, send, sendHeaders: writeResponse, sendError, caches: compressor.caches }
}

/** Writes a large body to a response of Node's server. */
function writeLargeResponse(
  socket: Socket,
  res: NodeResponse,
  status: number,
  headers: HeaderBlock,
  { bytes, rest = [], release }: ResponseBody,
): void {
  res.writeHead(status, toHeaderList(headers))
  void writePieces(res, socket, [bytes, ...rest]).then(() => {
    release?.()
    res.end()
  })
}

function writeResponse(res: ApiResponse, status: number, headers: HeaderBlock, body?: ResponseBody): void {
  if ('send' in res) {
    res.send(status, headers, body)
    return
  }
  res.writeHead(status, toHeaderList(headers))
  res.end(body?.bytes)
  if (body?.release === undefined) return
  // Usually the kernel has taken all bytes by now; otherwise it has on 'finish'.
  if (res.writableLength === 0) body.release()
  else res.once('finish', body.release)
}

/** Creates the compressor of a stream. Zstandard came to Node later than the oldest version that is supported. */
type CreateCompressor = () => Transform

const zstd = (zlib as { createZstdCompress?: (options: object) => Transform }).createZstdCompress

/**
 * The codings of streams, the preferred one first. Levels are those that keep up with a fast network: a stream is read
 * once, and nobody waits for its last byte as for that of a page.
 */
const ENCODINGS: readonly (readonly [name: string, create: CreateCompressor])[] = [
  ...(zstd === undefined ? [] : [['zstd', () => zstd({})] as const]),
  ['gzip', () => zlib.createGzip({ level: 1, chunkSize: 64 * 1024 })],
]

/** The coding of a stream by `Accept-Encoding`; undefined means uncompressed. */
function chooseStreamEncoding(acceptEncoding: string | undefined): (typeof ENCODINGS)[number] | undefined {
  const weights = parseAcceptEncoding(acceptEncoding)
  let best: (typeof ENCODINGS)[number] | undefined
  let bestWeight = 0
  for (const encoding of ENCODINGS) {
    const weight = weights.get(encoding[0]) ?? weights.get('*') ?? 0
    if (weight > bestWeight) [best, bestWeight] = [encoding, weight]
  }
  return (weights.get('identity') ?? 0) > bestWeight ? undefined : best
}

/**
 * Sends a body chunk by chunk, compressed if the client accepts that. A chunk is asked for when the client has taken what
 * was sent before, so that all chunks may share their memory. Rejects when the connection ends early: the server closes one
 * whose client takes nothing.
 */
export async function streamBody(
  req: ApiRequest,
  res: ServerResponse,
  headers: HeaderBlock,
  chunks: AsyncIterable<Buffer>,
): Promise<void> {
  const encoding = chooseStreamEncoding(req.headers['accept-encoding'] as string | undefined)
  const all = encoding === undefined ? headers : headers + formatHeader('Content-Encoding', encoding[0])
  res.writeHead(200, toHeaderList(all))
  if (req.method === 'HEAD') {
    res.end()
    return
  }
  const compressor = encoding?.[1]()
  const sent = compressor === undefined ? finished(res) : pipeline(compressor, res)
  // Its error is thrown below, when no chunk is being made any more.
  sent.catch(() => {})
  await writeChunks(chunks, compressor ?? res)
  await sent
}

/**
 * Writes one chunk after the other, each when the stream no longer needs the memory of the one before. Ends early when the
 * stream does.
 */
async function writeChunks(chunks: AsyncIterable<Buffer>, stream: Writable): Promise<void> {
  let goOn = () => {}
  // A stream that is destroyed may drop a write without calling back.
  stream.once('close', () => goOn())
  try {
    for await (const chunk of chunks) {
      await new Promise<void>((resolve) => {
        goOn = resolve
        stream.write(chunk, () => resolve())
      })
      if (stream.destroyed) return
    }
    stream.end()
  } catch (error) {
    stream.destroy()
    throw error
  }
}
