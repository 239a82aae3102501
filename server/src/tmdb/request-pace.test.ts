import { expect, test } from 'vitest'
import { RequestPace } from './request-pace.ts'
import type { Timer } from './timer.ts'

/** A timer on which time passes only by sleeping, and by being set. */
class SetTimer implements Timer {
  time = 0
  now() {
    return this.time
  }
  async sleep(ms: number) {
    this.time += ms
  }
}

test('turns come at the pace, evenly', async () => {
  const timer = new SetTimer()
  const pace = new RequestPace(40, timer)
  await pace.turn()
  const at: number[] = []
  for (let i = 0; i < 4; i++) {
    await pace.turn()
    at.push(timer.time)
  }
  expect(at).toEqual([25, 50, 75, 100])
})

test('what was missed for a moment is caught up with, and no more than that', async () => {
  const timer = new SetTimer()
  const pace = new RequestPace(40, timer)
  await pace.turn()
  timer.time = 60_000
  let atOnce = 0
  for (; timer.time === 60_000; atOnce++) await pace.turn()
  // Those of half a second, and the one that had to wait again.
  expect(atOnce).toBe(500 / 25 + 2)
})

test('nobody has a turn while the server wants a rest', async () => {
  const timer = new SetTimer()
  const pace = new RequestPace(40, timer)
  await pace.turn()
  pace.pause(5_000)
  await pace.turn()
  expect(timer.time).toBeGreaterThanOrEqual(5_000)
  await pace.turn()
  expect(timer.time).toBeLessThanOrEqual(5_050)
})
