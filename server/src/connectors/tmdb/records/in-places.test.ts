import { expect, test } from 'vitest'
import { toNumberedList } from './show-record.ts'

const placed = (...numbers: number[]) => toNumberedList(numbers, (number) => number)

test('things stand at their numbers, with gaps where there are some', () => {
  expect(placed(3, 1, 2)).toEqual([1, 2, 3])
  expect(placed(1, 4)).toEqual([1, undefined, undefined, 4])
  expect(placed()).toEqual([])
})

test('numbers that are years, or that go on from before, only give the order', () => {
  expect(placed(2021, 2019, 2020)).toEqual([2019, 2020, 2021])
  expect(placed(63, 62, 64)).toEqual([62, 63, 64])
})
