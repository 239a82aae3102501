import { expect, test } from 'vitest'
import { formatTime, hasElapsed } from './time.ts'

test('an instant is printed as a date, with its time unless it is midnight', () => {
  expect(formatTime(Date.UTC(2027, 11, 31) / 1000)).toBe('2027-12-31')
  expect(formatTime(Date.UTC(2027, 11, 31, 17, 5, 9) / 1000)).toBe('2027-12-31 17:05 UTC')
  expect(formatTime(253_402_300_799)).toBe('9999-12-31 23:59 UTC')
})

test('a span has elapsed, also if its start lies in the future', () => {
  expect(hasElapsed(60, 1_000, 1_059)).toBe(false)
  expect(hasElapsed(60, 1_000, 1_060)).toBe(true)
  expect(hasElapsed(60, 1_000_000, 1_000)).toBe(true)
})
