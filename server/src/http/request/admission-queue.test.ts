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
function arrive(ms: number, onStart = () => {}): void {
  const start = () => {
    onStart()
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
  expect([handled, queue.stats().waiting]).toEqual([1, 11])
  // Nobody overtakes those that wait.
  expect(queue.isOpen()).toBe(false)
  vi.runAllTimers()
  expect([handled, rejected]).toEqual([12, 0])
  expect(queue.isOpen()).toBe(true)
})

test('a burst is handled in order, and what would wait for longer than a quarter of a second is rejected', () => {
  const order: number[] = []
  for (let i = 0; i < 60; i++) arrive(10, () => order.push(i))
  vi.runAllTimers()
  expect(handled + rejected).toBe(60)
  expect(handled).toBeGreaterThanOrEqual(25)
  expect(handled).toBeLessThanOrEqual(30)
  expect(order.slice(0, 25)).toEqual(Array.from({ length: 25 }, (_, i) => i))
})

/** Requests arrive every 3 ms, and each takes 6 ms or as stated. Returns how long those that were handled had waited. */
function overload(untilMs: number, costMs = 6): number[] {
  const waits: number[] = []
  for (let arrivedAt = now; now < untilMs; ) {
    for (; arrivedAt <= now; arrivedAt += 3) {
      const since = arrivedAt
      arrive(costMs, () => waits.push(now - since))
    }
    const before = now
    turn()
    // Time goes by while the process waits for the next request.
    if (now === before && queue.stats().waiting === 0) now = Math.max(now, arrivedAt)
  }
  return waits
}

test('twice the load that can be handled: half is rejected, and what is handled has hardly waited', () => {
  overload(2_000)
  handled = 0
  const rejectedBefore = queue.stats().rejected
  const waits = overload(6_000).sort((one, other) => one - other)
  expect(waits[Math.floor(0.99 * waits.length)]).toBeLessThanOrEqual(25)
  expect(waits.at(-1)).toBeLessThanOrEqual(25 + 6)
  const share = (queue.stats().rejected - rejectedBefore) / (handled + queue.stats().rejected - rejectedBefore)
  expect(share).toBeGreaterThan(0.4)
  expect(share).toBeLessThan(0.6)
})

test('an overload that pauses for a moment goes on as one, not as a burst', () => {
  overload(2_000)
  vi.runAllTimers()
  now += 500
  const waits = overload(4_000)
  expect(Math.max(...waits)).toBeLessThanOrEqual(25 + 6)
})

test('what has piled up while the process was stopped is no overload if the queue becomes shorter', () => {
  // Half of what can be handled, and a stop of 400 ms: it takes as long until none waits any more.
  overload(1_000, 1.5)
  const arrivals = now
  now += 400
  for (let at = arrivals; at < now; at += 3) arrive(1.5)
  overload(4_000, 1.5)
  expect(queue.stats()).toEqual({ rejected: 0, waiting: 0 })
})

/** Clients that each send a request, wait for its answer or rejection, and send the next one. Returns how many were rejected. */
function waitingClients(count: number, costMs: number, untilMs: number): number {
  const before = queue.stats().rejected
  const send = () => {
    if (now >= untilMs) return
    const start = () => {
      now += costMs
      setImmediate(send)
    }
    if (queue.isOpen()) start()
    else queue.enqueue({ start, reject: () => setImmediate(send) })
  }
  for (let i = 0; i < count; i++) send()
  while (now < untilMs) turn()
  vi.runAllTimers()
  return queue.stats().rejected - before
}

test('clients that wait for their answers are no overload, as long as none waits for long', () => {
  expect(waitingClients(90, 2, 10_000)).toBe(0)
})

test('an overload of which only some such clients are left ends after a trial', () => {
  overload(2_000)
  vi.runAllTimers()
  expect(waitingClients(25, 2, 12_500)).toBeGreaterThan(0)
  expect(waitingClients(25, 2, 30_000)).toBe(0)
})

test('an overload that lasts is tried less and less often', () => {
  overload(100_000)
  handled = 0
  const waits = overload(150_000).sort((one, other) => one - other)
  expect(waits[Math.floor(0.98 * waits.length)]).toBeLessThanOrEqual(25)
})

test('few requests that each take long are no overload', () => {
  for (let i = 0; i < 31; i++) arrive(400)
  vi.runAllTimers()
  expect([handled, rejected]).toEqual([31, 0])
})

test('a hundred rejections are sent in 25 ms at most, so that clients that retry at once cost little', () => {
  for (let i = 0; i < 400; i++) arrive(0.001)
  arrive(10)
  now += 1_000
  for (let i = 0; i < 400; i++) arrive(0)
  now += 1_000
  while (queue.stats().waiting > 0) turn()
  expect(queue.stats().rejected).toBeGreaterThan(200)
  const before = rejected
  vi.advanceTimersByTime(25)
  expect(rejected - before).toBeLessThanOrEqual(100)
  vi.runAllTimers()
  expect(rejected).toBe(queue.stats().rejected)
})

test('more rejections are sent when their timer is late, so that they do not pile up', () => {
  for (let i = 0; i < 400; i++) arrive(0.001)
  arrive(10)
  now += 1_000
  for (let i = 0; i < 400; i++) arrive(0)
  now += 1_000
  while (queue.stats().waiting > 0) turn()
  expect(queue.stats().rejected).toBeGreaterThan(200)
  now += 100
  vi.advanceTimersByTime(25)
  expect(rejected).toBe(queue.stats().rejected)
})

test('no rejection waits for longer than a quarter of a second', () => {
  for (let i = 0; i < 5_000; i++) arrive(0.001)
  arrive(10)
  now += 1_000
  for (let i = 0; i < 5_000; i++) arrive(0)
  now += 1_000
  while (queue.stats().waiting > 0) turn()
  expect(queue.stats().rejected).toBeGreaterThan(4_000)
  for (let i = 0; i < 12; i++) {
    now += 25
    vi.advanceTimersByTime(25)
  }
  expect(rejected).toBe(queue.stats().rejected)
})

test('requests that wait give way to new connections, but not for long', () => {
  for (let i = 0; i < 2; i++) arrive(2)
  expect(queue.stats().waiting).toBe(1)
  for (const started = now; now < started + 19; now += 1) {
    queue.onConnection()
    turn()
  }
  expect(queue.stats().waiting).toBe(1)
  now += 1
  queue.onConnection()
  turn()
  expect(queue.stats().waiting).toBe(0)
})
