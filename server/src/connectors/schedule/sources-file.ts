import { dirname, resolve } from 'node:path'
import { formatValue, isObject, type JsonObject } from '../../ingest/parse/fields.ts'
import { UserError } from '../../lib/errors.ts'
import { ownEntry } from '../../lib/objects.ts'
import { isCountryCode, normalizeCountryCode } from '../../model/country.ts'
import { isServiceId } from '../../model/service.ts'
import { isSourceName, SOURCE_NAME_RULE } from '../../model/source-ranks.ts'
import { ConnectorError, checkOptions, type GivenOptions } from '../connector.ts'
import { findConnector, listFormats } from '../registry.ts'
import { parseRanks } from './source-ranks-file.ts'

/** The fields of every entry of `sources.json`. Names are those of the file; its hash is stored with the state. */
interface ScheduledBase {
  /** The name of the entry, and by default of its source in the catalog. */
  readonly name: string
  readonly source: string
  /** Interval between runs, in seconds. */
  readonly every: number
  /** Seconds without a successful run after which the source is stale. */
  readonly staleAfter: number
  /** The longest run, in seconds. */
  readonly timeout: number
}

/** An import of a file, a folder or a URL. */
export interface ScheduledImport extends ScheduledBase {
  readonly kind: 'import'
  /** An absolute path, or a URL. */
  readonly from: string
  readonly format: string
  readonly options: GivenOptions
  readonly mode?: 'snapshot' | 'delta'
  readonly scope?: { readonly countries?: readonly string[]; readonly services?: readonly string[] }
  readonly maxBytes: number
  /** Headers of downloads. `$NAME` in a value stands for a variable of the environment, so that no token is in the file. */
  readonly headers?: Readonly<Record<string, string>>
}

/** A sync with an API, with the flags of `marquee sync`. */
interface ScheduledSync extends ScheduledBase {
  readonly kind: 'sync'
  readonly with: string
  readonly flags: Readonly<Record<string, string | boolean>>
}

/** An entry of `sources.json`. */
export type ScheduledSource = ScheduledImport | ScheduledSync

/** Whether a source is downloaded. */
export function isWebUrl(from: string): boolean {
  return /^https?:\/\//i.test(from)
}

/** Thrown for an invalid `sources.json`; the message has a line for each problem. */
export class SourcesError extends UserError {
  override readonly name = 'SourcesError'
}

const MIN_INTERVAL_SECONDS = 10
const DEFAULT_TIMEOUT_SECONDS = 6 * 3_600
const DEFAULT_MAX_BYTES = 4 * 1024 ** 3
/** The default of `staleAfter`, in intervals. */
const STALE_AFTER_INTERVALS = 3

const COMMON_FIELDS = ['name', 'source', 'every', 'staleAfter', 'timeout']
const IMPORT_FIELDS = [...COMMON_FIELDS, 'from', 'format', 'options', 'mode', 'scope', 'maxBytes', 'headers']

/** The flags of each sync that an entry may have, and those that it must have. */
const SYNC_FLAGS: Readonly<
  Record<string, { readonly flags: readonly string[]; readonly required: readonly string[] }>
> = {
  tmdb: {
    flags: ['countries', 'languages', 'limit', 'only', 'providers', 'refreshDays', 'rate'],
    required: ['countries'],
  },
  watchmode: {
    flags: ['countries', 'only', 'known', 'limit', 'providers', 'refreshDays', 'images', 'rate', 'keep', 'maxRequests'],
    required: ['countries'],
  },
  tvmaze: {
    flags: ['countries', 'create', 'limit', 'providers', 'refreshDays', 'rate'],
    required: [],
  },
  v4: {
    flags: [
      ...['from', 'key', 'keyHeader', 'countries', 'catalogs', 'languages', 'facts'],
      ...['refreshDays', 'rate', 'keep', 'maxRequests'],
    ],
    required: ['from'],
  },
}

/** Flags that are on or off. */
const SWITCHES: ReadonlySet<string> = new Set(['known', 'images', 'create'])

/** Descriptions of flags that are no text or number. */
const LIST_FLAGS: Readonly<Record<string, string>> = {
  countries: 'a list such as ["us","gb"]',
  languages: 'a list such as ["en","de"]',
  catalogs: 'a list such as ["netflix","prime.rent"]',
  from: 'a web address',
}

/**
 * Parses the text of `sources.json`: a list of sources, or an object with `sources` and `ranks`. Relative paths in it are
 * resolved from the folder of the file.
 */
export function parseSources(text: string, path: string): ScheduledSource[] {
  let content: unknown
  try {
    content = JSON.parse(text)
  } catch (error) {
    throw new SourcesError(`${path} is not JSON: ${(error as Error).message}`)
  }
  const problems: string[] = []
  const entries = takeEntries(content, problems)
  if (!Array.isArray(entries)) {
    throw new SourcesError(`${path} holds ${formatValue(content)}; a list of sources is needed`)
  }
  const sources = entries.map((entry, i) =>
    parseEntry(entry, new Problems(problems, entryName(entry, i)), dirname(path)),
  )
  const names = entries.map(entryName)
  for (const name of new Set(names.filter((name, i) => names.indexOf(name) !== i))) {
    problems.push(`${name}: the name is given twice; every entry needs one of its own`)
  }
  if (problems.length > 0) throw new SourcesError(`${path} cannot be used:\n${problems.join('\n')}`)
  return sources as ScheduledSource[]
}

/** The entries of the file. Beside them it may have ranks. */
function takeEntries(content: unknown, problems: string[]): unknown {
  if (!isObject(content) || (content.sources === undefined && content.ranks === undefined)) return content
  const { sources = [], ranks, ...others } = content
  for (const field of Object.keys(others)) problems.push(`"${field}" is not known; known are sources, ranks`)
  parseRanks(ranks, (problem) => problems.push(problem))
  return sources
}

/** Collects the problems of one entry. */
class Problems {
  private readonly all: string[]
  private readonly entry: string

  constructor(all: string[], entry: string) {
    this.all = all
    this.entry = entry
  }

  /** Adds the problem of a field, with a description of a valid value. */
  addField(field: string, value: unknown, needed: string): undefined {
    this.add(`"${field}" is ${formatValue(value)}; ${needed} is needed`)
  }

  add(problem: string): undefined {
    this.all.push(`${this.entry}: ${problem}`)
  }
}

/** The name of an entry in messages. */
function entryName(entry: unknown, i: number): string {
  return isObject(entry) && typeof entry.name === 'string' ? entry.name : `entry ${i + 1}`
}

function parseEntry(entry: unknown, problems: Problems, folder: string): ScheduledSource | undefined {
  if (!isObject(entry)) return problems.add(`it is ${formatValue(entry)}; an object is needed`)
  const { name, source = name, from, sync } = entry
  if (typeof name !== 'string' || !isServiceId(name)) problems.addField('name', name, 'letters, digits, "-" and "_"')
  if (typeof source !== 'string' || !isSourceName(source)) problems.addField('source', source, SOURCE_NAME_RULE)
  const flags = ownEntry(SYNC_FLAGS, String(sync))?.flags ?? SYNC_FLAGS.tmdb?.flags ?? []
  const hasBoth = from !== undefined && sync !== undefined && !flags.includes('from')
  if (hasBoth || (from === undefined && sync === undefined)) problems.add('either "from" or "sync" is needed')
  const known = sync === undefined ? IMPORT_FIELDS : [...COMMON_FIELDS, 'sync', ...flags]
  for (const field of Object.keys(entry)) {
    if (!known.includes(field)) problems.add(`"${field}" is not known; known are ${known.join(', ')}`)
  }
  const every = parseDurationField(entry, 'every', problems) ?? 0
  if (entry.every === undefined) problems.addField('every', undefined, 'a span such as "6 hours"')
  else if (every > 0 && every < MIN_INTERVAL_SECONDS) {
    problems.addField('every', entry.every, `at least ${MIN_INTERVAL_SECONDS} seconds`)
  }
  const common = {
    name: String(name),
    source: String(source),
    every,
    staleAfter: parseDurationField(entry, 'staleAfter', problems) ?? every * STALE_AFTER_INTERVALS,
    timeout: parseDurationField(entry, 'timeout', problems) ?? DEFAULT_TIMEOUT_SECONDS,
  }
  return sync === undefined
    ? { ...common, ...parseImport(entry, problems, folder) }
    : { ...common, ...parseSync(entry, problems, folder) }
}

function parseDurationField(entry: JsonObject, field: string, problems: Problems): number | undefined {
  const value = entry[field]
  if (value === undefined) return undefined
  return parseDuration(value) ?? problems.addField(field, value, 'a span such as "15 minutes", "6 hours" or "1 day"')
}

type ImportPart = Omit<ScheduledImport, 'name' | 'source' | 'every' | 'staleAfter' | 'timeout'>

function parseImport(entry: JsonObject, problems: Problems, folder: string): ImportPart {
  const { from, format = 'native', mode, maxBytes = DEFAULT_MAX_BYTES } = entry
  if (from !== undefined && (typeof from !== 'string' || from === '')) {
    problems.addField('from', from, 'a file, a folder or a web address')
  } else if (isWebUrl(String(from)) && !URL.canParse(String(from))) problems.addField('from', from, 'a web address')
  if (mode !== undefined && mode !== 'snapshot' && mode !== 'delta') {
    problems.addField('mode', mode, '"snapshot" or "delta"')
  }
  if (!Number.isSafeInteger(maxBytes) || (maxBytes as number) < 1) {
    problems.addField('maxBytes', maxBytes, 'a whole number')
  }
  const options = parseOptions(entry, String(format), problems)
  const scope = parseScope(entry.scope, problems)
  return {
    kind: 'import',
    from: isWebUrl(String(from)) ? String(from) : resolve(folder, String(from)),
    format: String(format),
    options,
    ...(mode !== undefined && { mode: mode as 'snapshot' | 'delta' }),
    ...(scope !== undefined && { scope }),
    maxBytes: maxBytes as number,
    ...parseHeaders(entry, problems),
  }
}

/** A name of a header, as RFC 9110 defines it. */
const HEADER_NAME = /^[\w!#$%&'*+.^`|~-]+$/

/** Text that a header can have. */
const HEADER_VALUE = /^[\t\x20-\x7e]*$/

function parseHeaders({ headers, from }: JsonObject, problems: Problems): Pick<ScheduledImport, 'headers'> {
  if (headers === undefined) return {}
  const isValid =
    isObject(headers) &&
    Object.entries(headers).every(
      ([name, value]) => HEADER_NAME.test(name) && typeof value === 'string' && HEADER_VALUE.test(value),
    )
  if (!isValid) problems.addField('headers', headers, 'an object such as {"Authorization":"Bearer $TOKEN"}')
  else if (!isWebUrl(String(from))) problems.add('"headers" are for a web address only')
  return { headers: headers as Readonly<Record<string, string>> }
}

/** The headers of downloads, with the variables of the environment. Throws if one of them is not set. */
export function resolveHeaders(
  { headers = {} }: Pick<ScheduledImport, 'headers'>,
  env: Readonly<Record<string, string | undefined>>,
): Readonly<Record<string, string>> {
  const resolve = (_: string, name: string) => {
    const value = env[name]
    if (value) return value
    throw new UserError(`The headers need the variable ${name}, which is not set`)
  }
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, value.replace(/\$([A-Z_][A-Z\d_]*)/g, resolve)]),
  )
}

/** The options of the format: texts, and true for switches. */
function parseOptions({ options = {} }: JsonObject, format: string, problems: Problems): GivenOptions {
  const connector = findConnector(format)
  if (connector === undefined) {
    problems.addField('format', format, `one of ${listFormats()}`)
    return {}
  }
  const isOptionValue = (value: unknown) => value === true || typeof value === 'string'
  if (!isObject(options) || !Object.values(options).every(isOptionValue)) {
    problems.addField('options', options, 'an object of texts, and of true for switches,')
    return {}
  }
  try {
    checkOptions(connector, options as GivenOptions)
  } catch (error) {
    if (!(error instanceof ConnectorError)) throw error
    for (const problem of error.message.split('\n')) problems.add(problem)
  }
  return options as GivenOptions
}

function parseScope(scope: unknown, problems: Problems): ScheduledImport['scope'] {
  if (scope === undefined) return undefined
  if (!isObject(scope)) return problems.addField('scope', scope, '{"countries":[…],"services":[…]}')
  const { countries, services, ...others } = scope
  for (const field of Object.keys(others)) problems.add(`"scope.${field}" is not known; known are countries, services`)
  const isCountry = (code: unknown) => typeof code === 'string' && isCountryCode(normalizeCountryCode(code))
  const isService = (id: unknown) => typeof id === 'string' && isServiceId(id)
  if (countries !== undefined && !(Array.isArray(countries) && countries.every(isCountry))) {
    problems.addField('scope.countries', countries, 'a list of country codes')
  }
  if (services !== undefined && !(Array.isArray(services) && services.every(isService))) {
    problems.addField('scope.services', services, 'a list of service ids')
  }
  return {
    ...(Array.isArray(countries) && { countries: countries.map((code) => normalizeCountryCode(String(code))) }),
    ...(Array.isArray(services) && { services: services as string[] }),
  }
}

type SyncPart = Omit<ScheduledSync, 'name' | 'source' | 'every' | 'staleAfter' | 'timeout'>

/** Converts the fields of a sync into flags. Their values are checked by the sync command. */
function parseSync(entry: JsonObject, problems: Problems, folder: string): SyncPart {
  const name = String(entry.sync)
  const sync = ownEntry(SYNC_FLAGS, name)
  if (sync === undefined) {
    const names = Object.keys(SYNC_FLAGS).map((one) => `"${one}"`)
    problems.addField('sync', entry.sync, `one of ${names.join(', ')}`)
  }
  for (const flag of sync?.required ?? ['countries']) {
    if (entry[flag] === undefined) problems.addField(flag, undefined, LIST_FLAGS[flag] ?? 'a text')
  }
  const flags: Record<string, string | boolean> = {}
  for (const flag of sync?.flags ?? []) {
    const value = entry[flag]
    if (value === undefined) continue
    const isList = Array.isArray(value) && value.every((item) => typeof item === 'string')
    const isSwitch = SWITCHES.has(flag)
    if (isSwitch && typeof value === 'boolean') flags[flag] = value
    else if (!isSwitch && isList) flags[flag] = value.join(',')
    else if (!isSwitch && (typeof value === 'string' || typeof value === 'number')) flags[flag] = String(value)
    else {
      const needed = flag === 'countries' || flag === 'languages' ? 'a list of codes' : LIST_FLAGS[flag]
      problems.addField(flag, value, needed ?? (isSwitch ? 'true or false' : 'a text or a number'))
    }
  }
  if (typeof flags.providers === 'string') flags.providers = resolve(folder, flags.providers)
  return { kind: 'sync', with: name, flags }
}

const SECONDS_BY_UNIT: Readonly<Record<string, number>> = {
  second: 1,
  minute: 60,
  hour: 3_600,
  day: 86_400,
  week: 604_800,
}

/** Parses a duration such as `90 seconds`, `15 minutes`, `6 hours` or `1 day` into seconds; undefined if it is none. */
export function parseDuration(text: unknown): number | undefined {
  const match = typeof text === 'string' ? /^(\d{1,6}) ?(second|minute|hour|day|week)s?$/.exec(text.trim()) : null
  if (match === null) return undefined
  const seconds = Number(match[1]) * (SECONDS_BY_UNIT[match[2] as string] as number)
  return seconds > 0 ? seconds : undefined
}

/** Formats a duration in the largest unit that divides it. */
export function formatDuration(seconds: number): string {
  const [unit, size] = Object.entries(SECONDS_BY_UNIT).findLast(([, size]) => seconds % size === 0) as [string, number]
  const count = seconds / size
  return `${count} ${unit}${count === 1 ? '' : 's'}`
}
