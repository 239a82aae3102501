import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type KeyRecord, type KeyStore, openKeyStore } from './key-store.ts'
import { createMeter, periodOf } from './meter.ts'
import type { PlanName } from './plan.ts'

const NOON = Date.UTC(2026, 2, 15, 12) / 1000

let dir: string
let store: KeyStore
let now: number
const clock = () => now
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'marquee-meter-'))
  store = openKeyStore(dir)
  now = NOON
})
afterEach(async () => {
  await store.close()
  rmSync(dir, { recursive: true })
})

function aKey(plan: PlanName = 'free'): KeyRecord {
  return store.create({ source: 'direct', plan, name: 'test' }, NOON).record
}

describe('quota', () => {
  test('counts every request and says when the count starts anew', () => {
    const meter = createMeter(store.usage, { clock })
    const key = aKey()
    meter.admit(key, now)
    expect(meter.admit(key, now)).toMatchObject({ used: 2, reset: Date.UTC(2026, 3) / 1000, window: 31 * 86_400 })
  })

  test('refuses the request after the last one granted, until the next month', async () => {
    const meter = createMeter(store.usage, { clock })
    const key = aKey()
    await store.usage.add([{ keyId: key.id, period: '2026-03', requests: 999 }])
    expect(meter.admit(key, now)).toMatchObject({ used: 1000 })
    const refused = meter.admit(key, now)
    expect(refused).toMatchObject({ refusal: 'quota_exceeded', used: 1000, retryAfter: Date.UTC(2026, 3) / 1000 - now })
    now = Date.UTC(2026, 3) / 1000
    expect(meter.admit(key, now)).toMatchObject({ used: 1, reset: Date.UTC(2026, 4) / 1000 })
  })

  test('a refund costs nothing', async () => {
    const meter = createMeter(store.usage, { clock })
    const key = aKey()
    meter.admit(key, now)
    meter.refund(key)
    expect(meter.admit(key, now).used).toBe(1)
    await meter.settle()
    expect(store.usage.total(key.id, '2026-03')).toBe(1)
  })

  test('what was counted before the month ended is settled to that month', async () => {
    const meter = createMeter(store.usage, { clock })
    const key = aKey()
    meter.admit(key, now)
    now = Date.UTC(2026, 3) / 1000
    meter.admit(key, now)
    meter.admit(key, now)
    await meter.settle()
    expect(store.usage.total(key.id, '2026-03')).toBe(1)
    expect(store.usage.total(key.id, '2026-04')).toBe(2)
  })

  test('a month that ends while it is being settled is counted once', async () => {
    const meter = createMeter(store.usage, { clock })
    const key = aKey()
    meter.admit(key, now)
    const settling = meter.settle()
    now = Date.UTC(2026, 3) / 1000
    meter.admit(key, now)
    await settling
    await meter.settle()
    expect(store.usage.total(key.id, '2026-03')).toBe(1)
    expect(store.usage.total(key.id, '2026-04')).toBe(1)
  })

  test('a plan without limits is counted and never refused', () => {
    const meter = createMeter(store.usage, { clock })
    const key = aKey('unlimited')
    for (let i = 0; i < 5000; i++) meter.admit(key, now)
    expect(meter.admit(key, now)).toMatchObject({ used: 5001, rateLeft: undefined })
    expect(meter.admit(key, now).refusal).toBeUndefined()
  })
})

describe('rate', () => {
  test('grants the rate in each second and no more', () => {
    const meter = createMeter(store.usage, { clock })
    const key = aKey()
    for (let i = 9; i >= 0; i--) expect(meter.admit(key, now)).toMatchObject({ rateLeft: i })
    expect(meter.admit(key, now)).toMatchObject({ refusal: 'rate_limited', retryAfter: 1, used: 10 })
    now++
    expect(meter.admit(key, now).refusal).toBeUndefined()
  })

  test('a process leaves room for what the others admitted, but keeps its even share', async () => {
    const [a, b] = [0, 1].map(() => createMeter(store.usage, { clock, processes: 2 })) as [Meter, Meter]
    const key = aKey()
    for (let i = 0; i < 3; i++) b.admit(key, now)
    a.admit(key, now)
    await b.settle()
    await a.settle()
    now++
    expect(admitted(a, key)).toBe(7)
    for (let i = 0; i < 10; i++) b.admit(key, now)
    await a.settle()
    await b.settle()
    await a.settle()
    now++
    expect(admitted(a, key)).toBe(5)
  })
})

describe('settling', () => {
  test('several processes add up', async () => {
    const key = aKey()
    const meters = [0, 1, 2].map(() => createMeter(store.usage, { clock, processes: 3 }))
    for (const meter of meters) for (let i = 0; i < 3; i++) meter.admit(key, now)
    for (const meter of meters) await meter.settle()
    expect(store.usage.total(key.id, '2026-03')).toBe(9)
    await meters[0]!.settle()
    expect(meters[0]!.admit(key, now).used).toBe(10)
  })

  test('the timer settles by itself, and stop settles a last time', async () => {
    const meter = createMeter(store.usage, { clock, intervalMs: 5 })
    const key = aKey()
    meter.start()
    meter.admit(key, now)
    await expect.poll(() => store.usage.total(key.id, '2026-03')).toBe(1)
    meter.admit(key, now)
    await meter.stop()
    expect(store.usage.total(key.id, '2026-03')).toBe(2)
  })

  test('a failed settlement loses nothing', async () => {
    const key = aKey()
    let fail = true
    const flaky = {
      total: store.usage.total,
      add: (deltas: Parameters<typeof store.usage.add>[0]) =>
        fail ? Promise.reject(new Error('disk full')) : store.usage.add(deltas),
    }
    const meter = createMeter(flaky, { clock })
    meter.admit(key, now)
    await expect(meter.settle()).rejects.toThrow('disk full')
    fail = false
    await meter.settle()
    expect(store.usage.total(key.id, '2026-03')).toBe(1)
  })
})

test('periods follow the UTC calendar', () => {
  expect(periodOf('day', NOON)).toEqual({ name: '2026-03-15', start: NOON - 43_200, end: NOON + 43_200 })
  const december = periodOf('month', Date.UTC(2025, 11, 31, 23, 59, 59) / 1000)
  expect(december).toEqual({ name: '2025-12', start: Date.UTC(2025, 11) / 1000, end: Date.UTC(2026, 0) / 1000 })
})

type Meter = ReturnType<typeof createMeter>

function admitted(meter: Meter, key: KeyRecord): number {
  let count = 0
  while (meter.admit(key, now).refusal === undefined) count++
  return count
}
