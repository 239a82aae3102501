import { ConnectorError } from '../framework/connector.ts'

/** What the columns of a spreadsheet mean. One row is one offer. */
export interface CsvMapping {
  readonly source?: string
  readonly mode?: 'snapshot' | 'delta'
  /** The character between cells; a comma unless said otherwise. */
  readonly delimiter?: string
  /** The character between the entries of a list within a cell; a semicolon unless said otherwise. */
  readonly listDelimiter?: string
  /** Column heading to field. */
  readonly columns: Readonly<Record<string, CsvField>>
  /** MetricValues of fields that no column holds, or whose cell is empty. */
  readonly defaults?: Readonly<Partial<Record<CsvField, string>>>
  /** Records of the native feed that come first: services, countries and genres that the rows refer to. */
  readonly reference?: readonly object[]
}

/** Every field that a column can be mapped to, with how its cell is read. */
export const CSV_FIELDS = {
  id: 'text',
  imdbId: 'text',
  tmdbId: 'text',
  showType: 'text',
  title: 'text',
  originalTitle: 'text',
  originalLanguage: 'text',
  overview: 'text',
  year: 'number',
  lastAirYear: 'number',
  genres: 'list',
  directors: 'list',
  creators: 'list',
  cast: 'list',
  rating: 'number',
  runtime: 'number',
  poster: 'text',
  season: 'number',
  episode: 'number',
  seasonTitle: 'text',
  episodeTitle: 'text',
  country: 'text',
  service: 'text',
  type: 'text',
  addon: 'text',
  link: 'text',
  videoLink: 'text',
  quality: 'text',
  audios: 'list',
  subtitles: 'list',
  price: 'text',
  currency: 'text',
  startsOn: 'time',
  expiresOn: 'time',
  availableSince: 'time',
} as const satisfies Record<string, 'text' | 'number' | 'list' | 'time'>

export type CsvField = keyof typeof CSV_FIELDS

/** Thrown when a mapping cannot be used; the message names every problem. */
export class CsvMappingError extends ConnectorError {
  override readonly name = 'CsvMappingError'
}

/** Checks a mapping as it was read from JSON. */
export function parseCsvMapping(value: unknown): CsvMapping {
  const problems: string[] = []
  const isRecord = (one: unknown): one is Record<string, unknown> =>
    typeof one === 'object' && one !== null && !Array.isArray(one)
  if (!isRecord(value) || !isRecord(value.columns)) {
    throw new CsvMappingError('it needs "columns": {"heading": "field", …}')
  }
  const known = Object.keys(CSV_FIELDS)
  for (const [heading, field] of Object.entries(value.columns)) {
    if (!known.includes(field as string)) {
      problems.push(
        `"columns" maps ${JSON.stringify(heading)} to ${JSON.stringify(field)}; fields are ${known.join(', ')}`,
      )
    }
  }
  for (const [field, text] of Object.entries(isRecord(value.defaults) ? value.defaults : {})) {
    if (!known.includes(field)) problems.push(`"defaults" names the field ${JSON.stringify(field)}, which there is not`)
    if (typeof text !== 'string')
      problems.push(`"defaults" gives ${field} the value ${JSON.stringify(text)}; a text is needed`)
  }
  const mapped = new Set([
    ...Object.values(value.columns),
    ...Object.keys(isRecord(value.defaults) ? value.defaults : {}),
  ])
  for (const field of ['title', 'showType', 'country', 'service', 'type', 'link']) {
    if (!mapped.has(field)) problems.push(`no column and no default gives "${field}"`)
  }
  if (value.mode !== undefined && value.mode !== 'snapshot' && value.mode !== 'delta') {
    problems.push(`"mode" is ${JSON.stringify(value.mode)}; snapshot or delta is needed`)
  }
  if (problems.length > 0) throw new CsvMappingError(problems.join('\n'))
  return value as unknown as CsvMapping
}
