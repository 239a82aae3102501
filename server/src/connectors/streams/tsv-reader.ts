import type { Readable } from 'node:stream'
import { decompress, describeGzipError, type FeedLine, MAX_LINE_BYTES } from '../../ingest/parse/feed-lines.ts'
import { ConnectorError } from '../framework/connector.ts'

/** A row of a table, with the cells of the columns that were asked for, or what is wrong with it. */
export type TsvRow =
  | { readonly line: number; readonly cells: readonly (string | undefined)[] }
  | { readonly line: number; readonly problem: FeedLine }

/** How a table is read. */
export interface TsvReadOptions {
  /** What messages call the table. */
  readonly name: string
  /** The headings of the columns that are wanted; a table without one of them is refused. */
  readonly columns: readonly string[]
  /** Whether a row is wanted, by the bytes of its first cell: most rows of a large table are not even looked at. */
  readonly includeRow?: (bytes: Buffer, start: number, end: number) => boolean
}

const [TAB, NEWLINE, RETURN] = [0x09, 0x0a, 0x0d]

/** What stands for no value. */
const NULL_CELL = '\\N'

/**
 * The rows of a table of tab-separated values, plain or gzipped, with bounded memory; some at a time, since there may be
 * a hundred million of them.
 */
export async function* readTsvRows(source: Readable, reading: TsvReadOptions): AsyncGenerator<readonly TsvRow[]> {
  const table = new TsvTable(reading)
  let rest: Buffer = Buffer.alloc(0)
  let skipped = 0
  try {
    for await (const chunk of decompress(source)) {
      const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
      const rows: TsvRow[] = []
      let start = 0
      for (let end = bytes.indexOf(NEWLINE); end >= 0; end = bytes.indexOf(NEWLINE, start)) {
        const row = skipped > 0 ? table.tooLong(skipped + end - start) : table.row(bytes, start, end)
        skipped = 0
        if (row !== undefined) rows.push(row)
        start = end + 1
      }
      if (rows.length > 0) yield rows
      // The chunk may be used again by its stream.
      rest = Buffer.from(bytes.subarray(start))
      if (skipped > 0 || rest.length > MAX_LINE_BYTES) {
        skipped += rest.length
        rest = Buffer.alloc(0)
      }
    }
  } catch (error) {
    yield [table.breaksOff(describeGzipError(error))]
    return
  }
  if (skipped > 0) yield [table.tooLong(skipped)]
  else if (rest.length > 0) {
    const row = table.row(rest, 0, rest.length)
    if (row !== undefined) yield ['problem' in row ? table.breaksOff('the last line breaks off') : row]
  }
  if (!table.started) yield [table.breaksOff('it is empty')]
}

class TsvTable {
  started = false
  private readonly reading: TsvReadOptions
  private line = 0
  private places: number[] = []
  private width = 0

  constructor(reading: TsvReadOptions) {
    this.reading = reading
  }

  /** Takes a line: the headings first, then rows; undefined where it is not wanted. */
  row(bytes: Buffer, start: number, lineEnd: number): TsvRow | undefined {
    this.line++
    const end = lineEnd > start && bytes[lineEnd - 1] === RETURN ? lineEnd - 1 : lineEnd
    if (end === start) return undefined
    if (!this.started) {
      this.takeHeadings(
        bytes
          .toString('utf8', start, end)
          .replace(/^\ufeff/, '')
          .split('\t'),
      )
      return undefined
    }
    const tab = bytes.indexOf(TAB, start)
    if (this.reading.includeRow?.(bytes, start, tab < 0 || tab > end ? end : tab) === false) return undefined
    const cells = bytes.toString('utf8', start, end).split('\t')
    if (cells.length !== this.width) {
      return this.problem('unreadable_line', `${cells.length} cells instead of ${this.width}`)
    }
    return { line: this.line, cells: this.places.map((at) => (cells[at] === NULL_CELL ? undefined : cells[at])) }
  }

  tooLong(size: number): TsvRow {
    this.line++
    return this.problem('line_too_long', `${size} bytes, at most ${MAX_LINE_BYTES} are read`)
  }

  breaksOff(detail: string): TsvRow {
    return this.problem('truncated_feed', detail)
  }

  private takeHeadings(headings: readonly string[]): void {
    const { name, columns } = this.reading
    const lacking = columns.filter((column) => !headings.includes(column))
    if (lacking.length > 0) {
      const shown = headings.slice(0, 20).map((heading) => heading.slice(0, 40))
      throw new ConnectorError(`${name} has no column ${lacking.join(', ')}; its columns are ${shown.join(', ')}`)
    }
    this.started = true
    this.places = columns.map((column) => headings.indexOf(column))
    this.width = headings.length
  }

  private problem(problem: 'line_too_long' | 'truncated_feed' | 'unreadable_line', detail: string): TsvRow {
    const { line } = this
    return { line, problem: { line, problem, detail: `${this.reading.name}: ${detail}` } }
  }
}
