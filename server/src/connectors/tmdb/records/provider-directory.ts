import { findServiceInCountry, type Reference } from '../../../catalog/reference.ts'
import type { JsonObject } from '../../../ingest/parse/fields.ts'
import { OFFER_TYPES } from '../../../model/offer.ts'
import type { ServiceInCountry } from '../../../model/service.ts'
import { slugify } from '../../records/ids.ts'
import { numberField, objectField, objectListField, textField } from '../../records/json-fields.ts'
import type { SyncNote } from '../../sync/sync-importer.ts'
import { buildLogoSet, IMAGE_BASE_URL } from './images.ts'
import type { MappedProvider, ProviderMapping } from './provider-mapping.ts'
import {
  findProviderById,
  findProviderByName,
  isTableService,
  KNOWN_SERVICES,
  splitChannel,
  tableServiceName,
  toAddonId,
} from './provider-table.ts'

/** A service of a country in TMDB's provider lists. */
interface ListedService {
  readonly id: string
  readonly name: string
  readonly homePage: string
  readonly themeColorCode: string
  readonly imageSet: ReturnType<typeof buildLogoSet>
}

/** Service ids of providers that are in no table, by provider id, so that a renamed provider keeps its id. */
export type AssignedServices = Map<number, string>

/**
 * Maps TMDB providers to services: by the operator's mapping, else by provider id, else as a channel of a reseller, else
 * by name and country. Any other provider becomes a service with an id from its name, which is kept for its provider id.
 */
export class ProviderDirectory {
  private readonly mapping: ProviderMapping
  private readonly assigned: AssignedServices
  private readonly reported = new Set<number>()
  private notes: SyncNote[] = []

  constructor(mapping: ProviderMapping = new Map(), assigned: AssignedServices = new Map()) {
    this.mapping = mapping
    this.assigned = assigned
  }

  /** The service or addon of a provider in a country; undefined if the operator left it out. */
  find(provider: JsonObject, country: string): MappedProvider | undefined {
    const id = numberField(provider, 'provider_id')
    const name = textField(provider, 'provider_name')?.trim().replace(/\s+/g, ' ')
    if (id === undefined || name === undefined) return undefined
    const key = `${id}:${country}`
    const mapped = this.mapping.get(this.mapping.has(key) ? key : id)
    if (mapped !== undefined) return mapped === null ? undefined : { name, ...mapped }
    const row = findProviderById(id, name, country) ?? this.findAssigned(id)
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
  takeNotes(): SyncNote[] {
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

  /** The services of a country in TMDB's display order, from the provider lists of movies and series. */
  listServices(country: string, providerLists: readonly JsonObject[]): ListedService[] {
    const code = country.toUpperCase()
    const providers = providerLists
      .flatMap((list) => objectListField(list, 'results'))
      .map((provider) => ({ provider, priority: displayPriority(provider, code) }))
      .sort((a, b) => a.priority - b.priority)
    const services = new Map<string, ListedService>()
    for (const { provider } of providers) {
      const mapped = this.find(provider, country)
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

/** TMDB's display order of a provider in a country. */
function displayPriority(provider: JsonObject, country: string): number {
  return (
    numberField(objectField(provider, 'display_priorities'), country) ??
    numberField(provider, 'display_priority') ??
    Number.MAX_SAFE_INTEGER
  )
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
