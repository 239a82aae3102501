import { describe, expect, it } from 'vitest'
import { API_ERRORS, ERRORS, type ErrorCode } from '../../../src/http/exchange/errors.ts'
import { aMovie, aSnapshot } from '../../support/builders.ts'
import { aTestService } from '../../support/test-service.ts'

/* One test for each sentence about errors; ../errors.test.ts provokes every code. */

const PROBLEM = { accept: 'application/json, application/problem+json' }

/** Status by code, as the contract lists them. */
const CODES = {
  400: ['invalid_parameter', 'missing_parameter', 'unknown_parameter', 'invalid_cursor'],
  401: ['missing_key', 'invalid_key', 'wrong_key_source'],
  403: ['key_revoked', 'origin_not_allowed'],
  404: ['not_found'],
  405: ['method_not_allowed'],
  414: ['uri_too_long'],
  429: ['quota_exceeded', 'rate_limited'],
  431: ['headers_too_large'],
  500: ['internal'],
  503: ['unavailable', 'overloaded'],
} as const

interface Failing {
  readonly what: string
  readonly url: string
  readonly code: ErrorCode
  readonly method?: 'POST'
}

describe('errors', async () => {
  const service = await aTestService(aSnapshot(aMovie({ id: '1' })))
  const key = { 'x-api-key': service.directKey }
  /** A path of every kind that fails, each with its code. */
  const FAILING: readonly Failing[] = [
    { what: 'an endpoint', url: '/v4/shows/none', code: 'not_found' },
    { what: 'a parameter', url: '/v4/shows/search/filters', code: 'missing_parameter' },
    { what: 'an unknown route', url: '/v4/nowhere', code: 'not_found' },
    { what: 'an unknown route outside the bases', url: '/nowhere', code: 'not_found' },
    { what: 'an old path', url: '/search/title', code: 'not_found' },
    { what: 'another method', url: '/v4/genres', code: 'method_not_allowed', method: 'POST' },
    { what: 'a path that is not UTF-8', url: '/v4/shows/%ff', code: 'malformed_request' },
    { what: 'a long URL', url: `/v4/genres?${'x'.repeat(9_000)}`, code: 'uri_too_long' },
    { what: 'the platform', url: '/platform/keys', code: 'not_signed_in' },
    { what: 'an unknown route of the platform', url: '/platform/nowhere', code: 'not_found' },
    { what: 'an asset', url: '/assets/none.js', code: 'not_found' },
  ]

  it.each(FAILING)('{"message"} and nothing else: $what', async ({ url, method }) => {
    const { body, headers, text } = await service.raw(url, key, method)
    expect(text).toBe(JSON.stringify({ message: body.message }))
    expect(headers['content-type']).toBe('application/json; charset=utf-8')
  })

  it.each(FAILING)(
    'for programs the headers X-Error-Code and, where one is at fault, X-Error-Parameter: $what',
    async ({ what, url, code, method }) => {
      const { error } = await service.raw(url, key, method)
      expect(error.code).toBe(code)
      const parameter = { 'an endpoint': 'id', 'a parameter': 'country' }[what]
      expect(error.parameter).toBe(parameter)
    },
  )

  it.each(FAILING)(
    'a request whose Accept names application/problem+json gets RFC 9457 instead: $what',
    async ({ url, code, method }) => {
      const plain = await service.raw(url, key, method)
      const { status, headers, body } = await service.raw(url, { ...key, ...PROBLEM }, method)
      expect(headers['content-type']).toBe('application/problem+json')
      expect(body).toMatchObject({
        type: `/docs/errors#${code}`,
        title: ERRORS[code].title,
        status: plain.status,
        detail: plain.body.message,
        code,
        requestId: headers['x-request-id'],
      })
      expect([status, body.parameter]).toEqual([plain.status, plain.error.parameter])
    },
  )

  it('type is an address in the documentation that the service serves', async () => {
    const { body } = await service.raw('/v4/nowhere', PROBLEM)
    const page = await service.raw(String(body.type).split('#')[0] as string, { accept: 'text/html' })
    expect(page.status).toBe(200)
    for (const code of Object.keys(ERRORS)) expect(page.text).toContain(`id="${code}"`)
    expect(page.text).toContain('href="/docs/guides/errors')
  })

  it('type is absolute where the service knows its address', async () => {
    const known = await aTestService(aSnapshot(), { publicUrl: 'https://tv.example' })
    expect((await known.raw('/v4/nowhere', PROBLEM)).body.type).toBe('https://tv.example/docs/errors#not_found')
  })

  it('a successful answer is the same, whatever Accept says', async () => {
    const plain = await service.get('/shows/1')
    const { text, headers } = await service.get('/shows/1', { headers: PROBLEM })
    expect([text, headers['content-type'], headers.etag]).toEqual([
      plain.text,
      'application/json; charset=utf-8',
      plain.headers.etag,
    ])
    expect(headers).not.toHaveProperty('x-error-code')
  })

  it.each([
    ['/get', '/shows/{id}'],
    ['/get/basic?imdb_id=tt0068646', '/shows/tt0068646'],
    ['/search/title?title=heat&country=us', '/shows/search/title'],
    ['/search/basic', '/shows/search/filters'],
    ['/search/pro', '/shows/search/filters'],
    ['/search/ultra', '/shows/search/filters'],
    ['/services', '/countries'],
    ['/country/us', '/countries/{country-code}'],
    ['/leaving', '/changes?change_type=expiring'],
    ['/v2/search/title', '/shows/search/title'],
    ['/v2/countries', '/countries'],
    ['/v3/genres', '/genres'],
    ['/v4/search/title', '/shows/search/title'],
  ])('a path of an older version of the public interface names its present one: %s is %s', async (url, present) => {
    for (const headers of [key, { ...key, accept: 'text/html' }]) {
      const { status, body, error } = await service.raw(url, headers)
      expect([status, error.code]).toEqual([404, 'not_found'])
      expect(body.message).toContain(`/v4${present} with a direct key, ${present} with a marketplace key`)
    }
  })

  it('a page whose path is an old one of the API stays a page for those who send no key', async () => {
    expect((await service.raw('/leaving', { accept: 'text/html' })).status).toBe(200)
  })

  it.each(Object.entries(CODES))('%s: %s', (status, codes) => {
    for (const code of codes) expect(API_ERRORS[code].status).toBe(Number(status))
  })

  it.each(['quota_exceeded', 'rate_limited'] as const)('429 %s with Retry-After', async (code) => {
    const { key, record } = await service.aKey('free')
    if (code === 'quota_exceeded') {
      await service.accounts.quota.add([{ owner: record.id, period: '2026-03', requests: 1_000 }])
    }
    for (let i = 0; i < 10; i++) await service.raw('/v4/genres', { 'x-api-key': key })
    const { status, error, headers } = await service.raw('/v4/genres', { 'x-api-key': key })
    expect([status, error.code]).toEqual([429, code])
    expect(Number(headers['retry-after'])).toBeGreaterThan(0)
    const { body } = await service.raw('/v4/genres', { 'x-api-key': key, ...PROBLEM })
    expect(body.retryAfter).toBe(Number(headers['retry-after']))
  })

  it('503 unavailable with Retry-After', async () => {
    const empty = await aTestService()
    const { status, error, headers } = await empty.get('/genres')
    expect([status, error.code, headers['retry-after']]).toEqual([503, 'unavailable', '5'])
  })
})
