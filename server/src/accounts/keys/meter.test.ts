import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Accounts, openAccounts } from '../accounts.ts'
import type { Plan } from '../store/account-tables.ts'
import { MemoryCounters, type QuotaCounters } from '../store/quota-store.ts'
import { createMeter, type MeteredKey } from './meter.ts'
import { quotaPeriod, STANDARD_PLANS } from './plan-store.ts'

const NOON = Date.UTC(2026, 2, 15, 12) / 1000

let dir: string
let accounts: Accounts
let store: QuotaCounters
let now: number
const clock = () => now
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'marquee-meter-'))
  accounts = openAccounts(dir)
  store = accounts.quota
  now = NOON
})
afterEach(async () => {
  await accounts.close()
  rmSync(dir, { recursive: true })
})

let keys = 0

function aKey(name = 'free'): MeteredKey {
  keys++
  return { quotaOwner: `key ${keys}`, plan: STANDARD_PLANS.find((plan) => plan.name === name) as Plan }
}

describe('quota', () => {
  test('counts every request and returns when the quota resets', () => {
    const meter = createMeter(store, { clock })
    const key = aKey()
    meter.admit(key, now)
    expect(meter.admit(key, now)).toMatchObject({
      used: 2,
      resetsAt: Date.UTC(2026, 3) / 1000,
      periodSeconds: 31 * 86_400,
    })
  })

  test('refuses requests beyond the quota until the next month', async () => {
    const meter = createMeter(store, { clock })
    const key = aKey()
    await store.add([{ owner: key.quotaOwner, period: '2026-03', requests: 999 }])
    expect(meter.admit(key, now)).toMatchObject({ used: 1000 })
    const refused = meter.admit(key, now)
    expect(refused).toMatchObject({ refusal: 'quota_exceeded', used: 1000, retryAfter: Date.UTC(2026, 3) / 1000 - now })
    now = Date.UTC(2026, 3) / 1000
    expect(meter.admit(key, now)).toMatchObject({ used: 1, resetsAt: Date.UTC(2026, 4) / 1000 })
  })

  test('a refunded request is not counted', async () => {
    const meter = createMeter(store, { clock })
    const key = aKey()
    meter.refund(key, meter.admit(key, now))
    expect(meter.admit(key, now).used).toBe(1)
    await meter.flush()
    expect(store.total(key.quotaOwner, '2026-03')).toBe(1)
  })

  test('a request can count as several, and is refunded as such', async () => {
    const meter = createMeter(store, { clock })
    const key = aKey()
    const charged = meter.charge(key, meter.admit(key, now), 10, now)
    expect(charged).toMatchObject({ used: 10, cost: 10 })
    expect(meter.charge(key, meter.admit(key, now), 3, now)).toMatchObject({ used: 13, cost: 3 })
    meter.refund(key, charged)
    await meter.flush()
    expect(store.total(key.quotaOwner, '2026-03')).toBe(3)
  })

  test('a request that counts as more than is left is refused, and counts nothing', async () => {
    const meter = createMeter(store, { clock })
    const key = aKey()
    await store.add([{ owner: key.quotaOwner, period: '2026-03', requests: 995 }])
    const refused = meter.charge(key, meter.admit(key, now), 10, now)
    expect(refused).toMatchObject({ used: 995, cost: 0, refusal: 'quota_exceeded' })
    expect(meter.charge(key, meter.admit(key, now), 5, now)).toMatchObject({ used: 1000, cost: 5 })
  })

  test('requests counted before the month ended are flushed to that month', async () => {
    const meter = createMeter(store, { clock })
    const key = aKey()
    meter.admit(key, now)
    now = Date.UTC(2026, 3) / 1000
    meter.admit(key, now)
    meter.admit(key, now)
    await meter.flush()
    expect(store.total(key.quotaOwner, '2026-03')).toBe(1)
    expect(store.total(key.quotaOwner, '2026-04')).toBe(2)
  })

  test('a month that ends during a flush is counted once', async () => {
    const meter = createMeter(store, { clock })
    const key = aKey()
    meter.admit(key, now)
    const flushing = meter.flush()
    now = Date.UTC(2026, 3) / 1000
    meter.admit(key, now)
    await flushing
    await meter.flush()
    expect(store.total(key.quotaOwner, '2026-03')).toBe(1)
    expect(store.total(key.quotaOwner, '2026-04')).toBe(1)
  })

  test('requests of an unlimited plan are counted and never refused', () => {
    const meter = createMeter(store, { clock })
    const key = aKey('unlimited')
    for (let i = 0; i < 5000; i++) meter.admit(key, now)
    expect(meter.admit(key, now)).toMatchObject({ used: 5001, rateRemaining: undefined })
    expect(meter.admit(key, now).refusal).toBeUndefined()
  })
})

describe('a change of plan', () => {
  const small: Plan = { name: 'small', quota: { requests: 5, per: 'month' } }
  const large: Plan = { name: 'large', quota: { requests: 50, per: 'month' } }
  const daily: Plan = { name: 'daily', quota: { requests: 5, per: 'day' } }

  test('applies from the next request on and keeps the count', () => {
    const meter = createMeter(store, { clock })
    for (let i = 0; i < 5; i++) meter.admit({ quotaOwner: 'a', plan: small }, now)
    expect(meter.admit({ quotaOwner: 'a', plan: small }, now).refusal).toBe('quota_exceeded')
    expect(meter.admit({ quotaOwner: 'a', plan: large }, now)).toMatchObject({ used: 6, plan: large })
  })

  test('from a monthly to a daily quota starts to count the day and keeps the count of the month', async () => {
    const meter = createMeter(store, { clock })
    meter.admit({ quotaOwner: 'a', plan: large }, now)
    expect(meter.admit({ quotaOwner: 'a', plan: daily }, now)).toMatchObject({ used: 1, periodSeconds: 86_400 })
    await meter.flush()
    expect([store.total('a', '2026-03'), store.total('a', '2026-03-15')]).toEqual([1, 1])
  })
})

describe('a lease', () => {
  const plan: Plan = { name: 'thousand', quota: { requests: 1_000, per: 'month' } }

  test('is flushed as soon as it is used, and never exceeded by more than the slack', async () => {
    const meter = createMeter(store, { clock, processes: 4 })
    const key = { quotaOwner: 'a', plan }
    // A quarter of the quota, shared by four processes, and 16 more while the flush is running.
    let granted = 0
    while (meter.admit(key, now).refusal === undefined) granted++
    expect(granted).toBe(62 + 16)
    expect(meter.admit(key, now)).toMatchObject({ refusal: 'rate_limited', retryAfter: 1 })
    await expect.poll(() => store.total('a', '2026-03')).toBe(62)
    await expect.poll(() => meter.admit(key, now).refusal).toBeUndefined()
  })

  test('several processes together admit the quota and at most the documented bound more', async () => {
    const meters = [0, 1, 2, 3].map(() => createMeter(store, { clock, processes: 4 }))
    const key = { quotaOwner: 'a', plan }
    let granted = 0
    let spent = 0
    for (let i = 0; spent < 200; i++) {
      const { refusal } = (meters[i % 4] as Meter).admit(key, now)
      if (refusal === undefined) granted++
      if (refusal === 'quota_exceeded') spent++
      if (i % 50 === 0) await new Promise((resolve) => setImmediate(resolve))
    }
    expect(granted).toBeGreaterThanOrEqual(1_000)
    expect(granted).toBeLessThanOrEqual(1_000 + 4 * (62 + 16))
  })

  test('is no limit while flushes fail: the last known total applies', async () => {
    const broken: QuotaCounters = { total: () => 0, add: () => Promise.reject(new Error('unavailable')) }
    const meter = createMeter(broken, { clock, processes: 4 })
    const key = { quotaOwner: 'a', plan }
    meter.admit(key, now)
    await expect(meter.flush()).rejects.toThrow('unavailable')
    expect(admitted(meter, key)).toBe(999)
    expect(meter.admit(key, now).refusal).toBe('quota_exceeded')
  })
})

describe('rate', () => {
  test('admits the rate in each second and no more', () => {
    const meter = createMeter(store, { clock })
    const key = aKey()
    for (let i = 9; i >= 0; i--) expect(meter.admit(key, now)).toMatchObject({ rateRemaining: i })
    expect(meter.admit(key, now)).toMatchObject({ refusal: 'rate_limited', retryAfter: 1, used: 10 })
    now++
    expect(meter.admit(key, now).refusal).toBeUndefined()
  })

  test('a process subtracts what the others admitted, but keeps its even share', async () => {
    const [a, b] = [0, 1].map(() => createMeter(store, { clock, processes: 2 })) as [Meter, Meter]
    const key = aKey()
    for (let i = 0; i < 3; i++) b.admit(key, now)
    a.admit(key, now)
    await b.flush()
    await a.flush()
    now++
    expect(admitted(a, key)).toBe(7)
    for (let i = 0; i < 10; i++) b.admit(key, now)
    await a.flush()
    await b.flush()
    await a.flush()
    now++
    expect(admitted(a, key)).toBe(5)
  })

  test('is shared by processes that learn the totals only from their flushes', async () => {
    const shared = new MemoryCounters()
    const addOnly: QuotaCounters = { total: () => undefined, add: (deltas) => shared.add(deltas) }
    const aMeter = () => createMeter(addOnly, { clock, processes: 2 })
    const [a, b] = [aMeter(), aMeter()]
    const key = { quotaOwner: 'pages', plan: { name: 'pages', rate: 10 } }
    // The total before the first flush is not mistaken for the rate of other processes.
    await shared.add([{ owner: key.quotaOwner, period: '2026-03', requests: 1_000 }])
    for (let i = 0; i < 8; i++) b.admit(key, now)
    a.admit(key, now)
    await b.flush()
    await a.flush()
    now++
    expect(admitted(a, key)).toBe(10)
    for (let i = 0; i < 8; i++) b.admit(key, now)
    await b.flush()
    await a.flush()
    now++
    expect(admitted(a, key)).toBe(5)
  })
})

describe('flushing', () => {
  test('several processes add up', async () => {
    const key = aKey()
    const meters = [0, 1, 2].map(() => createMeter(store, { clock, processes: 3 }))
    for (const meter of meters) for (let i = 0; i < 3; i++) meter.admit(key, now)
    for (const meter of meters) await meter.flush()
    expect(store.total(key.quotaOwner, '2026-03')).toBe(9)
    await meters[0]!.flush()
    expect(meters[0]!.admit(key, now).used).toBe(10)
  })

  test('the timer flushes once per interval, and stop flushes a last time', async () => {
    const meter = createMeter(store, { clock, flushIntervalMs: 5 })
    const key = aKey()
    meter.start()
    meter.admit(key, now)
    await expect.poll(() => store.total(key.quotaOwner, '2026-03')).toBe(1)
    meter.admit(key, now)
    await meter.stop()
    expect(store.total(key.quotaOwner, '2026-03')).toBe(2)
  })

  test('a failed flush loses nothing', async () => {
    const key = aKey()
    let fail = true
    const flaky = {
      total: (owner: string, period: string) => store.total(owner, period),
      add: (deltas: Parameters<QuotaCounters['add']>[0]) =>
        fail ? Promise.reject(new Error('disk full')) : store.add(deltas),
    }
    const meter = createMeter(flaky, { clock })
    meter.admit(key, now)
    await expect(meter.flush()).rejects.toThrow('disk full')
    fail = false
    await meter.flush()
    expect(store.total(key.quotaOwner, '2026-03')).toBe(1)
  })
})

test('periods follow the UTC calendar', () => {
  expect(quotaPeriod('day', NOON)).toEqual({ name: '2026-03-15', start: NOON - 43_200, end: NOON + 43_200 })
  const december = quotaPeriod('month', Date.UTC(2025, 11, 31, 23, 59, 59) / 1000)
  expect(december).toEqual({ name: '2025-12', start: Date.UTC(2025, 11) / 1000, end: Date.UTC(2026, 0) / 1000 })
})

type Meter = ReturnType<typeof createMeter>

function admitted(meter: Meter, key: MeteredKey): number {
  let count = 0
  while (meter.admit(key, now).refusal === undefined) count++
  return count
}
