import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { ApiError, ERRORS, type ErrorCode } from './errors.ts'

describe('the table of errors', () => {
  const page = readFileSync(new URL('../../../../docs/errors.md', import.meta.url), 'utf8')
  const documented = new Map(
    [...page.matchAll(/^\|\s*`(\w+)`\s*\|\s*(\d+)\s*\|/gm)].map((row) => [row[1], Number(row[2])]),
  )

  test.each(Object.entries(ERRORS))('%s is documented with its status', (code, { status }) => {
    expect(documented.get(code)).toBe(status)
  })

  test('nothing else is documented', () => {
    expect([...documented.keys()].filter((code) => !Object.hasOwn(ERRORS, code as ErrorCode))).toEqual([])
  })
})

describe('the body of an error', () => {
  test('has message, code, parameter and then the rest', () => {
    const error = new ApiError('invalid_parameter', 'No.', { extras: { hint: 1 }, parameter: 'x' })
    expect(error.body().toString()).toBe('{"message":"No.","code":"invalid_parameter","parameter":"x","hint":1}')
    expect(error.status).toBe(400)
  })

  test('leaves out what is absent', () => {
    expect(new ApiError('not_found', 'Där').body().toString()).toBe('{"message":"Där","code":"not_found"}')
  })
})
