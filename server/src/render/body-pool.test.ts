import { describe, expect, it } from 'vitest'
import { BodyPool } from './body-pool.ts'

const MB = 1024 * 1024

describe('a pool of bodies', () => {
  it('returns bodies of the requested size, with headroom', () => {
    const pool = new BodyPool()
    for (const size of [1, 2, 3071, 3072, 3073, 4096, 70_000, 2 * MB, 3 * MB]) {
      const { bytes, headroom } = pool.acquire(size)
      expect(bytes.length).toBe(size)
      expect(headroom).toBeGreaterThan(0)
      expect(bytes.byteOffset).toBeGreaterThanOrEqual(headroom)
    }
  })

  it('wastes at most a quarter of a large buffer', () => {
    const pool = new BodyPool()
    for (let size = 16 * 1024; size < 4 * MB; size = Math.ceil(size * 1.07)) {
      const { bytes, headroom } = pool.acquire(size)
      expect(bytes.buffer.byteLength).toBeLessThanOrEqual((size + headroom) * 1.25)
    }
  })

  it('reuses a buffer after its release, and not before', () => {
    const pool = new BodyPool()
    const first = pool.acquire(5_000)
    const second = pool.acquire(5_000)
    expect(second.bytes.buffer).not.toBe(first.bytes.buffer)
    first.release()
    expect(pool.acquire(6_000).bytes.buffer).toBe(first.bytes.buffer)
    expect(pool.acquire(6_000).bytes.buffer).not.toBe(first.bytes.buffer)
  })

  it('bounds its free buffers', () => {
    const pool = new BodyPool()
    const bodies = Array.from({ length: 100 }, () => pool.acquire(MB))
    for (const { release } of bodies) release()
    const known = new Set<unknown>(bodies.map(({ bytes }) => bytes.buffer))
    const again = bodies.filter(() => known.has(pool.acquire(MB).bytes.buffer))
    expect(again.length).toBeGreaterThan(20)
    expect(again.length).toBeLessThan(50)
  })
})
