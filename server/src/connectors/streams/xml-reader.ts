import type { Readable } from 'node:stream'
import { TextDecoder } from 'node:util'
import sax from 'sax'
import { decompress, describeGzipError, type FeedLine, MAX_LINE_BYTES } from '../../ingest/lines/feed-lines.ts'

/** An element with all that is in it. Names have no namespace prefixes, and texts no space around them. */
export interface XmlElement {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  readonly children: readonly XmlElement[]
  readonly text: string
}

/** An item of the stream: a record, a tag or a text around the records, or a problem. */
export type XmlPart =
  | { readonly line: number; readonly record: XmlElement }
  | {
      readonly line: number
      readonly tag: string
      /** The name of the element around it; undefined for the root. */
      readonly parent: string | undefined
      readonly attributes: Readonly<Record<string, string>>
    }
  | { readonly line: number; readonly leaf: string; readonly text: string }
  | { readonly line: number; readonly problem: FeedLine }

/** Longer texts around the records are cut. */
const MAX_LEAF_LENGTH = 4096

/** No format nests its elements deeper. */
const MAX_DEPTH = 100

/** Approximate characters of an element in memory beyond its texts. */
const ELEMENT_OVERHEAD = 64

/**
 * Streams XML of any size, plain or gzipped: the elements of some names as trees, one at a time, and what is around
 * them. A record that is too large is skipped; invalid or truncated XML ends the stream with a problem.
 */
export async function* readXmlRecords(source: Readable, records: ReadonlySet<string>): AsyncGenerator<XmlPart> {
  const reader = new XmlRecordReader(records)
  let decoder: TextDecoder | undefined
  try {
    for await (const chunk of decompress(source)) {
      decoder ??= createDecoder(chunk)
      yield* reader.push(decoder.decode(chunk, { stream: true }))
      if (reader.failed) return
    }
    if (decoder !== undefined) yield* reader.push(decoder.decode())
  } catch (error) {
    const isUndecodable = (error as NodeJS.ErrnoException).code === 'ERR_ENCODING_INVALID_ENCODED_DATA'
    if (isUndecodable) yield reader.toProblem('invalid_utf8', `bytes that are no ${decoder?.encoding} text`)
    else yield reader.toProblem('truncated_feed', describeGzipError(error))
    return
  }
  if (!reader.failed) yield* reader.end()
}

/** A decoder by the byte order mark, else by the encoding of the XML declaration, else UTF-8. It rejects other bytes. */
function createDecoder(start: Buffer): TextDecoder {
  const marks: readonly (readonly [string, readonly number[]])[] = [
    ['utf-16le', [0xff, 0xfe]],
    ['utf-16be', [0xfe, 0xff]],
  ]
  const marked = marks.find(([, bytes]) => bytes.every((byte, i) => start[i] === byte))?.[0]
  const declared = /^\s*<\?xml[^>]*\sencoding\s*=\s*["']([\w.:-]+)["']/.exec(start.toString('latin1', 0, 256))?.[1]
  try {
    return new TextDecoder(marked ?? declared ?? 'utf-8', { fatal: true })
  } catch {
    return new TextDecoder('utf-8', { fatal: true })
  }
}

interface OpenElement {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  readonly children: XmlElement[]
  text: string
}

/**
 * Builds records out of the events of the parser. sax has no dependencies, is maintained, emits long texts in pieces, and
 * expands no entities but those of XML itself.
 */
class XmlRecordReader {
  failed = false
  private readonly records: ReadonlySet<string>
  private readonly parser = sax.parser(true, { position: true })
  private parts: XmlPart[] = []
  /** The open elements of the current record, outermost first. */
  private readonly open: OpenElement[] = []
  /** The names of the open elements around the records. */
  private readonly around: string[] = []
  private line = 1
  private size = 0
  /** The text since the last tag, outside of records. */
  private leafText = ''
  private depth = 0
  private hasRoot = false

  constructor(records: ReadonlySet<string>) {
    this.records = records
    this.parser.onopentag = ({ name, attributes }) => this.openElement(localName(name), attributes)
    this.parser.onclosetag = (name) => this.closeElement(localName(name))
    this.parser.ontext = (text) => this.addText(text)
    this.parser.oncdata = (text) => this.addText(text)
    this.parser.onerror = (error) => this.fail(error)
  }

  *push(text: string): Generator<XmlPart> {
    if (text !== '') this.parser.write(text)
    yield* this.takeParts()
  }

  *end(): Generator<XmlPart> {
    if (!this.hasRoot) yield this.toProblem('truncated_feed', 'it has no XML element')
    else if (this.depth > 0) yield this.toProblem('truncated_feed', 'the XML breaks off')
  }

  toProblem(problem: 'truncated_feed' | 'invalid_utf8' | 'line_too_long', detail: string, line?: number): XmlPart {
    const at = line ?? this.parser.line + 1
    return { line: at, problem: { line: at, problem, detail } }
  }

  private takeParts(): readonly XmlPart[] {
    const { parts } = this
    this.parts = []
    return parts
  }

  private openElement(name: string, given: Record<string, string | { value: string }>): void {
    if (this.failed) return
    this.hasRoot = true
    this.depth++
    if (this.depth > MAX_DEPTH) {
      this.fail(new Error(`elements are nested more than ${MAX_DEPTH} deep`))
      return
    }
    const entries = Object.entries(given).map(([key, value]) => [localName(key), String(value)] as const)
    const attributes = Object.fromEntries(entries)
    this.leafText = ''
    if (this.open.length === 0 && !this.records.has(name)) {
      this.parts.push({ line: this.parser.line + 1, tag: name, parent: this.around.at(-1), attributes })
      this.around.push(name)
      return
    }
    if (this.open.length === 0) {
      this.line = this.parser.line + 1
      this.size = 0
    }
    this.size += entries.reduce((sum, [key, value]) => sum + key.length + value.length, ELEMENT_OVERHEAD + name.length)
    this.open.push({ name, attributes, children: [], text: '' })
  }

  private addText(text: string): void {
    const element = this.open.at(-1)
    if (element === undefined) {
      if (this.leafText.length < MAX_LEAF_LENGTH) this.leafText += text.slice(0, MAX_LEAF_LENGTH)
      return
    }
    this.size += text.length
    if (this.size <= MAX_LINE_BYTES) element.text += text
  }

  private closeElement(name: string): void {
    if (this.failed) return
    this.depth--
    const closed = this.open.pop()
    if (closed === undefined) {
      this.around.pop()
      const text = this.leafText.trim()
      if (text !== '') this.parts.push({ line: this.parser.line + 1, leaf: name, text })
      this.leafText = ''
      return
    }
    const element = { ...closed, text: closed.text.trim() }
    const parent = this.open.at(-1)
    if (parent !== undefined) {
      // A record that is too large is dropped as a whole, so that its parts need not be kept.
      if (this.size <= MAX_LINE_BYTES) parent.children.push(element)
    } else if (this.size <= MAX_LINE_BYTES) this.parts.push({ line: this.line, record: element })
    else {
      const detail = `${this.size} letters in one ${name}, at most ${MAX_LINE_BYTES} are read`
      this.parts.push(this.toProblem('line_too_long', detail, this.line))
    }
  }

  private fail(error: Error): void {
    if (this.failed) return
    this.failed = true
    const [reason = ''] = error.message.split('\n')
    this.parts.push(this.toProblem('truncated_feed', `it is no valid XML: ${reason}; nothing after it is read`))
    // The parser throws the error again on the next write, which does not come.
  }
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1)
}

/** The children of an element with a name, directly in it or in a child that wraps them. */
export function childrenNamed(element: XmlElement, name: string, wrapper?: string): readonly XmlElement[] {
  const wrapped = wrapper === undefined ? [] : childrenNamed(element, wrapper)
  return [element, ...wrapped].flatMap(({ children }) => children.filter((child) => child.name === name))
}

/** The texts of the children of an element with a name, without empty ones. */
export function childTexts(element: XmlElement, name: string, wrapper?: string): string[] {
  return childrenNamed(element, name, wrapper).flatMap(({ text }) => (text === '' ? [] : text))
}

/** The first text of the children of an element with a name. */
export function childText(element: XmlElement, name: string, wrapper?: string): string | undefined {
  return childTexts(element, name, wrapper)[0]
}
