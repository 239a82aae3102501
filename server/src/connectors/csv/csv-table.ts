import { createReadStream } from 'node:fs'
import { Readable } from 'node:stream'
import { parse } from 'csv-parse'
import { parse as parseAtOnce } from 'csv-parse/sync'
import { decompress, describeGzipError, type FeedLine, MAX_LINE_BYTES } from '../../ingest/lines/feed-lines.ts'
import { ConnectorError } from '../connector.ts'
import { decodeText, detectEncoding, type TextEncoding } from '../streams/text-encoding.ts'

/** A row of a table. The first one has the headings. */
export interface TableRow {
  readonly line: number
  readonly cells: readonly string[]
}

/** How a file holds a table. */
export interface TableForm {
  readonly encoding: TextEncoding
  readonly delimiter: string
}

const DELIMITERS = [',', ';', '\t', '|']

/** Characters in which the delimiter is looked for. */
const SAMPLE_LENGTH = 1 << 18

/** This share of the rows must have as many cells as the headings. */
const MIN_REGULAR_SHARE = 0.8

/** A longer line is skipped, and a longer row ends the table: it has a quote that is not closed. */
const MAX_ROW_CHARS = MAX_LINE_BYTES

/** Options of the parser. Real tables have quotes inside of cells, and rows with empty cells too many. */
const PARSER_OPTIONS = { relax_quotes: true, relax_column_count: true, skip_empty_lines: true, trim: true }

/** Detects encoding and delimiter of a file, as far as they are not given. */
export async function detectTableForm(
  path: string,
  given: { readonly encoding?: string | undefined; readonly delimiter?: string | undefined },
): Promise<TableForm> {
  await checkFileKind(path)
  const encoding: TextEncoding =
    given.encoding === undefined
      ? await detectEncoding(withoutTruncation(createReadStream(path)))
      : { label: given.encoding, isAssumed: false, isDamaged: false }
  if (given.delimiter !== undefined) return { encoding, delimiter: given.delimiter }
  let sample = ''
  for await (const text of decodeText(withoutTruncation(createReadStream(path)), encoding.label)) {
    sample += text
    if (sample.length >= SAMPLE_LENGTH) break
  }
  return { encoding, delimiter: detectDelimiter(sample) }
}

/** Beginnings of files that are no tables, and what to do with each. */
const OTHER_KINDS: readonly (readonly [beginning: RegExp, advice: string])[] = [
  [/^PK\p{Cc}{2}/u, 'it is a zip archive or an Excel workbook: unzip it, or save it as CSV'],
  [/^\xd0\xcf\p{Cc}\xe0/u, 'it is an Excel workbook: save it as CSV'],
  [/^%PDF-/, 'it is a PDF document, not a table'],
  [/^(\xef\xbb\xbf)?\s*<(!doctype|html|\?xml)/i, 'it is a web page or XML, not a table'],
  [/^(\xef\xbb\xbf)?\s*(\{\s*"|\[\s*[{"])/, 'it is JSON, not a table: leave out --guess, --mapping and --format csv'],
]

/** Throws if the file is of a well-known kind that is no table. */
async function checkFileKind(path: string): Promise<void> {
  for await (const chunk of withoutTruncation(createReadStream(path))) {
    const beginning = chunk.subarray(0, 256).toString('latin1')
    const advice = OTHER_KINDS.find(([pattern]) => pattern.test(beginning))?.[1]
    if (advice !== undefined) throw new ConnectorError(advice)
    return
  }
}

/** The delimiter by which most rows have as many cells as the headings; a comma if none does. */
function detectDelimiter(sample: string): string {
  const stated = /^\ufeff?"?sep=(.)"?\r?\n/i.exec(sample)?.[1]
  if (stated !== undefined) return stated
  const lastLine = sample.lastIndexOf('\n')
  const text = sample.length >= SAMPLE_LENGTH && lastLine > 0 ? sample.slice(0, lastLine) : sample
  let best = { delimiter: ',', columns: 1 }
  for (const delimiter of DELIMITERS) {
    const rows = parseSample(text, delimiter)
    const columns = rows[0]?.length ?? 0
    const regular = rows.filter((row) => row.length === columns).length
    if (columns > best.columns && regular >= rows.length * MIN_REGULAR_SHARE) best = { delimiter, columns }
  }
  return best.delimiter
}

function parseSample(text: string, delimiter: string): readonly (readonly string[])[] {
  try {
    return parseAtOnce(text, { ...PARSER_OPTIONS, delimiter, bom: true, skip_records_with_error: true })
  } catch {
    return []
  }
}

/** Streams the rows of a table, plain or gzipped, headings first. Rows that cannot be read are reported instead. */
export async function* readTable(
  source: Readable,
  { encoding, delimiter }: TableForm,
  onProblem: (problem: FeedLine) => void,
): AsyncGenerator<TableRow> {
  let truncated: string | undefined
  const onTruncated = (detail: string) => {
    truncated = detail
  }
  const text = readWholeLines(decodeText(decompress(source), encoding.label), onProblem, onTruncated)
  let line = 1
  let columns: number | undefined
  for await (const { record, info } of parseRows(text, delimiter, onProblem)) {
    line = info.lines
    const cells = record as string[]
    if (columns === undefined) {
      if (/^sep=/i.test(cells[0] ?? '')) continue
      columns = cells.length
      yield { line, cells }
      continue
    }
    if (cells.every((cell) => cell === '')) continue
    const problem = findRowProblem(cells, columns, encoding)
    if (problem === undefined) yield { line, cells }
    else onProblem({ line, ...problem })
  }
  if (truncated !== undefined) onProblem({ line: line + 1, problem: 'truncated_feed', detail: truncated })
}

/** Why a row cannot be read. Empty cells beyond the headings are what spreadsheets leave behind. */
function findRowProblem(cells: readonly string[], columns: number, { isDamaged }: TextEncoding) {
  const surplus = cells.slice(columns)
  if (cells.length < columns || surplus.some((cell) => cell !== '')) {
    return { problem: 'unreadable_line', detail: `the row has ${cells.length} cells instead of ${columns}` } as const
  }
  if (isDamaged && cells.some((cell) => cell.includes('\ufffd'))) {
    return { problem: 'invalid_utf8', detail: 'the row has bytes that are no UTF-8 text' } as const
  }
  return undefined
}

/**
 * The text of a table. A line that is too long is left empty, so that the others keep their numbers. If the gzip data is
 * truncated, the incomplete last line is dropped.
 */
async function* readWholeLines(
  text: AsyncIterable<string>,
  onProblem: (problem: FeedLine) => void,
  onTruncated: (detail: string) => void,
): AsyncGenerator<string> {
  let rest = ''
  let line = 1
  let skipped = 0
  let isEmpty = true
  const endSkipped = (more: number) => {
    const detail = `${skipped + more} characters, at most ${MAX_ROW_CHARS} are read`
    onProblem({ line, problem: 'line_too_long', detail })
    skipped = 0
  }
  try {
    for await (const piece of text) {
      if (piece !== '') isEmpty = false
      const start = skipped > 0 ? piece.indexOf('\n') : 0
      const end = piece.lastIndexOf('\n') + 1
      if (end > 0) {
        if (skipped > 0) endSkipped(start)
        const lines = rest + piece.slice(start, end)
        yield lines
        line += countNewlines(lines)
        rest = piece.slice(end)
      } else if (skipped > 0) skipped += piece.length
      else rest += piece
      if (rest.length > MAX_ROW_CHARS) {
        skipped = rest.length
        rest = ''
      }
    }
  } catch (error) {
    onTruncated(describeGzipError(error))
    return
  }
  if (isEmpty) onTruncated('it is empty')
  if (skipped > 0) endSkipped(0)
  if (rest !== '') yield rest
}

function countNewlines(text: string): number {
  let count = 0
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) count++
  return count
}

function parseRows(
  text: AsyncIterable<string>,
  delimiter: string,
  onProblem: (problem: FeedLine) => void,
): AsyncIterable<{ record: unknown; info: { lines: number } }> {
  let isEnded = false
  const parser = parse({
    ...PARSER_OPTIONS,
    delimiter,
    bom: true,
    info: true,
    max_record_size: MAX_ROW_CHARS,
    skip_records_with_error: true,
    on_skip: (error) => {
      if (error === undefined || isEnded) return
      // An unclosed quote swallows the rest of the table.
      isEnded = error.code === 'CSV_MAX_RECORD_SIZE' || error.code === 'CSV_QUOTE_NOT_CLOSED'
      onProblem({
        line: Number(error.lines ?? 1),
        problem: isEnded ? 'truncated_feed' : 'unreadable_line',
        detail: error.message,
      })
    },
  })
  const untilEnd = async function* () {
    for await (const lines of text) {
      if (isEnded) return
      yield lines
    }
  }
  const input = Readable.from(untilEnd())
  input.on('error', (error) => parser.destroy(error))
  return input.pipe(parser)
}

/** The bytes of a file, decompressed, up to where gzip data breaks off: enough to detect the form. */
async function* withoutTruncation(source: Readable): AsyncGenerator<Buffer> {
  try {
    yield* decompress(source)
  } catch (error) {
    describeGzipError(error)
  }
}
