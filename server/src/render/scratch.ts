/**
 * Holds a copy of the bytes that were read last. What LMDB hands out without copying is only good until the next
 * read, and printing a record may need other reads in between.
 */
export class Scratch {
  private buffer = Buffer.allocUnsafe(16 * 1024)

  hold(bytes: Uint8Array): Buffer {
    // The buffer that LMDB lends is larger than its stated length, so the length must be named.
    const { length } = bytes
    if (length > this.buffer.length) this.buffer = Buffer.allocUnsafe(length * 2)
    this.buffer.set(bytes.subarray(0, length))
    return this.buffer.subarray(0, length)
  }
}
