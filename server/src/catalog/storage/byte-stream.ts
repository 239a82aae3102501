/** Shorter texts and buffers are copied in a loop, which is faster than a call of the runtime. */
const MAX_LOOP_BYTES = 16

/** Encodes values one after the other into a growing buffer. */
export class ByteWriter {
  private buffer: Buffer
  private length = 0

  constructor(capacity = 4096) {
    this.buffer = Buffer.allocUnsafe(capacity)
  }

  get position(): number {
    return this.length
  }

  /** Starts again at position 0 and keeps the allocated memory. */
  reset(): this {
    this.length = 0
    return this
  }

  byte(value: number): void {
    this.reserve(1)
    this.buffer[this.length++] = value
  }

  /** LEB128: an integer from 0 to 2^53 - 1, seven bits a byte, lowest first. */
  varint(value: number): void {
    this.reserve(8)
    const { buffer } = this
    let rest = value
    // Bitwise operators work on 32 bits only. Larger numbers are rare.
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

  /** ASCII text, without a length. */
  ascii(text: string): void {
    const { length } = text
    this.reserve(length)
    if (length < MAX_LOOP_BYTES) {
      const { buffer } = this
      let at = this.length
      for (let i = 0; i < length; i++) buffer[at++] = text.charCodeAt(i)
    } else this.buffer.write(text, this.length, 'latin1')
    this.length += length
  }

  /** UTF-8 text, without a length. */
  utf8(text: string): void {
    this.reserve(text.length * 3)
    this.length += this.buffer.write(text, this.length, 'utf8')
  }

  /** Bytes, without a length. */
  bytes(source: Uint8Array): void {
    const size = source.length
    this.reserve(size)
    if (size < MAX_LOOP_BYTES) {
      const { buffer } = this
      let at = this.length
      for (let i = 0; i < size; i++) buffer[at++] = source[i] as number
    } else this.buffer.set(source, this.length)
    this.length += size
  }

  /** Length-prefixed UTF-8 text. */
  sizedText(text: string): void {
    const size = Buffer.byteLength(text)
    this.varint(size)
    this.reserve(size)
    this.length += this.buffer.write(text, this.length, 'utf8')
  }

  /** Drops the bytes after a position. */
  truncate(position: number): void {
    this.length = position
  }

  /** The bytes so far, or those from a position on, without a copy: valid until the next write. */
  view(start = 0): Buffer {
    return this.buffer.subarray(start, this.length)
  }

  /** A copy of the bytes so far. */
  toBuffer(): Buffer {
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

const NOT_ASCII = /[\x80-\xff]/

/** Decodes the output of a `ByteWriter`, value by value. */
export class ByteReader {
  readonly buffer: Buffer
  position: number
  private readonly end: number

  constructor(buffer: Buffer, position = 0, end = buffer.length) {
    this.buffer = buffer
    this.position = position
    this.end = end
  }

  get done(): boolean {
    return this.position >= this.end
  }

  byte(): number {
    return this.buffer[this.position++] as number
  }

  varint(): number {
    const { buffer } = this
    let byte = buffer[this.position++] as number
    if (byte < 0x80) return byte
    let value = byte & 0x7f
    for (let shift = 7; shift < 28; shift += 7) {
      byte = buffer[this.position++] as number
      value |= (byte & 0x7f) << shift
      if (byte < 0x80) return value
    }
    // Bitwise operators work on 32 bits only. Larger numbers are rare.
    let scale = 2 ** 28
    do {
      byte = buffer[this.position++] as number
      value += (byte & 0x7f) * scale
      scale *= 0x80
    } while (byte >= 0x80)
    return value
  }

  float64(): number {
    const value = this.buffer.readDoubleLE(this.position)
    this.position += 8
    return value
  }

  uint32(): number {
    const value = this.buffer.readUInt32LE(this.position)
    this.position += 4
    return value
  }

  /** Length-prefixed UTF-8 text. */
  sizedText(): string {
    const size = this.varint()
    const end = this.position + size
    const text = this.buffer.toString('utf8', this.position, end)
    this.position = end
    return text
  }

  /** Texts that each have their length in front. Those in ASCII are cut out of one string: decoding each takes twice as long. */
  sizedTexts(count: number): string[] {
    const { buffer } = this
    const offset = this.position
    const latin1 = buffer.toString('latin1', offset)
    const texts = new Array<string>(count)
    for (let i = 0; i < count; i++) {
      const size = this.varint()
      const start = this.position
      const end = start + size
      const text = latin1.slice(start - offset, end - offset)
      texts[i] = NOT_ASCII.test(text) ? buffer.toString('utf8', start, end) : text
      this.position = end
    }
    return texts
  }

  /** A view of the next bytes: valid as long as the buffer is. */
  bytes(size: number): Buffer {
    const start = this.position
    this.position += size
    return this.buffer.subarray(start, this.position)
  }

  skip(size: number): void {
    this.position += size
  }
}
