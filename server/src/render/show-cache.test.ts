import { describe, expect, it } from 'vitest'
import { CacheMeter } from '../lib/cache.ts'
import { ByteRing, type RingEntry } from './show-cache.ts'

const MEGABYTE = 1024 * 1024
const bytesOf = ({ chunk, start, end }: RingEntry) => chunk.subarray(start, end)
/** A ring of five chunks of 4 MB, of which three are empty, since they are overwritten next. */
const aRing = (meter = new CacheMeter('ring', 20 * MEGABYTE)) => new ByteRing(20 * MEGABYTE, meter)

describe('a ring of bytes', () => {
  it('returns the bytes and the validity of an entry', () => {
    const ring = aRing()
    ring.put(1, Buffer.from('one'), 1, 10)
    ring.put(2, Buffer.from('two'), 1, 20)
    expect(String(bytesOf(ring.get(1) as RingEntry))).toBe('one')
    expect(ring.get(2)?.validUntil).toBe(20)
    expect(ring.get(3)).toBeUndefined()
  })

  it('evicts the oldest entries when it is full, and no others', () => {
    const ring = aRing()
    for (let i = 0; i < 12; i++) ring.put(i, Buffer.alloc(MEGABYTE, i), 1, 0)
    const kept = Array.from({ length: 12 }, (_, i) => ring.get(i) !== undefined)
    expect(kept).toEqual([...Array(4).fill(false), ...Array(8).fill(true)])
    for (let i = 4; i < 12; i++) expect(bytesOf(ring.get(i) as RingEntry).every((byte) => byte === i)).toBe(true)
  })

  it('keeps the newer entry of a key when the chunk of the older one is overwritten', () => {
    const ring = aRing()
    ring.put(7, Buffer.alloc(MEGABYTE, 1), 1, 0)
    for (let i = 0; i < 5; i++) ring.put(100 + i, Buffer.alloc(MEGABYTE), 1, 0)
    ring.put(7, Buffer.alloc(MEGABYTE, 2), 1, 0)
    for (let i = 0; i < 3; i++) ring.put(200 + i, Buffer.alloc(MEGABYTE), 1, 0)
    expect(bytesOf(ring.get(7) as RingEntry)[0]).toBe(2)
  })

  it('leaves the bytes of an entry that was found as they are while a page of 8 MB is put', () => {
    const ring = aRing()
    for (let i = 0; i < 6; i++) {
      ring.put(i, Buffer.alloc(MEGABYTE, i), 1, 0)
      const found = Array.from({ length: i + 1 }, (_, key) => ring.get(key)).flatMap((entry, key) =>
        entry ? { entry, key } : [],
      )
      for (let j = 0; j < 8; j++) ring.put(1000 + j, Buffer.alloc(MEGABYTE, 255), 1, 0)
      for (const { entry, key } of found) expect(bytesOf(entry)[0]).toBe(key)
    }
  })

  it('returns an entry larger than a chunk without storing it', () => {
    const ring = aRing()
    expect(bytesOf(ring.put(1, Buffer.alloc(5 * MEGABYTE, 3), 1, 0)).length).toBe(5 * MEGABYTE)
    expect(ring.get(1)).toBeUndefined()
  })

  it('drops all entries on clear', () => {
    const ring = aRing()
    ring.put(1, Buffer.from('one'), 1, 0)
    ring.clear()
    expect(ring.get(1)).toBeUndefined()
    expect(String(bytesOf(ring.put(1, Buffer.from('uno'), 1, 0)))).toBe('uno')
  })

  it('counts its entries, its memory and what it evicts', () => {
    const meter = new CacheMeter('ring', 20 * MEGABYTE)
    const ring = aRing(meter)
    for (let i = 0; i < 12; i++) ring.put(i, Buffer.alloc(MEGABYTE, i), 1, 0)
    expect(meter.stats()).toMatchObject({ entries: 8, bytes: 12 * MEGABYTE, evictions: 4 })
  })
})
