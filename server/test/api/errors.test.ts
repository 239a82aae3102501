import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { API_ERRORS } from '../../src/http/exchange/errors.ts'
import { aMovie, aSnapshot } from '../support/builders.ts'
import { exchangeBytes, type Failure, provokedErrors } from '../support/provoked-errors.ts'
import { aRunningService } from './running-service.ts'

const FILTERS = '/shows/search/filters'
const PROBLEM = { accept: 'application/problem+json' }

describe('errors', async () => {
  const movies = Array.from({ length: 21 }, (_, i) => aMovie({ id: String(1 + i) }))
  const service = await aRunningService(aSnapshot(...movies))
  const empty = await aRunningService()
  await service.app.listen({ port: 0, host: '127.0.0.1' })
  const get = (path: string, headers: Record<string, string>) => service.get(path, { headers })
  const PROVOKED = provokedErrors(service, empty)

  /** Requests of which nothing is left to read when they fail. */
  const HEADERLESS = ['request_timeout']

  it('every code of the table is provoked here, and no other', () => {
    expect(Object.keys(PROVOKED).sort()).toEqual(Object.keys(API_ERRORS).sort())
  })

  describe.each(Object.keys(API_ERRORS) as (keyof typeof API_ERRORS)[])('%s', (code) => {
    let failure: Failure
    beforeAll(async () => {
      failure = await PROVOKED[code]({})
    })

    it('has its status, and its code in X-Error-Code', () => {
      const { status, headers } = failure
      expect([status, headers['x-error-code']]).toEqual([API_ERRORS[code].status, code])
    })

    it('is {"message"} and nothing else', () => {
      const { body, text } = failure
      expect(Object.keys(body)).toEqual(['message'])
      expect(body.message).toMatch(/^[A-Z].{10,}/s)
      expect(text).toBe(JSON.stringify(body))
    })

    it('is JSON with a request id, and is not kept', () => {
      const { headers } = failure
      expect(headers['content-type']).toBe('application/json; charset=utf-8')
      expect(headers['x-request-id']).toMatch(/^\S+$/)
      expect(headers['cache-control']).toBe('no-store')
      expect(headers['access-control-allow-origin']).toBeDefined()
      expect(headers.vary).toMatch(/^Accept(,|$)/)
    })

    // A request without headers cannot ask for problem details.
    if (!HEADERLESS.includes(code)) {
      it('is RFC 9457 where Accept names application/problem+json', async () => {
        const { status, headers, body } = await PROVOKED[code](PROBLEM)
        expect(headers['content-type']).toBe('application/problem+json')
        const { parameter, retryAfter, base: _base, header: _header, ...fixed } = body
        expect(fixed).toEqual({
          type: `/docs/errors#${code}`,
          title: API_ERRORS[code].title,
          status,
          detail: expect.stringMatching(/^[A-Z].{10,}/s),
          code,
          requestId: headers['x-request-id'],
        })
        expect([parameter, headers['x-error-code']]).toEqual([headers['x-error-parameter'], code])
        expect(retryAfter).toBe(headers['retry-after'] === undefined ? undefined : Number(headers['retry-after']))
      })
    }
  })

  it.each([
    ['invalid_parameter', 'rating_min'],
    ['missing_parameter', 'country'],
    ['unknown_parameter', 'genre'],
    ['invalid_cursor', 'cursor'],
    ['not_found', 'id'],
  ] as const)('%s names the parameter in X-Error-Parameter: %s', async (code, parameter) => {
    expect((await PROVOKED[code]({})).headers['x-error-parameter']).toBe(parameter)
  })

  it('an error without a parameter at fault has no X-Error-Parameter', async () => {
    expect((await PROVOKED.missing_key({})).headers).not.toHaveProperty('x-error-parameter')
  })

  it('X-Error-Parameter holds any name', async () => {
    const { headers, body } = await get('/genres?f%C3%B6o%0d%0a=1', { ...PROBLEM, prefer: 'handling=strict' })
    expect([headers['x-error-parameter'], body.parameter]).toEqual(['f%C3%B6o%0D%0A', 'föo\r\n'])
  })

  it.each(['quota_exceeded', 'rate_limited', 'unavailable', 'overloaded'] as const)(
    '%s comes with Retry-After',
    async (code) => {
      const { headers } = await PROVOKED[code]({})
      expect(Number(headers['retry-after'])).toBeGreaterThan(0)
    },
  )

  it('quota_exceeded: Retry-After is the time until the quota resets', async () => {
    const { headers } = await PROVOKED.quota_exceeded({})
    expect(Number(headers['retry-after'])).toBe(Date.UTC(2026, 3, 1) / 1000 - service.now)
  })

  it('rate_limited: requests are accepted again in the next second', async () => {
    const { key } = await service.aKey('free')
    for (let i = 0; i < 10; i++) expect((await get('/genres', { 'x-api-key': key })).status).toBe(200)
    expect((await get('/genres', { 'x-api-key': key })).status).toBe(429)
    service.now += 1
    expect((await get('/genres', { 'x-api-key': key })).status).toBe(200)
  })

  it.each([{}, PROBLEM])('internal: nothing of the inside leaks to %j', async (accept) => {
    const { headers, text } = await PROVOKED.internal(accept)
    expect(JSON.stringify([headers, text])).not.toContain('secret')
    expect(text).not.toMatch(/\.ts|node_modules|Error:|at /)
  })

  it('method_not_allowed comes with Allow', async () => {
    expect((await PROVOKED.method_not_allowed({})).headers.allow).toBe('GET, HEAD, OPTIONS')
  })

  it.each([
    ['an unknown route', '/v4/nowhere'],
    ['an unknown route below a known one', '/v4/genres/action'],
    ['a path beyond an id', '/v4/shows/movie/1/2'],
    ['the root of the direct base', '/v4'],
    ['a trailing slash', '/v4/genres/'],
  ])('not_found: %s, %s, has the same shape', async (_, url) => {
    const key = { 'x-api-key': service.directKey }
    const { status, body, error } = await service.raw(url, key)
    expect([status, Object.keys(body), error.code]).toEqual([404, ['message'], 'not_found'])
    const problem = await service.raw(url, { ...key, ...PROBLEM })
    expect(problem.body).toMatchObject({ type: '/docs/errors#not_found', status: 404, detail: body.message })
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
      const failure = await exchangeBytes(service, bytes)
      expect([failure.status, failure.headers['x-error-code'], Object.keys(failure.body)]).toEqual([
        status,
        code,
        ['message'],
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
        const { status, error } = await service.get(`${path}?country=us&${given}`)
        expect([status, error.code, error.parameter]).toEqual([400, 'invalid_parameter', parameter])
      },
    )
  })

  it('a key is checked before the parameters', async () => {
    const { error } = await service.raw(`/v4${FILTERS}?country=zz`, {})
    expect(error.code).toBe('missing_key')
  })

  // Clients may have left connections open.
  afterAll(() => service.app.server.closeAllConnections())
})
