import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { aMovie, aSeries, aSnapshot } from '../../support/builders.ts'
import { aTestService } from '../../support/test-service.ts'

/* One test for each sentence about the headers of answers. */

const ORIGIN = 'https://app.example'

/** Headers that scripts of other origins can read without being told, and those that are about the connection or CORS. */
const ALWAYS_READABLE =
  /^(cache-control|content-language|content-length|content-type|expires|last-modified|pragma|connection|keep-alive|transfer-encoding|access-control-.*)$/

describe('headers', async () => {
  const service = await aTestService(aSnapshot(aMovie({ id: '1' }), aSeries({ id: '2' })))
  const bound = (await service.aKey('unlimited', { origins: [ORIGIN] })).key
  const preflight = (url: string, headers: Record<string, string>) =>
    service.raw(url, { origin: ORIGIN, 'access-control-request-method': 'GET', ...headers }, 'OPTIONS')
  const listed = (text = '') => text.toLowerCase().split(/\s*,\s*/)

  it('CORS: every origin', async () => {
    for (const path of ['/genres', '/shows/none', '/shows/search/filters']) {
      const { headers } = await service.get(path, { headers: { origin: ORIGIN } })
      expect(headers['access-control-allow-origin']).toBe('*')
      expect(headers).not.toHaveProperty('access-control-allow-credentials')
    }
  })

  it('unless the key is bound to some: then that origin, with credentials', async () => {
    for (const path of ['/v4/genres', '/v4/shows/none', '/v4/shows/search/filters']) {
      const { headers } = await service.raw(path, { origin: ORIGIN, 'x-api-key': bound })
      expect(headers).toMatchObject({
        'access-control-allow-origin': ORIGIN,
        'access-control-allow-credentials': 'true',
        vary: expect.stringContaining('Origin'),
      })
    }
    const first = await service.raw('/v4/genres', { origin: ORIGIN, 'x-api-key': bound })
    const again = { origin: ORIGIN, 'x-api-key': bound, 'if-none-match': first.headers.etag as string }
    const { status, headers } = await service.raw('/v4/genres', again)
    expect([status, headers['access-control-allow-credentials']]).toEqual([304, 'true'])
  })

  it('another origin of a bound key gets no credentials', async () => {
    const { status, headers } = await service.raw('/v4/genres', { origin: 'https://evil.example', 'x-api-key': bound })
    expect([status, headers['access-control-allow-origin']]).toEqual([403, '*'])
    expect(headers).not.toHaveProperty('access-control-allow-credentials')
  })

  it.each([
    'x-rapidapi-host,x-rapidapi-key',
    'X-RapidAPI-Host',
    'cache-control, pragma',
    'authorization',
    'x-anything, content-type, sentry-trace, baggage',
  ])('every requested header is allowed: %s', async (requested) => {
    for (const url of ['/genres', '/v4/shows/movie/1', '/search/title', '/v4/nowhere', '/healthz']) {
      const { status, text, headers } = await preflight(url, { 'access-control-request-headers': requested })
      expect([status, text]).toEqual([204, ''])
      expect(listed(headers['access-control-allow-headers'])).toEqual(expect.arrayContaining(listed(requested)))
    }
  })

  it('a preflight without a wish names the headers of the service, Cache-Control and Pragma included', async () => {
    const { headers } = await preflight('/v4/genres', {})
    expect(listed(headers['access-control-allow-headers'])).toEqual([
      ...[
        'x-api-key',
        'x-market-api-key',
        'x-marketapi-key',
        'if-none-match',
        'prefer',
        'x-request-id',
        'content-type',
      ],
      ...['accept', 'cache-control', 'pragma'],
    ])
    expect(listed(headers['access-control-allow-methods'])).toEqual(['get', 'head', 'options'])
  })

  it('what is no header name is not echoed', async () => {
    const { headers } = await preflight('/v4/genres', { 'access-control-request-headers': 'x-good, a b, (c), é, ' })
    expect(listed(headers['access-control-allow-headers']).at(-1)).toBe('x-good')
  })

  it('a preflight allows credentials, since it does not show the key; an opaque origin gets none', async () => {
    expect((await preflight('/v4/genres', {})).headers).toMatchObject({
      'access-control-allow-origin': ORIGIN,
      'access-control-allow-credentials': 'true',
    })
    const { headers } = await preflight('/v4/genres', { origin: 'null' })
    expect(headers['access-control-allow-origin']).toBe('*')
    expect(headers).not.toHaveProperty('access-control-allow-credentials')
  })

  it('the platform answers no preflight', async () => {
    const { status, headers } = await preflight('/platform/keys', {})
    expect([status, headers['access-control-allow-credentials']]).toEqual([405, undefined])
  })

  it('all of ours are exposed', async () => {
    const { key } = await service.aKey('free')
    const asked = { origin: ORIGIN, 'x-api-key': key }
    const answers = [
      await service.raw('/v4/shows/2?x=1', { ...asked, 'accept-encoding': 'gzip' }),
      await service.raw('/v4/shows/none', asked),
      await service.raw('/v4/genres', { origin: ORIGIN }),
      await service.raw('/v4/genres', asked, 'POST'),
      ...(await Promise.all(Array.from({ length: 10 }, () => service.raw('/v4/genres', asked)))),
    ]
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 404, 401, 405, 429]))
    for (const { headers } of answers) {
      const exposed = listed(headers['access-control-expose-headers'])
      const hidden = Object.keys(headers).filter((name) => !ALWAYS_READABLE.test(name) && !exposed.includes(name))
      expect(hidden).toEqual([])
    }
  })

  it('successful keyed answers: X-Request-Id', async () => {
    expect((await service.get('/genres')).headers['x-request-id']).toMatch(/^\S+$/)
    const { headers } = await service.get('/genres', { headers: { 'x-request-id': 'mine-1' } })
    expect(headers['x-request-id']).toBe('mine-1')
  })

  it('ETag with 304 for If-None-Match', async () => {
    const { headers } = await service.get('/shows/1')
    const again = await service.get('/shows/1', { headers: { 'if-none-match': headers.etag as string } })
    expect([again.status, again.text, again.headers.etag]).toEqual([304, '', headers.etag])
  })

  it('Cache-Control: private, max-age=60', async () => {
    expect((await service.get('/shows/1')).headers['cache-control']).toBe('private, max-age=60')
  })

  it('Vary: unchanged on success; errors vary by Accept, too', async () => {
    const names = 'Accept-Encoding, Origin, Prefer, X-API-Key, X-Market-API-Key, X-MarketAPI-Key'
    expect((await service.get('/shows/1')).headers.vary).toBe(names)
    expect((await service.get('/shows/none')).headers.vary).toBe(`Accept, ${names}`)
  })

  it('gzip or br by Accept-Encoding', async () => {
    const { text } = await service.get('/shows/2')
    for (const [coding, decode] of [
      ['gzip', gunzipSync],
      ['br', brotliDecompressSync],
    ] as const) {
      const headers = { 'x-api-key': service.directKey, 'accept-encoding': coding }
      const response = await service.app.inject({ url: '/v4/shows/2', headers })
      expect(response.headers['content-encoding']).toBe(coding)
      expect(decode(response.rawPayload).toString()).toBe(text)
    }
  })

  it('on keyed answers X-Quota-Granted, X-Quota-Used, X-Quota-Reset, RateLimit-Policy and RateLimit', async () => {
    const { key } = await service.aKey('free')
    for (const path of ['/v4/genres', '/v4/shows/none']) {
      const { headers } = await service.raw(path, { 'x-api-key': key })
      expect(headers).toMatchObject({
        'x-quota-granted': '1000',
        'x-quota-used': expect.stringMatching(/^\d+$/),
        'x-quota-reset': expect.stringMatching(/^\d{10}$/),
        'ratelimit-policy': expect.stringMatching(/^"quota";q=1000;w=\d+, "rate";q=10;w=1$/),
        ratelimit: expect.stringMatching(/^"quota";r=\d+;t=\d+, "rate";r=\d+;t=1$/),
      })
    }
  })
})
