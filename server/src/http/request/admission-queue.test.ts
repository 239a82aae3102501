import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { AdmissionQueue } from './admission-queue.ts'

let now: number
let queue: AdmissionQueue
let handled: number
let rejected: number

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'setImmediate'] })
  now = 0
  handled = 0
  rejected = 0
  queue = new AdmissionQueue(() => now)
})
afterEach(() => {
  vi.useRealTimers()
})

/** A request arrives that takes so many milliseconds. */
function arrive(ms: number): void {
  const start = () => {
    handled++
    now += ms
  }
  if (queue.isOpen()) start()
  else queue.enqueue({ start, reject: () => rejected++ })
}

/** One turn of the event loop. */
const turn = () => vi.advanceTimersToNextTimer()

test('a turn handles requests for its slice, and the rest wait for turns of their own', () => {
  for (let i = 0; i < 12; i++) arrive(2)
  expect([handled, queue.stats().waiting]).toEqual([3, 9])
  // Nobody overtakes those that wait.
  expect(queue.isOpen()).toBe(false)
  vi.runAllTimers()
  expect([handled, rejected]).toEqual([12, 0])
  expect(queue.isOpen()).toBe(true)
})

test('a burst is handled, and what would wait for longer than half a second is rejected', () => {
  for (let i = 0; i < 100; i++) arrive(10)
  vi.runAllTimers()
  // Half a second of work, and the last ones: so few are no overload.
  expect(handled + rejected).toBe(100)
  expect(handled).toBeGreaterThanOrEqual(50 + 16)
  expect(handled).toBeLessThanOrEqual(50 + 20)
})

test('twice the load that can be handled: half is rejected, and what is handled has waited for a tenth of a second at most', () => {
  const waits: number[] = []
  let arrivedAt = 0
  // Requests arrive every 3 ms, and each takes 6 ms.
  while (now < 6_000) {
    for (; arrivedAt <= now; arrivedAt += 3) {
      const since = arrivedAt
      const start = () => {
        if (now > 2_000) waits.push(now - since)
        handled++
        now += 6
      }
      if (queue.isOpen()) start()
      else queue.enqueue({ start, reject: () => rejected++ })
    }
    const before = now
    turn()
    // Time goes by while the process waits for the next request.
    if (now === before && queue.stats().waiting === 0) now = Math.max(now, arrivedAt)
  }
  expect(Math.max(...waits)).toBeLessThanOrEqual(100 + 2 * 20 + 6)
  const share = queue.stats().rejected / (handled + queue.stats().rejected)
  expect(share).toBeGreaterThan(0.4)
  expect(share).toBeLessThan(0.6)
})

test('few requests that each take long are no overload', () => {
  for (let i = 0; i < 15; i++) arrive(400)
  vi.runAllTimers()
  expect([handled, rejected]).toEqual([15, 0])
})

test('rejections are sent half a second later, so that clients that retry at once cost little', () => {
  for (let i = 0; i < 40; i++) arrive(200)
  while (queue.stats().waiting > 0) turn()
  expect(queue.stats().rejected).toBeGreaterThan(0)
  expect(rejected).toBe(0)
  vi.advanceTimersByTime(400)
  expect(rejected).toBe(0)
  vi.advanceTimersByTime(500)
  expect(rejected).toBe(queue.stats().rejected)
})
