import type { ByteReader, ByteWriter } from '../storage/byte-stream.ts'
import type { Dictionary } from '../storage/dictionary.ts'

/*
 * Links of one service and country begin alike, and so do the links of one show. A link is stored as what it shares
 * with another one and the rest:
 *   varint  0: the link before it in the record; else one more than the dictionary number of the first link that was
 *           ever seen of that service and country
 *   varint  how many bytes are shared, all of them ASCII
 *   text    the rest
 * Links are stored as JSON text without the quotes, ready to be copied into an answer.
 */

/** Writes the links of a record, from front to back. */
export class LinkWriter {
  private previous = ''

  /** Begins a new record. */
  reset(): void {
    this.previous = ''
  }

  write(out: ByteWriter, link: string, service: string, country: string, dictionary: Dictionary): void {
    const text = escapeJsonText(link)
    const withPrevious = sharedPrefixLength(text, this.previous)
    const first = dictionary.internNamed(`link ${country} ${service}`, text)
    const withFirst = withPrevious === text.length ? 0 : sharedPrefixLength(text, dictionary.text(first))
    out.varint(withPrevious >= withFirst ? 0 : first + 1)
    writeSuffix(out, text, Math.max(withPrevious, withFirst))
    this.previous = text
  }

  /** Writes a link that begins as the one before it does; the next one is still held against that one. */
  writeRelative(out: ByteWriter, link: string): void {
    const text = escapeJsonText(link)
    writeSuffix(out, text, sharedPrefixLength(text, this.previous))
  }
}

/** A link of a record, as bytes. */
export class LinkReader {
  buffer = Buffer.allocUnsafe(256)
  length = 0

  /** Begins a new record. */
  reset(): void {
    this.length = 0
  }

  /** Reads the next link of the record. */
  read(input: ByteReader, dictionary: Dictionary): void {
    const base = input.varint()
    const shared = input.varint()
    if (base > 0) this.copy(dictionary.utf8(base - 1), 0, shared, 0)
    this.readSuffix(input, shared)
  }

  /** Reads a link that begins as another one does. */
  readRelative(input: ByteReader, other: LinkReader): void {
    const shared = input.varint()
    this.copy(other.buffer, 0, shared, 0)
    this.readSuffix(input, shared)
  }

  text(): string {
    const json = this.buffer.toString('utf8', 0, this.length)
    return json.includes('\\') ? (JSON.parse(`"${json}"`) as string) : json
  }

  private readSuffix(input: ByteReader, shared: number): void {
    const size = input.varint()
    this.copy(input.buffer, input.position, input.position + size, shared)
    input.skip(size)
    this.length = shared + size
  }

  private copy(source: Buffer, start: number, end: number, at: number): void {
    const needed = at + end - start
    if (needed > this.buffer.length) {
      const larger = Buffer.allocUnsafe(needed * 2)
      this.buffer.copy(larger, 0, 0, at)
      this.buffer = larger
    }
    // Short: a loop costs less than a call into native code.
    const { buffer } = this
    for (let from = start, to = at; from < end; from++, to++) buffer[to] = source[from] as number
  }
}

function writeSuffix(out: ByteWriter, text: string, shared: number): void {
  out.varint(shared)
  out.sizedText(shared === text.length ? '' : text.slice(shared))
}

/** How many ASCII characters two texts begin with alike. */
function sharedPrefixLength(a: string, b: string): number {
  const most = Math.min(a.length, b.length)
  let length = 0
  while (length < most) {
    const code = a.charCodeAt(length)
    if (code > 0x7f || code !== b.charCodeAt(length)) break
    length++
  }
  return length
}

/** Anything but plain ASCII that stands for itself inside of JSON quotes. */
const NEEDS_ESCAPE = /[^\x20\x21\x23-\x5b\x5d-\x7e]/

/** A text as it stands in JSON between the quotes. */
export function escapeJsonText(text: string): string {
  return NEEDS_ESCAPE.test(text) ? JSON.stringify(text).slice(1, -1) : text
}
