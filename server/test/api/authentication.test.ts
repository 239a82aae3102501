import { describe, expect, it } from 'vitest'
import { aMovie, aSnapshot } from '../support/builders.ts'
import type { TestService } from '../support/test-service.ts'
import { aRunningService } from './running-service.ts'

const ENDPOINTS = [
  '/shows/1',
  '/shows/movie/1',
  '/shows/search/filters?country=us',
  '/shows/search/title?country=us&title=movie',
  '/shows/top?country=us&service=netflix',
  '/changes?country=us&change_type=new&item_type=show',
  '/countries',
  '/countries/us',
  '/genres',
]

const PROBLEM = { accept: 'application/problem+json' }

const outcome = async (service: TestService, url: string, headers: Record<string, string>) => {
  const { status, error } = await service.raw(url, headers)
  return status === 200 ? 200 : [status, error.code]
}

describe('authentication', async () => {
  const service = await aRunningService(aSnapshot(aMovie({ id: '1' })))
  const { directKey, marketplaceKey } = service

  describe('1. every request carries a valid API key in a header', () => {
    it.each(ENDPOINTS)('%s without one: 401 on both bases', async (path) => {
      expect(await outcome(service, `/v4${path}`, {})).toEqual([401, 'missing_key'])
      expect(await outcome(service, path, {})).toEqual([401, 'missing_key'])
    })

    it.each(ENDPOINTS)('%s with an unknown one: 401 on both bases', async (path) => {
      expect(await outcome(service, `/v4${path}`, { 'x-api-key': `${directKey}x` })).toEqual([401, 'invalid_key'])
      expect(await outcome(service, path, { 'x-market-api-key': 'unknown' })).toEqual([401, 'invalid_key'])
    })

    it('an empty one counts as none', async () => {
      expect(await outcome(service, '/v4/genres', { 'x-api-key': '' })).toEqual([401, 'missing_key'])
    })

    it('a key in the query string is no key', async () => {
      expect(await outcome(service, `/v4/genres?x-api-key=${directKey}`, {})).toEqual([401, 'missing_key'])
    })

    it('the message names the header that is missing', async () => {
      expect((await service.raw('/v4/genres')).body.message).toContain('X-API-Key')
      expect((await service.raw('/genres')).body.message).toContain('X-Market-API-Key')
    })
  })

  describe('2. two key sources, each with its own base address and header', () => {
    it.each([
      ['direct', '/v4/genres', 'X-API-Key'],
      ['direct', '/v4/genres', 'x-api-key'],
      ['direct', '/v4/genres', 'X-Api-KEY'],
      ['marketplace', '/genres', 'X-Market-API-Key'],
      ['marketplace', '/genres', 'x-market-api-key'],
      ['marketplace', '/genres', 'X-MarketAPI-Key'],
      ['marketplace', '/genres', 'x-marketapi-key'],
    ])('a %s key on %s in %s', async (source, url, header) => {
      expect(await outcome(service, url, { [header]: source === 'direct' ? directKey : marketplaceKey })).toBe(200)
    })

    it.each([
      ['on the wrong base', '/genres', 'x-api-key'],
      ['in the wrong header', '/v4/genres', 'x-market-api-key'],
      ['in the wrong header', '/v4/genres', 'x-marketapi-key'],
      ['on the wrong base in the wrong header', '/genres', 'x-market-api-key'],
    ])('a good direct key %s: 401 that says where it belongs', async (_, url, header) => {
      const { status, body, error } = await service.raw(url, { [header]: directKey, ...PROBLEM })
      expect([status, error.code, body.base, body.header]).toEqual([401, 'wrong_key_source', '/v4', 'X-API-Key'])
      expect(body.detail).toMatch(/\/v4\b.*X-API-Key/)
    })

    it.each([
      ['on the wrong base', '/v4/genres', 'x-market-api-key'],
      ['in the wrong header', '/genres', 'x-api-key'],
      ['on the wrong base in the wrong header', '/v4/genres', 'x-api-key'],
    ])('a good marketplace key %s: 401 that says where it belongs', async (_, url, header) => {
      const { status, body, error } = await service.raw(url, { [header]: marketplaceKey, ...PROBLEM })
      expect([status, error.code, body.base, body.header]).toEqual([401, 'wrong_key_source', '/', 'X-Market-API-Key'])
      expect(body.detail).toMatch(/ \/ .*X-Market-API-Key/)
    })

    it("the base's own header decides where both are sent", async () => {
      const both = { 'x-api-key': directKey, 'x-market-api-key': marketplaceKey }
      expect(await outcome(service, '/v4/genres', both)).toBe(200)
      expect(await outcome(service, '/genres', both)).toBe(200)
      expect(await outcome(service, '/v4/genres', { ...both, 'x-api-key': 'wrong' })).toEqual([401, 'invalid_key'])
    })

    it('a 401 names a scheme', async () => {
      expect((await service.raw('/v4/genres')).headers['www-authenticate']).toMatch(/^\w+ realm=/)
    })
  })

  describe('3. apart from base address and header, behaviour is identical for both sources', () => {
    it.each([...ENDPOINTS, '/shows/none', '/shows/search/filters', '/countries/zz', '/genres?x=1'])(
      '%s',
      async (path) => {
        const direct = await service.get(path)
        const marketplace = await service.get(path, { source: 'marketplace' })
        expect([marketplace.status, marketplace.text]).toEqual([direct.status, direct.text])
        const ignored = 'x-ignored-parameters'
        expect([marketplace.headers.etag, marketplace.headers[ignored]]).toEqual([
          direct.headers.etag,
          direct.headers[ignored],
        ])
      },
    )
  })

  describe('4. and 5. a key tells its source', () => {
    it('a direct key starts with the prefix, a marketplace key does not', () => {
      expect(directKey).toMatch(/^mq-key-\w{20,}$/)
      expect(marketplaceKey).not.toMatch(/^mq-key-/)
    })
  })

  it('6. GET {base_url}/shows/<imdb_id> with X-API-Key', async () => {
    const { status, body } = await service.raw('/v4/shows/tt0000001', { 'X-API-Key': directKey })
    expect([status, body.id]).toEqual([200, '1'])
  })

  it('a revoked key: 403', async () => {
    const { key, record } = await service.aKey('unlimited', { name: 'short' })
    expect(await outcome(service, '/v4/genres', { 'x-api-key': key })).toBe(200)
    await service.accounts.keys.revoke(record.id, service.act)
    expect(await outcome(service, '/v4/genres', { 'x-api-key': key })).toEqual([403, 'key_revoked'])
    expect(await outcome(service, '/genres', { 'x-api-key': key })).toEqual([403, 'key_revoked'])
  })

  it('a key that is limited to web origins', async () => {
    const origins = ['https://App.example', 'http://localhost:3000']
    const { key } = await service.aKey('unlimited', { name: 'web', origins })
    const from = (origin: string) => service.raw('/v4/genres', { 'x-api-key': key, origin })
    for (const origin of ['https://app.example', 'http://localhost:3000']) {
      const { status, headers } = await from(origin)
      expect([status, headers['access-control-allow-origin']]).toEqual([200, origin])
    }
    for (const origin of ['https://evil.example', 'http://app.example', 'https://app.example.evil.example', 'null']) {
      const { status, error, text } = await from(origin)
      expect([status, error.code], origin).toEqual([403, 'origin_not_allowed'])
      // Strangers do not learn which origins are allowed.
      expect(text).not.toContain('localhost')
    }
    expect(await outcome(service, '/v4/genres', { 'x-api-key': key })).toEqual([403, 'origin_not_allowed'])
    const referer = 'https://app.example/page'
    expect(await outcome(service, '/v4/genres', { 'x-api-key': key, referer })).toBe(200)
  })

  it.each(['/healthz', '/readyz', '/docs', '/openapi.json'])('%s needs no API key', async (url) => {
    expect((await service.raw(url)).status).toBe(200)
  })
})

describe('the name of the marketplace is a setting', async () => {
  const service = await aRunningService(aSnapshot(), { marketplace: 'Rapid' })

  it.each(['X-Rapid-API-Key', 'X-RapidAPI-Key', 'x-rapidapi-key'])(
    'with Rapid the header may be %s',
    async (header) => {
      expect(await outcome(service, '/genres', { [header]: service.marketplaceKey })).toBe(200)
    },
  )

  it('and no longer that of another name', async () => {
    const headers = { 'X-Market-API-Key': service.marketplaceKey }
    expect(await outcome(service, '/genres', headers)).toEqual([401, 'missing_key'])
  })

  it('messages and details name it', async () => {
    expect((await service.raw('/genres')).body.message).toContain('X-Rapid-API-Key')
    const { body, error } = await service.raw('/v4/genres', { 'x-rapid-api-key': service.marketplaceKey, ...PROBLEM })
    expect([error.code, body.base, body.header]).toEqual(['wrong_key_source', '/', 'X-Rapid-API-Key'])
  })

  it('Vary and preflights name it', async () => {
    const { headers } = await service.raw('/genres', { 'x-rapid-api-key': service.marketplaceKey })
    expect(headers.vary).toMatch(/X-Rapid-API-Key, X-RapidAPI-Key/i)
    const preflight = await service.raw('/genres', { origin: 'https://a.example' }, 'OPTIONS')
    expect(preflight.headers['access-control-allow-headers']).toMatch(/X-Rapid-API-Key, X-RapidAPI-Key/i)
  })
})

describe('versioning', async () => {
  const service = await aRunningService(aSnapshot())

  it('1. the direct base address carries the version segment /v4', async () => {
    expect(await outcome(service, '/v4/genres', { 'x-api-key': service.directKey })).toBe(200)
  })

  it('2. the marketplace base address has no version segment', async () => {
    expect(await outcome(service, '/genres', { 'x-market-api-key': service.marketplaceKey })).toBe(200)
  })

  it.each(['/v3/genres', '/v5/genres', '/V4/genres', '/v4/v4/genres', '/v4'])('3. %s is nothing', async (url) => {
    expect(await outcome(service, url, { 'x-api-key': service.directKey })).toEqual([404, 'not_found'])
  })
})
