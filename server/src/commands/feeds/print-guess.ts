import type { ColumnGuess } from '../../connectors/csv/guess/guess-mapping.ts'
import type { PreviewRow, TableGuess } from '../../connectors/csv/guess/open-guess.ts'
import { formatCount } from '../../runtime/progress.ts'
import { formatInstant, printLines, printTable } from '../terminal/output.ts'

const DELIMITER_NAMES: Readonly<Record<string, string>> = {
  ',': 'commas',
  ';': 'semicolons',
  '\t': 'tabs',
  '|': 'bars',
}

/** How many values of a column are shown. */
const MAX_VALUES = 4

/** How many people and genres of a row are shown. */
const MAX_NAMES = 3

/** Prints what each column of a table was taken for, and some rows as they would be read. */
export function printGuess(path: string, { mapping, columns, form, sampleRows, preview }: TableGuess): void {
  const { encoding, delimiter } = form
  const separated = DELIMITER_NAMES[delimiter] ?? JSON.stringify(delimiter)
  printLines(
    `${path}: guessed from its headings and ${formatCount(sampleRows, 'row')}`,
    `  text in ${encoding.label}${encoding.isAssumed ? ' (assumed)' : ''}, cells separated by ${separated}`,
    '',
  )
  printTable(
    ['column', 'becomes', 'how'],
    columns.map((column) => [column.heading, describeField(column), describeRule(column)]),
  )
  const { source, defaults = {}, linkTemplate } = mapping
  const constants = Object.entries(defaults).map(([field, value]) => `${field} ${value}`)
  printLines(
    '',
    `source ${source}; every row has ${constants.join(', ')}`,
    ...(linkTemplate === undefined ? [] : [`link ${linkTemplate}`]),
  )
  if (preview.length > 0) printLines('', 'The first rows would be read as:', ...preview.flatMap(describeRow))
}

function describeField({ rule, isKey, isInLink }: ColumnGuess): string {
  const parts = [...(rule === undefined ? [] : [rule.field]), ...(isKey ? ['id'] : []), ...(isInLink ? ['link'] : [])]
  return parts.length === 0 ? '-' : parts.join(', ')
}

function describeRule({ rule, reason, isKey, isInLink }: ColumnGuess): string {
  if (rule === undefined) return isKey || isInLink ? '' : `left out: ${reason ?? 'no field is known by this heading'}`
  if (rule.fallback === true) return 'where a cell is one; its other cells are left out'
  const { values, separator, format, scale } = rule
  const pairs = Object.entries(values ?? {}).map(([cell, value]) => `${cell} = ${value}`)
  return [
    ...(pairs.length > MAX_VALUES ? [...pairs.slice(0, MAX_VALUES), '…'] : pairs),
    ...(separator === undefined ? [] : [`list separated by ${JSON.stringify(separator)}`]),
    ...(format === undefined ? [] : [`dates as ${format}`]),
    ...(scale === undefined ? [] : [`0 to ${scale}`]),
  ].join(', ')
}

/** The lines that show a row: its title, its details, its offer. */
function describeRow({ line, record }: PreviewRow): string[] {
  if (record === undefined) return [`  line ${line}: skipped`]
  const { showType, title, releaseYear, firstAirYear, runtime, seasonCount, streamingOptions } = record
  const year = releaseYear ?? firstAirYear
  const length = [
    ...(typeof runtime === 'number' ? [`${runtime} min`] : []),
    ...(typeof seasonCount === 'number' ? [formatCount(seasonCount, 'season')] : []),
  ]
  const details = [
    ...length,
    ...describeNames('genres', record.genres),
    ...describeNames('by', record.directors ?? record.creators),
    ...describeNames('with', record.cast),
  ]
  return [
    `  line ${line}: ${showType} "${title}"${year === undefined ? '' : ` (${year})`}`,
    ...(details.length === 0 ? [] : [`    ${details.join('; ')}`]),
    ...describeOffers(streamingOptions),
  ]
}

function describeNames(label: string, list: unknown): string[] {
  if (!Array.isArray(list) || list.length === 0) return []
  const names = list.map((item) => (typeof item === 'string' ? item : String(Object(item).name)))
  return [`${label} ${names.slice(0, MAX_NAMES).join(', ')}${names.length > MAX_NAMES ? ' …' : ''}`]
}

function describeOffers(byCountry: unknown): string[] {
  const entries = Object.entries(Object(byCountry) as Record<string, Record<string, unknown>[]>)
  const [first] = entries.flatMap(([, options]) => options)
  if (first === undefined) return []
  const service = typeof first.service === 'string' ? first.service : Object(first.service).id
  const times = (['startsOn', 'expiresOn', 'availableSince'] as const).flatMap((name) => {
    const time = first[name]
    return typeof time === 'number' ? [`${name} ${formatInstant(time).slice(0, 10)}`] : []
  })
  const place = `${first.type} on ${service} in ${entries.map(([country]) => country).join(', ')}`
  return [`    ${[place, ...times].join(', ')}: ${first.link ?? 'no link'}`]
}
