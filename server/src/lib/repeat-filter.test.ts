import { expect, it } from 'vitest'
import { RepeatFilter } from './repeat-filter.ts'

it('tells a key that came before from one that did not', () => {
  const filter = new RepeatFilter(12)
  expect(['a', 'b', 'a', 'a', 'b', 'c'].map((key) => filter.isRepeated(key))).toEqual([
    false,
    false,
    true,
    true,
    true,
    false,
  ])
})

it('knows nearly all of the last keys when it has many more places, and forgets those before many others', () => {
  const filter = new RepeatFilter(12)
  const countRepeated = (from: number, to: number) => {
    let repeated = 0
    for (let i = from; i < to; i++) if (filter.isRepeated(`/shows/${i}`)) repeated++
    return repeated
  }
  expect(countRepeated(0, 200)).toBe(0)
  expect(countRepeated(0, 200)).toBeGreaterThan(180)
  expect(countRepeated(1_000, 40_000)).toBe(0)
  expect(countRepeated(0, 200)).toBeLessThan(20)
})
