import { expect, test } from 'vitest'
import { placeByNumber } from './show-record.ts'

const place = (...numbers: number[]) => placeByNumber(numbers, (number) => number)

test('items are placed at their numbers, and gaps are left open', () => {
  expect(place(3, 1, 2)).toEqual([1, 2, 3])
  expect(place(1, 4)).toEqual([1, undefined, undefined, 4])
  expect(place()).toEqual([])
})

test('numbers that are years, or continue those of another season, only give the order', () => {
  expect(place(2021, 2019, 2020)).toEqual([2019, 2020, 2021])
  expect(place(63, 62, 64)).toEqual([62, 63, 64])
})
