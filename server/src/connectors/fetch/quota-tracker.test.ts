import { expect, test } from 'vitest'
import { QuotaTracker } from './quota-tracker.ts'

const LIMITS = { keep: 0, maxRequests: 1_000 }
const quota = (granted: number, used: number, reset: number) =>
  new Headers({ 'x-quota-granted': String(granted), 'x-quota-used': String(used), 'x-quota-reset': String(reset) })

test('requests are counted between answers, which may come out of order', () => {
  const tracker = new QuotaTracker(LIMITS, () => 1_000)
  tracker.observe(quota(10, 7, 2_000_000_000))
  tracker.observe(quota(10, 6, 2_000_000_000))
  expect(tracker.remaining).toBe(3)
  tracker.admit()
  tracker.admit()
  tracker.admit()
  expect(() => tracker.admit()).toThrow('0 requests of the quota are left')
})

test('a new period starts over', () => {
  let now = 1_000
  const tracker = new QuotaTracker(LIMITS, () => now)
  tracker.observe(quota(10, 10, 1_800_000_000))
  expect(tracker.isUsedUp()).toBe(true)
  now = 1_800_000_001
  expect(tracker.isUsedUp()).toBe(false)
  tracker.admit()
  tracker.observe(quota(10, 1, 1_900_000_000))
  expect(tracker.remaining).toBe(9)
})

test('headers of marketplaces are understood, with a reset in seconds', () => {
  const tracker = new QuotaTracker({ ...LIMITS, keep: 5 }, () => 1_700_000_000)
  tracker.observe(new Headers({ 'x-ratelimit-requests-remaining': '5', 'x-ratelimit-requests-reset': '3600' }))
  expect(() => tracker.admit()).toThrow('of which 5 are kept')
  expect(tracker.resetsAt).toBe(1_700_003_600)
})

test('answers without quota headers leave requests unlimited', () => {
  const tracker = new QuotaTracker(LIMITS, () => 0)
  tracker.observe(new Headers({ 'x-quota-granted': 'many' }))
  for (let i = 0; i < 1_000; i++) tracker.admit()
  expect(() => tracker.admit()).toThrow('The limit of 1000 requests')
})
