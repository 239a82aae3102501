import { describe, expect, it } from 'vitest'
import { BodyPool } from './body-pool.ts'
import { KeptPages } from './kept-pages.ts'

const MB = 1024 * 1024

describe('kept pages', () => {
  it('are good until the passing of time alters them', () => {
    const page = new KeptPages().keep(new BodyPool().take(100), 1_000, 1)
    expect([page.isGood(999), page.isGood(1_000)]).toEqual([true, false])
  })

  it('let only one user at a time write in front of them', () => {
    const page = new KeptPages().keep(new BodyPool().take(100), Infinity, 1)
    const first = page.use()
    const second = page.use()
    expect(second.bytes).toBe(first.bytes)
    expect([first.headroom > 0, second.headroom]).toEqual([true, 0])
    second.release()
    expect(page.use().headroom).toBe(0)
    first.release()
  })

  it('let others write in front of them when nobody uses them', () => {
    const page = new KeptPages().keep(new BodyPool().take(100), Infinity, 1)
    page.use().release()
    expect(page.use().headroom).toBeGreaterThan(0)
  })

  it('give their memory back when another version comes, but not under their users', () => {
    const pool = new BodyPool()
    const pages = new KeptPages()
    const idle = pages.keep(pool.take(100_000), Infinity, 1)
    const idleMemory = idle.use()
    idleMemory.release()
    const used = pages.keep(pool.take(100_000), Infinity, 1)
    const inUse = used.use()
    pages.keep(pool.take(100), Infinity, 2)
    expect([idle.isGood(0), used.isGood(0)]).toEqual([false, false])
    expect(pool.take(100_000).bytes.buffer).toBe(idleMemory.bytes.buffer)
    expect(pool.take(100_000).bytes.buffer).not.toBe(inUse.bytes.buffer)
    inUse.release()
    expect(pool.take(100_000).bytes.buffer).toBe(inUse.bytes.buffer)
  })

  it('make room for new ones, the oldest first', () => {
    const pool = new BodyPool()
    const pages = new KeptPages()
    const kept = Array.from({ length: 100 }, () => pages.keep(pool.take(MB), Infinity, 1))
    const good = kept.map((page) => page.isGood(0))
    expect(good.filter(Boolean).length).toBe(64)
    expect(good.indexOf(true)).toBe(36)
  })
})
