import { expect, test } from 'vitest'
import { hasPassed } from './clock.ts'

test('a span passes, also where it was begun by a clock that was ahead', () => {
  expect(hasPassed(60, 1_000, 1_059)).toBe(false)
  expect(hasPassed(60, 1_000, 1_060)).toBe(true)
  expect(hasPassed(60, 1_000_000, 1_000)).toBe(true)
})
