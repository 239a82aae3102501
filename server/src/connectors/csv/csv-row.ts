import type { FeedLine } from '../../ingest/lines/feed-lines.ts'
import { ownEntry } from '../../lib/objects.ts'
import { fillTemplate } from '../records/streaming-options.ts'
import { CellProblem, type Duration, parseCell } from './cell-parsers.ts'
import {
  type CellKind,
  type ColumnRule,
  CSV_FIELDS,
  type CsvField,
  type CsvMapping,
  CsvMappingError,
  keyColumns,
  REQUIRED_FIELDS,
  templateHeadings,
  toColumnRule,
} from './csv-mapping.ts'

/** The values of a row by field, read by the rules of their columns. */
export interface CsvRow {
  readonly line: number
  readonly values: Partial<Record<CsvField, unknown>>
  /** The table's own id of the title. */
  readonly key?: string
  /** What the row does not say of its show. It can be used if an earlier row of the show said it. */
  readonly missing?: MissingField
}

/** A field that a row needs, with its column. */
interface MissingField {
  readonly column: string
  readonly needed: string
}

/** Cells that stand for no value. Titles and texts are never taken for one. */
const NO_VALUE = /^(n\/?a|null|none|nan|nil|\\n|-+|–|—|\?+|unknown|not available|not given)$/i
const FREE_TEXTS: readonly CsvField[] = ['title', 'originalTitle', 'overview', 'seasonTitle', 'episodeTitle']

/** No title lasts no time: tables write 0 for a duration that they do not know. */
const NO_DURATION = /^0+([.,]0+)?(?!\d|:)/

function isNoValue(text: string, field: CsvField): boolean {
  if (FREE_TEXTS.includes(field)) return false
  return NO_VALUE.test(text) || ((field === 'duration' || field === 'runtime') && NO_DURATION.test(text))
}

/** Without a valid value in one of these fields a row says nothing. */
const ROW_FIELDS: readonly CsvField[] = [...REQUIRED_FIELDS, 'season', 'episode']

const MAX_PART_NUMBER = 9_999

/** Of two columns of one field, the first value counts; lists of people and genres are joined. */
function mergeValues(known: unknown, value: unknown, kind: CellKind): unknown {
  if (known === undefined) return value
  return kind === 'texts' || kind === 'genres' ? [...new Set([...(known as []), ...(value as [])])] : known
}

/** In a fallback column, "16" is more likely an age than a number of minutes. */
function isBareNumber(text: string): boolean {
  return /^\d+$/.test(text)
}

interface MappedColumn {
  readonly index: number
  readonly heading: string
  /** Its `values` have their cells in lower case. */
  readonly rule: ColumnRule
}

/** Reads the rows of a table by its mapping. What cannot be read goes to the notices, by column. */
export class CsvRowReader {
  private readonly mapping: CsvMapping
  private readonly notices: ColumnNotices
  private readonly columns: readonly MappedColumn[]
  private readonly keyIndexes: readonly number[]
  private readonly templateIndexes: ReadonlyMap<string, number>
  private readonly defaults: ReadonlyMap<CsvField, unknown>

  constructor(headings: readonly string[], mapping: CsvMapping, notices: ColumnNotices) {
    this.mapping = mapping
    this.notices = notices
    const { columns, linkTemplate } = mapping
    const placeholders = linkTemplate === undefined ? [] : templateHeadings(linkTemplate)
    checkHeadings(headings, [...Object.keys(columns), ...keyColumns(mapping), ...placeholders])
    const mapped = Object.entries(columns).map(([heading, column]) => {
      const { values, ...others } = toColumnRule(column)
      const lowerCase = Object.entries(values ?? {}).map(([cell, value]) => [cell.trim().toLowerCase(), value])
      const rule = {
        separator: mapping.listDelimiter ?? ';',
        ...others,
        ...(values !== undefined && { values: Object.fromEntries(lowerCase) as Record<string, string> }),
      }
      return { index: findHeading(headings, heading), heading, rule }
    })
    this.columns = mapped.sort((a, b) => Number(a.rule.fallback ?? false) - Number(b.rule.fallback ?? false))
    this.keyIndexes = keyColumns(mapping).map((heading) => findHeading(headings, heading))
    this.templateIndexes = new Map(placeholders.map((heading) => [heading, findHeading(headings, heading)]))
    this.defaults = readDefaults(mapping)
  }

  /** The values of a row; undefined if it was skipped. */
  read(cells: readonly string[], line: number): CsvRow | undefined {
    const values: Partial<Record<CsvField, unknown>> = {}
    let isSkipped = false
    for (const { index, heading, rule } of this.columns) {
      if (rule.fallback === true && values[rule.field] !== undefined) continue
      const text = cells[index]?.trim() ?? ''
      if (text === '' || isNoValue(text, rule.field)) continue
      const meant = ownEntry(rule.values ?? {}, text.toLowerCase()) ?? text
      if (meant === '') continue
      const value = parseCell(CSV_FIELDS[rule.field], meant, rule)
      const isRow = ROW_FIELDS.includes(rule.field)
      if (rule.fallback === true && (value instanceof CellProblem || isBareNumber(text))) continue
      if (value instanceof CellProblem) {
        this.notices.add(heading, text, value.needed, line, isRow)
        isSkipped ||= isRow
      } else values[rule.field] = mergeValues(values[rule.field], value, CSV_FIELDS[rule.field])
    }
    this.fillIn(values, cells)
    const fault = isSkipped ? undefined : findOfferFault(values, this.mapping.linkTemplate !== undefined)
    if (fault !== undefined) this.notices.add(this.findColumn(fault.field), '', fault.needed, line, true)
    if (isSkipped || fault !== undefined) return undefined
    const key = this.keyIndexes.map((index) => cells[index]?.trim() ?? '')
    const unsaid = (['title', 'showType'] as const).find((field) => values[field] === undefined)
    return {
      line,
      values,
      ...(key.some((part) => part !== '') && { key: key.join('\t') }),
      ...(unsaid !== undefined && { missing: { column: this.findColumn(unsaid), needed: NEEDED[unsaid] } }),
    }
  }

  /** Adds what the row leaves out: defaults, the link by template, the show type by duration. */
  private fillIn(values: Partial<Record<CsvField, unknown>>, cells: readonly string[]): void {
    const { linkTemplate } = this.mapping
    if (linkTemplate !== undefined && values.link === undefined) {
      const fill = (heading: string) => cells[this.templateIndexes.get(heading) ?? -1]?.trim() ?? ''
      // A link with an empty part would lead to some other page.
      const isComplete = [...this.templateIndexes.keys()].every((heading) => fill(heading) !== '')
      if (isComplete) values.link = fillTemplate(linkTemplate, fill)
    }
    for (const [field, value] of this.defaults) values[field] ??= value
    const { minutes, seasons } = (values.duration as Duration | undefined) ?? {}
    if (minutes !== undefined) values.runtime ??= minutes
    if (seasons !== undefined) values.seasonCount ??= seasons
    const isSeries = seasons !== undefined || values.season !== undefined
    if (isSeries || minutes !== undefined) values.showType ??= isSeries ? 'series' : 'movie'
  }

  /** The column of a field, for notices. */
  private findColumn(field: CsvField): string {
    return this.columns.find(({ rule }) => rule.field === field)?.heading ?? field
  }
}

/** What is needed in the fields without which a row says nothing. */
const NEEDED = {
  title: 'a title',
  showType: 'movie or series',
  country: 'a country',
  service: 'a service',
  type: 'a type of offer',
  link: 'a link',
} as const satisfies Record<(typeof REQUIRED_FIELDS)[number], string>

/** The first field of an offer that a row lacks, or the number of a season or an episode that is impossible. */
function findOfferFault(
  values: Partial<Record<CsvField, unknown>>,
  hasTemplate: boolean,
): { field: CsvField; needed: string } | undefined {
  for (const field of ['country', 'service', 'type', 'link'] as const) {
    // An announced offer needs no link yet.
    const isOptional = field === 'link' && values.startsOn !== undefined
    if (values[field] !== undefined || isOptional) continue
    // Where the title is part of the link, the missing title is the cause.
    const cause = field === 'link' && hasTemplate && values.title === undefined ? 'title' : field
    return { field: cause, needed: NEEDED[cause] }
  }
  const { season, episode } = values
  if (episode !== undefined && season === undefined) return { field: 'season', needed: 'the season of the episode' }
  for (const [field, number] of Object.entries({ season, episode }) as [CsvField, unknown][]) {
    if (number === undefined || (Number(number) >= 1 && Number(number) <= MAX_PART_NUMBER)) continue
    return { field, needed: `a whole number from 1 to ${MAX_PART_NUMBER}` }
  }
  return undefined
}

/** The defaults, read as cells are. */
function readDefaults({ defaults = {}, listDelimiter: separator = ';' }: CsvMapping): ReadonlyMap<CsvField, unknown> {
  const problems: string[] = []
  const values = (Object.entries(defaults) as [CsvField, string][]).map(([field, text]): [CsvField, unknown] => {
    const rule = field === 'country' ? { field } : { field, separator }
    const value = parseCell(CSV_FIELDS[field], text, rule)
    if (value instanceof CellProblem)
      problems.push(`the default of "${field}" is ${JSON.stringify(text)}; ${value.needed} is needed`)
    return [field, value]
  })
  if (problems.length > 0) throw new CsvMappingError(problems.join('\n'))
  return new Map(values)
}

/** The position of a heading: the same, or the same but for case. */
function findHeading(headings: readonly string[], wanted: string): number {
  const exact = headings.indexOf(wanted)
  return exact >= 0 ? exact : headings.findIndex((heading) => heading.toLowerCase() === wanted.toLowerCase())
}

/** Throws if a mapped column is missing; suggests another delimiter if the headings look unsplit. */
function checkHeadings(headings: readonly string[], wanted: readonly string[]): void {
  const missing = [...new Set(wanted)].filter((heading) => findHeading(headings, heading) < 0)
  if (missing.length === 0) return
  const quote = (names: readonly string[]) => names.map((name) => JSON.stringify(name.slice(0, 40))).join(', ')
  const [only = '', ...others] = headings
  const delimiter = others.length > 0 ? undefined : [';', '\t', '|', ','].find((candidate) => only.includes(candidate))
  const hint =
    delimiter === undefined ? '' : `; "delimiter": ${JSON.stringify(delimiter)} in the mapping would part them`
  throw new CsvMappingError(
    `the table has no column ${quote(missing)}; its columns are ${quote(headings.slice(0, 50))}${hint}`,
  )
}

/** How many cells a notice shows. */
const MAX_EXAMPLES = 3

interface CellGroup {
  readonly column: string
  readonly needed: string
  /** Whether the rows were skipped, not only the cells. */
  readonly isRow: boolean
  readonly line: number
  readonly examples: string[]
  count: number
}

/** Collects the cells that cannot be read, by column: one notice with a count instead of one a row. */
export class ColumnNotices {
  private readonly groups = new Map<string, CellGroup>()

  /** Adds a cell. @param isRow whether the whole row is skipped */
  add(column: string, text: string, needed: string, line: number, isRow: boolean): void {
    const key = JSON.stringify([column, needed, isRow])
    let group = this.groups.get(key)
    if (group === undefined) {
      group = { column, needed, isRow, line, examples: [], count: 0 }
      this.groups.set(key, group)
    }
    group.count++
    if (group.examples.length < MAX_EXAMPLES) group.examples.push(`${quote(text)} (line ${line})`)
  }

  /** One line for each column and reason. A skipped row is a problem: the table says something that was not read. */
  *lines(): Generator<FeedLine> {
    for (const { column, needed, isRow, line, examples, count } of this.groups.values()) {
      const more = count > examples.length ? ` and ${count - examples.length} more` : ''
      const what = count === 1 ? (isRow ? 'the row is' : 'the cell is') : isRow ? 'the rows are' : 'the cells are'
      const detail = `${examples.join(', ')}${more}; ${needed} is needed, ${what} skipped`
      if (isRow) yield { line, problem: 'unreadable_line', detail, column, count }
      else yield { line, note: 'ignored_field', detail, column, count }
    }
  }
}

function quote(text: string): string {
  return text === '' ? 'nothing' : JSON.stringify(text.length > 40 ? `${text.slice(0, 39)}…` : text)
}
