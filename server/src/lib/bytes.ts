import * as zlib from 'node:zlib'

/** The reversed polynomial of CRC-32, as gzip and PNG use it. */
const POLYNOMIAL = 0xedb88320

let table: Uint32Array | undefined

/** The CRC-32 of bytes: by zlib where Node has it (20.15, 22.2 and later), else byte by byte. */
export const crc32: (bytes: Buffer) => number = typeof zlib.crc32 === 'function' ? zlib.crc32 : crc32InScript

/** The same without zlib. */
export function crc32InScript(bytes: Buffer): number {
  table ??= Uint32Array.from({ length: 256 }, (_, byte) => {
    let value = byte
    for (let bit = 0; bit < 8; bit++) value = (value & 1) === 0 ? value >>> 1 : (value >>> 1) ^ POLYNOMIAL
    return value
  })
  let crc = 0xffffffff
  for (let i = 0; i < bytes.length; i++) {
    crc = (crc >>> 8) ^ (table[(crc ^ (bytes[i] as number)) & 0xff] as number)
  }
  return (crc ^ 0xffffffff) >>> 0
}

/**
 * The UTF-8 bytes of a text in memory of their own, for caches. Small buffers of `Buffer.from` are parts of blocks of 8 KB that
 * they share, and zlib returns a part of 16 KB: one that is kept retains its whole block, many times what the cache counts.
 */
export function encodeUnpooled(text: string): Buffer {
  const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(text))
  bytes.write(text)
  return bytes
}

/** A buffer itself if it fills its memory, or a copy that does. */
export function toUnpooled(bytes: Buffer): Buffer {
  if (bytes.buffer.byteLength === bytes.length) return bytes
  const copy = Buffer.allocUnsafeSlow(bytes.length)
  bytes.copy(copy)
  return copy
}
