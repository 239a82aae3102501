import { ConnectorError } from '../framework/connector.ts'

/** Maps the columns of a table to fields. One row is one offer. */
export interface CsvMapping {
  readonly source?: string
  readonly mode?: 'snapshot' | 'delta'
  /** The character between cells; a comma by default. */
  readonly delimiter?: string
  /** The character between the items of a list in one cell; a semicolon by default. */
  readonly listDelimiter?: string
  /** Column heading to field. */
  readonly columns: Readonly<Record<string, CsvField>>
  /** Values of fields without a column or with an empty cell. */
  readonly defaults?: Readonly<Partial<Record<CsvField, string>>>
  /** Native records that precede the shows: the services, countries and genres that rows refer to. */
  readonly reference?: readonly object[]
}

/** All fields that a column can be mapped to, with the type of the cell. */
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

/** Thrown for an invalid mapping; the message names every problem. */
export class CsvMappingError extends ConnectorError {
  override readonly name = 'CsvMappingError'
}

/** Validates a parsed mapping file. */
export function parseCsvMapping(value: unknown): CsvMapping {
  const problems: string[] = []
  const isRecord = (candidate: unknown): candidate is Record<string, unknown> =>
    typeof candidate === 'object' && candidate !== null && !Array.isArray(candidate)
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
