import { stat } from 'node:fs/promises'
import { basename } from 'node:path'
import type { Catalog } from '../../../catalog/catalog.ts'
import { findService } from '../../../catalog/storage/reference.ts'
import type { FeedLine } from '../../../ingest/lines/feed-lines.ts'
import { describeSystemError } from '../../../lib/errors.ts'
import { ConnectorError, checkOptions, type GivenOptions } from '../../connector.ts'
import { ScratchFolder } from '../../streams/external-sort.ts'
import { readSample, type TableSample } from '../csv-connector.ts'
import { type ColumnRule, type CsvField, type CsvMapping, REQUIRED_FIELDS, templateHeadings } from '../csv-mapping.ts'
import { CSV_OPTIONS, findKnownService, resolveServices, splitCountryCodes } from '../csv-options.ts'
import { ColumnNotices, CsvRowReader } from '../csv-row.ts'
import { CsvShows } from '../csv-shows.ts'
import { detectTableForm, type TableForm } from '../csv-table.ts'
import { AGE_RATINGS, ColumnProfile, guessKey, guessRule, toHeadingKey } from './guess-column.ts'
import headingNames from './headings.json' with { type: 'json' }

/** What a column was taken for. */
export interface ColumnGuess {
  readonly heading: string
  /** How its cells are read; undefined if it is left out. */
  readonly rule?: ColumnRule
  /** Whether it is part of the table's own id of a title. */
  readonly isKey: boolean
  /** Whether the link template names it. */
  readonly isInLink: boolean
  /** Why it is left out. */
  readonly reason?: string
}

/** A mapping that was made from a table, with an account of every column. */
export interface GuessedMapping {
  readonly mapping: CsvMapping
  readonly columns: readonly ColumnGuess[]
  /** What has to be told before the table can be imported. */
  readonly problems: readonly string[]
}

/** What a table is guessed from beside its cells. */
interface GuessContext {
  readonly path: string
  readonly form: TableForm
  readonly options: GivenOptions
  readonly catalog: Catalog
}

/** Normalized headings of each field, the likeliest first. */
const HEADINGS = Object.entries(headingNames).map(
  ([field, names]) => [field as CsvField, names.map(toHeadingKey)] as const,
)

/** Makes a mapping from the headings and the first rows of a table, and from what the operator gave. */
function guessMapping(sample: TableSample, context: GuessContext): GuessedMapping {
  const { options } = context
  const profiles = sample.headings.map((heading, i) => new ColumnProfile(heading, i, sample.rows))
  const named = profiles.filter(({ heading }, i) => heading !== '' && sample.headings.indexOf(heading) === i)
  const columns = new ColumnAssignment(named, options)
  columns.assign()
  const { rules, reasons } = columns
  const problems = [...columns.problems]
  const { linkTemplate } = options
  const template = typeof linkTemplate === 'string' ? linkTemplate : undefined
  const inLink = new Set(
    (template === undefined ? [] : templateHeadings(template)).map((heading) => heading.toLowerCase()),
  )
  if (template !== undefined) problems.push(...findUnknownHeadings(template, named))
  problems.push(...findValuesAsHeadings(named))
  const key = guessKey(named, rules)
  const defaults = findDefaults(options, rules)
  const mapping: CsvMapping = {
    source: `csv/${defaults.service ?? basename(context.path).replace(/(\.[a-z]+)+$/i, '')}`,
    mode: 'snapshot',
    ...findScope(defaults, rules),
    ...(context.form.encoding.label !== 'utf-8' && { encoding: context.form.encoding.label }),
    delimiter: context.form.delimiter,
    columns: Object.fromEntries(rules),
    ...(key.length > 0 && { key }),
    ...(template !== undefined && { linkTemplate: template }),
    defaults,
    ...describeService(defaults.service, context),
  }
  problems.push(...findMissing(mapping, rules, named), ...findServiceFlags(named, defaults.service))
  return {
    mapping,
    columns: named.map(({ heading }) => {
      const rule = rules.get(heading)
      const reason = reasons.get(heading)
      return {
        heading,
        isKey: key.includes(heading),
        isInLink: inLink.has(heading.toLowerCase()),
        ...(rule !== undefined && { rule }),
        ...(rule === undefined && reason !== undefined && { reason }),
      }
    }),
    problems,
  }
}

/** Assigns columns to fields: by their headings first, if the cells agree, then ids and links by their cells alone. */
class ColumnAssignment {
  readonly rules = new Map<string, ColumnRule>()
  readonly reasons = new Map<string, string>()
  readonly problems: string[] = []
  private readonly profiles: readonly ColumnProfile[]
  private readonly options: GivenOptions

  constructor(profiles: readonly ColumnProfile[], options: GivenOptions) {
    this.profiles = profiles
    this.options = options
  }

  assign(): void {
    for (const [field, names] of HEADINGS) {
      if (field === 'link' && this.options.linkTemplate !== undefined) continue
      this.assignByHeading(field, names)
    }
    for (const field of ['directors', 'creators', 'cast', 'genres'] as const) this.assignNumbered(field)
    this.assignStrayDurations()
    this.assignByCells('imdbId', (cell) => /^tt\d{6,10}$/.test(cell))
    if (this.options.linkTemplate === undefined) {
      this.assignByCells(
        'link',
        (cell) => /^https?:\/\/\S+$/i.test(cell) && !/\.(jpe?g|png|webp|gif|svg)\b/i.test(cell),
      )
    }
  }

  /** In the well-known lists, durations stray into the column of age ratings. */
  private assignStrayDurations(): void {
    if (![...this.rules.values()].some(({ field }) => field === 'duration')) return
    for (const [heading, reason] of this.reasons) {
      if (reason === AGE_RATINGS) this.rules.set(heading, { field: 'duration', fallback: true })
    }
  }

  private assignByHeading(field: CsvField, names: readonly string[]): void {
    for (const name of names) {
      const named = this.profiles.filter(({ heading, keys }) => keys.includes(name) && !this.rules.has(heading))
      if (named.some((profile) => this.tryRule(field, profile))) return
    }
  }

  /** Further columns of a list: `Star1`, `Star2`, `actor_3_name`. */
  private assignNumbered(field: CsvField): void {
    const names = HEADINGS.find(([one]) => one === field)?.[1] ?? []
    for (const profile of this.profiles) {
      if (this.rules.has(profile.heading) || !/\d/.test(profile.heading)) continue
      if (profile.keys.some((key) => names.includes(key.replace(/\d+/g, '')))) this.tryRule(field, profile)
    }
  }

  private tryRule(field: CsvField, profile: ColumnProfile): boolean {
    const guess = guessRule(field, profile, this.options)
    if ('rule' in guess) this.rules.set(profile.heading, guess.rule)
    else if ('problem' in guess) this.problems.push(guess.problem)
    else this.reasons.set(profile.heading, guess.rejected)
    return !('rejected' in guess)
  }

  private assignByCells(field: CsvField, test: (cell: string) => boolean): void {
    if ([...this.rules.values()].some((rule) => rule.field === field)) return
    const profile = this.profiles.find((one) => !this.rules.has(one.heading) && one.share(test) > 0.95)
    if (profile !== undefined) this.rules.set(profile.heading, { field })
  }
}

/** What the operator gave for fields that the table lacks; offers are subscriptions unless something says otherwise. */
function findDefaults(
  { service, countries, offerType, showType }: GivenOptions,
  rules: ReadonlyMap<string, ColumnRule>,
): Partial<Record<CsvField, string>> {
  const hasType = [...rules.values()].some(({ field }) => field === 'type')
  return {
    ...(typeof service === 'string' && { service }),
    ...(typeof countries === 'string' && { country: countries }),
    ...(typeof offerType === 'string' ? { type: offerType } : hasType ? {} : { type: 'subscription' }),
    ...(typeof showType === 'string' && { showType }),
  }
}

/** A table of one service in given countries is complete for these only: one of another country removes nothing of it. */
function findScope(
  { service, country }: Partial<Record<CsvField, string>>,
  rules: ReadonlyMap<string, ColumnRule>,
): Pick<CsvMapping, 'scope'> {
  const fields = new Set([...rules.values()].map(({ field }) => field))
  const countries = fields.has('country') || country === undefined ? undefined : splitCountryCodes(country)
  const services = fields.has('service') || service === undefined ? undefined : [service]
  if (countries === undefined && services === undefined) return {}
  return { scope: { ...(countries !== undefined && { countries }), ...(services !== undefined && { services }) } }
}

/** The record of a service that nothing else describes. */
function describeService(id: string | undefined, { options, catalog }: GuessContext): Pick<CsvMapping, 'reference'> {
  const { serviceName, linkTemplate } = options
  if (id === undefined || typeof serviceName !== 'string' || findService(catalog.reference(), id) !== undefined)
    return {}
  const homePage = typeof linkTemplate === 'string' ? { homePage: new URL(linkTemplate).origin } : {}
  return { reference: [{ kind: 'service', id, name: serviceName, ...homePage }] }
}

/** Numbers, addresses and ids, which stand in cells and not above them. */
const VALUE = /^\d+([.,]\d+)?$|^https?:|^tt\d{5,}$/i

/** A table without headings has its first row in their place. */
function findValuesAsHeadings(profiles: readonly ColumnProfile[]): string[] {
  const value = profiles.find(({ heading }) => VALUE.test(heading))?.heading
  if (value === undefined) return []
  return [`The first row has values such as ${JSON.stringify(value)} in place of headings: add a row with the headings`]
}

function findUnknownHeadings(template: string, profiles: readonly ColumnProfile[]): string[] {
  const known = new Set(profiles.map(({ heading }) => heading.toLowerCase()))
  const unknown = templateHeadings(template).filter((heading) => !known.has(heading.toLowerCase()))
  if (unknown.length === 0) return []
  const names = profiles.map(({ heading }) => heading).join(', ')
  return [`--link-template names {${unknown.join('}, {')}}, which is no column; the columns are ${names}`]
}

/** Cells that say whether a title is on the service of their column. */
const FLAG = /^(0|1|yes|no|true|false|x|-|y|n)(\.0)?$/i
const NO_FLAG = /^(0|no|false|-|n)(\.0)?$/i

/** A table with a column for each service has to be split: which rows are on a service is no field of a row. */
function findServiceFlags(profiles: readonly ColumnProfile[], service: string | undefined): string[] {
  const flags = profiles.flatMap((profile) => {
    const id = findKnownService(profile.heading)
    return id !== undefined && profile.share((cell) => FLAG.test(cell)) === 1 ? [{ id, profile }] : []
  })
  const own = flags.find(({ id }) => id === service)
  const isSplit = own?.profile.all.every((cell) => cell !== '' && !NO_FLAG.test(cell)) ?? false
  if (flags.length === 0 || isSplit || (own === undefined && service !== undefined)) return []
  const headings = flags.map(({ profile }) => profile.heading).join(', ')
  return [
    `The table has a column for each service: ${headings}. Make a table of the rows of one service, and import it ` +
      `with --service ${service ?? flags[0]?.id}; then the same for the others`,
  ]
}

/** The flags that give a field which the table lacks. */
const FLAGS: Readonly<Record<(typeof REQUIRED_FIELDS)[number], string>> = {
  title: '',
  showType: 'whether its titles are movies or series: give --show-type movie or --show-type series',
  country: 'in which countries its titles can be watched: give --countries, such as --countries us,gb',
  service: 'which service it is of: give --service, such as --service netflix',
  type: 'how its titles can be watched: give --offer-type',
  link: "where its titles can be watched: give --link-template, such as 'https://acme.example/watch/{COLUMN}'",
}

function findMissing(
  mapping: CsvMapping,
  rules: ReadonlyMap<string, ColumnRule>,
  profiles: readonly ColumnProfile[],
): string[] {
  const given = new Set<CsvField>([
    ...[...rules.values()].map(({ field }) => field),
    ...(Object.keys(mapping.defaults ?? {}) as CsvField[]),
    ...(mapping.linkTemplate === undefined ? [] : (['link'] as const)),
  ])
  if (given.has('duration') || given.has('season')) given.add('showType')
  const headings = profiles.map(({ heading }) => heading).join(', ')
  return REQUIRED_FIELDS.filter((field) => !given.has(field)).map((field) =>
    field === 'title'
      ? `No column is recognised as the title; the columns are ${headings}. Delete rows above the headings if there are any, or write a mapping, see docs/feeds.md`
      : `The table does not say ${FLAGS[field]}`,
  )
}

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
