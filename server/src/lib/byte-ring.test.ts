import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ByteRing, NO_ENTRY } from './byte-ring.ts'
import { CacheMeter } from './cache.ts'

const MAX_BYTES = 64 * 1024
const HELD_BYTES = 16 * 1024
const MAX_SIZE = 3000

const aRing = (meter = new CacheMeter('ring', MAX_BYTES)) =>
  new ByteRing({ maxBytes: MAX_BYTES, heldBytes: HELD_BYTES }, meter)

function bytesOf(ring: ByteRing, major: number, minor: number): Buffer | undefined {
  const entry = ring.find(major, minor)
  return entry === NO_ENTRY ? undefined : ring.memory.subarray(ring.startOf(entry), ring.endOf(entry))
}

describe('a ring of bytes', () => {
  it('returns the bytes, the version and the validity of an entry', () => {
    const ring = aRing()
    ring.put(1, 1, Buffer.from('one'), 3, 10)
    ring.put(1, 2, Buffer.from('two'), 4, Number.POSITIVE_INFINITY)
    expect(String(bytesOf(ring, 1, 1))).toBe('one')
    const entry = ring.find(1, 2)
    expect(ring.versionOf(entry)).toBe(4)
    expect(ring.validUntilOf(entry)).toBe(Number.POSITIVE_INFINITY)
    expect(ring.find(2, 1)).toBe(NO_ENTRY)
  })

  it('keeps a tag of an entry', () => {
    const ring = aRing()
    ring.put(1, 1, Buffer.from('one'), 1, 0)
    ring.put(1, 2, Buffer.from('two'), 1, 0, 7)
    ring.setTag(ring.find(1, 1), 5)
    expect([1, 2].map((minor) => ring.tagOf(ring.find(1, minor)))).toEqual([5, 7])
  })

  it('finds nothing before anything was put', () => {
    expect(aRing().find(0, 0)).toBe(NO_ENTRY)
  })

  it('leaves the bytes of an entry that was found as they are until the held bytes were put', () => {
    const ring = aRing()
    for (let i = 0; i < 200; i++) {
      ring.put(1, i, Buffer.alloc(1024, i), 1, 0)
      const found = Array.from({ length: i + 1 }, (_, minor) => ({ minor, bytes: bytesOf(ring, 1, minor) }))
      for (let j = 0; j < 16; j++) ring.put(2, i * 16 + j, Buffer.alloc(1000, 255), 1, 0)
      for (const { minor, bytes } of found)
        expect(bytes === undefined || bytes.every((byte) => byte === minor)).toBe(true)
    }
  })

  it('refuses an entry that would leave no room for others', () => {
    const ring = aRing()
    expect(() => ring.put(1, 1, Buffer.alloc(ring.maxEntryBytes + 1), 1, 0)).toThrow(RangeError)
    ring.put(1, 1, Buffer.alloc(ring.maxEntryBytes, 7), 1, 0)
    expect(bytesOf(ring, 1, 1)?.length).toBe(ring.maxEntryBytes)
  })

  it('evicts the oldest entries when there are too many small ones', () => {
    const meter = new CacheMeter('ring', MAX_BYTES)
    const ring = aRing(meter)
    for (let i = 0; i < 1000; i++) ring.put(1, i, Buffer.from([i & 255]), 1, 0)
    const { entries, evictions } = meter.stats()
    expect(entries).toBeLessThan(100)
    expect(entries + evictions).toBe(1000)
    expect(bytesOf(ring, 1, 999)).toEqual(Buffer.from([999 & 255]))
    expect(ring.find(1, 999 - entries)).toBe(NO_ENTRY)
  })

  it('drops all entries on clear', () => {
    const ring = aRing()
    ring.put(1, 1, Buffer.from('one'), 1, 0)
    ring.clear()
    expect(ring.find(1, 1)).toBe(NO_ENTRY)
    ring.put(1, 1, Buffer.from('uno'), 1, 0)
    expect(String(bytesOf(ring, 1, 1))).toBe('uno')
  })

  it('counts its entries, its memory and what it evicts', () => {
    const meter = new CacheMeter('ring', MAX_BYTES)
    const ring = aRing(meter)
    for (let i = 0; i < 60; i++) ring.put(1, i, Buffer.alloc(1024), 1, 0)
    expect(meter.stats()).toMatchObject({ entries: 48, bytes: 60 * 1024, evictions: 12 })
  })

  it('holds the newest entries, whatever is put, replaced and cleared', () => {
    const step = fc.record({
      major: fc.nat(3),
      minor: fc.oneof(fc.nat(40), fc.constant(2 ** 32 - 1)),
      size: fc.oneof(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 1, max: MAX_SIZE })),
      clears: fc.nat(60),
    })
    fc.assert(
      fc.property(fc.array(step, { maxLength: 400 }), (steps) => {
        const ring = aRing()
        const newest = new Map<string, Buffer>()
        let puts: { readonly key: string; readonly size: number }[] = []
        const read = (key: string) => bytesOf(ring, ...(key.split('/').map(Number) as [number, number]))
        steps.forEach(({ major, minor, size, clears }, step) => {
          if (clears === 0) {
            ring.clear()
            newest.clear()
            puts = []
          }
          const key = `${major}/${minor}`
          const bytes = Buffer.alloc(size, step & 255)
          ring.put(major, minor, bytes, step, 0)
          newest.set(key, bytes)
          puts.push({ key, size })
          for (const [known, expected] of newest) expect([undefined, expected]).toContainEqual(read(known))
          // The last ones are there: as many as fit beside the held bytes, and what is left empty at the end.
          let room = MAX_BYTES - HELD_BYTES - MAX_SIZE
          for (const { key, size } of puts.slice(-40).reverse()) {
            room -= size
            if (room >= 0) expect(read(key)).toBeDefined()
          }
        })
      }),
      { seed: 7, numRuns: 60 },
    )
  })
})
