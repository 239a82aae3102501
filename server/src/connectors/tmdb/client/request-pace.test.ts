import { expect, test } from 'vitest'
import { RequestPace, type Timer } from './request-pace.ts'

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
  await pace.acquire()
  const at: number[] = []
  for (let i = 0; i < 4; i++) {
    await pace.acquire()
    at.push(timer.time)
  }
  expect(at).toEqual([25, 50, 75, 100])
})

test('what was missed for a moment is caught up with, and no more than that', async () => {
  const timer = new SetTimer()
  const pace = new RequestPace(40, timer)
  await pace.acquire()
  timer.time = 60_000
  let atOnce = 0
  for (; timer.time === 60_000; atOnce++) await pace.acquire()
  // Those of half a second, and the one that had to wait again.
  expect(atOnce).toBe(500 / 25 + 2)
})

test('nobody has a turn while the server wants a rest', async () => {
  const timer = new SetTimer()
  const pace = new RequestPace(40, timer)
  await pace.acquire()
  pace.pause(5_000)
  await pace.acquire()
  expect(timer.time).toBeGreaterThanOrEqual(5_000)
  await pace.acquire()
  expect(timer.time).toBeLessThanOrEqual(5_050)
})
