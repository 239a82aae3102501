import { expect, test } from 'vitest'
import { hasElapsed } from './time.ts'

test('a span has elapsed, also if its start lies in the future', () => {
  expect(hasElapsed(60, 1_000, 1_059)).toBe(false)
  expect(hasElapsed(60, 1_000, 1_060)).toBe(true)
  expect(hasElapsed(60, 1_000_000, 1_000)).toBe(true)
})
