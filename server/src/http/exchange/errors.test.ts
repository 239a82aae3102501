import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { acceptsProblemDetails, createErrorRenderer, errorAddress } from '../response/error-response.ts'
import { ApiError, ERRORS, type ErrorCode } from './errors.ts'

describe('the table of errors', () => {
  const page = readFileSync(new URL('../../../../docs/errors.md', import.meta.url), 'utf8')
  const rows = [...page.matchAll(/^\|\s*`(\w+)`\s*\|\s*(\d+)\s*\|\s*(.*?)\s*\|\s*(.*?)\s*\|$/gm)]
  const documented = new Map(
    rows.map(([, code, status, meaning, remedy]) => [code, { status: Number(status), meaning, remedy }]),
  )

  test.each(Object.entries(ERRORS))('%s is documented with its status and in the same words', (code, kind) => {
    const { status, meaning, remedy } = kind
    expect(documented.get(code)).toEqual({ status, meaning, remedy })
  })

  test('nothing else is documented', () => {
    expect([...documented.keys()].filter((code) => !Object.hasOwn(ERRORS, code as ErrorCode))).toEqual([])
  })

  test('the documentation leads to the page of the service, and its addresses are those of the codes', () => {
    expect(page).toContain('/docs/errors')
    expect(errorAddress('not_found')).toBe('/docs/errors#not_found')
  })
})

describe('an error on the wire', () => {
  const render = createErrorRenderer()
  const text = (error: ApiError, accept?: string) => render(error, 'id-1', accept).body.toString()
  const PROBLEM = 'application/problem+json'

  test('is its message alone, with code and parameter in headers', () => {
    const error = new ApiError('invalid_parameter', 'Nö.', { extras: { hint: 1 }, parameter: 'x' })
    const { headers, body } = render(error, 'id-1', 'application/json, */*')
    expect(body.toString()).toBe('{"message":"Nö."}')
    expect(headers).toEqual([
      ...['Content-Type', 'application/json; charset=utf-8', 'Cache-Control', 'no-store'],
      ...['X-Error-Code', 'invalid_parameter', 'X-Error-Parameter', 'x'],
    ])
  })

  test('is problem details if those are accepted', () => {
    const error = new ApiError('rate_limited', 'No.', { extras: { hint: 1 }, parameter: 'x', retryAfter: 3 })
    expect(text(error, PROBLEM)).toBe(
      '{"type":"/docs/errors#rate_limited","title":"More requests in this second than the plan allows.","status":429,' +
        '"detail":"No.","code":"rate_limited","parameter":"x","retryAfter":3,"requestId":"id-1","hint":1}',
    )
    expect(render(error, 'id-1', PROBLEM).headers).toEqual(
      expect.arrayContaining(['application/problem+json', 'Retry-After', '3']),
    )
  })

  test('leaves out what is absent', () => {
    const members = JSON.parse(text(new ApiError('not_found', 'No.'), PROBLEM))
    expect(Object.keys(members)).toEqual(['type', 'title', 'status', 'detail', 'code', 'requestId'])
  })

  test('has an absolute address where the service knows its own', () => {
    const { body } = createErrorRenderer('https://tv.example')(new ApiError('not_found', 'No.'), 'id-1', PROBLEM)
    expect(JSON.parse(body.toString()).type).toBe('https://tv.example/docs/errors#not_found')
  })
})

describe('Accept', () => {
  test.each([
    'application/problem+json',
    'application/json, application/problem+json',
    'application/json,application/problem+json;q=0.5',
    'APPLICATION/Problem+JSON; charset=utf-8',
    'text/html, application/problem+json;q=0.001',
  ])('%s names problem details', (accept) => {
    expect(acceptsProblemDetails(accept)).toBe(true)
  })

  test.each([
    undefined,
    '',
    '*/*',
    'application/*',
    'application/json',
    'application/problem+xml',
    'application/problem+jsonx',
    'x-application/problem+json',
    'application/problem+json;q=0',
    'application/problem+json; Q=0.000',
  ])('%s does not', (accept) => {
    expect(acceptsProblemDetails(accept)).toBe(false)
  })
})
