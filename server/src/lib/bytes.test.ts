import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { crc32, crc32InScript, encodeUnpooled, toUnpooled } from './bytes.ts'

describe('crc32', () => {
  it('is the checksum of gzip and PNG', () => {
    expect(crc32InScript(Buffer.from('123456789'))).toBe(0xcbf43926)
    expect(crc32(Buffer.alloc(0))).toBe(0)
  })

  it('is the same with and without zlib', () => {
    fc.assert(
      fc.property(fc.uint8Array(), (bytes) => {
        expect(crc32(Buffer.from(bytes))).toBe(crc32InScript(Buffer.from(bytes)))
      }),
    )
  })
})

describe('bytes in memory of their own', () => {
  it.each(['', 'a', 'é 日本 🎬', 'x'.repeat(10_000)])('encodes a text into memory of its own: %.10s', (text) => {
    const bytes = encodeUnpooled(text)
    expect(bytes.toString()).toBe(text)
    expect(bytes.buffer.byteLength).toBe(bytes.length)
  })

  it('copies a part of a block, and nothing else', () => {
    const part = Buffer.from('a part of a block that others share')
    const copy = toUnpooled(part)
    expect(copy.equals(part)).toBe(true)
    expect(copy.buffer.byteLength).toBe(part.length)
    expect(toUnpooled(copy)).toBe(copy)
  })
})
