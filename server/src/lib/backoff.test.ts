import { expect, test } from 'vitest'
import { backoffMs, retryAfterMs } from './backoff.ts'

test('the delay doubles with every failure up to the maximum', () => {
  const delays = [1, 2, 3, 4, 5].map((failures) => backoffMs(failures, { firstMs: 100, maxMs: 1000 }))
  expect(delays).toEqual([100, 200, 400, 800, 1000])
})

test('jitter takes away at most its share of the delay', () => {
  const options = { firstMs: 100, maxMs: 1000, jitter: 0.5 }
  expect(backoffMs(1, options, () => 0)).toBe(100)
  expect(backoffMs(1, options, () => 1)).toBe(50)
})

test('Retry-After is read as seconds or as a date', () => {
  expect(retryAfterMs('7')).toBe(7000)
  expect(retryAfterMs('Thu, 01 Jan 1970 00:00:10 GMT', 4_000)).toBe(6000)
  expect(retryAfterMs('Thu, 01 Jan 1970 00:00:10 GMT', 40_000)).toBe(0)
  expect([retryAfterMs(null), retryAfterMs(''), retryAfterMs('soon')]).toEqual([undefined, undefined, undefined])
})
