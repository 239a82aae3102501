import { SHOW_IMAGE_KINDS, type ShowImageSet } from '../../model/image.ts'
import { type ByteReader, ByteWriter } from '../storage/byte-stream.ts'
import { escapeJsonText } from './link-codec.ts'

/*
 * The images of a show are many long addresses that are much alike: those of one kind mostly differ in the width that
 * they name, and those of other kinds begin and end alike. On disk:
 *   byte  which kinds are there, a bit each; for each of them
 *     address   of the first width, beside that of the kind before
 *     varint    where in it the name of its width stands, plus one; 0 where it does not
 *     byte      for each further width a bit: its address is the first one with the name of its own width there
 *     address   of each other width, beside the first
 * An address beside another one is what they begin and end with alike (varint, varint, ASCII only), and what stands
 * between (text). All of it is JSON text without the quotes.
 */

export function encodeImageSet(out: ByteWriter, imageSet: ShowImageSet): void {
  let kinds = 0
  SHOW_IMAGE_KINDS.forEach(({ kind }, i) => {
    if (imageSet[kind] !== undefined) kinds |= 1 << i
  })
  out.byte(kinds)
  let beside = ''
  for (const { kind, widths } of SHOW_IMAGE_KINDS) {
    const urls = imageSet[kind] as Readonly<Record<string, string>> | undefined
    if (urls === undefined) continue
    const first = escapeJsonText(urls[widths[0]] as string)
    encodeRelativeTo(out, first, beside)
    const at = first.lastIndexOf(widths[0])
    const before = first.slice(0, Math.max(at, 0))
    const after = first.slice(at + widths[0].length)
    out.varint(at < 0 ? 0 : Buffer.byteLength(before) + 1)
    const others = widths.slice(1).map((width) => ({ width, url: escapeJsonText(urls[width] as string) }))
    let derived = 0
    others.forEach(({ width, url }, i) => {
      if (at >= 0 && url === before + width + after) derived |= 1 << i
    })
    out.byte(derived)
    others.forEach(({ url }, i) => {
      if ((derived & (1 << i)) === 0) encodeRelativeTo(out, url, first)
    })
    beside = first
  }
}

function encodeRelativeTo(out: ByteWriter, text: string, other: string): void {
  const most = Math.min(text.length, other.length)
  let start = 0
  while (start < most && isSameAscii(text, start, other, start)) start++
  let end = 0
  while (end < most - start && isSameAscii(text, text.length - 1 - end, other, other.length - 1 - end)) end++
  out.varint(start)
  out.varint(end)
  out.sizedText(text.slice(start, text.length - end))
}

function isSameAscii(a: string, i: number, b: string, j: number): boolean {
  const code = a.charCodeAt(i)
  return code < 0x80 && code === b.charCodeAt(j)
}

/** Ready JSON text around the addresses. */
const PRINTED = SHOW_IMAGE_KINDS.map(({ kind, widths }) => ({
  open: Buffer.from(`"${kind}":{`),
  widths: widths.map((width) => ({ name: Buffer.from(width), key: Buffer.from(`"${width}":"`) })),
}))
const BETWEEN_URLS = Buffer.from('",')
const CLOSE_KIND = Buffer.from('"}')

/** Prints image sets as answers show them. */
export class ImagePrinter {
  private first = new ByteWriter(512)
  private previous = new ByteWriter(512)
  private readonly other = new ByteWriter(512)

  /** Prints the image set that the input stands at. */
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
    const nameAt = input.varint() - 1
    const derived = input.byte()
    for (let w = 0; w < widths.length; w++) {
      const { name, key } = widths[w] as (typeof widths)[number]
      if (w > 0) out.bytes(BETWEEN_URLS)
      out.bytes(key)
      if (w === 0) out.bytes(url)
      else if ((derived & (1 << (w - 1))) !== 0) {
        out.bytes(url, 0, nameAt)
        out.bytes(name)
        out.bytes(url, nameAt + (widths[0]?.name.length ?? 0), url.length)
      } else {
        decodeRelativeTo(input, first, other)
        out.bytes(other.view())
      }
    }
  }
}

function decodeRelativeTo(input: ByteReader, beside: ByteWriter, out: ByteWriter): void {
  const start = input.varint()
  const end = input.varint()
  const size = input.varint()
  const other = beside.view()
  out.reset()
  out.bytes(other, 0, start)
  out.bytes(input.buffer, input.position, input.position + size)
  out.bytes(other, other.length - end, other.length)
  input.skip(size)
}

const printer = new ImagePrinter()
const printed = new ByteWriter(4096)

/** Reads an image set back as the model knows it. */
export function decodeImageSet(input: ByteReader): ShowImageSet {
  printer.print(printed.reset(), input)
  return JSON.parse(printed.view().toString('utf8')) as ShowImageSet
}
