import { describe, expect, it } from 'vitest'
import { BodyPool } from './body-pool.ts'

describe('a pool of bodies', () => {
  it('gives bodies of the size asked for', () => {
    const pool = new BodyPool()
    for (const size of [1, 2, 4095, 4096, 4097, 70_000, 2 * 1024 * 1024, 3 * 1024 * 1024]) {
      expect(pool.take(size).body.length).toBe(size)
    }
  })

  it('uses memory again once it was given back, and not before', () => {
    const pool = new BodyPool()
    const first = pool.take(5_000)
    const second = pool.take(5_000)
    expect(second.body.buffer).not.toBe(first.body.buffer)
    first.release?.()
    expect(pool.take(6_000).body.buffer).toBe(first.body.buffer)
  })
})
