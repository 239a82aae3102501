import { expect, it } from 'vitest'
import { DAY, dayAsText, readDay, startOfDay, weeksFrom } from './calendar-days.ts'

const NOW = Date.UTC(2026, 10, 15, 13, 30) / 1000

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

it('reads days as it writes them, and nothing else', () => {
  expect(readDay(dayAsText(startOfDay(NOW)))).toBe(startOfDay(NOW))
  for (const text of [null, '', '2026-13-45', '15.11.2026', '2026-11-15T00']) expect(readDay(text)).toBeUndefined()
})
