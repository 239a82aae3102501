import { expect, it } from 'vitest'
import {
  DAY,
  dayAsText,
  dayCounts,
  dayStanding,
  daysFrom,
  monthsFrom,
  periodDays,
  readDay,
  startOfDay,
} from './calendar-days.ts'

const NOW = Date.UTC(2026, 10, 15, 13, 30) / 1000

const weeksFrom = (...choice: Parameters<typeof monthsFrom>) => monthsFrom(...choice).flatMap(({ weeks }) => weeks)

it('covers the 31 days before today, and today', () => {
  const days = weeksFrom(NOW, 'past')
    .flat()
    .filter((day) => day !== undefined)
  expect(days).toHaveLength(32)
  expect(days.map(dayAsText)).toMatchObject({ 0: '2026-10-15', 31: '2026-11-15' })
})

it('covers today and the 31 days after it', () => {
  const days = weeksFrom(NOW, 'future')
    .flat()
    .filter((day) => day !== undefined)
  expect(days[0]).toBe(startOfDay(NOW))
  expect(days.at(-1)).toBe(startOfDay(NOW) + 31 * DAY)
})

it('starts weeks on Monday', () => {
  const weeks = weeksFrom(NOW, 'past')
  for (const week of weeks) expect(week).toHaveLength(7)
  // The fifteenth of November 2026 is a Sunday.
  expect(weeks.at(-1)?.[6]).toBe(startOfDay(NOW))
})

it('puts the days of a week in which a month begins under their own months', () => {
  const months = monthsFrom(NOW, 'future', 7).map(({ first, weeks }) => ({
    first: dayAsText(first),
    lastWeek: weeks.at(-1)?.map((day) => day && dayAsText(day).slice(5)),
    firstWeek: weeks[0]?.map((day) => day && dayAsText(day).slice(5)),
  }))
  expect(months.map(({ first }) => first)).toEqual(['2026-11-15', '2026-12-01'])
  const none = undefined
  expect(months[0]?.lastWeek).toEqual(['11-29', '11-30', none, none, none, none, none])
  expect(months[1]?.firstWeek).toEqual([none, none, '12-01', '12-02', '12-03', '12-04', '12-05'])
})

it('reads days as it writes them, and nothing else', () => {
  expect(readDay(dayAsText(startOfDay(NOW)))).toBe(startOfDay(NOW))
  for (const text of [null, '', '2026-13-45', '15.11.2026', '2026-11-15T00']) expect(readDay(text)).toBeUndefined()
})

it('tells days that are over, and those of which nothing is known yet', () => {
  const today = startOfDay(NOW)
  const standings = (direction: 'past' | 'future', days: readonly number[]) =>
    days.map((day) => dayStanding(today + day * DAY, NOW, direction))
  expect(standings('future', [-1, 0, 31, 32])).toEqual(['over', 'known', 'known', 'ahead'])
  expect(standings('past', [-32, -31, 0, 1])).toEqual(['over', 'known', 'known', 'ahead'])
})

it('walks the days as changes are listed', () => {
  expect(daysFrom(NOW, 'future').map(dayAsText)).toMatchObject({ 0: '2026-11-15', 31: '2026-12-16' })
  expect(daysFrom(NOW, 'past').map(dayAsText)).toMatchObject({ 0: '2026-11-15', 31: '2026-10-15' })
})

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

it('begins weeks with the day of the region', () => {
  const first = (firstDay: 1 | 6 | 7) => weeksFrom(NOW, 'future', firstDay)[0]?.map((day) => day && dayAsText(day))
  // The day of NOW is a Sunday.
  expect(first(1)).toEqual([undefined, undefined, undefined, undefined, undefined, undefined, '2026-11-15'])
  expect(first(7)?.[0]).toBe('2026-11-15')
  expect(first(6)?.slice(0, 2)).toEqual([undefined, '2026-11-15'])
})

it('knows this week and this month, as far as the calendar goes', () => {
  const days = (...choice: Parameters<typeof periodDays>) => {
    const { first, last } = periodDays(...choice)
    return [dayAsText(first), dayAsText(last)]
  }
  expect(days('week', NOW, 'future', 1)).toEqual(['2026-11-15', '2026-11-15'])
  expect(days('week', NOW, 'future', 7)).toEqual(['2026-11-15', '2026-11-21'])
  expect(days('week', NOW, 'past', 1)).toEqual(['2026-11-09', '2026-11-15'])
  expect(days('month', NOW, 'future', 1)).toEqual(['2026-11-15', '2026-11-30'])
  expect(days('month', NOW, 'past', 1)).toEqual(['2026-11-01', '2026-11-15'])
  expect(days('all', NOW, 'future', 1)).toEqual(['2026-11-15', '2026-12-16'])
})
