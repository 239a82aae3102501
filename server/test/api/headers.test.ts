import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { aDelta, aMovie, anOption, aSeries, aSnapshot, DAY, NOW, utc } from '../support/builders.ts'
import { aRunningService } from './running-service.ts'

const ENDPOINTS = [
  '/shows/1',
  '/shows/search/filters?country=us',
  '/shows/search/title?country=us&title=movie',
  '/shows/top?country=us&service=netflix',
  '/changes?country=us&change_type=new&item_type=show',
  '/countries',
  '/countries/us',
  '/genres',
]
const WITH_SHOWS = ENDPOINTS.slice(0, 5)
const aTopList = { kind: 'top', country: 'us', service: 'netflix', showType: 'movie', shows: ['1'] }
const lasting = (id: string, expiresOn: number) =>
  aMovie({ id, title: 'Movie', streamingOptions: { us: [anOption({ expiresOn })] } })

describe('headers of every response', async () => {
  const service = await aRunningService([...aSnapshot(aMovie({ id: '1' }), aSeries({ id: '2' })), aTopList])
  const full = (path: string, headers: Record<string, string> = {}) =>
    service.app.inject({ url: `/v4${path}`, headers: { 'x-api-key': service.directKey, ...headers } })

  describe('Content-Type', () => {
    it.each(ENDPOINTS)('%s: JSON in UTF-8, compact', async (path) => {
      const { headers, text } = await service.get(path)
      expect(headers['content-type']).toBe('application/json; charset=utf-8')
      expect(headers['content-length']).toBe(String(Buffer.byteLength(text)))
      expect(text).not.toMatch(/[\n\r]|": |, "/)
    })
  })

  describe('X-Request-Id', () => {
    it.each(ENDPOINTS)('%s has one of its own', async (path) => {
      const ids = new Set<string | undefined>()
      for (let i = 0; i < 3; i++) ids.add((await service.get(path)).headers['x-request-id'])
      expect(ids.size).toBe(3)
      expect(ids.has(undefined)).toBe(false)
    })

    it('is on every other response too', async () => {
      const key = { 'x-api-key': service.directKey }
      const { etag } = (await service.get('/genres')).headers as { etag: string }
      const answers = [
        await service.raw('/v4/genres'),
        await service.raw('/v4/nowhere', key),
        await service.raw('/v4/shows/search/filters', key),
        await service.raw('/v4/genres', key, 'POST'),
        await service.raw('/v4/genres', key, 'HEAD'),
        await service.raw('/v4/genres', {}, 'OPTIONS'),
        await service.raw('/v4/genres', { ...key, 'if-none-match': etag }),
        await service.raw('/healthz'),
        await service.raw('/docs'),
      ]
      expect(answers.map(({ status }) => status)).toEqual([401, 404, 400, 405, 200, 204, 304, 200, 200])
      for (const { headers } of answers) expect(headers['x-request-id']).toMatch(/^\S+$/)
    })

    it('of the request is kept if it is safe', async () => {
      const id = async (brought: string) =>
        (await service.get('/genres', { headers: { 'x-request-id': brought } })).headers['x-request-id']
      expect(await id('trace-42.a')).toBe('trace-42.a')
      for (const bad of ['a b', 'a"b', 'x'.repeat(200)]) expect(await id(bad)).not.toBe(bad)
    })
  })

  describe('ETag', () => {
    it.each(ENDPOINTS)('%s: has one, and 304 without a body while it holds', async (path) => {
      const { etag } = (await service.get(path)).headers as { etag: string }
      expect(etag).toMatch(/^(W\/)?"[^"]+"$/)
      const again = await service.get(path, { headers: { 'if-none-match': etag } })
      expect([again.status, again.text, again.headers.etag]).toEqual([304, '', etag])
      expect(again.headers['cache-control']).toBe('private, max-age=60')
      expect(again.headers.vary).toContain('Accept-Encoding')
    })

    it('differs from URL to URL', async () => {
      const tags = await Promise.all(ENDPOINTS.map(async (path) => (await service.get(path)).headers.etag))
      expect(new Set(tags).size).toBe(ENDPOINTS.length)
      const { etag } = (await service.get('/genres')).headers as { etag: string }
      expect((await service.get('/genres?output_language=de', { headers: { 'if-none-match': etag } })).status).toBe(200)
    })

    it('is understood in a list, in its strong form and as a star', async () => {
      const { etag } = (await service.get('/genres')).headers as { etag: string }
      for (const given of [`"other", ${etag}`, etag.replace('W/', ''), '*']) {
        expect((await service.get('/genres', { headers: { 'if-none-match': given } })).status, given).toBe(304)
      }
      expect((await service.get('/genres', { headers: { 'if-none-match': '"other"' } })).status).toBe(200)
    })

    it('errors have none', async () => {
      expect((await service.get('/shows/999')).headers.etag).toBeUndefined()
    })

    it('a tag does not open what needs a key', async () => {
      const { etag } = (await service.get('/genres')).headers as { etag: string }
      expect((await service.raw('/v4/genres', { 'if-none-match': etag })).status).toBe(401)
    })

    it.each(ENDPOINTS)('%s: no longer holds after a new catalog version', async (path) => {
      const changing = await aRunningService([...aSnapshot(aMovie({ id: '1' })), aTopList])
      const { etag } = (await changing.get(path)).headers as { etag: string }
      await changing.import(
        aDelta(
          aMovie({ id: '1', rating: 1 }),
          aMovie({ id: '3' }),
          { kind: 'genre', id: 'war' },
          { kind: 'country', countryCode: 'us', names: { en: 'America' } },
        ),
      )
      const { status, headers, text } = await changing.get(path, { headers: { 'if-none-match': etag } })
      expect(status).toBe(200)
      expect(headers.etag).not.toBe(etag)
      expect(text).not.toBe('')
    })

    it('still holds after an import that changed nothing', async () => {
      const records = [...aSnapshot(aMovie({ id: '1' })), aTopList]
      const same = await aRunningService(records)
      const { etag } = (await same.get('/shows/1')).headers as { etag: string }
      await same.import(records)
      expect((await same.get('/shows/1', { headers: { 'if-none-match': etag } })).status).toBe(304)
    })
  })

  describe('ETag and the passing of time alone', () => {
    it.each(WITH_SHOWS)('%s: holds until an option comes to expire soon', async (path) => {
      // In ten seconds the option expires within 31 days.
      const aging = await aRunningService([...aSnapshot(lasting('1', NOW + 31 * DAY + 10)), aTopList])
      const before = await aging.get(path)
      const etag = before.headers.etag as string
      expect(before.text).toContain('"expiresSoon":false')
      aging.now = NOW + 9
      expect((await aging.get(path, { headers: { 'if-none-match': etag } })).status).toBe(304)
      aging.now = NOW + 10
      const after = await aging.get(path, { headers: { 'if-none-match': etag } })
      expect(after.status).toBe(200)
      expect(after.text).toContain('"expiresSoon":true')
      expect(after.headers.etag).not.toBe(etag)
    })

    it('is stale after an option ended', async () => {
      const ending = await aRunningService(aSnapshot(lasting('1', NOW + DAY)))
      const { etag } = (await ending.get('/shows/1')).headers as { etag: string }
      await ending.advance(DAY)
      const { status, body } = await ending.get('/shows/1', { headers: { 'if-none-match': etag } })
      expect([status, body.streamingOptions]).toEqual([200, {}])
    })

    it.each(['new', 'expiring'])('of %s changes does not outlast the day', async (type) => {
      const path = `/changes?country=us&change_type=${type}&item_type=show`
      const daily = await aRunningService(aSnapshot(aMovie({ id: '1' }), lasting('2', NOW + 31 * DAY + DAY / 2 + 1)))
      const { etag } = (await daily.get(path)).headers as { etag: string }
      daily.now = utc(2026, 3, 15, 23, 59, 59)
      expect((await daily.get(path, { headers: { 'if-none-match': etag } })).status).toBe(304)
      daily.now = utc(2026, 3, 16)
      const { status, body } = await daily.get(path, { headers: { 'if-none-match': etag } })
      expect(status).toBe(200)
      if (type === 'expiring') expect(body.changes).toMatchObject([{ showId: '2' }])
    })
  })

  it.each(ENDPOINTS)('Cache-Control of %s: private, max-age=60', async (path) => {
    expect((await service.get(path)).headers['cache-control']).toBe('private, max-age=60')
  })

  it.each(ENDPOINTS)('Vary of %s: content coding and everything else that the response depends on', async (path) => {
    const names = ((await service.get(path)).headers.vary ?? '').toLowerCase().split(/\s*,\s*/)
    expect(names).toEqual(
      expect.arrayContaining(['accept-encoding', 'prefer', 'x-api-key', 'x-market-api-key', 'x-marketapi-key']),
    )
  })

  describe('gzip or br by Accept-Encoding', () => {
    const LONG = ['/shows/2', ...ENDPOINTS.slice(0, 2), ...ENDPOINTS.slice(4, 7)]

    it.each(LONG)('%s: the decompressed body equals the uncompressed one', async (path) => {
      const plain = await full(path)
      expect(plain.headers['content-encoding']).toBeUndefined()
      const gzip = await full(path, { 'accept-encoding': 'gzip' })
      expect(gzip.headers['content-encoding']).toBe('gzip')
      expect(gunzipSync(gzip.rawPayload).equals(plain.rawPayload)).toBe(true)
      const br = await full(path, { 'accept-encoding': 'gzip, deflate, br' })
      expect(br.headers['content-encoding']).toBe('br')
      expect(brotliDecompressSync(br.rawPayload).equals(plain.rawPayload)).toBe(true)
      for (const { headers, rawPayload } of [gzip, br]) {
        expect(headers['content-length']).toBe(String(rawPayload.length))
        expect(rawPayload.length).toBeLessThan(plain.rawPayload.length)
        expect(headers.etag).toBe(plain.headers.etag)
      }
    })

    it.each([
      ['', undefined],
      ['identity', undefined],
      ['deflate', undefined],
      ['gzip;q=0, br;q=0', undefined],
      ['gzip;q=1, br;q=0.5', 'gzip'],
      ['gzip;q=0.5, br;q=0.8', 'br'],
      ['br;q=0, gzip', 'gzip'],
      ['*', 'br'],
      ['GZIP', 'gzip'],
    ])('%j: %s', async (accepted, coding) => {
      const { headers } = await full('/shows/2', { 'accept-encoding': accepted })
      expect(headers['content-encoding']).toBe(coding)
    })

    it('a compressed body is that of the new version after an import', async () => {
      const changing = await aRunningService(aSnapshot(aSeries({ id: '1', title: 'Before' })))
      const title = async () => {
        const headers = { 'x-api-key': changing.directKey, 'accept-encoding': 'br' }
        const { rawPayload } = await changing.app.inject({ url: '/v4/shows/1', headers })
        return JSON.parse(brotliDecompressSync(rawPayload).toString()).title
      }
      expect([await title(), await title()]).toEqual(['Before', 'Before'])
      await changing.import(aDelta(aSeries({ id: '1', title: 'After' })))
      expect(await title()).toBe('After')
    })
  })

  describe('HEAD', () => {
    it.each([...ENDPOINTS, '/shows/999', '/shows/search/filters'])(
      '%s: the headers of GET, without a body',
      async (path) => {
        const get = await service.get(path)
        const head = await service.get(path, { method: 'HEAD' })
        expect([head.status, head.text]).toEqual([get.status, ''])
        expect(head.headers['content-length']).toBe(String(Buffer.byteLength(get.text)))
        expect(head.headers.etag).toBe(get.headers.etag)
        expect(Object.keys(head.headers).sort()).toEqual(Object.keys(get.headers).sort())
      },
    )

    it('names no length where GET would be compressed', async () => {
      const headers = { 'x-api-key': service.directKey, 'accept-encoding': 'gzip' }
      const get = await service.raw('/v4/countries/us', headers)
      const head = await service.raw('/v4/countries/us', headers, 'HEAD')
      expect([get.headers['content-encoding'], head.headers['content-encoding']]).toEqual(['gzip', 'gzip'])
      expect(head.headers['content-length']).toBeUndefined()
    })
  })

  describe('CORS', () => {
    it.each(ENDPOINTS)('%s may be read from any origin, with its headers', async (path) => {
      const { headers } = await service.get(path, { headers: { origin: 'https://app.example' } })
      expect(headers['access-control-allow-origin']).toBe('*')
      const exposed = (headers['access-control-expose-headers'] ?? '').toLowerCase()
      for (const name of [
        'x-request-id',
        'etag',
        'x-quota-granted',
        'x-quota-used',
        'x-quota-reset',
        'ratelimit',
        'ratelimit-policy',
        'x-ignored-parameters',
        'retry-after',
      ]) {
        expect(exposed.split(', '), name).toContain(name)
      }
    })

    it('errors may be read too', async () => {
      for (const url of ['/v4/genres', '/v4/nowhere']) {
        expect((await service.raw(url, { origin: 'https://app.example' })).headers['access-control-allow-origin']).toBe(
          '*',
        )
      }
    })

    it.each([...ENDPOINTS.map((path) => `/v4${path}`), ...ENDPOINTS, '/v4/shows/movie/1', '/healthz', '/docs'])(
      'a preflight of %s needs no key and is told what it may send',
      async (url) => {
        const { status, text, headers } = await service.raw(
          url,
          {
            origin: 'https://app.example',
            'access-control-request-method': 'GET',
            'access-control-request-headers': 'x-api-key',
          },
          'OPTIONS',
        )
        expect([status, text, headers['access-control-allow-origin']]).toEqual([204, '', 'https://app.example'])
        expect(headers['access-control-allow-methods']).toContain('GET')
        const allowed = (headers['access-control-allow-headers'] ?? '').toLowerCase().split(', ')
        expect(allowed).toEqual(
          expect.arrayContaining(['x-api-key', 'x-market-api-key', 'x-marketapi-key', 'if-none-match', 'prefer']),
        )
        expect(Number(headers['access-control-max-age'])).toBeGreaterThan(0)
      },
    )
  })

  describe('X-Ignored-Parameters', () => {
    it.each([
      ['genre=drama', 'genre (genres?)'],
      ['catalog=netflix', 'catalog (catalogs?)'],
      ['Country=us', 'Country (country?)'],
      ['genre=a&yearmin=1', 'genre (genres?), yearmin (year_min?)'],
      ['genre=a&genre=b', 'genre (genres?)'],
      ['f%C3%B6o%0d%0a=1', 'f%C3%B6o%0D%0A'],
      ['page=2&size=10', 'page, size'],
    ])('%s: %s', async (given, named) => {
      const { status, headers } = await service.get(`/shows/search/filters?country=us&${given}`)
      expect([status, headers['x-ignored-parameters']]).toEqual([200, named])
    })

    it('is on a 304, too', async () => {
      const path = '/genres?genre=drama'
      const { headers } = await service.get(path)
      const again = await service.get(path, { headers: { 'if-none-match': headers.etag as string } })
      expect([again.status, again.headers['x-ignored-parameters']]).toEqual([304, 'genre'])
    })

    it('is not there when there is nothing to name', async () => {
      expect((await service.get('/genres?output_language=en')).headers['x-ignored-parameters']).toBeUndefined()
    })
  })

  describe('Prefer: handling=strict', () => {
    it.each(['handling=strict', 'respond-async, handling=strict', 'handling="strict"', 'Handling=Strict'])(
      '%s: 400 unknown_parameter instead',
      async (prefer) => {
        const { status, body, error } = await service.get('/genres?lang=de', { headers: { prefer } })
        expect([status, error.code, error.parameter]).toEqual([400, 'unknown_parameter', 'lang'])
        expect(body.message).toContain('output_language')
      },
    )

    it.each(['handling=lenient', 'return=minimal', 'handling=strictly', 'x-handling=strict'])(
      '%s is not strict',
      async (prefer) => {
        expect((await service.get('/genres?lang=de', { headers: { prefer } })).status).toBe(200)
      },
    )

    it.each(ENDPOINTS)('a request with known parameters only gets the usual response: %s', async (path) => {
      const strict = await service.get(path, { headers: { prefer: 'handling=strict' } })
      expect([strict.status, strict.text]).toEqual([200, (await service.get(path)).text])
    })
  })

  describe('quota and rate', () => {
    const aKey = async (plan: 'free' | 'unlimited') => (await service.aKey(plan)).key

    it('X-Quota-Granted, X-Quota-Used and X-Quota-Reset', async () => {
      const headers = { 'x-api-key': await aKey('free') }
      for (const used of ['1', '2', '3']) {
        expect((await service.get('/genres', { headers })).headers).toMatchObject({
          'x-quota-granted': '1000',
          'x-quota-used': used,
          'x-quota-reset': String(utc(2026, 4, 1)),
        })
      }
    })

    it('RateLimit-Policy and RateLimit', async () => {
      const headers = { 'x-api-key': await aKey('free') }
      await service.get('/genres', { headers })
      const left = utc(2026, 4, 1) - NOW
      expect((await service.get('/genres', { headers })).headers).toMatchObject({
        'ratelimit-policy': `"quota";q=1000;w=${31 * DAY}, "rate";q=10;w=1`,
        ratelimit: `"quota";r=998;t=${left}, "rate";r=8;t=1`,
      })
    })

    it.each(ENDPOINTS)('are on %s', async (path) => {
      const { headers } = await service.get(path)
      for (const name of ['x-quota-granted', 'x-quota-used', 'x-quota-reset', 'ratelimit-policy', 'ratelimit']) {
        expect(headers[name], name).toMatch(/\d/)
      }
    })

    it('are on errors of requests with a valid key, and on no others', async () => {
      const headers = { 'x-api-key': await aKey('free') }
      expect((await service.get('/shows/999', { headers })).headers['x-quota-used']).toBe('1')
      expect((await service.get('/shows/search/filters', { headers })).headers['x-quota-used']).toBe('2')
      expect((await service.raw('/v4/genres')).headers['x-quota-used']).toBeUndefined()
      expect((await service.raw('/healthz')).headers['x-quota-used']).toBeUndefined()
    })

    it('each key has its own', async () => {
      const [one, other] = [await aKey('free'), await aKey('free')]
      await service.get('/genres', { headers: { 'x-api-key': one } })
      expect((await service.get('/genres', { headers: { 'x-api-key': other } })).headers['x-quota-used']).toBe('1')
    })

    it('resets with the month', async () => {
      const later = await aRunningService(aSnapshot())
      const { key } = await later.aKey('free')
      const headers = { 'x-api-key': key }
      await later.get('/genres', { headers })
      later.now = utc(2026, 4, 1)
      expect((await later.get('/genres', { headers })).headers).toMatchObject({
        'x-quota-used': '1',
        'x-quota-reset': String(utc(2026, 5, 1)),
      })
    })
  })
})
