import { expect, test } from 'vitest'
import { OverloadDetector } from './overload-detector.ts'

test('a process is overloaded from a look that comes too late until one that does not', () => {
  let now = 0
  const watch = new OverloadDetector(() => now)
  const after = (milliseconds: number) => {
    now += milliseconds
    watch.sample()
    return watch.isOverloaded
  }
  expect(watch.isOverloaded).toBe(false)
  expect([250, 260, 900].map(after)).toEqual([false, false, false])
  expect([1_300, 5_000, 250].map(after)).toEqual([true, true, false])
})
