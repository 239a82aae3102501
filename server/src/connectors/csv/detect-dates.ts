import { createReadStream } from 'node:fs'
import { CSV_FIELDS } from './csv-fields.ts'
import { type ColumnRule, type CsvMapping, toColumnRule } from './csv-mapping.ts'
import { readTable, type TableForm } from './csv-table.ts'
import { detectDateFormat } from './date-format.ts'

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
