/**
 * Buffers for caches. Small buffers of `Buffer.from` are parts of blocks of 8 KB that they share, and zlib returns a part of
 * 16 KB: one that is kept retains its whole block, many times what the cache counts.
 */

/** The UTF-8 bytes of a text in memory of their own. */
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
