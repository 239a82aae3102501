import { expect, test } from 'vitest'
import { editDistance } from './edit-distance.ts'

test('the distance counts insertions, deletions, replacements and swaps of neighbours', () => {
  expect(editDistance('kitten', 'sitting')).toBe(3)
  expect(editDistance('', 'abc')).toBe(3)
  expect(editDistance('same', 'same')).toBe(0)
  expect(editDistance('form', 'from')).toBe(1)
})

test('a distance beyond the limit is infinite', () => {
  expect(editDistance('kitten', 'sitting', 2)).toBe(Number.POSITIVE_INFINITY)
  expect(editDistance('kitten', 'sitting', 3.5)).toBe(3)
  expect(editDistance('a'.repeat(300), 'b'.repeat(300))).toBe(300)
})
