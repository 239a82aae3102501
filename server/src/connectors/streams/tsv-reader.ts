import type { Readable } from 'node:stream'
import { decompress, describeGzipError, type FeedLine, MAX_LINE_BYTES } from '../../ingest/lines/feed-lines.ts'
import { ConnectorError } from '../connector.ts'

/** The selected cells of a row, or the problem with it. */
type TsvRow =
  | { readonly line: number; readonly cells: readonly (string | undefined)[] }
  | { readonly line: number; readonly problem: FeedLine }

interface TsvReadOptions {
  /** Name of the table in messages. */
  readonly name: string
  /** Headings of the columns to return. A table without one of them is rejected. */
  readonly columns: readonly string[]
  /** Filters rows by the bytes of the first cell, before the row is decoded: most rows of a large table are skipped. */
  readonly includeRow?: (bytes: Buffer, start: number, end: number) => boolean
}

const [TAB, NEWLINE, RETURN] = [0x09, 0x0a, 0x0d]

/** How the format writes a missing value. */
const NULL_CELL = '\\N'

/**
 * Reads a table of tab-separated values, plain or gzipped, in bounded memory. Rows come in batches, one a chunk of the
 * stream, since a generator step for each of a hundred million rows is slow.
 */
export async function* readTsvRows(source: Readable, options: TsvReadOptions): AsyncGenerator<readonly TsvRow[]> {
  const table = new TsvTable(options)
  let rest: Buffer = Buffer.alloc(0)
  /** Bytes of the current line, if it is too long and its bytes were dropped. */
  let skippedBytes = 0
  try {
    for await (const chunk of decompress(source)) {
      const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
      const rows: TsvRow[] = []
      let start = 0
      for (let end = bytes.indexOf(NEWLINE); end >= 0; end = bytes.indexOf(NEWLINE, start)) {
        const row =
          skippedBytes > 0 ? table.lineTooLong(skippedBytes + end - start) : table.parseLine(bytes, start, end)
        skippedBytes = 0
        if (row !== undefined) rows.push(row)
        start = end + 1
      }
      if (rows.length > 0) yield rows
      // Copied, because the stream may reuse the buffer of the chunk.
      rest = Buffer.from(bytes.subarray(start))
      if (skippedBytes > 0 || rest.length > MAX_LINE_BYTES) {
        skippedBytes += rest.length
        rest = Buffer.alloc(0)
      }
    }
  } catch (error) {
    yield [table.truncated(describeGzipError(error))]
    return
  }
  if (skippedBytes > 0) yield [table.lineTooLong(skippedBytes)]
  else if (rest.length > 0) {
    const row = table.parseLine(rest, 0, rest.length)
    if (row !== undefined) yield ['problem' in row ? table.truncated('the last line breaks off') : row]
  }
  if (!table.hasHeadings) yield [table.truncated('it is empty')]
}

/** Parses the lines of a table and counts them. */
class TsvTable {
  hasHeadings = false
  private readonly options: TsvReadOptions
  private line = 0
  /** The position of each selected column in a row. */
  private positions: number[] = []
  private columnCount = 0

  constructor(options: TsvReadOptions) {
    this.options = options
  }

  /** Parses a line: the first has the headings, the others are rows. Undefined for a line that gives no row. */
  parseLine(bytes: Buffer, start: number, lineEnd: number): TsvRow | undefined {
    this.line++
    const end = lineEnd > start && bytes[lineEnd - 1] === RETURN ? lineEnd - 1 : lineEnd
    if (end === start) return undefined
    if (!this.hasHeadings) {
      this.setHeadings(
        bytes
          .toString('utf8', start, end)
          .replace(/^\ufeff/, '')
          .split('\t'),
      )
      return undefined
    }
    const tab = bytes.indexOf(TAB, start)
    if (this.options.includeRow?.(bytes, start, tab < 0 || tab > end ? end : tab) === false) return undefined
    const cells = bytes.toString('utf8', start, end).split('\t')
    if (cells.length !== this.columnCount) {
      return this.problem('unreadable_line', `${cells.length} cells instead of ${this.columnCount}`)
    }
    return { line: this.line, cells: this.positions.map((i) => (cells[i] === NULL_CELL ? undefined : cells[i])) }
  }

  lineTooLong(size: number): TsvRow {
    this.line++
    return this.problem('line_too_long', `${size} bytes, at most ${MAX_LINE_BYTES} are read`)
  }

  truncated(detail: string): TsvRow {
    return this.problem('truncated_feed', detail)
  }

  private setHeadings(headings: readonly string[]): void {
    const { name, columns } = this.options
    const missing = columns.filter((column) => !headings.includes(column))
    if (missing.length > 0) {
      const shown = headings.slice(0, 20).map((heading) => heading.slice(0, 40))
      throw new ConnectorError(`${name} has no column ${missing.join(', ')}; its columns are ${shown.join(', ')}`)
    }
    this.hasHeadings = true
    this.positions = columns.map((column) => headings.indexOf(column))
    this.columnCount = headings.length
  }

  private problem(problem: 'line_too_long' | 'truncated_feed' | 'unreadable_line', detail: string): TsvRow {
    const { line } = this
    return { line, problem: { line, problem, detail: `${this.options.name}: ${detail}` } }
  }
}
