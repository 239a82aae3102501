import { expect, test } from 'vitest'
import type { Timer } from '../../lib/clock.ts'
import { RequestPace } from './api-client.ts'

/** A timer whose time advances only by sleeping, or when the test sets it. */
class ManualTimer implements Timer {
  time = 0
  now() {
    return this.time
  }
  async sleep(ms: number) {
    this.time += ms
  }
}

test('slots are evenly spaced', async () => {
  const timer = new ManualTimer()
  const pace = new RequestPace(40, timer)
  await pace.acquire()
  const at: number[] = []
  for (let i = 0; i < 4; i++) {
    await pace.acquire()
    at.push(timer.time)
  }
  expect(at).toEqual([25, 50, 75, 100])
})

test('missed slots are made up for half a second, and no longer', async () => {
  const timer = new ManualTimer()
  const pace = new RequestPace(40, timer)
  await pace.acquire()
  timer.time = 60_000
  let atOnce = 0
  for (; timer.time === 60_000; atOnce++) await pace.acquire()
  // The slots of half a second, the one that is due now, and the one that had to wait.
  expect(atOnce).toBe(500 / 25 + 2)
})

test('a pause holds all requests back', async () => {
  const timer = new ManualTimer()
  const pace = new RequestPace(40, timer)
  await pace.acquire()
  pace.pause(5_000)
  await pace.acquire()
  expect(timer.time).toBeGreaterThanOrEqual(5_000)
  await pace.acquire()
  expect(timer.time).toBeLessThanOrEqual(5_050)
})
