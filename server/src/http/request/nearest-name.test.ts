import { expect, test } from 'vitest'
import { editDistance, nearestName } from './parameter-parser.ts'

test('edit distance counts insertions, deletions and replacements', () => {
  expect(editDistance('kitten', 'sitting')).toBe(3)
  expect(editDistance('', 'abc')).toBe(3)
  expect(editDistance('same', 'same')).toBe(0)
})

test('the nearest name wins, the first of equals', () => {
  expect(nearestName('genre', ['genres_relation', 'genres', 'country'])).toBe('genres')
  expect(nearestName('ab', ['ax', 'ay'])).toBe('ax')
  expect(nearestName('x', [])).toBeUndefined()
})
