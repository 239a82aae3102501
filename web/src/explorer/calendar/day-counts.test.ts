import { expect, it } from 'vitest'
import { DAY } from './calendar-days.ts'
import { dayCounts } from './day-counts.ts'

const DAYS = [0, DAY, 2 * DAY]

it('counts all days of a whole list, also those on which nothing happens', () => {
  expect([...dayCounts([5, 6, 2 * DAY + 1, undefined], DAYS, true)]).toEqual([
    [0, 2],
    [DAY, 0],
    [2 * DAY, 1],
  ])
})

it('counts no day that may go on', () => {
  expect([...dayCounts([5, DAY + 1], DAYS, false)]).toEqual([[0, 1]])
  expect([...dayCounts([], DAYS, false)]).toEqual([])
  expect([...dayCounts([undefined, undefined], DAYS, false)]).toEqual([])
  expect([...dayCounts([5, undefined], DAYS, false)].map(([, count]) => count)).toEqual([1, 0, 0])
})

it('passes over what lies on none of the days', () => {
  expect([...dayCounts([-DAY, 9 * DAY], DAYS, true)].map(([, count]) => count)).toEqual([0, 0, 0])
  expect([...dayCounts([9 * DAY], DAYS, false)]).toEqual([])
})
