import type { ByteReader, ByteWriter } from '../storage/byte-stream.ts'
import type { Dictionary } from '../storage/dictionary.ts'

/*
 * Links of one service and country have a common prefix, and so have the links of one show. A link is front-coded: the
 * length of the prefix that it shares with a base link, and the rest.
 *   varint  the base: 0 for the previous link in the record, else the dictionary number plus one of the first link ever
 *           stored for that service and country
 *   varint  the length of the shared prefix, which is ASCII
 *   text    the rest
 * Links are escaped for JSON, without the quotes, so that they can be copied into a response.
 */

/** Encodes the links of a record, one after the other. */
export class LinkWriter {
  private previous = ''

  /** Starts a new record. */
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

  /** Encodes a link relative to the previous one, without becoming the base of the next one. */
  writeRelative(out: ByteWriter, link: string): void {
    const text = escapeJsonText(link)
    writeSuffix(out, text, sharedPrefixLength(text, this.previous))
  }
}

/** Decodes the links of a record; holds the current one as bytes. */
export class LinkReader {
  buffer = Buffer.allocUnsafe(256)
  length = 0

  /** Starts a new record. */
  reset(): void {
    this.length = 0
  }

  /** Moves to the next link of the record. */
  read(input: ByteReader, dictionary: Dictionary): void {
    const base = input.varint()
    const shared = input.varint()
    if (base > 0) this.copy(dictionary.utf8(base - 1))
    this.readSuffix(input, shared)
  }

  /** Decodes a link relative to another one. */
  readRelative(input: ByteReader, other: LinkReader): void {
    const shared = input.varint()
    this.copy(other.buffer)
    this.readSuffix(input, shared)
  }

  text(): string {
    const json = this.buffer.toString('utf8', 0, this.length)
    return json.includes('\\') ? (JSON.parse(`"${json}"`) as string) : json
  }

  private readSuffix(input: ByteReader, shared: number): void {
    const size = input.varint()
    this.length = shared + size
    this.reserve(this.length)
    // Suffixes are short: a loop is faster than a call of the runtime.
    const { buffer } = this
    const { buffer: source, position } = input
    for (let i = 0; i < size; i++) buffer[shared + i] = source[position + i] as number
    input.skip(size)
  }

  /** Copies a whole base: a part of it would need a view. What is beyond the shared prefix is overwritten. */
  private copy(base: Buffer): void {
    this.reserve(base.length)
    this.buffer.set(base)
  }

  private reserve(size: number): void {
    if (size <= this.buffer.length) return
    const larger = Buffer.allocUnsafe(size * 2)
    larger.set(this.buffer)
    this.buffer = larger
  }
}

function writeSuffix(out: ByteWriter, text: string, shared: number): void {
  out.varint(shared)
  out.sizedText(shared === text.length ? '' : text.slice(shared))
}

/** The length of the ASCII prefix that two texts have in common. */
function sharedPrefixLength(a: string, b: string): number {
  const maxLength = Math.min(a.length, b.length)
  let length = 0
  while (length < maxLength) {
    const code = a.charCodeAt(length)
    if (code > 0x7f || code !== b.charCodeAt(length)) break
    length++
  }
  return length
}

/** A character that is not printable ASCII, or that JSON escapes. */
const NEEDS_ESCAPE = /[^\x20\x21\x23-\x5b\x5d-\x7e]/

/** Escapes a text for JSON, without the quotes. */
export function escapeJsonText(text: string): string {
  return NEEDS_ESCAPE.test(text) ? JSON.stringify(text).slice(1, -1) : text
}
