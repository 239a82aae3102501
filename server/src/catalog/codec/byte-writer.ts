/** A growing buffer that is written front to back. Numbers are variable-length, so that small ones take a byte. */
export class ByteWriter {
  private buffer: Buffer
  private length = 0

  constructor(capacity = 4096) {
    this.buffer = Buffer.allocUnsafe(capacity)
  }

  get position(): number {
    return this.length
  }

  /** Forgets what was written and keeps the room. */
  reset(): this {
    this.length = 0
    return this
  }

  byte(value: number): void {
    this.reserve(1)
    this.buffer[this.length++] = value
  }

  /** A whole number from 0 to 2^53 - 1, seven bits a byte, lowest first. */
  varint(value: number): void {
    this.reserve(8)
    const { buffer } = this
    let rest = value
    // Beyond 32 bits there are no quick operations on bits; next to no number is as large.
    while (rest > 0x7fffffff) {
      buffer[this.length++] = (rest % 0x80) | 0x80
      rest = Math.floor(rest / 0x80)
    }
    while (rest >= 0x80) {
      buffer[this.length++] = (rest & 0x7f) | 0x80
      rest >>>= 7
    }
    buffer[this.length++] = rest
  }

  float64(value: number): void {
    this.reserve(8)
    this.length = this.buffer.writeDoubleLE(value, this.length)
  }

  uint32(value: number): void {
    this.reserve(4)
    this.length = this.buffer.writeUInt32LE(value, this.length)
  }

  /** Text that is known to be ASCII, without a length. */
  ascii(text: string): void {
    this.reserve(text.length)
    this.length += this.buffer.write(text, this.length, 'latin1')
  }

  /** UTF-8 text, without a length. */
  utf8(text: string): void {
    this.reserve(text.length * 3)
    this.length += this.buffer.write(text, this.length, 'utf8')
  }

  /** Bytes, without a length. */
  bytes(source: Uint8Array, start = 0, end = source.length): void {
    const size = end - start
    this.reserve(size)
    if (size < 48) {
      // A call into native code costs more than a short loop.
      const { buffer } = this
      let at = this.length
      for (let i = start; i < end; i++) buffer[at++] = source[i] as number
    } else if (start === 0 && size === source.length) {
      this.buffer.set(source, this.length)
    } else {
      this.buffer.set(source.subarray(start, end), this.length)
    }
    this.length += size
  }

  /** UTF-8 text behind its length in bytes. */
  sizedText(text: string): void {
    const size = Buffer.byteLength(text)
    this.varint(size)
    this.reserve(size)
    this.length += this.buffer.write(text, this.length, 'utf8')
  }

  /** Takes back what was written after a position. */
  retract(position: number): void {
    this.length = position
  }

  /** What was written: good until more is written. */
  written(): Buffer {
    return this.buffer.subarray(0, this.length)
  }

  /** A copy of what was written. */
  finish(): Buffer {
    const copy = Buffer.allocUnsafeSlow(this.length)
    this.buffer.copy(copy, 0, 0, this.length)
    return copy
  }

  private reserve(size: number): void {
    const needed = this.length + size
    if (needed <= this.buffer.length) return
    const larger = Buffer.allocUnsafe(Math.max(needed, this.buffer.length * 2))
    this.buffer.copy(larger, 0, 0, this.length)
    this.buffer = larger
  }
}
