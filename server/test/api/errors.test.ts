import { connect, type Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createApp } from '../../src/http/app.ts'
import { API_ERRORS } from '../../src/http/response/errors.ts'
import { CatalogQueryEngine } from '../../src/render/catalog-query-engine.ts'
import { aMovie, aSnapshot } from '../support/builders.ts'
import { aRunningService } from './running-service.ts'

interface Failure {
  readonly status: number
  readonly headers: Record<string, string>
  readonly body: Record<string, unknown>
}

const FILTERS = '/shows/search/filters'

describe('errors', async () => {
  const movies = Array.from({ length: 21 }, (_, i) => aMovie({ id: String(1 + i) }))
  const service = await aRunningService(aSnapshot(...movies))
  const empty = await aRunningService()
  await service.app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = service.app.server.address() as { port: number }

  const get = (path: string, headers: Record<string, string> = {}) => service.get(path, { headers })

  /** The same service with one dependency replaced. */
  async function variant(parts: { fault?: Error; overloaded?: boolean }): Promise<Failure> {
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
      settings: { marketplace: 'Market', keyPrefix: 'mq-key-', countries: 'array' },
      logger: false,
      isOverloaded: () => parts.overloaded === true,
    })
    const response = await app.inject({ url: '/v4/genres', headers: { 'x-api-key': service.directKey } })
    await app.close()
    return { status: response.statusCode, headers: response.headers as Record<string, string>, body: response.json() }
  }

  /** The response to raw bytes on a real port. */
  function exchange(bytes: string, onConnection?: (socket: Socket) => void): Promise<Failure> {
    return new Promise((resolve, reject) => {
      if (onConnection !== undefined) service.app.server.once('connection', onConnection)
      const socket = connect(port, '127.0.0.1', () => socket.write(bytes))
      let text = ''
      socket.setEncoding('utf8')
      socket.on('data', (piece) => {
        text += piece
      })
      socket.on('error', reject)
      socket.on('close', () => {
        const [head = '', body = ''] = text.split('\r\n\r\n')
        const [line = '', ...lines] = head.split('\r\n')
        const headers = lines.map((one) => [one.split(':')[0]?.toLowerCase(), one.slice(one.indexOf(':') + 1).trim()])
        resolve({ status: Number(line.split(' ')[1]), headers: Object.fromEntries(headers), body: JSON.parse(body) })
      })
    })
  }

  /** A request that provokes each code. */
  const PROVOKED: Record<keyof typeof API_ERRORS, () => Promise<Failure>> = {
    invalid_parameter: () => get(`${FILTERS}?country=us&rating_min=abc`),
    missing_parameter: () => get(FILTERS),
    unknown_parameter: () => get(`${FILTERS}?country=us&genre=drama`, { prefer: 'handling=strict' }),
    invalid_cursor: () => get(`${FILTERS}?country=us&cursor=nonsense`),
    malformed_request: () => exchange('NONSENSE\r\n\r\n'),
    missing_key: () => service.raw('/v4/genres'),
    invalid_key: () => get('/genres', { 'x-api-key': 'nonsense' }),
    wrong_key_source: () => get('/genres', { 'x-api-key': service.marketplaceKey }),
    async key_revoked() {
      const { key, record } = await service.aKey('unlimited')
      await service.accounts.keys.revoke(record.id, service.act)
      return get('/genres', { 'x-api-key': key })
    },
    async origin_not_allowed() {
      const { key } = await service.aKey('unlimited', { origins: ['https://a.example'] })
      return get('/genres', { 'x-api-key': key, origin: 'https://b.example' })
    },
    not_found: () => get('/shows/999'),
    method_not_allowed: () => service.get('/genres', { method: 'POST' }),
    request_timeout: () =>
      exchange('GET /v4/genres HTTP/1.1\r\nHost: a\r\n', (socket) => {
        // Node emits this after the request timeout; emitting it here saves the wait.
        const error = Object.assign(new Error('Request timeout'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' })
        setImmediate(() => service.app.server.emit('clientError', error, socket))
      }),
    uri_too_long: () => get(`/genres?${'x'.repeat(9_000)}`),
    async quota_exceeded() {
      const { key, record } = await service.aKey('free')
      await service.accounts.quota.add([{ owner: record.id, period: '2026-03', requests: 1_000 }])
      return get('/genres', { 'x-api-key': key })
    },
    async rate_limited() {
      const { key } = await service.aKey('free')
      for (let i = 0; i < 10; i++) await get('/genres', { 'x-api-key': key })
      return get('/genres', { 'x-api-key': key })
    },
    headers_too_large: () => exchange(`GET /v4/genres HTTP/1.1\r\nHost: a\r\nCookie: ${'x'.repeat(40_000)}\r\n\r\n`),
    internal: () => variant({ fault: new Error('the secret inside') }),
    unavailable: () => empty.get('/genres'),
    overloaded: () => variant({ overloaded: true }),
  }

  it('every code of the table is provoked here, and no other', () => {
    expect(Object.keys(PROVOKED).sort()).toEqual(Object.keys(API_ERRORS).sort())
  })

  describe.each(Object.keys(API_ERRORS) as (keyof typeof API_ERRORS)[])('%s', (code) => {
    let failure: Failure
    beforeAll(async () => {
      failure = await PROVOKED[code]()
    })

    it('has its status and its code', () => {
      const { status, body } = failure
      expect([status, body.code]).toEqual([API_ERRORS[code].status, code])
    })

    it('has the shape that all have: message, code, parameter, …', () => {
      const { body } = failure
      const keys = Object.keys(body)
      expect(keys.slice(0, 2)).toEqual(['message', 'code'])
      if (keys.includes('parameter')) expect(keys[2]).toBe('parameter')
      expect(body.message).toMatch(/^[A-Z].{10,}/s)
    })

    it('is JSON with a request id, and is not kept', () => {
      const { headers } = failure
      expect(headers['content-type']).toBe('application/json; charset=utf-8')
      expect(headers['x-request-id']).toMatch(/^\S+$/)
      expect(headers['cache-control']).toBe('no-store')
      expect(headers['access-control-allow-origin']).toBeDefined()
    })
  })

  it.each([
    ['invalid_parameter', 'rating_min'],
    ['missing_parameter', 'country'],
    ['unknown_parameter', 'genre'],
    ['invalid_cursor', 'cursor'],
  ] as const)('%s names the parameter: %s', async (code, parameter) => {
    expect((await PROVOKED[code]()).body.parameter).toBe(parameter)
  })

  it.each(['quota_exceeded', 'rate_limited', 'unavailable', 'overloaded'] as const)(
    '%s comes with Retry-After',
    async (code) => {
      const { headers } = await PROVOKED[code]()
      expect(Number(headers['retry-after'])).toBeGreaterThan(0)
    },
  )

  it('quota_exceeded: Retry-After is the time until the quota resets', async () => {
    const { headers } = await PROVOKED.quota_exceeded()
    expect(Number(headers['retry-after'])).toBe(Date.UTC(2026, 3, 1) / 1000 - service.now)
  })

  it('rate_limited: requests are accepted again in the next second', async () => {
    const { key } = await service.aKey('free')
    for (let i = 0; i < 10; i++) expect((await get('/genres', { 'x-api-key': key })).status).toBe(200)
    expect((await get('/genres', { 'x-api-key': key })).status).toBe(429)
    service.now += 1
    expect((await get('/genres', { 'x-api-key': key })).status).toBe(200)
  })

  it('internal: nothing of the inside leaks, and the request id is in the body too', async () => {
    const { headers, body } = await PROVOKED.internal()
    expect(JSON.stringify([headers, body])).not.toContain('secret')
    expect(JSON.stringify(body)).not.toMatch(/\.ts|node_modules|Error:|at /)
    expect(body.requestId).toBe(headers['x-request-id'])
  })

  it('method_not_allowed comes with Allow', async () => {
    expect((await PROVOKED.method_not_allowed()).headers.allow).toBe('GET, HEAD, OPTIONS')
  })

  it.each([
    ['an unknown route', '/v4/nowhere'],
    ['an unknown route below a known one', '/v4/genres/action'],
    ['a path beyond an id', '/v4/shows/movie/1/2'],
    ['the root of the direct base', '/v4'],
    ['a trailing slash', '/v4/genres/'],
  ])('not_found: %s, %s, has the same shape', async (_, url) => {
    const { status, body } = await service.raw(url, { 'x-api-key': service.directKey })
    expect([status, Object.keys(body), body.code]).toEqual([404, ['message', 'code'], 'not_found'])
  })

  describe('a request that is not HTTP has the same shape', () => {
    it.each([
      ['rubbish', '\u0001\u0002\r\n\r\n', 400, 'malformed_request'],
      ['an unknown method', 'BREW /v4/genres HTTP/1.1\r\nHost: a\r\n\r\n', 400, 'malformed_request'],
      [
        'a header without a colon',
        'GET /v4/genres HTTP/1.1\r\nHost: a\r\nbad header\r\n\r\n',
        400,
        'malformed_request',
      ],
      ['another protocol', 'GET /v4/genres SPDY/3\r\nHost: a\r\n\r\n', 400, 'malformed_request'],
      ['a URL without end', `GET /${'x'.repeat(40_000)} HTTP/1.1\r\nHost: a\r\n\r\n`, 414, 'uri_too_long'],
      [
        'a path that cannot be decoded',
        'GET /v4/shows/%zz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n',
        400,
        'malformed_request',
      ],
    ])('%s', async (_, bytes, status, code) => {
      const failure = await exchange(bytes)
      expect([failure.status, failure.body.code, Object.keys(failure.body)]).toEqual([
        status,
        code,
        ['message', 'code'],
      ])
      expect(failure.headers['content-type']).toBe('application/json; charset=utf-8')
      expect(failure.headers['x-request-id']).toMatch(/^\S+$/)
    })

    it('and leaves the service alive', async () => {
      expect((await service.get('/genres')).status).toBe(200)
    })
  })

  describe('text that is not percent-encoded UTF-8', () => {
    it.each(['keyword=%', 'keyword=%zz', 'keyword=%ff', 'title=%c3'])(
      '%s: 400 that names the parameter',
      async (given) => {
        const parameter = given.split('=')[0] as string
        const path = parameter === 'title' ? '/shows/search/title' : FILTERS
        const { status, body } = await get(`${path}?country=us&${given}`)
        expect([status, body.code, body.parameter]).toEqual([400, 'invalid_parameter', parameter])
      },
    )
  })

  it('a key is checked before the parameters', async () => {
    const { body } = await service.raw(`/v4${FILTERS}?country=zz`, {})
    expect(body.code).toBe('missing_key')
  })

  // Clients may have left connections open.
  afterAll(() => service.app.server.closeAllConnections())
})
