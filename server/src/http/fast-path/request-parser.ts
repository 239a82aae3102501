import type { IncomingHttpHeaders } from 'node:http'

/** The largest head of a request that is taken for a plain one. */
const MAX_REQUEST_BYTES = 8 * 1024

/** What a URL consists of, if nothing about it is unusual. */
const SIMPLE_URL = /^\/[\w\-.~!$&'()*+,;=:@%/?[\]]*$/

/** What a field's name is made of. */
const HEADER_NAME = /^[!#$%&'*+\-.^_`|~\dA-Za-z]+$/

/** What plain fields do not hold: anything but visible characters and spaces, and lines that do not end as they should. */
const IRREGULAR = /[^\x20-\x7e\r\n]|\r(?!\n)|(?<!\r)\n/

/** HeaderBlock that change how a message is read, or what becomes of its connection. */
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

/** The request line and the headers of a plain request; of the URL it is only known that it begins with a slash. */
export interface FastPathRequest {
  readonly url: string
  readonly headers: IncomingHttpHeaders
}

/** Whether there is nothing unusual about a URL. */
export function isSimpleUrl(url: string): boolean {
  return SIMPLE_URL.test(url)
}

/**
 * Reads the requests of one connection, as long as they are plain: GET by HTTP/1.1 with a host, one at a time and in one
 * piece, without a body, a repeated field, or anything that has to do with framing. Of everything else, good or bad, it
 * says nothing: that is for Node's parser, which knows all of HTTP.
 */
export class FastPathRequestParser {
  private fields: string | undefined
  private headers: IncomingHttpHeaders = {}

  /** The request that a piece of data is, if it is exactly one and plain. */
  parse(data: Buffer): FastPathRequest | undefined {
    if (data.length > MAX_REQUEST_BYTES) return undefined
    const text = data.toString('latin1')
    const lineEnd = text.indexOf('\r\n')
    if (lineEnd < 15 || !text.startsWith('GET /') || !text.startsWith(' HTTP/1.1', lineEnd - 9)) return undefined
    // A client mostly repeats its headers with every request, letter by letter.
    if (this.fields === undefined || text.length - lineEnd - 2 !== this.fields.length || !text.endsWith(this.fields)) {
      const fields = text.slice(lineEnd + 2)
      const headers = parseHeaders(fields, this.headers)
      if (headers === undefined) return undefined
      this.fields = fields
      this.headers = headers
    }
    return { url: text.slice(4, lineEnd - 9), headers: this.headers }
  }
}

/**
 * Reads header fields that end with an empty line, and nothing after it. MetricValues that were there before are the very same
 * texts again, which makes it quick to find what belongs to them. A value that differs may differ each time.
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
    // Names that every object knows are taken for repeated ones, and so are never set.
    if (name === undefined || headers[name] !== undefined) return undefined
    const value = text.slice(colon + 1, lineEnd).trim()
    if (FRAMING_HEADERS.has(name) && !(name === 'connection' && value.toLowerCase() === 'keep-alive')) return undefined
    const known = before[name]
    headers[name] = known === value ? known : known === undefined ? copyString(value) : value
    at = lineEnd + 2
  }
  return headers.host === undefined ? undefined : headers
}

const headerNames = new Map<string, string>()
const MAX_CACHED_NAMES = 1_000

/** The name of a field in lower case, if it can be one. */
function normalizeHeaderName(written: string): string | undefined {
  const known = headerNames.get(written)
  if (known !== undefined) return known
  if (!HEADER_NAME.test(written)) return undefined
  const name = written.toLowerCase()
  if (headerNames.size < MAX_CACHED_NAMES) headerNames.set(copyString(written), name)
  return name
}

/** The same text apart from the request that it was read from, which would else be kept along with it. */
export function copyString(text: string): string {
  return Buffer.from(text, 'latin1').toString('latin1')
}
