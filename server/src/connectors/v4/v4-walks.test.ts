import { expect, test } from 'vitest'
import { estimatePopularity, listOriginalLanguages } from './v4-walks.ts'

test('popularity is read off the cursors at both ends of a page', () => {
  expect(estimatePopularity(4, 20, '7:100:popularity_1week.desc', '9:20:popularity_1week.desc')).toEqual([
    100, 80, 60, 40,
  ])
  expect(estimatePopularity(2, 40, '9:20', undefined)).toEqual([20, 10])
})

test('shows between equal values have equal popularity', () => {
  expect(estimatePopularity(3, 20, '7:0:popularity_1week.desc', '9:0:popularity_1week.desc')).toEqual([0, 0, 0])
})

test('the first page is above the cursor, and a single page counts down', () => {
  const first = estimatePopularity(3, 0, undefined, '4:50:x')
  expect(first.every((value, i) => value > 50 && value < (first[i - 1] ?? Infinity))).toBe(true)
  expect(estimatePopularity(3, 0, undefined, undefined)).toEqual([3, 2, 1])
})

test('with cursors of another form, shows are numbered by rank', () => {
  const pages = [estimatePopularity(2, 0, undefined, 'b64=='), estimatePopularity(2, 2, 'b64==', undefined)].flat()
  expect(pages).toEqual([...pages].sort((a, b) => b - a))
  expect(new Set(pages).size).toBe(4)
})

test('original languages are those of audio tracks, or all where there are none', () => {
  expect(listOriginalLanguages(['jpn', 'yue', 'xyz'])).toEqual(expect.arrayContaining(['en', 'ja', 'cn']))
  expect(listOriginalLanguages(['jpn']).length).toBeLessThan(20)
  expect(listOriginalLanguages([]).length).toBeGreaterThan(150)
})
