import { describe, expect, test } from 'vitest'
import { decadePlace, decadesAround, ticksUpTo } from './scale.ts'

describe('the marks of an axis', () => {
  test.each([
    [0, [0, 1]],
    [1, [0, 1]],
    [3, [0, 1, 2, 3]],
    [7, [0, 2, 4, 6, 8]],
    [97, [0, 25, 50, 75, 100]],
    [1234, [0, 500, 1000, 1500]],
  ])('are round and reach above %d', (greatest, ticks) => {
    expect(ticksUpTo(greatest)).toEqual(ticks)
  })

  test('count whole requests, however few there are', () => {
    for (let greatest = 1; greatest < 500; greatest++) {
      const ticks = ticksUpTo(greatest)
      expect(ticks.every(Number.isInteger)).toBe(true)
      expect(ticks.at(-1)).toBeGreaterThanOrEqual(greatest)
      expect(ticks.length).toBeLessThanOrEqual(6)
    }
  })

  test('by powers of ten enclose all values', () => {
    expect(decadesAround([0.4, 3, 120])).toEqual([0.1, 1, 10, 100, 1000])
    expect(decadesAround([1])).toEqual([1, 10])
    expect(decadesAround([])).toEqual([1, 10])
    expect(decadePlace(10, [1, 10, 100])).toBeCloseTo(0.5)
    expect(decadePlace(0, [1, 10])).toBe(0)
  })
})
