import { expect, test } from 'vitest'
import { OverloadDetector } from './overload-detector.ts'

test('a worker is overloaded from a late sample until the next one in time', () => {
  let now = 0
  const detector = new OverloadDetector(() => now)
  const after = (milliseconds: number) => {
    now += milliseconds
    detector.sample()
    return detector.isOverloaded
  }
  expect(detector.isOverloaded).toBe(false)
  expect([250, 260, 900].map(after)).toEqual([false, false, false])
  expect([1_300, 5_000, 250].map(after)).toEqual([true, true, false])
})
