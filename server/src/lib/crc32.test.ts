import fc from 'fast-check'
import { expect, it } from 'vitest'
import { crc32, crc32InScript } from './crc32.ts'

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
