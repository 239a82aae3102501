import { expect, test } from 'vitest'
import { formatDuration, parseDuration } from './sources-file.ts'

test.each([
  ['90 seconds', 90],
  ['1 minute', 60],
  ['15 minutes', 900],
  ['6 hours', 21_600],
  ['1day', 86_400],
  ['2 weeks', 1_209_600],
])('%s', (text, seconds) => {
  expect(parseDuration(text)).toBe(seconds)
})

test.each(['', 'daily', '0 hours', '1.5 hours', '-1 day', 'PT6H', 3600, null])('%s is no span', (text) => {
  expect(parseDuration(text)).toBeUndefined()
})

test('a span in words', () => {
  expect([90, 900, 3600, 86_400, 604_800, 1_209_600].map(formatDuration)).toEqual([
    '90 seconds',
    '15 minutes',
    '1 hour',
    '1 day',
    '1 week',
    '2 weeks',
  ])
})
