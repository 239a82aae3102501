import { SHOW_IMAGE_KINDS, type ShowImageSet } from '../../model/image.ts'
import { type ByteReader, ByteWriter } from '../storage/byte-stream.ts'
import { escapeJsonText } from './link-codec.ts'

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

/** The JSON around the URLs. */
const PRINTED = SHOW_IMAGE_KINDS.map(({ kind, widths }) => ({
  open: Buffer.from(`"${kind}":{`),
  widths: widths.map((width) => ({ name: Buffer.from(width), key: Buffer.from(`"${width}":"`) })),
}))
const BETWEEN_URLS = Buffer.from('",')
const CLOSE_KIND = Buffer.from('"}')

/** Prints image sets as JSON, straight from their encoded form. */
export class ImagePrinter {
  private first = new ByteWriter(512)
  private previous = new ByteWriter(512)
  private readonly other = new ByteWriter(512)

  /** Prints the image set at the input's position. */
  print(out: ByteWriter, input: ByteReader): void {
    const kinds = input.byte()
    let written = 0
    this.first.reset()
    out.ascii('{')
    PRINTED.forEach(({ open, widths }, i) => {
      if ((kinds & (1 << i)) === 0) return
      if (written++ > 0) out.ascii(',')
      out.bytes(open)
      this.printKind(out, input, widths)
      out.bytes(CLOSE_KIND)
    })
    out.ascii('}')
  }

  private printKind(out: ByteWriter, input: ByteReader, widths: (typeof PRINTED)[number]['widths']): void {
    ;[this.first, this.previous] = [this.previous, this.first]
    const { first, other } = this
    decodeRelativeTo(input, this.previous, first)
    const url = first.view()
    const nameOffset = input.varint() - 1
    const derived = input.byte()
    for (let w = 0; w < widths.length; w++) {
      const { name, key } = widths[w] as (typeof widths)[number]
      if (w > 0) out.bytes(BETWEEN_URLS)
      out.bytes(key)
      if (w === 0) out.bytes(url)
      else if ((derived & (1 << (w - 1))) !== 0) {
        out.bytes(url, 0, nameOffset)
        out.bytes(name)
        out.bytes(url, nameOffset + (widths[0]?.name.length ?? 0), url.length)
      } else {
        decodeRelativeTo(input, first, other)
        out.bytes(other.view())
      }
    }
  }
}

function decodeRelativeTo(input: ByteReader, base: ByteWriter, out: ByteWriter): void {
  const start = input.varint()
  const end = input.varint()
  const size = input.varint()
  const other = base.view()
  out.reset()
  out.bytes(other, 0, start)
  out.bytes(input.buffer, input.position, input.position + size)
  out.bytes(other, other.length - end, other.length)
  input.skip(size)
}

const printer = new ImagePrinter()
const printed = new ByteWriter(4096)

/** Decodes an image set as a model object. */
export function decodeImageSet(input: ByteReader): ShowImageSet {
  printer.print(printed.reset(), input)
  return JSON.parse(printed.view().toString('utf8')) as ShowImageSet
}
