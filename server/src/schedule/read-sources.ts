import { dirname, resolve } from 'node:path'
import { checkOptions } from '../connectors/check-options.ts'
import { ConnectorError, type GivenOptions } from '../connectors/connector.ts'
import { CONNECTORS } from '../connectors/registry.ts'
import { formatValue, isObject, type JsonObject } from '../ingest/parse/fields.ts'
import { UserError } from '../lib/user-error.ts'
import { isCountryCode, normalizeCountryCode } from '../model/country.ts'
import { isServiceId } from '../model/service.ts'
import { isSourceName, SOURCE_NAME_RULE } from '../model/source.ts'
import { readDuration } from './duration.ts'
import { isWebAddress, type ScheduledImport, type ScheduledSource, type ScheduledSync } from './scheduled-source.ts'

/** Thrown when `sources.json` cannot be used; the message has a line for each problem. */
export class SourcesError extends UserError {
  override readonly name = 'SourcesError'
}

const SHORTEST_SECONDS = 10
const DEFAULT_TIMEOUT = 6 * 3_600
const DEFAULT_MAX_BYTES = 4 * 1024 ** 3
/** A source is stale after so many times its span, unless its entry says otherwise. */
const STALE_TIMES = 3

const COMMON = ['name', 'source', 'every', 'staleAfter', 'timeout']
const OF_IMPORTS = [...COMMON, 'from', 'format', 'options', 'mode', 'scope', 'maxBytes']
const TMDB_FLAGS = ['countries', 'languages', 'limit', 'only', 'providers', 'refreshDays', 'rate']
const OF_SYNCS = [...COMMON, 'sync', ...TMDB_FLAGS]

/** Reads the text of `sources.json`, which lies at a path: relative paths in it start there. */
export function readSources(text: string, path: string): ScheduledSource[] {
  let entries: unknown
  try {
    entries = JSON.parse(text)
  } catch (error) {
    throw new SourcesError(`${path} is not JSON: ${(error as Error).message}`)
  }
  if (!Array.isArray(entries))
    throw new SourcesError(`${path} holds ${formatValue(entries)}; a list of sources is needed`)
  const problems: string[] = []
  const sources = entries.map((entry, i) => readEntry(entry, new Problems(problems, nameOf(entry, i)), dirname(path)))
  const names = entries.map(nameOf)
  for (const name of new Set(names.filter((one, i) => names.indexOf(one) !== i))) {
    problems.push(`${name}: the name is given twice; every entry needs one of its own`)
  }
  if (problems.length > 0) throw new SourcesError(`${path} cannot be used:\n${problems.join('\n')}`)
  return sources as ScheduledSource[]
}

/** Gathers the problems of one entry. */
class Problems {
  private readonly all: string[]
  private readonly entry: string

  constructor(all: string[], entry: string) {
    this.all = all
    this.entry = entry
  }

  /** Notes what is wrong with a field and what would be right. */
  add(field: string, value: unknown, needed: string): undefined {
    this.say(`"${field}" is ${formatValue(value)}; ${needed} is needed`)
  }

  say(problem: string): undefined {
    this.all.push(`${this.entry}: ${problem}`)
  }
}

function nameOf(entry: unknown, i: number): string {
  return isObject(entry) && typeof entry.name === 'string' ? entry.name : `entry ${i + 1}`
}

function readEntry(entry: unknown, problems: Problems, folder: string): ScheduledSource | undefined {
  if (!isObject(entry)) return problems.say(`it is ${formatValue(entry)}; an object is needed`)
  const { name, source = name, from, sync } = entry
  if (typeof name !== 'string' || !isServiceId(name)) problems.add('name', name, 'letters, digits, "-" and "_"')
  if (typeof source !== 'string' || !isSourceName(source)) problems.add('source', source, SOURCE_NAME_RULE)
  if ((from === undefined) === (sync === undefined)) problems.say('either "from" or "sync" is needed')
  const known = sync === undefined ? OF_IMPORTS : OF_SYNCS
  for (const field of Object.keys(entry)) {
    if (!known.includes(field)) problems.say(`"${field}" is not known; known are ${known.join(', ')}`)
  }
  const every = duration(entry, 'every', problems) ?? 0
  if (entry.every === undefined) problems.add('every', undefined, 'a span such as "6 hours"')
  else if (every > 0 && every < SHORTEST_SECONDS)
    problems.add('every', entry.every, `at least ${SHORTEST_SECONDS} seconds`)
  const common = {
    name: String(name),
    source: String(source),
    every,
    staleAfter: duration(entry, 'staleAfter', problems) ?? every * STALE_TIMES,
    timeout: duration(entry, 'timeout', problems) ?? DEFAULT_TIMEOUT,
  }
  return sync === undefined
    ? { ...common, ...readImport(entry, problems, folder) }
    : { ...common, ...readSync(entry, problems, folder) }
}

function duration(entry: JsonObject, field: string, problems: Problems): number | undefined {
  const value = entry[field]
  if (value === undefined) return undefined
  return readDuration(value) ?? problems.add(field, value, 'a span such as "15 minutes", "6 hours" or "1 day"')
}

type ImportPart = Omit<ScheduledImport, 'name' | 'source' | 'every' | 'staleAfter' | 'timeout'>

function readImport(entry: JsonObject, problems: Problems, folder: string): ImportPart {
  const { from, format = 'native', mode, maxBytes = DEFAULT_MAX_BYTES } = entry
  if (from !== undefined && (typeof from !== 'string' || from === '')) {
    problems.add('from', from, 'a file, a folder or a web address')
  } else if (isWebAddress(String(from)) && !URL.canParse(String(from))) problems.add('from', from, 'a web address')
  if (mode !== undefined && mode !== 'snapshot' && mode !== 'delta') problems.add('mode', mode, '"snapshot" or "delta"')
  if (!Number.isSafeInteger(maxBytes) || (maxBytes as number) < 1) problems.add('maxBytes', maxBytes, 'a whole number')
  const options = readOptions(entry, String(format), problems)
  const scope = readScope(entry.scope, problems)
  return {
    kind: 'import',
    from: isWebAddress(String(from)) ? String(from) : resolve(folder, String(from)),
    format: String(format),
    options,
    ...(mode !== undefined && { mode: mode as 'snapshot' | 'delta' }),
    ...(scope !== undefined && { scope }),
    maxBytes: maxBytes as number,
  }
}

/** The options of the format, as its flags are given on the command line: texts, and true for switches. */
function readOptions({ options = {} }: JsonObject, format: string, problems: Problems): GivenOptions {
  const connector = CONNECTORS.find(({ name }) => name === format)
  if (connector === undefined) {
    problems.add('format', format, `one of ${CONNECTORS.map(({ name }) => name).join(', ')}`)
    return {}
  }
  const isGiven = (value: unknown) => value === true || typeof value === 'string'
  if (!isObject(options) || !Object.values(options).every(isGiven)) {
    problems.add('options', options, 'an object of texts, and of true for switches,')
    return {}
  }
  try {
    checkOptions(connector, options as GivenOptions)
  } catch (error) {
    if (!(error instanceof ConnectorError)) throw error
    for (const problem of error.message.split('\n')) problems.say(problem)
  }
  return options as GivenOptions
}

function readScope(scope: unknown, problems: Problems): ScheduledImport['scope'] {
  if (scope === undefined) return undefined
  if (!isObject(scope)) return problems.add('scope', scope, '{"countries":[…],"services":[…]}')
  const { countries, services, ...others } = scope
  for (const field of Object.keys(others)) problems.say(`"scope.${field}" is not known; known are countries, services`)
  const isCountry = (code: unknown) => typeof code === 'string' && isCountryCode(normalizeCountryCode(code))
  const isService = (id: unknown) => typeof id === 'string' && isServiceId(id)
  if (countries !== undefined && !(Array.isArray(countries) && countries.every(isCountry))) {
    problems.add('scope.countries', countries, 'a list of country codes')
  }
  if (services !== undefined && !(Array.isArray(services) && services.every(isService))) {
    problems.add('scope.services', services, 'a list of service ids')
  }
  return {
    ...(Array.isArray(countries) && { countries: countries.map((code) => normalizeCountryCode(String(code))) }),
    ...(Array.isArray(services) && { services: services as string[] }),
  }
}

type SyncPart = Omit<ScheduledSync, 'name' | 'source' | 'every' | 'staleAfter' | 'timeout'>

/** What a sync is told is checked by the sync itself; here only that it can be told. */
function readSync(entry: JsonObject, problems: Problems, folder: string): SyncPart {
  if (entry.sync !== 'tmdb') problems.add('sync', entry.sync, '"tmdb"')
  if (entry.countries === undefined) problems.add('countries', undefined, 'a list such as ["us","gb"]')
  const flags: Record<string, string> = {}
  for (const flag of TMDB_FLAGS) {
    const value = entry[flag]
    if (value === undefined) continue
    const list = Array.isArray(value) && value.every((one) => typeof one === 'string')
    if (list) flags[flag] = value.join(',')
    else if (typeof value === 'string' || typeof value === 'number') flags[flag] = String(value)
    else
      problems.add(flag, value, flag === 'countries' || flag === 'languages' ? 'a list of codes' : 'a text or a number')
  }
  if (flags.providers !== undefined) flags.providers = resolve(folder, flags.providers)
  return { kind: 'sync', with: 'tmdb', flags }
}
