import { expect, it } from 'vitest'
import { coalesce } from './service-metrics.ts'

it('shares one result among calls while it is made, and for its time to live', async () => {
  let now = 0
  let calls = 0
  const read = coalesce(
    1_000,
    async () => ++calls,
    () => now,
  )
  expect(await Promise.all([read(), read(), read()])).toEqual([1, 1, 1])
  now = 999
  expect(await read()).toBe(1)
  now = 1_000
  expect(await Promise.all([read(), read()])).toEqual([2, 2])
})

it('tries again after a failure', async () => {
  let calls = 0
  const read = coalesce(1_000, async () => {
    calls++
    if (calls === 1) throw new Error('a worker is starting')
    return calls
  })
  await expect(read()).rejects.toThrow('starting')
  expect(await read()).toBe(2)
})
