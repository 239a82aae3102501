import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createInterface } from 'node:readline/promises'
import type { Catalog } from '../../catalog/catalog.ts'
import type { GivenOptions } from '../../connectors/connector.ts'
import {
  type ColumnGuess,
  guessTable,
  type PreviewRow,
  type TableGuess,
} from '../../connectors/csv/guess/guess-mapping.ts'
import { UserError } from '../../lib/errors.ts'
import { formatCount } from '../../runtime/progress.ts'
import { formatInstant, printLines, printTable } from '../terminal/output.ts'

/** What is done with a guessed mapping. */
interface GuessOptions {
  /** Where the mapping is written; by default beside the table. */
  readonly mappingFile?: string | undefined
  /** Whether the table is imported afterwards; otherwise nothing is written and nobody is asked. */
  readonly apply: boolean
  readonly yes: boolean
  readonly json: boolean
  /** Asks the operator; undefined if there is nobody to ask. */
  readonly ask?: ((question: string) => Promise<string>) | undefined
}

/** A mapping to import a table with. */
export interface AcceptedMapping {
  readonly mapping: object
  /** The file that it is in, if it was written. */
  readonly file?: string
}

/**
 * Makes a mapping for a table, shows it with some rows as they would be read, and asks whether it is right. Undefined if
 * the operator does not want the import.
 */
export async function guessFeedMapping(
  path: string,
  given: GivenOptions,
  catalog: Catalog,
  { mappingFile = toMappingFile(path), apply, yes, json, ask }: GuessOptions,
): Promise<AcceptedMapping | undefined> {
  const mustAsk = apply && !yes
  if (mustAsk && (json || ask === undefined)) {
    throw new UserError(
      'Nobody can be asked whether the guessed mapping is right: look at it with ' +
        '"marquee validate --guess", then import with --yes',
    )
  }
  if (path === '-') throw new UserError('--guess needs a file; standard input can be read only once')
  const guess = await guessTable(path, given, catalog)
  if (!json) printGuess(path, guess)
  if (guess.problems.length > 0) {
    throw new UserError([`The table ${path} needs more than it says itself.`, ...guess.problems].join('\n'))
  }
  const { mapping } = guess
  if (!apply) return { mapping }
  checkMappingFile(mappingFile, guess)
  const answer = mustAsk && ask !== undefined ? await askUntilClear(ask) : 'yes'
  if (answer === 'no') {
    printLines('Nothing was imported.')
    return undefined
  }
  writeFileSync(mappingFile, formatMapping(mapping))
  if (!json) printLines(`The mapping is in ${mappingFile}.`)
  if (answer === 'yes') return { mapping, file: mappingFile }
  printLines(`Change it, and import with: marquee import --mapping ${mappingFile} ${path}`)
  return undefined
}

/** Throws if there is another mapping, which may have been edited by hand. */
function checkMappingFile(file: string, { mapping }: TableGuess): void {
  if (!existsSync(file) || readFileSync(file, 'utf8') === formatMapping(mapping)) return
  throw new UserError(
    `${file} exists and differs from what is guessed now. Import with --mapping ${file}, delete it to guess anew, ` +
      'or name another file for the guessed mapping with --guess --mapping <file>',
  )
}

const QUESTION = '\nImport the table with this mapping? [y]es, [n]o, [w]rite the mapping only: '

async function askUntilClear(ask: (question: string) => Promise<string>): Promise<'yes' | 'no' | 'write'> {
  for (;;) {
    const answer = (await ask(QUESTION)).trim().toLowerCase()
    if (/^(y|yes)$/.test(answer)) return 'yes'
    if (/^(w|write)$/.test(answer)) return 'write'
    if (/^(n|no|)$/.test(answer)) return 'no'
  }
}

/** Asks on the terminal; undefined if standard input is none. */
export function terminalAsk(): ((question: string) => Promise<string>) | undefined {
  if (!process.stdin.isTTY) return undefined
  return async (question) => {
    const terminal = createInterface({ input: process.stdin, output: process.stderr })
    try {
      return await terminal.question(question)
    } finally {
      terminal.close()
    }
  }
}

function formatMapping(mapping: object): string {
  return `${JSON.stringify(mapping, null, 2)}\n`
}

/** The file beside a table that its mapping is written to: `titles.mapping.json` of `titles.csv.gz`. */
function toMappingFile(path: string): string {
  return `${path.replace(/\.gz$/i, '').replace(/\.(csv|tsv|txt)$/i, '')}.mapping.json`
}

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
