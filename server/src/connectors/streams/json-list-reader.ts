import { isUtf8 } from 'node:buffer'
import type { Readable } from 'node:stream'
import { decompress, describeGzipError, type FeedLine, MAX_LINE_BYTES } from '../../ingest/lines/feed-lines.ts'
import { parseJson } from '../../lib/text/parse-json.ts'

/** An item of the stream: an element of the list, another member of the object, or a problem. */
export type JsonListPart =
  | { readonly line: number; readonly element: unknown }
  /** `bytes` is the size of the value as JSON. */
  | { readonly line: number; readonly member: string; readonly value: unknown; readonly bytes: number }
  | { readonly line: number; readonly problem: FeedLine }

/** The end of an object that may have no list; `sawList` tells whether it had one. */
interface JsonRootEnd {
  readonly line: number
  readonly end: true
  readonly sawList: boolean
}

type ScannedPart = JsonListPart | JsonRootEnd

const [SPACE, TAB, NEWLINE, RETURN] = [0x20, 0x09, 0x0a, 0x0d]
const [QUOTE, BACKSLASH, COLON, COMMA] = [0x22, 0x5c, 0x3a, 0x2c]
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d]
const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf]

/** Longer strings are skipped with `indexOf`; for shorter ones a native call costs more than it saves. */
const MIN_SEARCHED_STRING_BYTES = 24

/** What the scanner expects next. */
type ScannerState = 'root' | 'key' | 'colon' | 'value' | 'afterValue' | 'element' | 'afterElement' | 'end' | 'failed'

/**
 * Streams a JSON object of any size, plain or gzipped, one of whose members is a long list. Only one element is in
 * memory at a time. An element that is too long is skipped; invalid or truncated JSON ends the stream with a problem.
 */
export async function* readJsonList(source: Readable, list: string): AsyncGenerator<JsonListPart> {
  for await (const part of scan(source, new JsonListScanner([list], false))) if (!('end' in part)) yield part
}

/**
 * Streams JSON of more forms: an object with a list under one of some names, a plain array, an object without a list, or
 * several of them after each other.
 * @param wrapper a member of the object whose members count as those of the object, so that the list may be in it
 */
export function readAnyJsonList(
  source: Readable,
  lists: readonly string[],
  wrapper?: string,
): AsyncGenerator<JsonListPart | JsonRootEnd> {
  return scan(source, new JsonListScanner(lists, true, wrapper))
}

async function* scan(source: Readable, scanner: JsonListScanner): AsyncGenerator<ScannedPart> {
  try {
    for await (const chunk of decompress(source)) {
      yield* scanner.push(chunk)
      if (scanner.failed) return
    }
  } catch (error) {
    yield scanner.truncated(describeGzipError(error))
    return
  }
  yield* scanner.end()
}

/** An incremental scanner that splits the bytes of a JSON object into its members and the elements of one list. */
class JsonListScanner {
  private readonly lists: readonly string[]
  /** Whether the text may have other forms than one object with a list. */
  private readonly isOpen: boolean
  private readonly wrapper: string | undefined
  private isInWrapper = false
  private state: ScannerState = 'root'
  private line = 1
  private sawList = false
  /** Whether the list is the text itself, not a member of an object. */
  private isRootList = false
  private member = ''
  /** The value that is being scanned: its bytes so far, the line of its start, and the nesting depth. */
  private inValue = false
  private pieces: Buffer[] = []
  private size = 0
  private startLine = 1
  private depth = 0
  private inString = false
  private escaped = false

  constructor(lists: readonly string[], isOpen: boolean, wrapper?: string) {
    this.lists = lists
    this.isOpen = isOpen
    this.wrapper = wrapper
  }

  /** Whether the text is invalid JSON, so that scanning stopped. */
  get failed(): boolean {
    return this.state === 'failed'
  }

  *push(chunk: Buffer): Generator<ScannedPart> {
    let start = 0
    let stringStart = 0
    for (let at = 0; at < chunk.length; at++) {
      if (!this.inString) stringStart = at
      else if (at - stringStart > MIN_SEARCHED_STRING_BYTES && !this.escaped) at = this.findStringEnd(chunk, at)
      if (at === chunk.length) break
      const byte = chunk[at] as number
      if (this.inValue) {
        const end = this.findValueEnd(byte)
        if (end === undefined) continue
        this.append(chunk.subarray(start, at + end))
        this.inValue = false
        yield* this.emit()
        // The byte that ends a number is not part of it: scan it again.
        if (end === 0) at--
        else if (byte === NEWLINE) this.line++
        continue
      }
      if (byte === NEWLINE) this.line++
      if (byte === SPACE || byte === TAB || byte === NEWLINE || byte === RETURN) continue
      const part = this.step(byte)
      if (part !== undefined) {
        yield part
        if (this.failed) return
      }
      if (this.inValue) start = at
    }
    if (this.inValue) this.append(chunk.subarray(start))
  }

  *end(): Generator<JsonListPart> {
    if (this.state !== 'end') yield this.truncated('the JSON text breaks off')
    else if (!this.sawList && !this.isOpen) {
      const detail = `it has no list "${this.lists[0]}"`
      yield { line: 1, problem: { line: 1, problem: 'unreadable_line', detail } }
    }
  }

  truncated(detail: string): JsonListPart {
    return { line: this.line, problem: { line: this.line, problem: 'truncated_feed', detail } }
  }

  /** Handles a byte between values, which may start one. */
  private step(byte: number): ScannedPart | undefined {
    switch (this.state) {
      case 'root':
        if (BYTE_ORDER_MARK.includes(byte) && this.line === 1) return undefined
        return this.beginRoot(byte)
      case 'key':
        if (byte === CLOSE_OBJECT) return this.endObject()
        if (byte === QUOTE) this.begin(byte)
        else return this.fail(byte, 'a name in quotes')
        return undefined
      case 'colon':
        if (byte !== COLON) return this.fail(byte, ':')
        this.state = 'value'
        return undefined
      case 'value':
        if (byte === OPEN_LIST && this.lists.includes(this.member)) {
          this.sawList = true
          this.state = 'element'
          return undefined
        }
        if (byte === OPEN_OBJECT && this.member === this.wrapper && !this.isInWrapper) {
          this.isInWrapper = true
          this.state = 'key'
          return undefined
        }
        return this.beginValue(byte)
      case 'element':
        return byte === CLOSE_LIST ? this.endList() : this.beginValue(byte)
      case 'afterElement':
        if (byte === CLOSE_LIST) return this.endList()
        if (byte !== COMMA) return this.fail(byte, ', or ]')
        this.state = 'element'
        return undefined
      case 'afterValue':
        if (byte === CLOSE_OBJECT) return this.endObject()
        if (byte !== COMMA) return this.fail(byte, ', or }')
        this.state = 'key'
        return undefined
      default:
        return this.isOpen && (byte === OPEN_OBJECT || byte === OPEN_LIST)
          ? this.beginRoot(byte)
          : this.fail(byte, 'the end')
    }
  }

  private beginRoot(byte: number): JsonListPart | undefined {
    this.isRootList = this.isOpen && byte === OPEN_LIST
    if (byte !== OPEN_OBJECT && !this.isRootList) return this.fail(byte, this.isOpen ? '{ or [' : '{')
    this.state = this.isRootList ? 'element' : 'key'
    if (this.isOpen) this.sawList = false
    return undefined
  }

  private endObject(): JsonRootEnd | undefined {
    if (this.isInWrapper) {
      this.isInWrapper = false
      this.state = 'afterValue'
      return undefined
    }
    this.state = 'end'
    return this.isOpen ? { line: this.line, end: true, sawList: this.sawList } : undefined
  }

  private endList(): undefined {
    this.state = this.isRootList ? 'end' : 'afterValue'
  }

  private beginValue(byte: number): JsonListPart | undefined {
    if (byte === COMMA || byte === COLON || byte === CLOSE_LIST || byte === CLOSE_OBJECT) {
      return this.fail(byte, 'a value')
    }
    this.begin(byte)
    return undefined
  }

  private begin(byte: number): void {
    this.inValue = true
    this.pieces = []
    this.size = 0
    this.startLine = this.line
    this.depth = byte === OPEN_OBJECT || byte === OPEN_LIST ? 1 : 0
    this.inString = byte === QUOTE
    this.escaped = false
  }

  /** Returns 1 if the value ends with this byte, 0 if it ends before it, undefined if it goes on. */
  private findValueEnd(byte: number): 0 | 1 | undefined {
    if (byte === NEWLINE) this.line++
    if (this.inString) {
      if (this.escaped) this.escaped = false
      else if (byte === BACKSLASH) this.escaped = true
      else if (byte === QUOTE) {
        this.inString = false
        if (this.depth === 0) return 1
      }
      return undefined
    }
    switch (byte) {
      case QUOTE:
        this.inString = true
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
        // The byte is scanned, and the line counted, again.
        this.line--
        return 0
      default:
        return undefined
    }
  }

  /** The position of the closing quote of the current string, or the end of the chunk. */
  private findStringEnd(chunk: Buffer, from: number): number {
    for (let at = from; ; ) {
      const quote = chunk.indexOf(QUOTE, at)
      const end = quote < 0 ? chunk.length : quote
      let backslashes = 0
      while (end - 1 - backslashes >= from && chunk[end - 1 - backslashes] === BACKSLASH) backslashes++
      // An odd number of backslashes escapes the quote.
      const escaped = backslashes % 2 === 1
      if (quote < 0) this.escaped = escaped
      if (quote < 0 || !escaped) return end
      at = quote + 1
    }
  }

  private append(bytes: Buffer): void {
    this.size += bytes.length
    if (this.size > MAX_LINE_BYTES) this.pieces = []
    // Copied, because the stream may reuse the buffer of the chunk.
    else this.pieces.push(Buffer.from(bytes))
  }

  /** Emits a complete value: a member name, the value of a member, or an element. */
  private *emit(): Generator<JsonListPart> {
    const line = this.startLine
    const parsed = this.parse()
    this.pieces = []
    if ('problem' in parsed) yield { line, problem: parsed.problem }
    if (this.state === 'key') {
      this.member = 'value' in parsed ? String(parsed.value) : ''
      this.state = 'colon'
    } else if (this.state === 'value') {
      this.state = 'afterValue'
      if ('value' in parsed) yield { line, member: this.member, value: parsed.value, bytes: this.size }
    } else {
      this.state = 'afterElement'
      if ('value' in parsed) yield { line, element: parsed.value }
    }
  }

  private parse(): { readonly value: unknown } | { readonly problem: FeedLine } {
    const { size, startLine: line } = this
    if (size > MAX_LINE_BYTES) {
      const detail = `${size} bytes in one piece, at most ${MAX_LINE_BYTES} are read`
      return { problem: { line, problem: 'line_too_long', detail } }
    }
    const bytes = this.pieces.length === 1 ? (this.pieces[0] as Buffer) : Buffer.concat(this.pieces)
    if (!isUtf8(bytes)) return { problem: { line, problem: 'invalid_utf8', detail: 'bytes that are no UTF-8 text' } }
    try {
      return { value: parseJson(bytes.toString()) }
    } catch (error) {
      return { problem: { line, problem: 'unreadable_line', detail: (error as Error).message } }
    }
  }

  private fail(byte: number, needed: string): JsonListPart {
    this.state = 'failed'
    const found = JSON.stringify(String.fromCharCode(byte))
    return this.truncated(`there is ${found} where ${needed} is needed; nothing after it is read`)
  }
}
