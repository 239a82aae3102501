import { stat } from 'node:fs/promises'
import type { Catalog } from '../../../catalog/catalog.ts'
import type { FeedLine } from '../../../ingest/parse/feed-lines.ts'
import { describeSystemError } from '../../../lib/system-error.ts'
import { ConnectorError, type GivenOptions } from '../../framework/connector.ts'
import { checkOptions } from '../../framework/options.ts'
import { ScratchFolder } from '../../streams/external-sort.ts'
import { ColumnNotices } from '../column-notices.ts'
import { CSV_OPTIONS } from '../csv-options.ts'
import { CsvRowReader } from '../csv-row.ts'
import { resolveServices } from '../csv-services.ts'
import { CsvShows } from '../csv-shows.ts'
import { detectTableForm, type TableForm } from '../csv-table.ts'
import { readSample, type TableSample } from '../detect-dates.ts'
import { type GuessedMapping, guessMapping } from './guess-mapping.ts'

/** Rows that are shown as they would be read. */
const PREVIEW_ROWS = 5

/** A row as it would be read: the record that it makes, or nothing if it would be skipped. */
export interface PreviewRow {
  readonly line: number
  readonly record?: Readonly<Record<string, unknown>>
}

/** A guessed mapping, and what it makes of the first rows. */
export interface TableGuess extends GuessedMapping {
  readonly form: TableForm
  /** How many rows it was made from. */
  readonly sampleRows: number
  readonly preview: readonly PreviewRow[]
}

/** Makes a mapping for a table from its headings, its first rows and the given options. */
export async function guessTable(path: string, options: GivenOptions, catalog: Catalog): Promise<TableGuess> {
  checkOptions({ name: 'csv', options: CSV_OPTIONS }, options)
  try {
    if (!(await stat(path)).isFile()) throw new ConnectorError('it is no file')
    const { encoding } = options
    const form = await detectTableForm(path, { encoding: typeof encoding === 'string' ? encoding : undefined })
    const sample = await readSample(path, form)
    if (sample.rows.length === 0) throw new ConnectorError('it has no rows below its headings')
    const guess = guessMapping(sample, { path, form, options, catalog })
    const preview = guess.problems.length > 0 ? [] : previewRows(sample, guess, options, catalog)
    return { ...guess, form, sampleRows: sample.rows.length, preview }
  } catch (error) {
    const reason = error instanceof ConnectorError ? error.message : describeSystemError(error)
    throw reason === undefined ? error : new ConnectorError(`The feed ${path} cannot be read: ${reason}`)
  }
}

/** The records of the first rows, each on its own. */
function previewRows(
  { headings, rows, lines }: TableSample,
  { mapping }: GuessedMapping,
  options: GivenOptions,
  catalog: Catalog,
): PreviewRow[] {
  const reader = new CsvRowReader(headings, mapping, new ColumnNotices())
  const toService = resolveServices(mapping, catalog, options)
  return rows.slice(0, PREVIEW_ROWS).map((cells, i) => {
    const line = lines[i] ?? 0
    const row = reader.read(cells, line)
    const shows = new CsvShows({ source: mapping.source ?? 'csv', partial: true, toService }, new ScratchFolder())
    if (row === undefined || !shows.addRow(row)) return { line }
    const [made] = shows.lines() as Iterable<FeedLine>
    return { line, record: made !== undefined && 'text' in made ? JSON.parse(made.text) : {} }
  })
}
