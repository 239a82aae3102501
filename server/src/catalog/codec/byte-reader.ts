/** Reads what a `ByteWriter` wrote, front to back. */
export class ByteReader {
  readonly buffer: Buffer
  position: number

  constructor(buffer: Buffer, position = 0) {
    this.buffer = buffer
    this.position = position
  }

  get done(): boolean {
    return this.position >= this.buffer.length
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
    // Beyond 32 bits there are no quick operations on bits; few numbers are as large.
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

  /** UTF-8 text behind its length. */
  sizedText(): string {
    const size = this.varint()
    const end = this.position + size
    const text = this.buffer.toString('utf8', this.position, end)
    this.position = end
    return text
  }

  /** Bytes in place: good as long as what is read from. */
  bytes(size: number): Buffer {
    const start = this.position
    this.position += size
    return this.buffer.subarray(start, this.position)
  }

  skip(size: number): void {
    this.position += size
  }
}
