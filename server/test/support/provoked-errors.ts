import { connect, type Socket } from 'node:net'
import { createApp } from '../../src/http/app.ts'
import type { API_ERRORS } from '../../src/http/exchange/errors.ts'
import { AdmissionQueue } from '../../src/http/request/admission-queue.ts'
import { CatalogQueryEngine } from '../../src/render/catalog-query-engine.ts'
import type { TestService } from './test-service.ts'

/** An error as the service responds with it. */
export interface Failure {
  readonly status: number
  readonly headers: Record<string, string>
  readonly text: string
  readonly body: Record<string, unknown>
}

type Headers = Record<string, string>

/** Requests that provoke every error of the API, with further headers. */
type ProvokedErrors = Record<keyof typeof API_ERRORS, (headers: Headers) => Promise<Failure>>

const FILTERS = '/shows/search/filters'

/** Headers as lines of a request. */
const lines = (headers: Headers) =>
  Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('')

/** The queue of a process that cannot keep up. */
class FullQueue extends AdmissionQueue {
  override isOpen(): boolean {
    return false
  }

  override enqueue({ reject }: Parameters<AdmissionQueue['enqueue']>[0]): void {
    reject()
  }
}

/** The requests that provoke every error, on a service with shows that listens, and on one without a catalog. */
export function provokedErrors(service: TestService, empty: TestService): ProvokedErrors {
  const get = (path: string, headers: Headers) => service.get(path, { headers })
  const exchange = (bytes: string, onConnection?: (socket: Socket) => void) =>
    exchangeBytes(service, bytes, onConnection)

  /** The same service with one dependency replaced. */
  async function variant(
    parts: { fault?: Error; overloaded?: boolean; maxStreamsPerKey?: number },
    headers: Headers,
    path = '/genres',
  ): Promise<Failure> {
    const answers = new CatalogQueryEngine(service.ledger.catalog)
    if (parts.fault !== undefined) {
      answers.execute = () => {
        throw parts.fault
      }
    }
    const app = createApp({
      engine: answers,
      keys: service.accounts.keys,
      meter: service.meter,
      clock: () => service.now,
      settings: {
        marketplace: 'Market',
        keyPrefix: 'mq-key-',
        countries: 'array',
        maxStreamsPerKey: parts.maxStreamsPerKey ?? 10,
      },
      logger: false,
      ...(parts.overloaded === true && { admission: new FullQueue() }),
    })
    const address = await app.listen({ port: 0, host: '127.0.0.1' })
    const response = await fetch(`${address}/v4${path}`, { headers: { 'x-api-key': service.directKey, ...headers } })
    const text = await response.text()
    await app.close()
    return { status: response.status, headers: Object.fromEntries(response.headers), text, body: JSON.parse(text) }
  }

  return {
    invalid_parameter: (headers) => get(`${FILTERS}?country=us&rating_min=abc`, headers),
    missing_parameter: (headers) => get(FILTERS, headers),
    unknown_parameter: (headers) => get(`${FILTERS}?country=us&genre=drama`, { ...headers, prefer: 'handling=strict' }),
    invalid_cursor: (headers) => get(`${FILTERS}?country=us&cursor=nonsense`, headers),
    malformed_request: (headers) => exchange(`NONSENSE\r\n${lines(headers)}\r\n`),
    missing_key: (headers) => service.raw('/v4/genres', headers),
    invalid_key: (headers) => get('/genres', { ...headers, 'x-api-key': 'nonsense' }),
    wrong_key_source: (headers) => get('/genres', { ...headers, 'x-api-key': service.marketplaceKey }),
    async key_revoked(headers) {
      const { key, record } = await service.aKey('unlimited')
      await service.accounts.keys.revoke(record.id, service.act)
      return get('/genres', { ...headers, 'x-api-key': key })
    },
    async origin_not_allowed(headers) {
      const { key } = await service.aKey('unlimited', { origins: ['https://a.example'] })
      return get('/genres', { ...headers, 'x-api-key': key, origin: 'https://b.example' })
    },
    async not_in_plan(headers) {
      const { key } = await service.aKey('free')
      return get('/catalog/export?country=us', { ...headers, 'x-api-key': key })
    },
    token_expired: (headers) => get('/changes?country=us&change_type=new&item_type=show&since=1.000000000000', headers),
    not_found: (headers) => get('/shows/999', headers),
    method_not_allowed: (headers) => service.get('/genres', { method: 'POST', headers }),
    request_timeout: (headers) =>
      exchange(`GET /v4/genres HTTP/1.1\r\nHost: a\r\n${lines(headers)}`, (socket) => {
        // Node emits this after the request timeout; emitting it here saves the wait.
        const error = Object.assign(new Error('Request timeout'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' })
        setImmediate(() => service.app.server.emit('clientError', error, socket))
      }),
    uri_too_long: (headers) => get(`/genres?${'x'.repeat(9_000)}`, headers),
    async quota_exceeded(headers) {
      const { key, record } = await service.aKey('free')
      await service.accounts.quota.add([{ owner: record.id, period: '2026-03', requests: 1_000 }])
      return get('/genres', { ...headers, 'x-api-key': key })
    },
    async rate_limited(headers) {
      const { key } = await service.aKey('free')
      for (let i = 0; i < 10; i++) await get('/genres', { 'x-api-key': key })
      return get('/genres', { ...headers, 'x-api-key': key })
    },
    too_many_streams: (headers) =>
      variant({ maxStreamsPerKey: 0 }, headers, '/changes/stream?country=us&change_type=new&item_type=show'),
    headers_too_large: (headers) =>
      exchange(`GET /v4/genres HTTP/1.1\r\nHost: a\r\n${lines(headers)}Cookie: ${'x'.repeat(40_000)}\r\n\r\n`),
    internal: (headers) => variant({ fault: new Error('the secret inside') }, headers),
    unavailable: (headers) => empty.get('/genres', { headers }),
    overloaded: (headers) => variant({ overloaded: true }, headers),
  }
}

/** The response to raw bytes on the port of a service. */
export function exchangeBytes(
  service: TestService,
  bytes: string,
  onConnection?: (socket: Socket) => void,
): Promise<Failure> {
  const { port } = service.app.server.address() as { port: number }
  return new Promise((resolve, reject) => {
    if (onConnection !== undefined) service.app.server.once('connection', onConnection)
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes))
    let received = ''
    socket.setEncoding('utf8')
    socket.on('data', (piece) => {
      received += piece
    })
    socket.on('error', reject)
    socket.on('close', () => {
      const [head = '', body = ''] = received.split('\r\n\r\n')
      const [line = '', ...lines] = head.split('\r\n')
      const headers = lines.map((one) => [one.split(':')[0]?.toLowerCase(), one.slice(one.indexOf(':') + 1).trim()])
      const status = Number(line.split(' ')[1])
      resolve({ status, headers: Object.fromEntries(headers), text: body, body: JSON.parse(body) })
    })
  })
}
