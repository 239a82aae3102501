import { readFileSync } from 'node:fs'
import { Readable } from 'node:stream'
import { parse } from 'csv-parse'
import { decompress, describeGzipError, type FeedLine } from '../../ingest/parse/feed-lines.ts'
import { describeSystemError } from '../../lib/system-error.ts'
import { type Connector, ConnectorError } from '../framework/connector.ts'
import { openFileFeed } from '../streams/source-files.ts'
import { type CsvMapping, CsvMappingError, parseCsvMapping } from './csv-mapping.ts'
import { type Cells, CsvShows } from './csv-shows.ts'

/** Tables in CSV. A mapping file says which column holds which field. */
export const csvConnector: Connector = {
  name: 'csv',
  summary: 'tables, one offer a row, plain or gzipped',
  options: {
    mapping: { value: 'file', description: 'JSON file that maps the columns to fields', required: true },
  },
  open: async (path, options) => {
    const mapping = readMappingFile(String(options.mapping))
    return openFileFeed(path, (stream) => readCsvFeed(stream, mapping))
  },
}

function readMappingFile(path: string): CsvMapping {
  try {
    return parseCsvMapping(JSON.parse(readFileSync(path, 'utf8')))
  } catch (error) {
    const reason = describeSystemError(error) ?? (error as Error).message
    throw new ConnectorError(`the mapping ${path} cannot be used: ${reason}`)
  }
}

/**
 * Converts a table into a native feed. Each row is an offer of a show, a season or an episode; the rows of a show become
 * one record. Values are not checked here: the importer reports invalid ones with the line of the row.
 */
export async function* readCsvFeed(source: Readable, mapping: CsvMapping): AsyncGenerator<FeedLine> {
  const header = { kind: 'feed', source: mapping.source ?? 'csv', mode: mapping.mode ?? 'snapshot' }
  for (const record of [header, ...(mapping.reference ?? [])]) yield { line: 1, text: JSON.stringify(record) }
  const shows = new CsvShows(mapping)
  const problems: FeedLine[] = []
  let truncated: string | undefined
  const bytes = readWholeLines(source, (detail) => {
    truncated = detail
  })
  let line = 1
  for await (const { record, info } of parseRows(bytes, mapping, problems)) {
    line = info.lines
    const cells = readCells(record as Record<string, string>, mapping)
    const problem = findNumberProblem(cells)
    if (problem === undefined) shows.addRow(cells, line)
    else problems.push({ line, problem: 'unreadable_line', detail: problem })
  }
  if (truncated !== undefined) problems.push({ line: line + 1, problem: 'truncated_feed', detail: truncated })
  yield* shows.lines()
  yield* problems
}

const NEWLINE = 0x0a

/** The bytes of a table, decompressed. If the gzip data is truncated, the incomplete last line is dropped. */
async function* readWholeLines(source: Readable, onTruncated: (detail: string) => void): AsyncGenerator<Buffer> {
  let rest: Buffer[] = []
  let isEmpty = true
  try {
    for await (const chunk of decompress(source)) {
      isEmpty = false
      const end = chunk.lastIndexOf(NEWLINE) + 1
      if (end > 0) {
        yield* rest
        yield chunk.subarray(0, end)
        rest = []
      }
      // Copied, because the stream may reuse the buffer of the chunk.
      if (end < chunk.length) rest.push(Buffer.from(chunk.subarray(end)))
    }
  } catch (error) {
    onTruncated(describeGzipError(error))
    return
  }
  if (isEmpty) onTruncated('it is empty')
  yield* rest
}

/** Parses the rows of a table. Rows that are invalid CSV are added to the problems. */
function parseRows(source: AsyncIterable<Buffer>, { delimiter = ',', columns }: CsvMapping, problems: FeedLine[]) {
  const parser = parse({
    columns: (headings: string[]) => checkHeadings(headings, columns),
    delimiter,
    bom: true,
    info: true,
    skip_empty_lines: true,
    trim: true,
    skip_records_with_error: true,
    on_skip: (error) => {
      if (error === undefined) return
      // An unclosed quote swallows the rest of the table.
      const problem = error.code === 'CSV_QUOTE_NOT_CLOSED' ? 'truncated_feed' : 'unreadable_line'
      problems.push({ line: Number(error.lines ?? 1), problem, detail: error.message })
    },
  })
  const bytes = Readable.from(source)
  bytes.on('error', (error) => parser.destroy(error))
  return bytes.pipe(parser) as AsyncIterable<{ record: unknown; info: { lines: number } }>
}

/** Throws if a mapped column is missing; suggests another delimiter if the headings look unsplit. */
function checkHeadings(headings: string[], columns: CsvMapping['columns']): string[] {
  const missing = Object.keys(columns).filter((heading) => !headings.includes(heading))
  if (missing.length === 0) return headings
  const quote = (names: readonly string[]) => names.map((name) => JSON.stringify(name.slice(0, 40))).join(', ')
  const [only = '', ...others] = headings
  const delimiter = others.length > 0 ? undefined : [';', '\t', '|'].find((candidate) => only.includes(candidate))
  const hint =
    delimiter === undefined ? '' : `; "delimiter": ${JSON.stringify(delimiter)} in the mapping would part them`
  throw new CsvMappingError(
    `the table has no column ${quote(missing)}; its columns are ${quote(headings.slice(0, 50))}${hint}`,
  )
}

/** The cells of a row by field; defaults fill empty cells. */
function readCells(row: Readonly<Record<string, string>>, { columns, defaults = {} }: CsvMapping): Cells {
  const cells: Cells = { ...defaults }
  for (const [heading, field] of Object.entries(columns)) {
    const cell = row[heading]
    if (cell !== undefined && cell !== '') cells[field] = cell
  }
  return cells
}

/** Says why the season or episode number of a row is invalid. */
function findNumberProblem({ season, episode }: Cells): string | undefined {
  for (const [field, cell] of Object.entries({ season, episode })) {
    if (cell !== undefined && !/^[1-9]\d{0,3}$/.test(cell)) {
      return `the ${field} is ${JSON.stringify(cell)}; a whole number from 1 to 9999 is needed`
    }
  }
  return episode !== undefined && season === undefined ? 'the row names an episode, but no season' : undefined
}
