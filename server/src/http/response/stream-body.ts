import type { ServerResponse } from 'node:http'
import { Readable, type Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import * as zlib from 'node:zlib'
import type { ApiRequest } from '../exchange/exchange.ts'
import { formatHeader, type HeaderBlock, toHeaderList } from '../exchange/headers.ts'
import { parseAcceptEncoding } from './compression.ts'

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
 * was sent before. Rejects when the connection ends early: the server closes one whose client takes nothing.
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
  const source = Readable.from(chunks, { objectMode: false, highWaterMark: 1 })
  if (encoding === undefined) await pipeline(source, res)
  else await pipeline(source, encoding[1](), res)
}
