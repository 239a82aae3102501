import { SHOW_IMAGE_KINDS, type ShowImageSet } from '../../model/show.ts'
import { ByteReader, type ByteWriter } from '../storage/byte-stream.ts'
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
function escapeJsonText(text: string): string {
  return NEEDS_ESCAPE.test(text) ? JSON.stringify(text).slice(1, -1) : text
}

/*
 * The image URLs of a show have long prefixes and suffixes in common, and those of one kind mostly differ in the name of
 * the width only. On disk:
 *   byte  a bit for each kind that is present; then for each of these
 *     url     of the first width, relative to that of the previous kind
 *     varint  the offset of the width's name in it, plus one; 0 where it does not occur
 *     byte    a bit for each further width that is derived: the first URL with the name of that width instead
 *     url     of each width that is not derived, relative to the first
 * A URL relative to another one: the lengths of the common prefix and suffix (varint, varint, ASCII only), and the text
 * between them. All texts are escaped for JSON, without the quotes.
 */

export function encodeImageSet(out: ByteWriter, imageSet: ShowImageSet): void {
  let kinds = 0
  SHOW_IMAGE_KINDS.forEach(({ kind }, i) => {
    if (imageSet[kind] !== undefined) kinds |= 1 << i
  })
  out.byte(kinds)
  let previous = ''
  for (const { kind, widths } of SHOW_IMAGE_KINDS) {
    const urls = imageSet[kind] as Readonly<Record<string, string>> | undefined
    if (urls === undefined) continue
    const first = escapeJsonText(urls[widths[0]] as string)
    encodeRelativeTo(out, first, previous)
    const offset = first.lastIndexOf(widths[0])
    const before = first.slice(0, Math.max(offset, 0))
    const after = first.slice(offset + widths[0].length)
    out.varint(offset < 0 ? 0 : Buffer.byteLength(before) + 1)
    const others = widths.slice(1).map((width) => ({ width, url: escapeJsonText(urls[width] as string) }))
    let derived = 0
    others.forEach(({ width, url }, i) => {
      if (offset >= 0 && url === before + width + after) derived |= 1 << i
    })
    out.byte(derived)
    others.forEach(({ url }, i) => {
      if ((derived & (1 << i)) === 0) encodeRelativeTo(out, url, first)
    })
    previous = first
  }
}

function encodeRelativeTo(out: ByteWriter, text: string, other: string): void {
  const maxLength = Math.min(text.length, other.length)
  let start = 0
  while (start < maxLength && isSameAscii(text, start, other, start)) start++
  let end = 0
  while (end < maxLength - start && isSameAscii(text, text.length - 1 - end, other, other.length - 1 - end)) end++
  out.varint(start)
  out.varint(end)
  out.sizedText(text.slice(start, text.length - end))
}

function isSameAscii(a: string, i: number, b: string, j: number): boolean {
  const code = a.charCodeAt(i)
  return code < 0x80 && code === b.charCodeAt(j)
}

/** Decodes an encoded image set as a model object. */
export function decodeImageSet(encoded: Buffer): ShowImageSet {
  const input = new ByteReader(encoded)
  const kinds = input.byte()
  const imageSet: Record<string, Record<string, string>> = {}
  // URLs are texts of one character a byte until they are whole, since their parts are counted in bytes.
  let previous = ''
  SHOW_IMAGE_KINDS.forEach(({ kind, widths }, k) => {
    if ((kinds & (1 << k)) === 0) return
    const first = readRelativeTo(input, previous)
    const nameOffset = input.varint() - 1
    const derived = input.byte()
    const urls: Record<string, string> = {}
    widths.forEach((width, w) => {
      const isDerived = (derived & (1 << (w - 1))) !== 0
      const url = w === 0 ? first : isDerived ? replaceWidth(first, nameOffset, widths[0], width) : undefined
      urls[width] = decodeUrl(url ?? readRelativeTo(input, first))
    })
    imageSet[kind] = urls
    previous = first
  })
  return imageSet as unknown as ShowImageSet
}

function replaceWidth(url: string, offset: number, name: string, other: string): string {
  return url.slice(0, offset) + other + url.slice(offset + name.length)
}

/** Reads a URL that is encoded relative to another one. */
function readRelativeTo(input: ByteReader, other: string): string {
  const start = input.varint()
  const end = input.varint()
  const rest = input.bytes(input.varint()).toString('latin1')
  return other.slice(0, start) + rest + other.slice(other.length - end)
}

/** A URL as a text, from its bytes escaped for JSON. */
function decodeUrl(bytes: string): string {
  const text = NOT_ASCII.test(bytes) ? Buffer.from(bytes, 'latin1').toString('utf8') : bytes
  return text.includes('\\') ? (JSON.parse(`"${text}"`) as string) : text
}

const NOT_ASCII = /[\x80-\xff]/
