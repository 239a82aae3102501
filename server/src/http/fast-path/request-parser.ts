import type { IncomingHttpHeaders } from 'node:http'
import { CacheMeter } from '../../lib/cache.ts'
import { isHeaderName } from '../exchange/headers.ts'

/** Larger requests go to Node's parser. */
const MAX_REQUEST_BYTES = 8 * 1024

const SIMPLE_URL = /^\/[\w\-.~!$&'()*+,;=:@%/?[\]]*$/

/** Bytes other than printable ASCII, and line ends other than CRLF. */
const IRREGULAR = /[^\x20-\x7e\r\n]|\r(?!\n)|(?<!\r)\n/

/** Headers that change how a message is parsed or what happens to its connection. */
const FRAMING_HEADERS = new Set([
  'connection',
  'content-length',
  'expect',
  'http2-settings',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

/** A simple request; its URL is only known to begin with a slash. */
interface FastPathRequest {
  readonly url: string
  readonly headers: IncomingHttpHeaders
}

/** Whether a URL consists of ordinary URL characters only. */
export function isSimpleUrl(url: string): boolean {
  return SIMPLE_URL.test(url)
}

/**
 * Parses the simple requests of one connection: GET by HTTP/1.1 with a host, exactly one in a chunk of data, without a
 * body, a repeated header or a framing header. It judges nothing else, valid or not: that is for Node's parser.
 */
export class FastPathRequestParser {
  private headerText: string | undefined
  private headers: IncomingHttpHeaders = {}

  /** The request if the data is exactly one simple request. */
  parse(data: Buffer): FastPathRequest | undefined {
    if (data.length > MAX_REQUEST_BYTES) return undefined
    const text = data.toString('latin1')
    const lineEnd = text.indexOf('\r\n')
    if (lineEnd < 15 || !text.startsWith('GET /') || !text.startsWith(' HTTP/1.1', lineEnd - 9)) return undefined
    // Most clients repeat their headers unchanged in every request, so those are parsed once.
    const known = this.headerText
    if (known === undefined || text.length - lineEnd - 2 !== known.length || !text.endsWith(known)) {
      const headerText = text.slice(lineEnd + 2)
      const headers = parseHeaders(headerText, this.headers)
      if (headers === undefined) return undefined
      this.headerText = headerText
      this.headers = headers
    }
    return { url: text.slice(4, lineEnd - 9), headers: this.headers }
  }
}

/**
 * Parses headers that end with an empty line and nothing after it. A value that equals the one of the request before is
 * the same string object, which makes map look-ups by it fast. A value that differs may differ each time and is not
 * copied.
 */
function parseHeaders(text: string, before: IncomingHttpHeaders): IncomingHttpHeaders | undefined {
  const end = text.indexOf('\r\n\r\n')
  if (end !== text.length - 4 || IRREGULAR.test(text)) return undefined
  const headers: IncomingHttpHeaders = {}
  for (let at = 0; at < end; ) {
    const lineEnd = text.indexOf('\r\n', at)
    const colon = text.indexOf(':', at)
    if (colon < 0 || colon > lineEnd) return undefined
    const name = normalizeHeaderName(text.slice(at, colon))
    // Members that every object inherits look like repeated headers here, and so are never set.
    if (name === undefined || headers[name] !== undefined) return undefined
    const value = text.slice(colon + 1, lineEnd).trim()
    if (FRAMING_HEADERS.has(name) && !(name === 'connection' && value.toLowerCase() === 'keep-alive')) return undefined
    const known = before[name]
    headers[name] = known === value ? known : known === undefined ? copyString(value) : value
    at = lineEnd + 2
  }
  return headers.host === undefined ? undefined : headers
}

/** Interned header names by their spelling. The map stops growing when it is full, so that nobody can evict. */
const headerNames = new Map<string, string>()
const MAX_HEADER_NAMES = 1_000

/** Longer names are not interned. */
const MAX_INTERNED_LENGTH = 64

/** The use of the interned header names, for the metrics. */
export const headerNameMeter = new CacheMeter('header_names', MAX_HEADER_NAMES * 4 * MAX_INTERNED_LENGTH)

/** The header name in lower case, if it is valid. */
function normalizeHeaderName(spelling: string): string | undefined {
  const known = headerNames.get(spelling)
  if (known !== undefined) {
    headerNameMeter.hits++
    return known
  }
  headerNameMeter.misses++
  if (!isHeaderName(spelling)) return undefined
  const name = spelling.toLowerCase()
  if (headerNames.size < MAX_HEADER_NAMES && spelling.length <= MAX_INTERNED_LENGTH) {
    headerNames.set(copyString(spelling), name)
    headerNameMeter.entries++
    headerNameMeter.bytes += 4 * spelling.length
  }
  return name
}

/** A copy of a string. V8 represents a slice as a view that keeps the whole request alive. */
export function copyString(text: string): string {
  return Buffer.from(text, 'latin1').toString('latin1')
}
