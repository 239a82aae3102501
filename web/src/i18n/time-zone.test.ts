import { expect, it } from 'vitest'
import { fromLocalSeconds, toLocalSeconds } from './time-zone.ts'

const at = (text: string) => Date.parse(text) / 1000

it.each([
  ['UTC', '2026-11-16T00:00:00Z', '2026-11-16T00:00:00Z'],
  ['Europe/Berlin', '2026-11-15T23:00:00Z', '2026-11-16T00:00:00Z'],
  ['America/Los_Angeles', '2026-11-16T08:00:00Z', '2026-11-16T00:00:00Z'],
  ['Asia/Kolkata', '2026-11-15T18:30:00Z', '2026-11-16T00:00:00Z'],
  // The days on which clocks change.
  ['Europe/Berlin', '2026-03-28T23:00:00Z', '2026-03-29T00:00:00Z'],
  ['Europe/Berlin', '2026-03-29T22:00:00Z', '2026-03-30T00:00:00Z'],
  ['Europe/Berlin', '2026-10-25T23:00:00Z', '2026-10-26T00:00:00Z'],
])('knows when a day begins in %s', (timeZone, instant, clock) => {
  expect(toLocalSeconds(at(instant), timeZone)).toBe(at(clock))
  expect(fromLocalSeconds(at(clock), timeZone)).toBe(at(instant))
})
