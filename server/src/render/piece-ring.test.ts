import { describe, expect, it } from 'vitest'
import { PieceRing, type RenderedPiece } from './show-cache.ts'

const MEGABYTE = 1024 * 1024
const bytesOf = ({ chunk, start, end }: RenderedPiece) => chunk.subarray(start, end)

describe('a ring of pieces', () => {
  it('gives back what was put in, and when it ends', () => {
    const ring = new PieceRing(8 * MEGABYTE)
    ring.put(1, Buffer.from('one'), 10)
    ring.put(2, Buffer.from('two'), 20)
    expect(String(bytesOf(ring.get(1) as RenderedPiece))).toBe('one')
    expect(ring.get(2)?.validUntil).toBe(20)
    expect(ring.get(3)).toBeUndefined()
  })

  it('lets go of the oldest when it is full, and of nothing else', () => {
    const ring = new PieceRing(8 * MEGABYTE)
    for (let i = 0; i < 12; i++) ring.put(i, Buffer.alloc(MEGABYTE, i), 0)
    const kept = Array.from({ length: 12 }, (_, i) => ring.get(i) !== undefined)
    expect(kept).toEqual([...Array(4).fill(false), ...Array(8).fill(true)])
    for (let i = 4; i < 12; i++) expect(bytesOf(ring.get(i) as RenderedPiece).every((byte) => byte === i)).toBe(true)
  })

  it('keeps the newest of a number when the older one is overwritten', () => {
    const ring = new PieceRing(8 * MEGABYTE)
    ring.put(7, Buffer.alloc(MEGABYTE, 1), 0)
    for (let i = 0; i < 5; i++) ring.put(100 + i, Buffer.alloc(MEGABYTE), 0)
    ring.put(7, Buffer.alloc(MEGABYTE, 2), 0)
    for (let i = 0; i < 3; i++) ring.put(200 + i, Buffer.alloc(MEGABYTE), 0)
    expect(bytesOf(ring.get(7) as RenderedPiece)[0]).toBe(2)
  })

  it('hands out what is larger than a chunk without keeping it', () => {
    const ring = new PieceRing(8 * MEGABYTE)
    expect(bytesOf(ring.put(1, Buffer.alloc(5 * MEGABYTE, 3), 0)).length).toBe(5 * MEGABYTE)
    expect(ring.get(1)).toBeUndefined()
  })

  it('forgets everything when it is told to', () => {
    const ring = new PieceRing(8 * MEGABYTE)
    ring.put(1, Buffer.from('one'), 0)
    ring.clear()
    expect(ring.get(1)).toBeUndefined()
    expect(String(bytesOf(ring.put(1, Buffer.from('uno'), 0)))).toBe('uno')
  })
})
