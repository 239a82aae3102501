/**
 * Holds a copy of the bytes that were read last. What LMDB hands out without copying is only good until the next
 * read, and printing a record may need other reads in between.
 */
export class Scratch {
  private buffer = Buffer.allocUnsafe(16 * 1024)

  /** The part from `start` to `end`; the buffer that LMDB lends is larger than its stated length. */
  hold(bytes: Uint8Array, start = 0, end = bytes.length): Buffer {
    const length = end - start
    if (length > this.buffer.length) this.buffer = Buffer.allocUnsafe(length * 2)
    this.buffer.set(bytes.subarray(start, end))
    return this.buffer.subarray(0, length)
  }
}
