import { expect, test } from 'vitest'
import { MemoryCounters } from './quota-store.ts'

const adder = (counters: MemoryCounters) => async (owner: string, requests: number) =>
  (await counters.add([{ owner, period: 'p', requests }]))[0]

test('counters are kept while they are used; beyond the bound the least recently used is evicted', async () => {
  const counters = new MemoryCounters(undefined, 1_000)
  const add = adder(counters)
  expect(await add('ann', 2)).toBe(2)
  expect(await add('bob', 1)).toBe(1)
  for (let i = 1; i <= 20; i++) {
    await add(`stranger ${i}`, 1)
    expect(await add('ann', 1)).toBe(2 + i)
  }
  expect([counters.total('ann', 'p'), counters.total('bob', 'p')]).toEqual([22, 0])
  expect(counters.caches()[0]?.stats().bytes).toBeLessThanOrEqual(1_000)
})

test('with counters upstream, their totals are the known ones', async () => {
  const upstream = new MemoryCounters()
  const [one, other] = [adder(new MemoryCounters((deltas) => upstream.add(deltas))), adder(upstream)]
  expect(await other('ann', 5)).toBe(5)
  expect(await one('ann', 2)).toBe(7)
  expect(upstream.total('ann', 'p')).toBe(7)
})
