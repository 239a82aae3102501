import { ConnectorError } from '../connector.ts'

/** How the bytes of a text are read. */
export interface TextEncoding {
  /** A label of the WHATWG Encoding Standard, such as `utf-8` or `windows-1252`. */
  readonly label: string
  /** Whether neither a byte order mark nor the bytes prove it. */
  readonly isAssumed: boolean
  /** Whether some bytes are invalid in it. */
  readonly isDamaged: boolean
}

/** Bytes at the start in which UTF-16 without a byte order mark is recognised. */
const SAMPLE_BYTES = 4096

/** Bytes that windows-1252 does not define: a text with one of them is in another encoding. */
const UNDEFINED_IN_1252: ReadonlySet<number> = new Set([0x81, 0x8d, 0x8f, 0x90, 0x9d])

/**
 * Detects the encoding of a text from all of its bytes: a byte order mark, UTF-16 by its zero bytes, UTF-8 if it is
 * valid. Any other text is taken for windows-1252, which is what Excel writes.
 */
export async function detectEncoding(bytes: AsyncIterable<Buffer>): Promise<TextEncoding> {
  const scanner = new EncodingScanner()
  for await (const chunk of bytes) {
    scanner.push(chunk)
    if (scanner.label !== undefined) break
  }
  return scanner.result()
}

/** Decodes a text, without its byte order mark. */
export async function* decodeText(bytes: AsyncIterable<Buffer>, label: string): AsyncGenerator<string> {
  const decoder = new TextDecoder(label)
  for await (const chunk of bytes) yield decoder.decode(chunk, { stream: true })
  yield decoder.decode()
}

/** Whether a label names an encoding that can be decoded. */
export function isEncoding(label: string): boolean {
  try {
    return new TextDecoder(label).encoding !== ''
  } catch {
    return false
  }
}

/** Scans bytes for signs of an encoding. */
class EncodingScanner {
  /** The encoding, once it is certain. */
  label: string | undefined
  private isFirst = true
  private multibyte = 0
  private invalid = 0
  private hasUndefined = false
  /** Continuation bytes that the current UTF-8 sequence still needs, and the range of the next one. */
  private pending = 0
  private min = 0x80
  private max = 0xbf

  push(chunk: Buffer): void {
    if (this.isFirst && chunk.length > 0) {
      this.isFirst = false
      this.label = findByteOrderMark(chunk) ?? findUtf16(chunk.subarray(0, SAMPLE_BYTES))
      if (this.label !== undefined) return
    }
    for (const byte of chunk) {
      if (byte < 0x80 && this.pending === 0) continue
      this.scan(byte)
    }
  }

  result(): TextEncoding {
    if (this.label !== undefined) return { label: this.label, isAssumed: false, isDamaged: false }
    if (this.pending > 0) this.invalid++
    if (this.invalid === 0) return { label: 'utf-8', isAssumed: false, isDamaged: false }
    // Accented letters are single bytes in windows-1252: almost no two of them form a valid sequence by chance.
    if (this.multibyte > this.invalid) return { label: 'utf-8', isAssumed: true, isDamaged: true }
    if (this.hasUndefined) {
      throw new ConnectorError(
        'its text is neither UTF-8 nor UTF-16 nor windows-1252; name its encoding, such as --encoding shift_jis',
      )
    }
    return { label: 'windows-1252', isAssumed: true, isDamaged: false }
  }

  private scan(byte: number): void {
    if (UNDEFINED_IN_1252.has(byte)) this.hasUndefined = true
    if (this.pending > 0) {
      if (byte >= this.min && byte <= this.max) {
        this.min = 0x80
        this.max = 0xbf
        if (--this.pending === 0) this.multibyte++
        return
      }
      this.invalid++
      this.pending = 0
      if (byte < 0x80) return
    }
    if (byte >= 0xc2 && byte <= 0xdf) this.expect(1)
    else if (byte >= 0xe0 && byte <= 0xef) this.expect(2, byte === 0xe0 ? 0xa0 : 0x80, byte === 0xed ? 0x9f : 0xbf)
    else if (byte >= 0xf0 && byte <= 0xf4) this.expect(3, byte === 0xf0 ? 0x90 : 0x80, byte === 0xf4 ? 0x8f : 0xbf)
    else this.invalid++
  }

  private expect(count: number, min = 0x80, max = 0xbf): void {
    this.pending = count
    this.min = min
    this.max = max
  }
}

function findByteOrderMark(bytes: Buffer): string | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le'
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be'
  return undefined
}

/** UTF-16 without a mark: of the headings, which are mostly ASCII, every other byte is zero. */
function findUtf16(sample: Buffer): string | undefined {
  const pairs = Math.floor(sample.length / 2)
  if (pairs === 0) return undefined
  let [even, odd] = [0, 0]
  for (let i = 0; i < pairs * 2; i += 2) {
    if (sample[i] === 0) even++
    if (sample[i + 1] === 0) odd++
  }
  if (odd > pairs * 0.4 && even < pairs * 0.05) return 'utf-16le'
  return even > pairs * 0.4 && odd < pairs * 0.05 ? 'utf-16be' : undefined
}
