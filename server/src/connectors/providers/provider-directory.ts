import { isObject } from '../../ingest/parse/fields.ts'
import { ownEntry } from '../../lib/objects.ts'
import { isAddonId, isServiceId, PROVIDER_ROWS, type ProviderRow } from '../../model/service.ts'
import knownServices from '../records/known-services.json' with { type: 'json' }
import { slugify } from '../records/values.ts'
import otherNames from './other-names.json' with { type: 'json' }
import resellerData from './resellers.json' with { type: 'json' }

/** Service ids of providers that are in no table, by provider id, so that a renamed provider keeps its id. */
export type AssignedServices = Map<number, string>

/** A remark on a provider, which becomes a notice of the import. */
interface ProviderNote {
  readonly note: 'unknown_provider'
  readonly detail: string
  /** The provider id. */
  readonly record: string
}

/**
 * Maps the providers of an API to services: by the operator's mapping, else by provider id, else as a channel of a
 * reseller, else by name and country. Any other provider becomes a service with an id from its name, which is kept for
 * its provider id.
 */
export class ProviderDirectory {
  private readonly mapping: ProviderMapping
  private readonly assigned: AssignedServices
  private readonly reported = new Set<number>()
  private notes: ProviderNote[] = []

  constructor(mapping: ProviderMapping = new Map(), assigned: AssignedServices = new Map()) {
    this.mapping = mapping
    this.assigned = assigned
  }

  /**
   * The service or addon of a provider in a country; undefined if the operator left it out.
   * @param known what the provider id stands for, if that is known
   */
  find(id: number, text: string, country: string, known?: ProviderRow): MappedProvider | undefined {
    const name = text.trim().replace(/\s+/g, ' ')
    const key = `${id}:${country}`
    const mapped = this.mapping.get(this.mapping.has(key) ? key : id)
    if (mapped !== undefined) return mapped === null ? undefined : { name, ...mapped }
    const row = known ?? this.findAssigned(id)
    if (row !== undefined) return toMapped(row, name)
    const channel = splitChannel(name)
    const addon = channel && toAddonId(channel.channel)
    if (channel !== undefined && addon !== undefined) {
      return { service: channel.service, addon, name: findChannelName(channel.channel, country) }
    }
    const sameName = findProviderByName(name, country)
    return sameName === undefined ? this.assign(id, name) : toMapped(sameName, name)
  }

  /** Notes about providers that are in no table, each once. */
  takeNotes(): ProviderNote[] {
    const { notes } = this
    this.notes = []
    return notes
  }

  private findAssigned(id: number): MappedProvider | undefined {
    const service = this.assigned.get(id)
    return service === undefined ? undefined : { service }
  }

  private assign(id: number, name: string): MappedProvider {
    const slug = slugify(name.replaceAll('+', 'plus')) ?? `provider-${id}`
    // The id may be that of a known service, or of another unknown provider of the same name in another country.
    const isTaken = isTableService(slug) || [...this.assigned.values()].includes(slug)
    const service = isTaken ? `${slug.slice(0, 54)}-${id}` : slug
    this.assigned.set(id, service)
    if (!this.reported.has(id)) {
      this.reported.add(id)
      const detail = `Provider ${id}, "${name}", becomes the service ${service}; a mapping (--providers) can change that`
      this.notes.push({ note: 'unknown_provider', detail, record: String(id) })
    }
    return { service, name }
  }
}

/** The name of the service of a provider. The name of an addon is not that of its service. */
export function findServiceName({ service, addon, name }: MappedProvider): string {
  return (addon === undefined ? name : undefined) ?? tableServiceName(service) ?? service
}

function toMapped({ service, addon }: Pick<MappedProvider, 'service' | 'addon'>, name: string): MappedProvider {
  if (addon === undefined) return { service, name: tableServiceName(service) ?? name }
  return { service, addon, name: splitChannel(name)?.channel ?? name }
}

/** A channel of a known service has the name of that service. */
function findChannelName(channel: string, country: string): string {
  const row = findProviderByName(channel, country)
  return (row !== undefined && row.addon === undefined ? tableServiceName(row.service) : undefined) ?? channel
}

/** A provider in the catalog: a service, or an addon of one. */
export interface MappedProvider {
  readonly service: string
  readonly addon?: string
  /** The name of the service or addon; by default the API's name of the provider. */
  readonly name?: string
}

/** The operator's mapping, by provider id, or by id and country (`39:gb`). A provider mapped to null is left out. */
export type ProviderMapping = ReadonlyMap<number | string, MappedProvider | null>

/** Thrown for an invalid mapping; the message has a line for each problem. */
class ProviderMappingError extends Error {
  override readonly name = 'ProviderMappingError'
}

/** Parses a mapping: `{"9001":{"service":"lantern"},"582":{"service":"prime","addon":"paramountplus"},"39:it":null}`. */
export function parseProviderMapping(value: unknown): ProviderMapping {
  if (!isObject(value)) throw new ProviderMappingError('an object from provider ids to services is needed')
  const problems: string[] = []
  const mapping = new Map<number | string, MappedProvider | null>()
  for (const [id, provider] of Object.entries(value)) {
    const problem = findMappingProblem(id, provider)
    if (problem !== undefined) problems.push(problem)
    else mapping.set(id.includes(':') ? id.toLowerCase() : Number(id), provider as MappedProvider | null)
  }
  if (problems.length > 0) throw new ProviderMappingError(problems.join('\n'))
  return mapping
}

/** The entries of a mapping in a fixed order, for a key of what records depend on. */
export function sortMapping(mapping: ProviderMapping): readonly unknown[] {
  return [...mapping].sort(([a], [b]) => (String(a) < String(b) ? -1 : 1))
}

function findMappingProblem(id: string, provider: unknown): string | undefined {
  if (!/^\d{1,9}(:[a-z]{2})?$/i.test(id)) {
    return `"${id}" is no provider id; a whole number such as "8" is needed, or one with a country such as "39:gb"`
  }
  if (provider === null) return undefined
  if (!isObject(provider)) return `"${id}" is mapped to ${JSON.stringify(provider)}; {"service": …} or null is needed`
  const { service, addon, name, ...others } = provider
  if (typeof service !== 'string' || !isServiceId(service)) {
    return `"${id}" has the service ${JSON.stringify(service)}; an id such as "netflix" is needed`
  }
  if (addon !== undefined && (typeof addon !== 'string' || !isAddonId(addon))) {
    return `"${id}" has the addon ${JSON.stringify(addon)}; an id such as "paramountplus" is needed`
  }
  if (name !== undefined && (typeof name !== 'string' || name === '')) {
    return `"${id}" has the name ${JSON.stringify(name)}; a text is needed`
  }
  const [unknown] = Object.keys(others)
  return unknown === undefined ? undefined : `"${id}" has "${unknown}"; only service, addon and name are known`
}

/** Names, home pages and colours of well-known services, by service id. */
export const KNOWN_SERVICES: ReadonlyMap<string, { name: string; homePage: string; color: string }> = new Map(
  Object.entries(knownServices),
)

/** Plans of one service, which TMDB lists as providers of their own. */
const VARIANT_SUFFIXES =
  / *[-–(]? *\b(?:(?:basic|standard|premium|essential|free)\b *)?(?:with|w\/|mit|avec|con) (?:ads?|adverts|werbung|pub|anuncios)\)?$/i

const rowsById = groupBy<number, ProviderRow>(PROVIDER_ROWS, ({ id }) => [id])
/** Names that other APIs have for the services of the table. */
const OTHER_NAMES: readonly Omit<ProviderRow, 'id'>[] = otherNames
const rowsByName = groupBy<string, Omit<ProviderRow, 'id'>>(
  [...PROVIDER_ROWS, ...OTHER_NAMES],
  ({ names }) => new Set(names.map((name) => foldName(stripVariant(name)))),
)
const serviceNames = new Map([...PROVIDER_ROWS].reverse().map(({ service, names }) => [service, names[0] as string]))

/** The name of a service of the table. */
export function tableServiceName(service: string): string | undefined {
  return KNOWN_SERVICES.get(service)?.name ?? serviceNames.get(service)
}

/** The row of a provider id of TMDB. Its name must resemble a known one, since TMDB may reassign an id. */
export function findProviderById(id: number, name: string, country: string): ProviderRow | undefined {
  const rows = (rowsById.get(id) ?? []).filter((row) => row.names.some((known) => isSimilar(known, name)))
  return rows.find(({ countries }) => countries?.includes(country)) ?? rows[0]
}

/** The row of a provider name in a country: "NOW" is one service in Brazil and another in Britain. */
function findProviderByName(name: string, country: string): Omit<ProviderRow, 'id'> | undefined {
  const rows = rowsByName.get(foldName(stripVariant(name))) ?? []
  return rows.find(({ countries }) => countries === undefined || countries.includes(country))
}

/** Splits "Starz Amazon Channel" into the reseller and the name of the channel. */
function splitChannel(name: string): { readonly service: string; readonly channel: string } | undefined {
  const lower = name.toLowerCase()
  for (const { service, suffixes } of resellerData.resellers) {
    const suffix = suffixes.find((one) => lower.endsWith(` ${one}`) && lower.length > one.length + 1)
    if (suffix !== undefined) return { service, channel: name.slice(0, -suffix.length).trim() }
  }
  return undefined
}

/** The id of an addon, the same for all spellings: "AMC+", "AMC Plus" and "AMC + with Ads" are `amcplus`. */
function toAddonId(channel: string): string | undefined {
  const folded = foldName(stripVariant(channel)).replace(/[^a-z0-9]/g, '')
  const id = ownEntry<string>(resellerData.addonAliases, folded) ?? folded
  return id === '' ? undefined : id.slice(0, 64)
}

/** Whether an id belongs to a service of the table. */
function isTableService(service: string): boolean {
  return serviceNames.has(service)
}

function stripVariant(name: string): string {
  const plain = name.replace(VARIANT_SUFFIXES, '').trim()
  return plain === '' ? name : plain
}

/** A name in lower case without accents, spaces and punctuation; `+` is "plus". */
function foldName(name: string): string {
  return name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll('+', 'plus')
    .replace(/[^\p{L}\p{N}]/gu, '')
}

/** Words that many names have. */
const COMMON_WORDS = new Set(
  'tv plus channel amazon apple the on play video premium with ads store go basic standard free home film films'.split(
    ' ',
  ),
)

/** Whether two names of one provider id can be the same provider: equal or contained in each other, or with a rare word in common. */
function isSimilar(a: string, b: string): boolean {
  const [first, second] = [foldName(a), foldName(b)]
  if (first === second) return true
  const [short, long] = first.length < second.length ? [first, second] : [second, first]
  if (short.length >= 3 && long.includes(short)) return true
  const words = new Set(listWords(a))
  return listWords(b).some((word) => words.has(word) && !COMMON_WORDS.has(word))
}

function listWords(name: string): string[] {
  return name.toLowerCase().split(/[^\p{L}\p{N}]+/u)
}

function groupBy<K, R>(rows: readonly R[], keys: (row: R) => Iterable<K>): ReadonlyMap<K, R[]> {
  const groups = new Map<K, R[]>()
  for (const row of rows) {
    for (const key of keys(row)) groups.set(key, [...(groups.get(key) ?? []), row])
  }
  return groups
}
