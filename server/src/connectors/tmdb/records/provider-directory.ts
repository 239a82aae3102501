import { findServiceInCountry, type Reference } from '../../../catalog/storage/reference.ts'
import { isObject, type JsonObject } from '../../../ingest/parse/fields.ts'
import { OFFER_TYPES } from '../../../model/offer.ts'
import { isAddonId, isServiceId, type ServiceInCountry } from '../../../model/service.ts'
import { slugify } from '../../records/ids.ts'
import { numberField, objectField, objectListField, textField } from '../../records/json-fields.ts'
import knownServices from '../../records/known-services.json' with { type: 'json' }
import { buildLogoSet, IMAGE_BASE_URL } from './images.ts'
import providerIds from './provider-ids.json' with { type: 'json' }

/** A TMDB provider in the catalog: a service, or an addon of one. */
export interface MappedProvider {
  readonly service: string
  readonly addon?: string
  /** The name of the service or addon; by default TMDB's name of the provider. */
  readonly name?: string
}

/** The operator's mapping of provider ids. A provider that is mapped to null is left out. */
export type ProviderMapping = ReadonlyMap<number, MappedProvider | null>

/** Thrown for an invalid mapping; the message has a line for each problem. */
class ProviderMappingError extends Error {
  override readonly name = 'ProviderMappingError'
}

/** Parses a mapping: `{"9001":{"service":"lantern"},"582":{"service":"prime","addon":"paramountplus"},"3":null}`. */
export function parseProviderMapping(value: unknown): ProviderMapping {
  if (!isObject(value)) throw new ProviderMappingError('an object from provider ids to services is needed')
  const problems: string[] = []
  const mapping = new Map<number, MappedProvider | null>()
  for (const [id, provider] of Object.entries(value)) {
    const problem = findMappingProblem(id, provider)
    if (problem !== undefined) problems.push(problem)
    else mapping.set(Number(id), provider as MappedProvider | null)
  }
  if (problems.length > 0) throw new ProviderMappingError(problems.join('\n'))
  return mapping
}

function findMappingProblem(id: string, provider: unknown): string | undefined {
  if (!/^\d{1,9}$/.test(id)) return `"${id}" is no provider id; a whole number such as "8" is needed`
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

/** Services by provider id. The name of the provider must contain a word, since TMDB may reassign an id. */
export const PROVIDERS_BY_ID: ReadonlyMap<number, { readonly service: string; readonly nameContains: string }> =
  new Map(providerIds.flatMap(({ ids, ...provider }) => ids.map((id) => [id, provider] as const)))

/** Name suffixes of channels, which are addons of another service. */
const CHANNEL_SUFFIXES = [
  { service: 'prime', suffix: / amazon channel\s*$/i },
  { service: 'apple', suffix: / apple tv(\+)? channel\s*$/i },
]

/** A service of a country in TMDB's provider lists. */
interface ListedService {
  readonly id: string
  readonly name: string
  readonly homePage: string
  readonly themeColorCode: string
  readonly imageSet: ReturnType<typeof buildLogoSet>
}

/**
 * Maps TMDB providers to services: by the operator's mapping, else by provider id, else by the name suffix of a channel.
 * Any other provider becomes a service with an id that is derived from its name.
 */
export class ProviderDirectory {
  private readonly mapping: ProviderMapping

  constructor(mapping: ProviderMapping = new Map()) {
    this.mapping = mapping
  }

  /** The service or addon of a provider; undefined if the operator left it out. */
  find(provider: JsonObject): MappedProvider | undefined {
    const id = numberField(provider, 'provider_id')
    const name = textField(provider, 'provider_name')
    if (id === undefined || name === undefined) return undefined
    const mapped = this.mapping.get(id)
    if (mapped !== undefined) return mapped === null ? undefined : { name, ...mapped }
    const listed = PROVIDERS_BY_ID.get(id)
    if (listed !== undefined && name.toLowerCase().includes(listed.nameContains)) {
      return withKnownName(listed.service, name)
    }
    for (const { service, suffix } of CHANNEL_SUFFIXES) {
      const channel: string = name.replace(suffix, '')
      if (channel !== name) return { service, addon: toServiceId(channel, id), name: channel.trim() }
    }
    return withKnownName(toServiceId(name, id), name)
  }

  /** The services of a country in TMDB's display order, from the provider lists of movies and series. */
  listServices(country: string, providerLists: readonly JsonObject[]): ListedService[] {
    const code = country.toUpperCase()
    const providers = providerLists
      .flatMap((list) => objectListField(list, 'results'))
      .map((provider) => ({ provider, priority: displayPriority(provider, code) }))
      .sort((a, b) => a.priority - b.priority)
    const services = new Map<string, ListedService>()
    for (const { provider } of providers) {
      const mapped = this.find(provider)
      // A channel is skipped, since its logo is not that of its service.
      if (mapped === undefined || mapped.addon !== undefined || services.has(mapped.service)) continue
      services.set(mapped.service, toListedService(mapped, textField(provider, 'logo_path')))
    }
    return [...services.values()]
  }
}

function toListedService(provider: MappedProvider, logoPath: string | undefined): ListedService {
  const known = KNOWN_SERVICES.get(provider.service)
  return {
    id: provider.service,
    name: findServiceName(provider),
    homePage: known?.homePage ?? '',
    themeColorCode: known?.color ?? '#000000',
    imageSet: buildLogoSet(logoPath),
  }
}

/** The name of the service of a provider. The name of an addon is not that of its service. */
export function findServiceName({ service, addon, name }: MappedProvider): string {
  return (addon === undefined ? name : undefined) ?? KNOWN_SERVICES.get(service)?.name ?? service
}

function withKnownName(service: string, name: string): MappedProvider {
  return { service, name: KNOWN_SERVICES.get(service)?.name ?? name }
}

/** TMDB's display order of a provider in a country. */
function displayPriority(provider: JsonObject, country: string): number {
  return (
    numberField(objectField(provider, 'display_priorities'), country) ??
    numberField(provider, 'display_priority') ??
    Number.MAX_SAFE_INTEGER
  )
}

/** Derives an id from a name: `Paramount+` becomes `paramountplus`, `Lantern Lane` becomes `lantern-lane`. */
function toServiceId(name: string, providerId: number): string {
  return slugify(name.replaceAll('+', 'plus')) ?? `provider-${providerId}`
}

/** A `country` record for each country, with its services in TMDB's order. Logos from other sources are kept. */
export function buildReferenceRecords(
  providerLists: Readonly<Record<string, readonly JsonObject[]>>,
  directory: ProviderDirectory,
  reference: Reference,
): object[] {
  return Object.entries(providerLists).map(([countryCode, lists]) => ({
    kind: 'country',
    countryCode,
    services: directory
      .listServices(countryCode, lists)
      .map((service) => toServiceEntry(service, findServiceInCountry(reference, service.id, countryCode))),
  }))
}

/** A service in a `country` record: in full if it is new, with its logo if that is TMDB's, else by id. */
function toServiceEntry(listed: ListedService, known: ServiceInCountry | undefined): object | string {
  if (known === undefined) return listed
  const { lightThemeImage } = known.imageSet
  const isReplaceable = lightThemeImage === '' || lightThemeImage.startsWith(IMAGE_BASE_URL)
  if (!isReplaceable || listed.imageSet.lightThemeImage === '') return listed.id
  // The importer updates a known service only if its option types are stated, and takes those over: repeat them.
  const types = OFFER_TYPES.map((type) => [type, known.optionTypes.includes(type)])
  return { id: listed.id, imageSet: listed.imageSet, streamingOptionTypes: Object.fromEntries(types) }
}
