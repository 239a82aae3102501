import { describe, expect, it } from 'vitest'
import { readSettings } from '../../../src/config.ts'
import { aMovie, aSnapshot, NOW, utc } from '../../support/builders.ts'
import { aTestService, type TestService } from '../../support/test-service.ts'

/* One test for each sentence about keys. */

describe('keys', async () => {
  const service = await aTestService(aSnapshot(aMovie({ id: '1' })))
  const status = async (of: TestService, url: string, headers: Record<string, string>) =>
    (await of.raw(url, headers)).status

  it('direct: base /v4, header X-API-Key', async () => {
    expect(await status(service, '/v4/genres', { 'X-API-Key': service.directKey })).toBe(200)
  })

  it.each(['X-Market-API-Key', 'X-MarketAPI-Key'])(
    'marketplace: base / without a version, header %s',
    async (header) => {
      expect(await status(service, '/genres', { [header]: service.marketplaceKey })).toBe(200)
    },
  )

  it.each(['X-Rapid-API-Key', 'X-RapidAPI-Key'])(
    "the marketplace's name is a setting, Market by default; with Rapid the header is %s",
    async (header) => {
      expect(readSettings({}).marketplace).toBe('Market')
      const rapid = await aTestService(aSnapshot(), { marketplace: 'Rapid' })
      expect(await status(rapid, '/genres', { [header]: rapid.marketplaceKey })).toBe(200)
    },
  )

  it('a direct key starts with a prefix that is a setting too, mq-key- by default', async () => {
    expect(readSettings({}).keyPrefix).toBe('mq-key-')
    expect(service.directKey).toMatch(/^mq-key-\w+$/)
    expect(service.marketplaceKey).not.toMatch(/^mq-key-/)
  })

  it('a good key on the wrong base, or in the wrong header: 401 whose message says which base and header it belongs to', async () => {
    for (const [url, header, key, belongs] of [
      ['/genres', 'X-API-Key', service.directKey, /base address \/v4 in the header X-API-Key/],
      ['/v4/genres', 'X-Market-API-Key', service.directKey, /base address \/v4 in the header X-API-Key/],
      ['/v4/genres', 'X-API-Key', service.marketplaceKey, /base address \/ in the header X-Market-API-Key/],
      ['/genres', 'X-API-Key', service.marketplaceKey, /base address \/ in the header X-Market-API-Key/],
    ] as const) {
      const { status, error, body } = await service.raw(url, { [header]: key })
      expect([status, error.code, Object.keys(body)]).toEqual([401, 'wrong_key_source', ['message']])
      expect(body.message).toMatch(belongs)
    }
  })

  it.each(['/healthz', '/readyz', '/metrics', '/docs', '/docs/errors', '/openapi.json', '/', '/show/1'])(
    '%s needs no API key',
    async (url) => {
      expect(await status(service, url, {})).toBe(200)
    },
  )

  it('/metrics can be read by no page of another origin', async () => {
    const { status, headers } = await service.raw('/metrics', { origin: 'https://other.example' })
    expect([status, headers['access-control-allow-origin']]).toEqual([200, undefined])
  })
})

describe('MARQUEE_COMPATIBILITY=original', async () => {
  const settings = readSettings({ MARQUEE_COMPATIBILITY: 'original' })
  const { compatibility, countries, marketplace, keyPrefix } = settings
  const service = await aTestService(aSnapshot(aMovie({ id: '1' })), {
    compatibility,
    countries,
    marketplace,
    keyPrefix,
  })
  const QUOTA = ['limit', 'remaining', 'reset'].map((name) => `x-ratelimit-api-request-${name}`)

  it('sets the map of countries, the key prefix motn-key- and the marketplace Rapid', async () => {
    expect({ countries, marketplace, keyPrefix }).toEqual({
      countries: 'map',
      marketplace: 'Rapid',
      keyPrefix: 'motn-key-',
    })
    const { body } = await service.get('/countries', { source: 'marketplace' })
    expect(Object.keys(body)).toEqual(['gb', 'tr', 'us'])
    expect((await service.raw('/genres', { 'X-RapidAPI-Key': service.marketplaceKey })).status).toBe(200)
  })

  it('states the quota on the marketplace base also as X-RateLimit-Api-Request-Limit, -Remaining, -Reset', async () => {
    const { key } = await service.aKey('free', { source: 'marketplace' })
    const ask = (path: string, headers: Record<string, string> = {}) =>
      service.get(path, { source: 'marketplace', headers: { 'x-rapid-api-key': key, ...headers } })
    const first = await ask('/genres')
    const untilReset = String(utc(2026, 4, 1) - NOW)
    expect(QUOTA.map((name) => first.headers[name])).toEqual(['1000', '999', untilReset])
    expect(first.headers['x-quota-used']).toBe('1')
    const free = await ask('/genres', { 'if-none-match': first.headers.etag as string })
    expect([free.status, ...QUOTA.map((name) => free.headers[name])]).toEqual([304, '1000', '999', untilReset])
    const failed = await ask('/shows/none')
    expect([failed.status, ...QUOTA.map((name) => failed.headers[name])]).toEqual([404, '1000', '998', untilReset])
    const { headers } = await ask('/genres', { origin: 'https://app.example' })
    expect(headers['access-control-expose-headers']?.toLowerCase().split(', ')).toEqual(expect.arrayContaining(QUOTA))
  })

  it('does so on the marketplace base only', async () => {
    const { headers } = await service.get('/genres')
    for (const name of QUOTA) expect(headers).not.toHaveProperty(name)
    const { headers: unkeyed } = await service.raw('/genres')
    for (const name of QUOTA) expect(unkeyed).not.toHaveProperty(name)
  })

  it('is not set by default', async () => {
    const other = await aTestService(aSnapshot())
    const { headers } = await other.get('/genres', { source: 'marketplace' })
    for (const name of QUOTA) expect(headers).not.toHaveProperty(name)
  })
})
