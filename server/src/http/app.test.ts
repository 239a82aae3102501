import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import pino from 'pino'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Accounts, openAccounts } from '../accounts/accounts.ts'
import type { CreatedKey, NewKey } from '../accounts/keys/key-store.ts'
import { createMeter } from '../accounts/keys/meter.ts'
import { InvalidCursorError } from '../query/page-cursor.ts'
import type { ChangesQuery, Query } from '../query/queries.ts'
import type { QueryEngine } from '../render/query-engine.ts'
import { type App, createApp } from './app.ts'

const NOON = Date.UTC(2026, 2, 15, 12) / 1000
const ANSWER = Buffer.from(JSON.stringify([{ id: 'action', name: 'Action' }]))
const LONG_ANSWER = Buffer.from(JSON.stringify(Array.from({ length: 200 }, (_, i) => ({ id: `g${i}`, name: 'Genre' }))))

let dir: string
let accounts: Accounts
const NOBODY = { country: 'us', language: 'en' }

let app: App
let now: number
let version: number
let asked: Query[]
let validUntil: number
let fault: Error | undefined
let logged: string
let direct: string
let marketplace: string
let longer: boolean

/** A stub of the read side; responses from a real catalog are tested in test/api. */
const answers: QueryEngine = {
  version: () => version,
  contentHash: () => `${version}`,
  names: () => ({
    hasCountry: (code) => code === 'us' || code === 'de',
    hasGenre: (id) => id === 'action' || id === 'comedy',
    countryCodes: () => ['us', 'de'],
    genreIds: () => ['comedy', 'action'],
    serviceIds: () => ['netflix', 'prime'],
    addonIds: (_country, service) => (service === 'prime' ? ['hbo'] : []),
  }),
  attributions: () => [],
  hasShow: () => true,
  execute(query) {
    asked.push(query)
    if (fault !== undefined) throw fault
    if (query.kind === 'show' && query.id !== 'tt0068646' && query.id !== 'movie/597') return undefined
    if (query.kind === 'country' && query.country !== 'us') return undefined
    return { body: { bytes: longer ? LONG_ANSWER : ANSWER }, validUntil }
  },
  findShowId: () => undefined,
  resolveStreamToken: (since) => since,
  streamChanges: (_query, token) => ({ changes: [], token, hasMore: false }),
  feedChanges: () => [],
  openExport: () => undefined,
}

beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'marquee-app-'))
  accounts = openAccounts(dir)
  direct = (await aKey({ source: 'direct' })).key
  marketplace = (await aKey({ source: 'marketplace' })).key
  const logger = pino({ level: 'debug' }, { write: (line: string) => (logged += line) })
  app = createApp({
    engine: answers,
    keys: accounts.keys,
    meter: createMeter(accounts.quota, { clock: () => now }),
    clock: () => now,
    settings: { marketplace: 'Market', keyPrefix: 'mq-key-', countries: 'array' },
    logger,
    sites: [
      {
        prefix: '/artwork/',
        serve: (path) => (path === 'a.svg' ? { contentType: 'image/svg+xml', body: '<svg/>' } : undefined),
      },
    ],
    web: {
      paths: ['/docs'],
      visit: () => ({
        pattern: '/docs',
        path: '/docs',
        viewer: NOBODY,
        guess: NOBODY,
        search: '',
        preferences: undefined,
        timeZone: undefined,
        origin: '',
        isRendered: false,
      }),
      notFoundVisit: () => ({
        pattern: undefined,
        path: '/nowhere',
        viewer: NOBODY,
        guess: NOBODY,
        search: '',
        preferences: undefined,
        timeZone: undefined,
        origin: '',
        isRendered: false,
      }),
      html: async () => ({
        contentType: 'text/html; charset=utf-8',
        body: '<!doctype html>',
        cacheControl: 'no-cache',
      }),
      saveSettings: () => undefined,
      asset: () => undefined,
      caches: () => [],
    },
  })
  await app.ready()
})
afterAll(async () => {
  await app.close()
  await accounts.close()
  rmSync(dir, { recursive: true })
})
beforeEach(() => {
  now = NOON
  version = 7
  longer = false
  validUntil = Infinity
  asked = []
  fault = undefined
  logged = ''
})

function aKey(key: Partial<NewKey>): Promise<CreatedKey> {
  return accounts.keys.create(
    { source: 'direct', plan: 'unlimited', name: 'test', ...key },
    { by: 'operator', now: NOON },
  )
}

const PROBLEM = { accept: 'application/problem+json' }

const get = (url: string, headers: Record<string, string> = {}) =>
  app.inject({ url, headers: { 'x-api-key': direct, ...headers } })

describe('routes', () => {
  test.each([
    ['/shows/tt0068646', { kind: 'show', id: 'tt0068646', granularity: 'episode', language: 'en' }],
    ['/shows/movie/597', { kind: 'show', id: 'movie/597' }],
    ['/shows/movie%2F597?country=US', { kind: 'show', id: 'movie/597', countries: ['us'] }],
    ['/shows/search/filters?country=us', { kind: 'filter', order: 'original_title', direction: 'asc', genres: [] }],
    ['/shows/search/title?country=us&title=a+b', { kind: 'title', title: 'a b', granularity: 'show' }],
    ['/shows/top?country=us&service=nobody', { kind: 'top', service: 'nobody' }],
    [
      '/changes?country=us&change_type=new&item_type=show',
      { kind: 'changes', direction: 'asc', includeUnknownDates: false },
    ],
    ['/countries', { kind: 'countries', as: 'array' }],
    ['/countries/US?output_language=ko', { kind: 'country', country: 'us', language: 'ko' }],
    ['/genres', { kind: 'genres' }],
  ])('%s asks the same on both bases', async (path, query) => {
    expect((await get(`/v4${path}`)).statusCode).toBe(200)
    expect((await app.inject({ url: path, headers: { 'x-market-api-key': marketplace } })).statusCode).toBe(200)
    expect((await app.inject({ url: path, headers: { 'x-marketapi-key': marketplace } })).statusCode).toBe(200)
    expect(asked[0]).toMatchObject(query)
    expect(asked[1]).toEqual(asked[0])
  })

  test.each([
    '/v4/shows/tt1',
    '/v4/shows/nonsense',
    '/v4/shows/a/b',
    '/v4/countries/zz',
    `/v4/shows/${'9'.repeat(300)}`,
  ])('%s is not found', async (path) => {
    const answer = await get(path)
    expect(answer.statusCode).toBe(404)
    expect(Object.keys(answer.json())).toEqual(['message'])
    expect(answer.headers).toMatchObject({ 'x-error-code': 'not_found', 'x-error-parameter': expect.any(String) })
  })

  test('unknown paths are not found, whatever is sent to them', async () => {
    for (const url of [
      '/',
      '/v4',
      '/v5/genres',
      '/v4/shows/a/b/c',
      '/v4/genres/',
      '/artwork/none.svg',
      '/docs/assets/x',
    ]) {
      expect((await get(url)).headers['x-error-code']).toBe('not_found')
    }
    const posted = await app.inject({
      method: 'POST',
      url: '/nowhere',
      payload: '{',
      headers: { 'content-type': 'application/json' },
    })
    expect(posted.statusCode).toBe(404)
    const odd = await app.inject({ method: 'POST', url: '/nowhere', payload: 'x', headers: { 'content-type': '/;=' } })
    expect(odd.headers['x-error-code']).toBe('not_found')
  })

  test('an unknown path sends browsers a page, and programs an error', async () => {
    const reader = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }
    for (const url of ['/nowhere', '/v5/genres', '/docs/%E0%A4%A']) {
      const answer = await app.inject({ url, headers: reader })
      expect([answer.statusCode, answer.headers['content-type']]).toEqual([404, 'text/html; charset=utf-8'])
      expect(answer.headers['cache-control']).toBe('no-store')
      expect((await app.inject({ url, headers: { accept: '*/*' } })).headers['content-type']).toContain('json')
    }
    for (const url of ['/v4/nowhere', '/shows/a/b/c/d', '/platform/nowhere', '/assets/nothing.js']) {
      expect((await app.inject({ url, headers: reader })).json()).toEqual({ message: expect.any(String) })
    }
    const posted = await app.inject({ method: 'POST', url: '/nowhere', headers: reader })
    expect(posted.json()).toEqual({ message: expect.any(String) })
    const both = { accept: `${reader.accept}, application/problem+json` }
    expect((await app.inject({ url: '/nowhere', headers: both })).json()).toMatchObject({ code: 'not_found' })
  })

  test('known paths take no other methods', async () => {
    for (const url of ['/v4/genres', '/genres', '/docs', '/healthz', '/artwork/a.svg']) {
      for (const method of ['POST', 'PUT', 'DELETE', 'PATCH', 'PROPFIND'] as const) {
        const answer = await app.inject({
          method: method as 'POST',
          url,
          payload: '{',
          headers: { 'content-type': 'text/odd' },
        })
        expect(answer.statusCode).toBe(405)
        expect(answer.headers.allow).toBe('GET, HEAD, OPTIONS')
        expect(answer.headers['x-error-code']).toBe('method_not_allowed')
      }
    }
  })

  test('a path that cannot be decoded is malformed', async () => {
    expect((await get('/v4/shows/%')).headers['x-error-code']).toBe('malformed_request')
  })

  test('a URL may have 8 KiB', async () => {
    expect((await get(`/v4/genres?${'x'.repeat(8100)}`)).statusCode).toBe(200)
    for (const path of ['/v4/genres?', '/nowhere?', '/v4/shows/', '/docs?']) {
      const answer = await get(path + 'x'.repeat(9000))
      expect(answer.statusCode).toBe(414)
      expect(answer.headers['x-error-code']).toBe('uri_too_long')
    }
  })
})

describe('keys', () => {
  const code = async (url: string, headers: Record<string, string>) => {
    const answer = await app.inject({ url, headers })
    return [answer.statusCode, answer.headers['x-error-code']]
  }

  test('missing and unknown keys', async () => {
    expect(await code('/v4/genres', {})).toEqual([401, 'missing_key'])
    expect(await code('/genres', { 'x-api-key': '' })).toEqual([401, 'missing_key'])
    expect(await code('/v4/genres', { 'x-api-key': 'mq-key-x' })).toEqual([401, 'invalid_key'])
    expect(await code('/v4/genres', { 'x-market-api-key': 'x' })).toEqual([401, 'invalid_key'])
  })

  test('the error of a misplaced key says where the key belongs', async () => {
    for (const [url, header] of [
      ['/genres', 'x-api-key'],
      ['/genres', 'x-market-api-key'],
      ['/v4/genres', 'x-marketapi-key'],
    ] as const) {
      const answer = await app.inject({ url, headers: { [header]: direct, ...PROBLEM } })
      expect(answer.statusCode).toBe(401)
      expect(answer.json()).toMatchObject({ code: 'wrong_key_source', base: '/v4', header: 'X-API-Key' })
    }
    for (const [url, header] of [
      ['/v4/genres', 'x-api-key'],
      ['/genres', 'x-api-key'],
      ['/v4/genres', 'x-market-api-key'],
    ] as const) {
      const answer = await app.inject({ url, headers: { [header]: marketplace, ...PROBLEM } })
      expect(answer.json()).toMatchObject({ code: 'wrong_key_source', base: '/', header: 'X-Market-API-Key' })
      expect(answer.headers['www-authenticate']).toMatch(/^ApiKey/)
    }
  })

  test('a revoked key', async () => {
    const { key, record } = await aKey({})
    expect((await get('/v4/genres', { 'x-api-key': key })).statusCode).toBe(200)
    await accounts.keys.revoke(record.id, { by: 'operator', now })
    expect(await code('/v4/genres', { 'x-api-key': key })).toEqual([403, 'key_revoked'])
  })

  test('a key that is limited to web origins', async () => {
    const { key } = await aKey({ origins: ['https://app.example'] })
    const good = await get('/v4/genres', { 'x-api-key': key, origin: 'https://app.example' })
    expect(good.headers['access-control-allow-origin']).toBe('https://app.example')
    expect(await code('/v4/genres', { 'x-api-key': key, origin: 'https://evil.example' })).toEqual([
      403,
      'origin_not_allowed',
    ])
    expect(await code('/v4/genres', { 'x-api-key': key })).toEqual([403, 'origin_not_allowed'])
    const sameHost = await get('/v4/genres', { 'x-api-key': key, referer: 'https://app.example/watch?x=1' })
    expect(sameHost.statusCode).toBe(200)
  })

  test('the key comes before the parameters, and the route before the key', async () => {
    expect(await code('/v4/shows/top?country=zz', {})).toEqual([401, 'missing_key'])
    expect(await code('/v4/nowhere', {})).toEqual([404, 'not_found'])
  })
})

describe('plans', () => {
  test('responses say what is left', async () => {
    const { key } = await aKey({ plan: 'free' })
    const { headers } = await get('/v4/genres', { 'x-api-key': key })
    expect(headers).toMatchObject({
      'x-quota-granted': '1000',
      'x-quota-used': '1',
      'x-quota-reset': String(Date.UTC(2026, 3) / 1000),
      'ratelimit-policy': '"quota";q=1000;w=2678400, "rate";q=10;w=1',
      ratelimit: `"quota";r=999;t=${Date.UTC(2026, 3) / 1000 - now}, "rate";r=9;t=1`,
    })
  })

  test('requests beyond the rate and the quota are rejected', async () => {
    const { key, record } = await aKey({ plan: 'free' })
    for (let i = 0; i < 10; i++) expect((await get('/v4/genres', { 'x-api-key': key })).statusCode).toBe(200)
    const limited = await get('/v4/genres', { 'x-api-key': key })
    expect([limited.statusCode, limited.headers['x-error-code'], limited.headers['retry-after']]).toEqual([
      429,
      'rate_limited',
      '1',
    ])
    expect(limited.headers['x-quota-used']).toBe('10')
    const other = await aKey({ plan: 'free' })
    await accounts.quota.add([{ owner: other.record.id, period: '2026-03', requests: 1000 }])
    const spent = await get('/v4/genres', { 'x-api-key': other.key })
    expect([spent.statusCode, spent.headers['x-error-code']]).toEqual([429, 'quota_exceeded'])
    expect(Number(spent.headers['retry-after'])).toBe(Date.UTC(2026, 3) / 1000 - now)
    expect(record.id).not.toBe(other.record.id)
  })

  test('304 and internal errors do not count against the quota', async () => {
    const { key } = await aKey({ plan: 'free' })
    const first = await get('/v4/genres', { 'x-api-key': key })
    const again = await get('/v4/genres', { 'x-api-key': key, 'if-none-match': String(first.headers.etag) })
    expect([again.statusCode, again.headers['x-quota-used']]).toEqual([304, '1'])
    fault = new Error('boom')
    expect((await get('/v4/genres', { 'x-api-key': key })).headers['x-quota-used']).toBe('1')
    fault = undefined
    expect((await get('/v4/shows/nonsense', { 'x-api-key': key })).headers['x-quota-used']).toBe('2')
  })
})

describe('headers', () => {
  test('a successful response has them all', async () => {
    const { headers, rawPayload } = await get('/v4/genres')
    expect(headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'content-length': String(rawPayload.length),
      'cache-control': 'private, max-age=60',
      vary: 'Accept-Encoding, Origin, Prefer, X-API-Key, X-Market-API-Key, X-MarketAPI-Key',
      'access-control-allow-origin': '*',
      etag: expect.stringMatching(/^W\/"7-[0-9a-z]+--"$/),
      'x-request-id': expect.stringMatching(/^[0-9a-f]{12}-[0-9a-z]+$/),
    })
    expect(headers['access-control-expose-headers']).toBeUndefined()
    const { headers: forBrowsers } = await get('/v4/genres', { origin: 'https://a.example' })
    expect(forBrowsers['access-control-expose-headers']).toContain('X-Quota-Used')
  })

  test('a sane request id is kept, another replaced', async () => {
    expect((await get('/v4/genres', { 'x-request-id': 'abc-1' })).headers['x-request-id']).toBe('abc-1')
    expect((await get('/v4/genres', { 'x-request-id': 'a b"' })).headers['x-request-id']).not.toBe('a b"')
  })

  test('HEAD has the headers of GET and no body', async () => {
    for (const url of ['/v4/genres', '/healthz', '/docs', '/openapi.json', '/v4/shows/tt1']) {
      const head = await app.inject({ method: 'HEAD', url, headers: { 'x-api-key': direct } })
      const full = await get(url)
      expect(head.statusCode).toBe(full.statusCode)
      expect(head.payload).toBe('')
      expect(head.headers['content-length']).toBe(String(full.rawPayload.length))
      expect(Object.keys(head.headers)).toEqual(Object.keys(full.headers))
    }
  })

  test('errors are not kept', async () => {
    const { headers } = await get('/v4/shows/tt1')
    expect(headers['cache-control']).toBe('no-store')
    expect(headers.etag).toBeUndefined()
    expect(headers['x-quota-used']).toBeDefined()
  })

  test('unknown parameters are named, or rejected if requested', async () => {
    const lenient = await get('/v4/shows/search/filters?country=us&genre=a&f%C3%B6o=1')
    expect(lenient.headers['x-ignored-parameters']).toBe('genre (genres?), f%C3%B6o')
    const failing = await get('/v4/shows/search/filters?contry=us')
    expect(failing.headers).toMatchObject({
      'x-error-code': 'missing_parameter',
      'x-error-parameter': 'country',
      'x-ignored-parameters': 'contry (country?)',
    })
    const strict = await get('/v4/shows/search/filters?contry=us', { prefer: 'respond-async, handling=strict' })
    expect(strict.statusCode).toBe(400)
    expect(strict.headers).toMatchObject({ 'x-error-code': 'unknown_parameter', 'x-error-parameter': 'contry' })
    expect(strict.json().message).toContain('"country"')
  })

  test.each([
    ['handling=strict', 400],
    ['Handling = "STRICT"; why=test', 400],
    ['respond-async;wait=5 ,handling=strict, handling=lenient', 400],
    ['handling=lenient, handling=strict', 200],
    ['respond-async; handling=strict', 200],
    ['handling=strictly', 200],
  ])('of several preferences the first handling counts: %s', async (prefer, status) => {
    expect((await get('/v4/genres?x=1', { prefer })).statusCode).toBe(status)
  })

  test('strict handling is not overridden by a tag of lenient handling', async () => {
    const { headers } = await get('/v4/genres?x=1')
    const strict = await get('/v4/genres?x=1', { 'if-none-match': String(headers.etag), prefer: 'handling=strict' })
    expect(strict.statusCode).toBe(400)
  })
})

test('what was made of a URL is forgotten with the catalog and the day that it depends on', async () => {
  const url = '/v4/changes?country=us&change_type=new&item_type=show'
  for (const change of [() => {}, () => {}, () => version++, () => (now += 86_400)]) {
    change()
    expect((await get(url)).statusCode).toBe(200)
  }
  expect(asked[1]).toBe(asked[0])
  expect(asked[2]).not.toBe(asked[0])
  expect(asked[3]).toMatchObject({ from: (asked[0] as ChangesQuery).from + 86_400 })
})

describe('entity tags', () => {
  test('a fresh tag gets 304 without a query, on either base', async () => {
    const { etag } = (await get('/v4/genres')).headers
    asked = []
    const direct304 = await get('/v4/genres', { 'if-none-match': `"x", ${String(etag).slice(2)}` })
    expect([direct304.statusCode, direct304.headers.etag, direct304.payload]).toEqual([304, etag, ''])
    const market = { 'x-market-api-key': marketplace, 'if-none-match': String(etag) }
    expect((await app.inject({ url: '/genres', headers: market })).statusCode).toBe(304)
    expect(asked).toEqual([])
  })

  test('it still needs a key', async () => {
    const { etag } = (await get('/v4/genres')).headers
    expect((await app.inject({ url: '/v4/genres', headers: { 'if-none-match': String(etag) } })).statusCode).toBe(401)
  })

  test('a new version, another URL and the passing of time outdate it', async () => {
    validUntil = NOON + 10
    const { etag } = (await get('/v4/genres')).headers
    const conditional = (url = '/v4/genres') => get(url, { 'if-none-match': String(etag) })
    expect((await conditional()).statusCode).toBe(304)
    expect((await conditional('/v4/genres?output_language=es')).statusCode).toBe(200)
    now += 10
    validUntil = NOON + 20
    expect((await conditional()).statusCode).toBe(200)
    now = NOON
    version = 8
    expect((await conditional()).statusCode).toBe(200)
  })

  test('a star matches whatever exists', async () => {
    expect((await get('/v4/genres', { 'if-none-match': '*' })).statusCode).toBe(304)
    expect((await get('/v4/shows/tt1', { 'if-none-match': '*' })).statusCode).toBe(404)
  })

  test('changes do not outlast the day', async () => {
    const url = '/v4/changes?country=us&change_type=new&item_type=show'
    const { etag } = (await get(url)).headers
    const midnight = Date.UTC(2026, 2, 16) / 1000
    expect(etag).toBe(`W/"7-${String(etag).split('-')[1]}-${midnight.toString(36)}"`)
    now = midnight - 1
    expect((await get(url, { 'if-none-match': String(etag) })).statusCode).toBe(304)
    now = midnight
    expect((await get(url, { 'if-none-match': String(etag) })).statusCode).toBe(200)
  })
})

describe('content coding', () => {
  test('long bodies are compressed as the client likes', async () => {
    longer = true
    for (let i = 0; i < 2; i++) {
      const br = await get('/v4/genres', { 'accept-encoding': 'gzip, br' })
      expect(br.headers['content-encoding']).toBe('br')
      expect(brotliDecompressSync(br.rawPayload)).toEqual(LONG_ANSWER)
      const gz = await get('/v4/genres', { 'accept-encoding': 'gzip' })
      expect(gz.headers).toMatchObject({ 'content-encoding': 'gzip', etag: br.headers.etag })
      expect(gunzipSync(gz.rawPayload)).toEqual(LONG_ANSWER)
      expect(gz.headers['content-length']).toBe(String(gz.rawPayload.length))
    }
    expect((await get('/v4/genres')).headers['content-encoding']).toBeUndefined()
  })

  test('short bodies are not', async () => {
    expect((await get('/v4/genres', { 'accept-encoding': 'br' })).headers['content-encoding']).toBeUndefined()
  })
})

describe('CORS', () => {
  test('a preflight lists what may be sent', async () => {
    for (const url of ['/v4/genres', '/shows/movie/1', '/openapi.json']) {
      const answer = await app.inject({ method: 'OPTIONS', url, headers: { origin: 'https://a.example' } })
      expect(answer.statusCode).toBe(204)
      expect(answer.headers['access-control-allow-methods']).toBe('GET, HEAD, OPTIONS')
      expect(answer.headers['access-control-allow-headers']).toMatch(
        /^X-API-Key, X-Market-API-Key, X-MarketAPI-Key, If-None-Match, Prefer/,
      )
      expect(answer.headers['access-control-max-age']).toBe('86400')
    }
  })
})

describe('failures', () => {
  test('nothing of the inside leaks, and the request id finds it in the log', async () => {
    fault = new Error('the secret inside')
    const answer = await get('/v4/genres', { 'x-request-id': 'find-me' })
    expect(answer.statusCode).toBe(500)
    expect(answer.json()).toEqual({ message: expect.any(String) })
    expect(answer.headers).toMatchObject({ 'x-error-code': 'internal', 'x-request-id': 'find-me' })
    expect(answer.payload).not.toContain('secret inside')
    const line = logged.split('\n').find((text) => text.includes('"level":50')) ?? ''
    expect(JSON.parse(line)).toMatchObject({
      requestId: 'find-me',
      err: { message: 'the secret inside', stack: expect.any(String) },
    })
  })

  test('no key is ever logged', async () => {
    fault = new Error('boom')
    await get(`/v4/genres?key=${direct}&other=${marketplace}`)
    await get(`/v4/shows/${direct}`)
    expect(logged).toContain('"event":"request_failed"')
    expect(logged).not.toContain(direct.slice(7))
    expect(logged).not.toContain(marketplace)
  })

  test('a cursor that cannot be read', async () => {
    fault = new InvalidCursorError('no such order')
    const answer = await get('/v4/shows/search/filters?country=us&cursor=x')
    expect(answer.statusCode).toBe(400)
    expect(answer.headers).toMatchObject({ 'x-error-code': 'invalid_cursor', 'x-error-parameter': 'cursor' })
  })

  test('without a catalog, responses have Retry-After', async () => {
    version = 0
    const empty = await get('/v4/genres')
    expect([empty.statusCode, empty.headers['x-error-code'], empty.headers['retry-after']]).toEqual([
      503,
      'unavailable',
      '5',
    ])
  })
})

describe('pages without a key', () => {
  test('health and readiness', async () => {
    expect((await app.inject('/healthz')).payload).toBe('{"status":"ok"}')
    expect((await app.inject('/readyz')).payload).toBe('{"status":"ready","catalogVersion":7}')
    version = 0
    expect((await app.inject('/readyz')).headers['x-error-code']).toBe('unavailable')
    expect((await app.inject('/readyz')).statusCode).toBe(503)
  })

  test('pages for people are found with and without a slash at the end', async () => {
    for (const url of ['/docs', '/docs/']) {
      expect((await app.inject(url)).headers['content-type']).toBe('text/html; charset=utf-8')
    }
    expect((await app.inject('/docs/nothing')).statusCode).toBe(404)
  })

  test('pages have tags of their content', async () => {
    const { etag } = (await app.inject('/openapi.json')).headers
    const again = await app.inject({ url: '/openapi.json', headers: { 'if-none-match': String(etag) } })
    expect(again.statusCode).toBe(304)
  })

  test('sites are served', async () => {
    const answer = await app.inject('/artwork/a.svg')
    expect([answer.statusCode, answer.payload, answer.headers['content-type']]).toEqual([
      200,
      '<svg/>',
      'image/svg+xml',
    ])
    expect(answer.headers['cache-control']).toMatch(/^public, max-age=/)
  })
})

test('the app lists its caches, each with a limit', async () => {
  await get('/v4/genres')
  const stats = app.caches().map((cache) => cache.stats())
  expect(stats.map(({ name }) => name)).toEqual(['routes', 'header_names', 'compressed', 'feeds', 'shapes'])
  for (const { bytes, maxBytes } of stats) expect(bytes).toBeLessThanOrEqual(maxBytes)
  expect(stats[0]?.hits).toBeGreaterThan(0)
})
