import { isObject } from '../../ingest/parse/fields.ts'
import { ConnectorError } from '../connector.ts'
import { isEncoding } from '../streams/text-encoding.ts'
import { validateDateFormat } from './date-format.ts'

/** How the cell of a field is read. */
export type CellKind =
  | 'text'
  | 'count'
  | 'texts'
  | 'genres'
  | 'time'
  | 'year'
  | 'rating'
  | 'minutes'
  | 'duration'
  | 'showType'
  | 'offerType'
  | 'quality'
  | 'countries'
  | 'locales'
  | 'language'
  | 'price'
  | 'imdbId'
  | 'tmdbId'
  | 'url'

/** All fields that a column can be mapped to. */
export const CSV_FIELDS = {
  id: 'text',
  imdbId: 'imdbId',
  tmdbId: 'tmdbId',
  showType: 'showType',
  title: 'text',
  originalTitle: 'text',
  originalLanguage: 'language',
  overview: 'text',
  year: 'year',
  lastAirYear: 'year',
  genres: 'genres',
  directors: 'texts',
  creators: 'texts',
  cast: 'texts',
  rating: 'rating',
  runtime: 'minutes',
  duration: 'duration',
  seasonCount: 'count',
  episodeCount: 'count',
  poster: 'url',
  season: 'count',
  episode: 'count',
  seasonTitle: 'text',
  episodeTitle: 'text',
  country: 'countries',
  service: 'text',
  type: 'offerType',
  addon: 'text',
  link: 'url',
  videoLink: 'url',
  quality: 'quality',
  audios: 'locales',
  subtitles: 'locales',
  price: 'price',
  currency: 'text',
  startsOn: 'time',
  expiresOn: 'time',
  availableSince: 'time',
} as const satisfies Record<string, CellKind>

export type CsvField = keyof typeof CSV_FIELDS

/** Fields without which a row says nothing: an offer of a title. */
export const REQUIRED_FIELDS = ['title', 'showType', 'country', 'service', 'type', 'link'] as const

/** Maps the columns of a table to fields. One row is one offer. */
export interface CsvMapping {
  readonly source?: string
  readonly mode?: 'snapshot' | 'delta'
  /** What the table is complete for; by default all that its source says. */
  readonly scope?: { readonly countries?: readonly string[]; readonly services?: readonly string[] }
  /** Whether fields without a value leave the show as it is; true by default. */
  readonly partial?: boolean
  /** A label such as `windows-1252`; detected by default. */
  readonly encoding?: string
  /** The character between cells; detected by default. */
  readonly delimiter?: string
  /** The text between the items of a list in one cell; a semicolon by default. */
  readonly listDelimiter?: string
  /** Column heading to field, or to a rule with a field. */
  readonly columns: Readonly<Record<string, CsvField | ColumnRule>>
  /** Headings of the columns that together are the table's own id of a title. */
  readonly key?: string | readonly string[]
  /** The link of a row, with headings in braces: `https://acme.example/watch/{show_id}`. */
  readonly linkTemplate?: string
  /** Values of fields without a column or with an empty cell. */
  readonly defaults?: Readonly<Partial<Record<CsvField, string>>>
  /** Native records that precede the shows: the services, countries and genres that rows refer to. */
  readonly reference?: readonly object[]
}

/** How the cells of a column are read. */
export interface ColumnRule {
  readonly field: CsvField
  /** Cells, or items of a list, that stand for another value, in any case: `{"TV Show": "series"}`. */
  readonly values?: Readonly<Record<string, string>>
  /** The text between the items of a list. */
  readonly separator?: string
  /** The format of dates, such as `DD/MM/YYYY`; detected by default. */
  readonly format?: string
  /** The best rating, such as 10. */
  readonly scale?: number
  /**
   * Set if the column is of something else and values of the field only stray into it. It is read where no other column
   * of the field has a value, and cells that are something else are passed over without a notice.
   */
  readonly fallback?: boolean
}

/** Thrown for an invalid mapping; the message names every problem. */
export class CsvMappingError extends ConnectorError {
  override readonly name = 'CsvMappingError'
}

/** The rule of a column; a plain field is a rule without further members. */
export function toColumnRule(column: CsvField | ColumnRule): ColumnRule {
  return typeof column === 'string' ? { field: column } : column
}

/** The headings that make up the table's own id of a title. */
export function keyColumns({ key = [] }: CsvMapping): readonly string[] {
  return typeof key === 'string' ? [key] : key
}

/** Validates a parsed mapping file. */
export function parseCsvMapping(value: unknown): CsvMapping {
  if (!isObject(value) || !isObject(value.columns)) {
    throw new CsvMappingError('it needs "columns": {"heading": "field", …}')
  }
  const mapping = value as unknown as CsvMapping
  const problems = [...findColumnProblems(value.columns), ...findDefaultProblems(value.defaults), ...findOthers(value)]
  const mapped = new Set<string>([
    ...Object.values(mapping.columns).map((column) => toColumnRule(column).field),
    ...Object.keys(isObject(value.defaults) ? value.defaults : {}),
    ...(mapping.linkTemplate === undefined ? [] : ['link']),
  ])
  // A duration tells which of the two a title is: "2 Seasons" or "90 min".
  if (mapped.has('duration')) mapped.add('showType')
  for (const field of REQUIRED_FIELDS)
    if (!mapped.has(field)) problems.push(`no column and no default gives "${field}"`)
  if (problems.length > 0) throw new CsvMappingError(problems.join('\n'))
  return mapping
}

const KNOWN_FIELDS = Object.keys(CSV_FIELDS)
const RULE_MEMBERS = ['field', 'values', 'separator', 'format', 'scale', 'fallback']

function findColumnProblems(columns: Readonly<Record<string, unknown>>): string[] {
  return Object.entries(columns).flatMap(([heading, column]) => {
    const rule: Readonly<Record<string, unknown>> = isObject(column) ? column : { field: column }
    const name = `"columns" maps ${JSON.stringify(heading)}`
    const problems: string[] = []
    if (!KNOWN_FIELDS.includes(rule.field as string)) {
      problems.push(`${name} to ${JSON.stringify(rule.field)}; fields are ${KNOWN_FIELDS.join(', ')}`)
    }
    for (const member of Object.keys(rule).filter((one) => !RULE_MEMBERS.includes(one))) {
      problems.push(`${name} with ${JSON.stringify(member)}; a column has ${RULE_MEMBERS.join(', ')}`)
    }
    const { values, separator, format, scale, fallback } = rule
    if (values !== undefined && !(isObject(values) && Object.values(values).every((one) => typeof one === 'string'))) {
      problems.push(`${name} with the values ${JSON.stringify(values)}; {"cell": "value", …} is needed`)
    }
    if (separator !== undefined && (typeof separator !== 'string' || separator === '')) {
      problems.push(`${name} with the separator ${JSON.stringify(separator)}; a text such as "," is needed`)
    }
    const neededFormat = format === undefined ? undefined : validateDateFormat(String(format))
    if (neededFormat !== undefined)
      problems.push(`${name} with the format ${JSON.stringify(format)}; ${neededFormat} is needed`)
    if (scale !== undefined && !(typeof scale === 'number' && scale > 0)) {
      problems.push(`${name} with the scale ${JSON.stringify(scale)}; a number such as 10 is needed`)
    }
    if (fallback !== undefined && typeof fallback !== 'boolean') {
      problems.push(`${name} with the fallback ${JSON.stringify(fallback)}; true or false is needed`)
    }
    return problems
  })
}

function findDefaultProblems(defaults: unknown): string[] {
  return Object.entries(isObject(defaults) ? defaults : {}).flatMap(([field, text]) => {
    if (!KNOWN_FIELDS.includes(field))
      return [`"defaults" names the field ${JSON.stringify(field)}, which there is not`]
    if (typeof text === 'string') return []
    return [`"defaults" gives ${field} the value ${JSON.stringify(text)}; a text is needed`]
  })
}

function findOthers({
  mode,
  scope,
  encoding,
  delimiter,
  key,
  linkTemplate,
  columns,
}: Readonly<Record<string, unknown>>): string[] {
  const problems: string[] = []
  if (mode !== undefined && mode !== 'snapshot' && mode !== 'delta') {
    problems.push(`"mode" is ${JSON.stringify(mode)}; snapshot or delta is needed`)
  }
  const isScope = (value: unknown) =>
    isObject(value) && Object.keys(value).every((name) => name === 'countries' || name === 'services')
  if (scope !== undefined && !isScope(scope)) {
    problems.push(`"scope" is ${JSON.stringify(scope)}; {"countries": ["us"], "services": ["netflix"]} is needed`)
  }
  if (encoding !== undefined && !isEncoding(String(encoding))) {
    problems.push(`"encoding" is ${JSON.stringify(encoding)}; a name such as utf-8 or windows-1252 is needed`)
  }
  if (delimiter !== undefined && (typeof delimiter !== 'string' || delimiter === '')) {
    problems.push(`"delimiter" is ${JSON.stringify(delimiter)}; a character such as "," is needed`)
  }
  const keys = key === undefined ? [] : Array.isArray(key) ? key : [key]
  if (!keys.every((heading) => typeof heading === 'string')) {
    problems.push(`"key" is ${JSON.stringify(key)}; the heading of a column, or a list of them, is needed`)
  }
  if (linkTemplate !== undefined && !isLinkTemplate(String(linkTemplate))) {
    problems.push(`"linkTemplate" is ${JSON.stringify(linkTemplate)}; ${LINK_TEMPLATE_RULE} is needed`)
  }
  if (!isObject(columns)) problems.push('"columns" is needed')
  return problems
}

/** Describes a valid link template. */
export const LINK_TEMPLATE_RULE = 'a web address with headings in braces, such as https://acme.example/watch/{show_id},'

/** Whether a text is a web address with at least one heading in braces. */
export function isLinkTemplate(template: string): boolean {
  return (
    /^https?:\/\/[^/{}]/.test(template) &&
    URL.canParse(template.replace(/[{}]/g, '')) &&
    templateHeadings(template).length > 0
  )
}

/** The headings in a link template. */
export function templateHeadings(template: string): string[] {
  return [...template.matchAll(/\{([^{}]+)\}/g)].map(([, heading]) => heading as string)
}
