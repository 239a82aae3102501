import { createReadStream, type ReadStream, readFileSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import type { Catalog } from '../../catalog/catalog.ts'
import type { FeedLine } from '../../ingest/lines/feed-lines.ts'
import { describeSystemError } from '../../lib/errors.ts'
import { type Connector, ConnectorError, type GivenOptions, type OpenFeed } from '../connector.ts'
import { ScratchFolder } from '../streams/external-sort.ts'
import { type ColumnRule, CSV_FIELDS, type CsvMapping, parseCsvMapping, toColumnRule } from './csv-mapping.ts'
import { resolveServices, withGivenOptions } from './csv-options.ts'
import { ColumnNotices, CsvRowReader } from './csv-row.ts'
import { CsvShows } from './csv-shows.ts'
import { detectTableForm, readTable, type TableForm } from './csv-table.ts'
import { detectDateFormat } from './date-format.ts'

/** Tables in CSV. A mapping says which column holds which field. */
export const openCsv: Connector['open'] = async (path, options, { catalog }) => {
  if (options.mapping === undefined) {
    throw new ConnectorError('it is a table: --guess makes a mapping of its columns, or --mapping <file> names one')
  }
  const mapping = withGivenOptions(readMapping(String(options.mapping)), options)
  return openCsvFeed(path, mapping, { catalog, options })
}

/** Reads a mapping: a file, or the JSON itself. */
function readMapping(text: string): CsvMapping {
  const isJson = text.trimStart().startsWith('{')
  try {
    return parseCsvMapping(JSON.parse(isJson ? text : readFileSync(text, 'utf8')))
  } catch (error) {
    const reason = describeSystemError(error) ?? (error as Error).message
    throw new ConnectorError(`the mapping ${isJson ? '' : `${text} `}cannot be used: ${reason}`)
  }
}

/** The share of a pass that reading the rows takes; the rest is for the shows that they make. */
const READ_SHARE = 0.5

async function openCsvFeed(
  path: string,
  given: CsvMapping,
  { catalog, options }: { readonly catalog: Catalog; readonly options: GivenOptions },
): Promise<OpenFeed> {
  const stats = await stat(path)
  if (!stats.isFile()) throw new ConnectorError('it is no file')
  if (stats.size === 0) throw new ConnectorError('it is empty')
  const form = await detectTableForm(path, given)
  const mapping = await withDateFormats(path, given, form)
  let stream: ReadStream | undefined
  const emission = { done: 0, total: 0 }
  return {
    lines: () => {
      stream = createReadStream(path)
      Object.assign(emission, { done: 0, total: 0 })
      return readCsvFeed(stream, mapping, { form, toService: resolveServices(mapping, catalog, options), emission })
    },
    progress: () => {
      const read = stream === undefined ? 0 : (stream.bytesRead - stream.readableLength) / stats.size
      const emitted = emission.total === 0 ? 0 : emission.done / emission.total
      return READ_SHARE * read + (1 - READ_SHARE) * emitted
    },
    dispose: async () => {},
  }
}

interface CsvFeedContext {
  /** By default UTF-8 with the delimiter of the mapping. */
  readonly form?: TableForm
  /** The `service` of an option, by what the table calls it. */
  readonly toService?: (name: string) => unknown
  readonly emission?: Emission
}

/** How many shows were emitted, of how many. */
interface Emission {
  done: number
  total: number
}

/**
 * Converts a table into a native feed. Each row is an offer of a show, a season or an episode; the rows of a show become
 * one record. Cells that cannot be read are reported by column, after the shows.
 */
export async function* readCsvFeed(
  source: Readable,
  mapping: CsvMapping,
  { form, toService = (name) => name, emission = { done: 0, total: 0 } }: CsvFeedContext = {},
): AsyncGenerator<FeedLine> {
  const { source: name = 'csv', mode = 'snapshot', delimiter = ',', partial = true } = mapping
  const header = { kind: 'feed', source: name, mode, scope: mapping.scope }
  for (const record of [header, ...(mapping.reference ?? [])]) yield { line: 1, text: JSON.stringify(record) }
  const encoding = { label: mapping.encoding ?? 'utf-8', isAssumed: false, isDamaged: false }
  const tableForm = form ?? { encoding, delimiter }
  if (tableForm.encoding.isAssumed) yield describeEncoding(tableForm)
  const scratch = new ScratchFolder()
  try {
    yield* readShows(source, mapping, {
      tableForm,
      shows: new CsvShows({ source: name, partial, toService }, scratch),
      emission,
    })
  } finally {
    scratch.remove()
  }
}

/** The shows of a table, then what could not be read. */
async function* readShows(
  source: Readable,
  mapping: CsvMapping,
  {
    tableForm,
    shows,
    emission,
  }: { readonly tableForm: TableForm; readonly shows: CsvShows; readonly emission: Emission },
): AsyncGenerator<FeedLine> {
  const problems: FeedLine[] = []
  const notices = new ColumnNotices()
  let reader: CsvRowReader | undefined
  for await (const { line, cells } of readTable(source, tableForm, (problem) => problems.push(problem))) {
    if (reader === undefined) {
      reader = new CsvRowReader(cells, mapping, notices)
      continue
    }
    const row = reader.read(cells, line)
    if (row === undefined || shows.addRow(row) || row.missing === undefined) continue
    notices.add(row.missing.column, '', row.missing.needed, line, true)
  }
  emission.total = shows.count
  for (const show of shows.lines()) {
    emission.done++
    yield show
  }
  yield* notices.lines()
  yield* problems
}

function describeEncoding({ encoding: { label, isDamaged } }: TableForm): FeedLine {
  const detail = isDamaged
    ? `the table is read as ${label}, in which some of its bytes are invalid`
    : `the table is read as ${label}, which Excel writes; --encoding names another one`
  return { line: 1, note: 'assumed_encoding', detail }
}

/** Rows from which the formats of dates, and whole mappings, are guessed. */
const SAMPLE_ROWS = 1_000

/** The headings of a table and its first rows. */
export interface TableSample {
  readonly headings: readonly string[]
  readonly rows: readonly (readonly string[])[]
  /** The lines of the rows. */
  readonly lines: readonly number[]
}

/** Reads the headings and the first rows of a table. */
export async function readSample(path: string, form: TableForm): Promise<TableSample> {
  let headings: readonly string[] | undefined
  const rows: (readonly string[])[] = []
  const lines: number[] = []
  for await (const { line, cells } of readTable(createReadStream(path), form, () => {})) {
    if (headings === undefined) headings = cells
    else {
      rows.push(cells)
      lines.push(line)
    }
    if (rows.length >= SAMPLE_ROWS) break
  }
  return { headings: headings ?? [], rows, lines }
}

/**
 * The mapping with the formats of dates that it does not declare, if the first rows show them. Where they do not, only
 * dates that cannot be misread are taken.
 */
export async function withDateFormats(path: string, mapping: CsvMapping, form: TableForm): Promise<CsvMapping> {
  const rules = Object.entries(mapping.columns).map(([heading, column]) => [heading, toColumnRule(column)] as const)
  const isUndeclared = ({ field, format }: ColumnRule) => CSV_FIELDS[field] === 'time' && format === undefined
  if (!rules.some(([, rule]) => isUndeclared(rule))) return mapping
  const { headings, rows } = await readSample(path, form)
  const columns = rules.map(([heading, rule]) => {
    if (!isUndeclared(rule)) return [heading, rule] as const
    const index = headings.indexOf(heading)
    const cells = rows.map((row) => row[index] ?? '').filter((cell) => cell !== '')
    const found = detectDateFormat(cells)
    return [heading, 'format' in found ? { ...rule, format: found.format } : rule] as const
  })
  return { ...mapping, columns: Object.fromEntries(columns) }
}
