import type { IncomingHttpHeaders } from 'node:http'

/** The largest head of a request that is taken for a plain one. */
const LARGEST = 8 * 1024

/** What a URL consists of, if nothing about it is unusual. */
const PLAIN_URL = /^\/[\w\-.~!$&'()*+,;=:@%/?[\]]*$/

/** A header field, if nothing about it is unusual: a token, a colon, and text that can be seen. */
const PLAIN_FIELD = /^([!#$%&'*+\-.^_`|~\dA-Za-z]+):[ \t]*([\x20-\x7e]*?)[ \t]*$/

/** Fields that change how a message is read, or what becomes of its connection. */
const FRAMING = new Set([
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

/** The request line and the headers of a plain request. */
export interface PlainRequest {
  readonly url: string
  readonly headers: IncomingHttpHeaders
}

/**
 * Reads the requests of one connection, as long as they are plain: GET by HTTP/1.1 with a host, one at a time and in one
 * piece, without a body, a repeated field, or anything that has to do with framing. Of everything else, good or bad, it
 * says nothing: that is for Node's parser, which knows all of HTTP.
 */
export class PlainRequestReader {
  private fields = ''
  private headers: IncomingHttpHeaders = {}

  /** The request that a piece of data is, if it is exactly one and plain. `isKnown` tells URLs that were read before. */
  read(data: Buffer, isKnown: (url: string) => boolean): PlainRequest | undefined {
    if (data.length > LARGEST) return undefined
    const text = data.toString('latin1')
    const lineEnd = text.indexOf('\r\n')
    if (lineEnd < 15 || !text.startsWith('GET /') || !text.startsWith(' HTTP/1.1', lineEnd - 9)) return undefined
    const url = text.slice(4, lineEnd - 9)
    if (!isKnown(url) && !PLAIN_URL.test(url)) return undefined
    // A client mostly repeats its headers with every request, letter by letter.
    if (text.length - lineEnd - 2 !== this.fields.length || !text.endsWith(this.fields)) {
      const fields = text.slice(lineEnd + 2)
      const headers = readFields(fields)
      if (headers === undefined) return undefined
      this.fields = fields
      this.headers = headers
    }
    return { url, headers: this.headers }
  }
}

/** Reads header fields that end with an empty line, and nothing after it. */
function readFields(text: string): IncomingHttpHeaders | undefined {
  if (text.indexOf('\r\n\r\n') !== text.length - 4) return undefined
  const headers: IncomingHttpHeaders = Object.create(null)
  for (const line of text.slice(0, -4).split('\r\n')) {
    const [, field = '', value = ''] = PLAIN_FIELD.exec(line) ?? []
    const name = field.toLowerCase()
    if (name === '' || headers[name] !== undefined) return undefined
    if (FRAMING.has(name) && !(name === 'connection' && value.toLowerCase() === 'keep-alive')) return undefined
    headers[name] = value
  }
  return headers.host === undefined ? undefined : headers
}
