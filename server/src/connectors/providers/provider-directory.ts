import type { ProviderRow } from '../../model/tmdb-providers.ts'
import { slugify } from '../records/ids.ts'
import type { MappedProvider, ProviderMapping } from './provider-mapping.ts'
import { findProviderByName, isTableService, splitChannel, tableServiceName, toAddonId } from './provider-table.ts'

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
