import { expect, test } from 'vitest'
import { MemoryCounters } from './memory-counters.ts'

test('counters are kept while they are incremented, and evicted after two idle generations', async () => {
  let now = 1_000
  const counts = new MemoryCounters(() => now)
  const add = async (owner: string, requests: number) => (await counts.add([{ owner, period: 'p', requests }]))[0]
  expect(await add('ann', 2)).toBe(2)
  expect(await add('bob', 1)).toBe(1)
  for (let i = 1; i <= 5; i++) {
    now += 60
    expect(await add('ann', 1)).toBe(2 + i)
  }
  expect([counts.total('ann', 'p'), counts.total('bob', 'p')]).toEqual([7, 0])
})
