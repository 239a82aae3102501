import { ENDPOINTS } from '../../../src/http/api/endpoints.ts'

/** One generated exchange: what is written to a fresh connection, chunk by chunk. */
export interface GeneratedRequest {
  /** What the request is an example of, for reports. */
  readonly kind: string
  /** Latin-1 text, as it goes over the wire. */
  readonly chunks: readonly string[]
  /** How many responses come back if the connection is not closed before. */
  readonly responses: number
  /** The requests of a packet that holds several. */
  readonly pipelined?: readonly GeneratedRequest[]
}

/** A seeded random number generator: mulberry32. */
export function createRandom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** The parameters of all endpoints, and names that every object of JavaScript has. */
const PARAMETERS = [
  ...new Set(ENDPOINTS.flatMap(({ parameters }) => Object.keys(parameters.properties))),
  '__proto__',
  'constructor',
]

const VALUES = [
  'us',
  'US',
  'gb',
  'zz',
  'netflix',
  'netflix.subscription',
  'prime.addon.starzaddon',
  'en',
  'fr',
  'movie',
  'series',
  'crime,drama',
  'and',
  'or',
  '1999',
  '-1',
  '1e9',
  '99999999999999999999',
  'NaN',
  'the godfather',
  'matrix',
  'episode',
  'season',
  'rating',
  'popularity_1week',
  'desc',
  '12:9',
  'tt0068646',
  'movie/597',
  'new',
  'removed',
  'show',
  'true',
  '',
  '\u0000',
  '\u202e',
  '\ud83c\udfac',
  "' OR 1=1 --",
  '../../etc/passwd',
  '<script>alert(1)</script>',
  '{{7*7}}',
  '%',
  '%zz',
  '(((((((((((((((((a+)+)+',
]

const PATHS = [
  '/shows/search/filters',
  '/shows/search/title',
  '/shows/top',
  '/shows',
  '/shows/tt0068646',
  '/shows/movie/597',
  '/shows/1',
  '/people/search',
  '/changes',
  '/countries',
  '/countries/us',
  '/genres',
  '/shows/count',
]

/** A stream of the whole catalog, which costs as much as its lines: it is drawn rarely. */
const EXPORT_PATH = '/catalog/export'
const EXPORT_SHARE = 0.002

const PAGES = [
  '/',
  '/browse',
  '/new',
  '/top',
  '/show/1',
  '/search',
  '/docs',
  '/docs/errors',
  '/sign-in',
  '/dashboard',
  '/operator',
  '/healthz',
  '/readyz',
  '/metrics',
  '/openapi.json',
  '/attributions.json',
  '/favicon.ico',
  '/artwork/1-crime/vertical-poster/w360/Heat.svg',
  '/artwork/1-crime/vertical-poster/w99999/Heat.png',
  '/watch/netflix/us/1/Heat',
  '/assets/nothing.js',
  '/platform/session',
  '/platform/keys',
  '/nowhere',
  '//',
  '/v4',
  '/v4/',
  '/v2/search/basic',
]

const METHODS = ['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE', 'TRACE', 'CONNECT', 'PRI', 'get', 'BREW']

/** Generates requests that are valid, nearly valid or hostile. The same seed gives the same requests. */
export class RequestGenerator {
  private readonly random: () => number
  private readonly keys: readonly string[]

  /** @param keys header lines with a direct key and a marketplace key that requests may carry */
  constructor(seed: number, keys: readonly string[] = []) {
    this.random = createRandom(seed)
    this.keys = keys
  }

  next(): GeneratedRequest {
    const dice = this.random()
    if (dice < 0.5) return this.single('endpoint', this.get(this.endpointTarget()))
    if (dice < 0.55) return this.single('page', this.get(this.pageTarget()))
    if (dice < 0.62) return this.single('method', this.get(this.anyTarget()).replace('GET', this.pick(METHODS)))
    if (dice < 0.68) return this.single('long', this.get(this.longTarget(), this.longHeader()))
    if (dice < 0.73) return this.single('body', this.withBody())
    if (dice < 0.86) return this.single('mutated', this.mutate(this.get(this.anyTarget())))
    if (dice < 0.93) return this.pipelined()
    return this.inPieces()
  }

  private single(kind: string, text: string): GeneratedRequest {
    return { kind, chunks: [text], responses: 1 }
  }

  private pipelined(): GeneratedRequest {
    const count = 2 + this.below(5)
    const requests = Array.from({ length: count }, () => this.get(this.anyTarget()))
    if (this.random() < 0.4) requests[count - 1] = this.mutate(requests[count - 1] as string)
    return {
      kind: 'pipelined',
      chunks: [requests.join('')],
      responses: count,
      pipelined: requests.map((text) => this.single('pipelined', text)),
    }
  }

  private inPieces(): GeneratedRequest {
    const text = this.get(this.anyTarget())
    const at = 1 + this.below(text.length - 1)
    return { kind: 'pieces', chunks: [text.slice(0, at), text.slice(at)], responses: 1 }
  }

  private get(target: string, more = ''): string {
    const headers = Array.from({ length: this.below(4) }, () => this.header()).join('')
    const key = this.keys.length > 0 && this.random() < 0.9 ? `${this.keyFor(target)}\r\n` : ''
    return `GET ${target} HTTP/1.1\r\nHost: a\r\n${key}${headers}${more}\r\n`
  }

  /** Mostly a key of the base path. */
  private keyFor(target: string): string {
    const key = this.keys[target.startsWith('/v4') ? 0 : 1]
    return key !== undefined && this.random() < 0.9 ? key : this.pick(this.keys)
  }

  private withBody(): string {
    const body = this.pick([
      '{}',
      '{"email":"a@b.example","password":"nonsense nonsense"}',
      '{"email":1}',
      '['.repeat(1 + this.below(4_000)),
      '{"a":'.repeat(1 + this.below(1_000)),
      '"\\ud800"',
      'null',
      '\xff\xfe',
      'x'.repeat(this.below(20_000)),
    ])
    const path = this.pick([
      '/platform/sign-in',
      '/platform/sign-up',
      '/platform/pass',
      '/platform/keys',
      '/mcp',
      '/v4/genres',
    ])
    const type = this.pick(['application/json', 'text/plain', 'application/json; charset=utf-16', ''])
    const length = this.random() < 0.9 ? body.length : this.below(100)
    const site = this.random() < 0.7 ? 'Sec-Fetch-Site: same-origin\r\n' : ''
    return `POST ${path} HTTP/1.1\r\nHost: a\r\n${site}Content-Type: ${type}\r\nContent-Length: ${length}\r\n\r\n${body}`
  }

  private anyTarget(): string {
    return this.random() < 0.85 ? this.endpointTarget() : this.pageTarget()
  }

  private endpointTarget(): string {
    const base = this.random() < 0.8 ? '/v4' : ''
    const country = this.random() < 0.6 ? 'country=us&' : ''
    const path = this.random() < EXPORT_SHARE ? EXPORT_PATH : this.pick(PATHS)
    return `${base}${path}?${country}${this.query(this.below(5))}`
  }

  private pageTarget(): string {
    const path = this.pick(PAGES)
    return this.random() < 0.5 ? path : `${path}?country=us&lang=en&title=${this.value()}&${this.query(this.below(3))}`
  }

  /** A target of up to 8 KiB and a little more, of one repeated part. */
  private longTarget(): string {
    const part = this.pick(['a', '%', '%25', '%F0', 'x=1&', 'genres=a,', ',', '+', '/', '..%2f', '(a+)+', 'us.', '-'])
    const length = this.pick([500, 4_000, 8_000, 8_180, 8_300, 20_000, 40_000])
    const prefix = this.random() < 0.8 ? `/v4${this.pick(PATHS)}?country=us&${this.pick(PARAMETERS)}=` : '/'
    return (prefix + part.repeat(Math.ceil(length / part.length))).slice(0, length)
  }

  private longHeader(): string {
    const name = this.pick([
      'Accept-Language',
      'Accept',
      'Accept-Encoding',
      'If-None-Match',
      'Cookie',
      'Prefer',
      'Origin',
      'Referer',
      'X-Forwarded-For',
      'X-API-Key',
      'X-Request-Id',
      'Access-Control-Request-Headers',
    ])
    const part = this.pick(['a', 'en-', 'en;q=0.1,', 'W/"x",', 'a=b; ', ',', ' ', '1.2.3.4,', 'https://a', '"', '%20'])
    return `${name}: ${part.repeat(Math.ceil(this.below(9_000) / part.length))}\r\n`
  }

  private header(): string {
    const choices = [
      'Accept: application/problem+json',
      'Accept: text/html',
      'Accept: */*;q=0.1, ,;;',
      `Accept-Encoding: ${this.pick(['gzip', 'br', 'gzip;q=0', 'identity;q=0', '*'])}`,
      `Accept-Language: ${this.pick(['de', 'tr,en;q=0.5', 'xx-'.repeat(50), '*', 'en-GB-oxendict'])}`,
      `If-None-Match: ${this.pick(['*', 'W/"x"', '"', 'W/"a", W/"b"'])}`,
      'Prefer: handling=strict',
      `Origin: ${this.pick(['https://a.example', 'null', 'x'])}`,
      `Referer: ${this.pick(['https://a/', 'http://a/browse', '%%'])}`,
      'Sec-Fetch-Site: same-origin',
      `Cookie: marquee_pass=${this.value()}; marquee_session=${this.value()}`,
      `X-Forwarded-For: ${this.pick(['1.2.3.4', 'x'.repeat(500), '::1', '1.2.3.4, , 5'])}`,
      'X-Request-Id: fuzz',
      'X-API-Key: mq-key-nonsense',
      'X-Market-API-Key: nonsense',
      'Range: bytes=0-1',
      'Connection: close',
      'Connection: keep-alive',
      'Upgrade: h2c',
      'Expect: 100-continue',
      'TE: trailers',
      'Transfer-Encoding: chunked',
      'Content-Length: 0',
      'Host: b',
      '__proto__: x',
    ]
    return `${this.pick(choices)}\r\n`
  }

  private query(count: number): string {
    return Array.from({ length: count }, () => `${this.pick(PARAMETERS)}=${this.value()}`).join('&')
  }

  private value(): string {
    const value = this.pick(VALUES)
    return this.random() < 0.8 ? encodeURIComponent(value.toWellFormed()) : value.replace(/[^\x21-\x7e]/g, '')
  }

  /** Replaces, removes, repeats or inserts bytes at a few places. */
  private mutate(text: string): string {
    let bytes = text
    for (let i = 1 + this.below(4); i > 0; i--) {
      const at = this.below(bytes.length)
      const letter = String.fromCharCode(this.below(256))
      const edit = this.below(4)
      if (edit === 0) bytes = bytes.slice(0, at) + letter + bytes.slice(at + 1)
      else if (edit === 1) bytes = bytes.slice(0, at) + bytes.slice(at + 1 + this.below(4))
      else if (edit === 2) bytes = bytes.slice(0, at) + letter + bytes.slice(at)
      else bytes = bytes.slice(0, at) + bytes.slice(at, at + 8).repeat(2) + bytes.slice(at + 8)
    }
    return bytes
  }

  private below(limit: number): number {
    return Math.floor(this.random() * limit)
  }

  private pick<T>(list: readonly T[]): T {
    return list[this.below(list.length)] as T
  }
}
