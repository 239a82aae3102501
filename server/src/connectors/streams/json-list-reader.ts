import { isUtf8 } from 'node:buffer'
import type { Readable } from 'node:stream'
import { decompress, describeGzipError, type FeedLine, MAX_LINE_BYTES } from '../../ingest/parse/feed-lines.ts'

/** Something of a JSON object that holds a long list. */
export type JsonListPart =
  /** An element of the list, with the line at which it begins. */
  | { readonly line: number; readonly element: unknown }
  /** Another member of the object. */
  | { readonly line: number; readonly member: string; readonly value: unknown }
  | { readonly line: number; readonly problem: FeedLine }

const [SPACE, TAB, NEWLINE, RETURN] = [0x20, 0x09, 0x0a, 0x0d]
const [QUOTE, BACKSLASH, COLON, COMMA] = [0x22, 0x5c, 0x3a, 0x2c]
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d]
const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf]

/** In texts longer than this the closing quote is searched for; in shorter ones the search costs more than it saves. */
const MIN_SEARCHED_TEXT_BYTES = 24

/** What the scanner waits for. */
type ScannerState = 'root' | 'key' | 'colon' | 'value' | 'afterValue' | 'element' | 'afterElement' | 'end' | 'broken'

/**
 * Reads a JSON object of any size, plain or gzipped, of which one member is a list: element by element, with no more in
 * memory than one of them. An element that is too long is skipped; where the text is no JSON, or breaks off, the
 * reading ends with a problem.
 */
export async function* readJsonList(source: Readable, list: string): AsyncGenerator<JsonListPart> {
  const scanner = new JsonListScanner(list)
  try {
    for await (const chunk of decompress(source)) {
      yield* scanner.push(chunk)
      if (scanner.broken) return
    }
  } catch (error) {
    yield scanner.truncated(describeGzipError(error))
    return
  }
  yield* scanner.end()
}

/** Cuts the bytes of a JSON object into its members and the elements of one list. */
class JsonListScanner {
  private readonly list: string
  private state: ScannerState = 'root'
  private line = 1
  private sawList = false
  private member = ''
  /** Of the value that is being read: its bytes, where it began, and how deep inside of it the reading is. */
  private pieces: Buffer[] = []
  private size = 0
  private startLine = 1
  private reading = false
  private depth = 0
  private inText = false
  private escaped = false

  constructor(list: string) {
    this.list = list
  }

  get broken(): boolean {
    return this.state === 'broken'
  }

  *push(chunk: Buffer): Generator<JsonListPart> {
    let start = 0
    let textFrom = 0
    for (let at = 0; at < chunk.length; at++) {
      if (!this.inText) textFrom = at
      else if (at - textFrom > MIN_SEARCHED_TEXT_BYTES && !this.escaped) at = this.endOfText(chunk, at)
      if (at === chunk.length) break
      const byte = chunk[at] as number
      if (this.reading) {
        const end = this.endOfValue(byte)
        if (end === undefined) continue
        this.keep(chunk.subarray(start, at + end))
        this.reading = false
        yield* this.take()
        // A number ends with what comes after it, which is still to be looked at.
        if (end === 0) at--
        else if (byte === NEWLINE) this.line++
        continue
      }
      if (byte === NEWLINE) this.line++
      if (byte === SPACE || byte === TAB || byte === NEWLINE || byte === RETURN) continue
      const problem = this.step(byte)
      if (problem !== undefined) {
        yield problem
        return
      }
      if (this.reading) start = at
    }
    if (this.reading) this.keep(chunk.subarray(start))
  }

  *end(): Generator<JsonListPart> {
    if (this.state !== 'end') yield this.truncated('the JSON text breaks off')
    else if (!this.sawList) {
      const detail = `it has no list "${this.list}"`
      yield { line: 1, problem: { line: 1, problem: 'unreadable_line', detail } }
    }
  }

  truncated(detail: string): JsonListPart {
    return { line: this.line, problem: { line: this.line, problem: 'truncated_feed', detail } }
  }

  /** Takes a byte between values; starts to read where it begins one. */
  private step(byte: number): JsonListPart | undefined {
    switch (this.state) {
      case 'root':
        if (BYTE_ORDER_MARK.includes(byte) && this.line === 1) return undefined
        if (byte !== OPEN_OBJECT) return this.refuse(byte, '{')
        this.state = 'key'
        return undefined
      case 'key':
        if (byte === CLOSE_OBJECT) this.state = 'end'
        else if (byte === QUOTE) this.begin(byte)
        else return this.refuse(byte, 'a name in quotes')
        return undefined
      case 'colon':
        if (byte !== COLON) return this.refuse(byte, ':')
        this.state = 'value'
        return undefined
      case 'value':
        if (byte === OPEN_LIST && this.member === this.list) {
          this.sawList = true
          this.state = 'element'
          return undefined
        }
        return this.beginValue(byte)
      case 'element':
        if (byte === CLOSE_LIST) this.state = 'afterValue'
        else return this.beginValue(byte)
        return undefined
      case 'afterElement':
        if (byte === COMMA) this.state = 'element'
        else if (byte === CLOSE_LIST) this.state = 'afterValue'
        else return this.refuse(byte, ', or ]')
        return undefined
      case 'afterValue':
        if (byte === COMMA) this.state = 'key'
        else if (byte === CLOSE_OBJECT) this.state = 'end'
        else return this.refuse(byte, ', or }')
        return undefined
      default:
        return this.refuse(byte, 'the end')
    }
  }

  private beginValue(byte: number): JsonListPart | undefined {
    if (byte === COMMA || byte === COLON || byte === CLOSE_LIST || byte === CLOSE_OBJECT) {
      return this.refuse(byte, 'a value')
    }
    this.begin(byte)
    return undefined
  }

  private begin(byte: number): void {
    this.reading = true
    this.pieces = []
    this.size = 0
    this.startLine = this.line
    this.depth = byte === OPEN_OBJECT || byte === OPEN_LIST ? 1 : 0
    this.inText = byte === QUOTE
    this.escaped = false
  }

  /** Whether the value ends: with this byte (1), before it (0), or not yet. */
  private endOfValue(byte: number): 0 | 1 | undefined {
    if (byte === NEWLINE) this.line++
    if (this.inText) {
      if (this.escaped) this.escaped = false
      else if (byte === BACKSLASH) this.escaped = true
      else if (byte === QUOTE) {
        this.inText = false
        if (this.depth === 0) return 1
      }
      return undefined
    }
    switch (byte) {
      case QUOTE:
        this.inText = true
        return undefined
      case OPEN_LIST:
      case OPEN_OBJECT:
        this.depth++
        return undefined
      case CLOSE_LIST:
      case CLOSE_OBJECT:
        if (this.depth === 0) return 0
        return --this.depth === 0 ? 1 : undefined
      case COMMA:
      case SPACE:
      case TAB:
      case RETURN:
        return this.depth === 0 ? 0 : undefined
      case NEWLINE:
        if (this.depth > 0) return undefined
        // It will be looked at, and counted, once more.
        this.line--
        return 0
      default:
        return undefined
    }
  }

  /** Where the text that is being read ends: its closing quote, or the end of the chunk. */
  private endOfText(chunk: Buffer, from: number): number {
    for (let at = from; ; ) {
      const quote = chunk.indexOf(QUOTE, at)
      const end = quote < 0 ? chunk.length : quote
      let backslashes = 0
      while (end - 1 - backslashes >= from && chunk[end - 1 - backslashes] === BACKSLASH) backslashes++
      // A quote behind an odd number of them is part of the text.
      const escaped = backslashes % 2 === 1
      if (quote < 0) this.escaped = escaped
      if (quote < 0 || !escaped) return end
      at = quote + 1
    }
  }

  private keep(bytes: Buffer): void {
    this.size += bytes.length
    if (this.size > MAX_LINE_BYTES) this.pieces = []
    // A part of a chunk would keep the whole chunk, which its stream may use again.
    else this.pieces.push(Buffer.from(bytes))
  }

  /** What has been read to its end: a name, a member's value or an element. */
  private *take(): Generator<JsonListPart> {
    const line = this.startLine
    const read = this.parsed()
    this.pieces = []
    if ('problem' in read) yield { line, problem: read.problem }
    if (this.state === 'key') {
      this.member = 'value' in read ? String(read.value) : ''
      this.state = 'colon'
    } else if (this.state === 'value') {
      this.state = 'afterValue'
      if ('value' in read) yield { line, member: this.member, value: read.value }
    } else {
      this.state = 'afterElement'
      if ('value' in read) yield { line, element: read.value }
    }
  }

  private parsed(): { readonly value: unknown } | { readonly problem: FeedLine } {
    const { size, startLine: line } = this
    if (size > MAX_LINE_BYTES) {
      const detail = `${size} bytes in one piece, at most ${MAX_LINE_BYTES} are read`
      return { problem: { line, problem: 'line_too_long', detail } }
    }
    const bytes = this.pieces.length === 1 ? (this.pieces[0] as Buffer) : Buffer.concat(this.pieces)
    if (!isUtf8(bytes)) return { problem: { line, problem: 'invalid_utf8', detail: 'bytes that are no UTF-8 text' } }
    try {
      return { value: JSON.parse(bytes.toString()) }
    } catch (error) {
      return { problem: { line, problem: 'unreadable_line', detail: (error as Error).message } }
    }
  }

  private refuse(byte: number, needed: string): JsonListPart {
    this.state = 'broken'
    const found = JSON.stringify(String.fromCharCode(byte))
    return this.truncated(`there is ${found} where ${needed} is needed; nothing after it is read`)
  }
}
