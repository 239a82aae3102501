import { expect, test } from 'vitest'
import { ConnectionError } from './errors.ts'
import { pauseBefore, readRetryAfter } from './retry.ts'

const fault = new ConnectionError('gone', 'http://127.0.0.1/', false)

test('pauses double from half a second up to eight, and chance takes up to half of them', () => {
  expect([1, 2, 3, 4, 5, 6].map((retry) => pauseBefore(retry, fault, 1))).toEqual([500, 1000, 2000, 4000, 8000, 8000])
  expect([1, 2, 3, 4, 5, 6].map((retry) => pauseBefore(retry, fault, 0))).toEqual([250, 500, 1000, 2000, 4000, 4000])
})

test('Retry-After is read in both of its forms', () => {
  const now = Date.UTC(2026, 0, 1, 12)
  expect(readRetryAfter('7', now)).toBe(7)
  expect(readRetryAfter('Thu, 01 Jan 2026 12:00:30 GMT', now)).toBe(30)
  expect(readRetryAfter('Thu, 01 Jan 2026 11:00:00 GMT', now)).toBe(0)
  expect(readRetryAfter('soon', now)).toBeUndefined()
  expect(readRetryAfter('', now)).toBeUndefined()
  expect(readRetryAfter(null, now)).toBeUndefined()
})
