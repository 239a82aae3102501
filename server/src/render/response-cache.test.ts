import { describe, expect, it } from 'vitest'
import { BodyPool } from './body-pool.ts'
import { ResponseCache } from './response-cache.ts'

const MB = 1024 * 1024

describe('cached responses', () => {
  it('are fresh until they expire', () => {
    const page = new ResponseCache().put(new BodyPool().acquire(100), 1_000, 1)
    expect([page.isFresh(999), page.isFresh(1_000)]).toEqual([true, false])
  })

  it('give the headroom to one user at a time', () => {
    const page = new ResponseCache().put(new BodyPool().acquire(100), Infinity, 1)
    const first = page.acquire()
    const second = page.acquire()
    expect(second.bytes).toBe(first.bytes)
    expect([first.headroom > 0, second.headroom]).toEqual([true, 0])
    second.release()
    expect(page.acquire().headroom).toBe(0)
    first.release()
  })

  it('give the headroom again after the last release', () => {
    const page = new ResponseCache().put(new BodyPool().acquire(100), Infinity, 1)
    page.acquire().release()
    expect(page.acquire().headroom).toBeGreaterThan(0)
  })

  it('return their memory on a new version, but not while they are in use', () => {
    const pool = new BodyPool()
    const pages = new ResponseCache()
    const idle = pages.put(pool.acquire(100_000), Infinity, 1)
    const idleMemory = idle.acquire()
    idleMemory.release()
    const used = pages.put(pool.acquire(100_000), Infinity, 1)
    const inUse = used.acquire()
    pages.put(pool.acquire(100), Infinity, 2)
    expect([idle.isFresh(0), used.isFresh(0)]).toEqual([false, false])
    expect(pool.acquire(100_000).bytes.buffer).toBe(idleMemory.bytes.buffer)
    expect(pool.acquire(100_000).bytes.buffer).not.toBe(inUse.bytes.buffer)
    inUse.release()
    expect(pool.acquire(100_000).bytes.buffer).toBe(inUse.bytes.buffer)
  })

  it('are evicted first in, first out', () => {
    const pool = new BodyPool()
    const pages = new ResponseCache()
    const kept = Array.from({ length: 100 }, () => pages.put(pool.acquire(MB), Infinity, 1))
    const good = kept.map((page) => page.isFresh(0))
    // A buffer of the pool has up to a quarter more than its body.
    expect(good.filter(Boolean).length).toBe(51)
    expect(good.indexOf(true)).toBe(49)
  })

  it('count the whole memory of a small body', () => {
    const pages = new ResponseCache()
    const { bytes } = pages.put(new BodyPool().acquire(2), Infinity, 1).acquire()
    expect(pages.meter.stats().bytes).toBeGreaterThan(bytes.buffer.byteLength)
  })
})
