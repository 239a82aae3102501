import { getEventListeners } from 'node:events'
import { expect, test } from 'vitest'
import { ConnectionError } from './errors.ts'
import { backoffMs, parseRetryAfter, sleep } from './retry.ts'

const fault = new ConnectionError('gone', 'http://127.0.0.1/', false)

test('pauses double from half a second up to eight, and chance takes up to half of them', () => {
  expect([1, 2, 3, 4, 5, 6].map((retry) => backoffMs(retry, fault, 1))).toEqual([500, 1000, 2000, 4000, 8000, 8000])
  expect([1, 2, 3, 4, 5, 6].map((retry) => backoffMs(retry, fault, 0))).toEqual([250, 500, 1000, 2000, 4000, 4000])
})

test('Retry-After is read in both of its forms', () => {
  const now = Date.UTC(2026, 0, 1, 12)
  expect(parseRetryAfter('7', now)).toBe(7)
  expect(parseRetryAfter('Thu, 01 Jan 2026 12:00:30 GMT', now)).toBe(30)
  expect(parseRetryAfter('Thu, 01 Jan 2026 11:00:00 GMT', now)).toBe(0)
  expect(parseRetryAfter(null, now)).toBeUndefined()
})

test('Retry-After can be a date in the two older forms', () => {
  const now = Date.UTC(2026, 0, 1, 12)
  expect(parseRetryAfter('Thursday, 01-Jan-26 12:00:30 GMT', now)).toBe(30)
  expect(parseRetryAfter('Thu Jan  1 12:00:30 2026', now)).toBe(30)
})

test.each([
  '',
  'soon',
  '1.5',
  '-1',
  '+1',
  '1e3',
  '7 s',
  '2026-01-01T12:00:30Z',
  '1 January 2026',
  'Thu, 01 Jan 2026 12:00:30 +0100',
  'Thu, 01 Foo 2026 12:00:30 GMT',
  'Tue, 31 Feb 2026 12:00:30 GMT',
  'Thu, 01 Jan 2026 25:00:30 GMT',
])('a Retry-After of "%s" counts as absent', (text) => {
  expect(parseRetryAfter(text, Date.UTC(2026, 0, 1, 12))).toBeUndefined()
})

test('a pause ends when the signal is aborted, also if it was before, and leaves nothing at it', async () => {
  const controller = new AbortController()
  const pause = sleep(60_000, controller.signal)
  controller.abort()
  await pause
  await sleep(60_000, controller.signal)
  expect(getEventListeners(controller.signal, 'abort')).toEqual([])
})

test('a pause that is over leaves nothing at the signal', async () => {
  const { signal } = new AbortController()
  await sleep(0, signal)
  expect(getEventListeners(signal, 'abort')).toEqual([])
})
