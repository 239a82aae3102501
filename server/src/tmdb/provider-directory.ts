import { slug } from '../connectors/slug.ts'
import type { JsonObject } from '../ingest/parse/fields.ts'
import { numberIn, objectsIn, textIn } from './answer-fields.ts'
import { logoSet } from './image-addresses.ts'
import type { MappedProvider, ProviderMapping } from './provider-mapping.ts'
import { KNOWN_SERVICES, PROVIDER_TABLE } from './provider-table.ts'

/** A service of a country, as TMDB's provider lists show it. */
export interface ListedService {
  readonly id: string
  readonly name: string
  readonly homePage: string
  readonly themeColorCode: string
  readonly imageSet: ReturnType<typeof logoSet>
}

/** Channels that are subscribed to through another service say so in their names. */
const CHANNELS = [
  { service: 'prime', suffix: / amazon channel\s*$/i },
  { service: 'apple', suffix: / apple tv(\+)? channel\s*$/i },
]

/**
 * Which service a provider is. The operator's mapping comes first, then the table that ships, then channels by their
 * names; a provider that none of them knows becomes a service of its own, with an id made from its name.
 */
export class ProviderDirectory {
  private readonly mapping: ProviderMapping

  constructor(mapping: ProviderMapping = new Map()) {
    this.mapping = mapping
  }

  /** What a provider is in the catalog; undefined where it is to be left out. */
  find(provider: JsonObject): MappedProvider | undefined {
    const id = numberIn(provider, 'provider_id')
    const name = textIn(provider, 'provider_name')
    if (id === undefined || name === undefined) return undefined
    const mapped = this.mapping.get(id)
    if (mapped !== undefined) return mapped === null ? undefined : { name, ...mapped }
    const listed = PROVIDER_TABLE.get(id)
    if (listed !== undefined && name.toLowerCase().includes(listed.word)) return withKnownName(listed.service, name)
    for (const { service, suffix } of CHANNELS) {
      const channel: string = name.replace(suffix, '')
      if (channel !== name) return { service, addon: idFrom(channel, id), name: channel.trim() }
    }
    return withKnownName(idFrom(name, id), name)
  }

  /** The services of a country in the order in which TMDB shows them, from its lists of movie and series providers. */
  servicesOf(country: string, lists: readonly JsonObject[]): ListedService[] {
    const code = country.toUpperCase()
    const providers = lists
      .flatMap((list) => objectsIn(list, 'results'))
      .map((provider) => ({ provider, place: placeOf(provider, code) }))
      .sort((a, b) => a.place - b.place)
    const services = new Map<string, ListedService>()
    for (const { provider } of providers) {
      const found = this.find(provider)
      if (found === undefined || services.has(found.service)) continue
      // A channel tells that its service is there, but its logo is not the service's.
      if (found.addon === undefined) services.set(found.service, listedService(found, textIn(provider, 'logo_path')))
    }
    return [...services.values()]
  }
}

/** A service as it is stated for the first time. */
function listedService(found: MappedProvider, logoPath: string | undefined): ListedService {
  const known = KNOWN_SERVICES.get(found.service)
  return {
    id: found.service,
    name: serviceName(found),
    homePage: known?.homePage ?? '',
    themeColorCode: known?.color ?? '#000000',
    imageSet: logoSet(logoPath),
  }
}

/** What the service of a provider is called; the name of a channel is not that of its service. */
export function serviceName({ service, addon, name }: MappedProvider): string {
  return (addon === undefined ? name : undefined) ?? KNOWN_SERVICES.get(service)?.name ?? service
}

function withKnownName(service: string, name: string): MappedProvider {
  return { service, name: KNOWN_SERVICES.get(service)?.name ?? name }
}

function placeOf(provider: JsonObject, country: string): number {
  const places = provider.display_priorities
  const place = typeof places === 'object' && places !== null ? (places as JsonObject)[country] : undefined
  return typeof place === 'number' ? place : (numberIn(provider, 'display_priority') ?? Number.MAX_SAFE_INTEGER)
}

/** An id from a name: `Paramount+` becomes `paramountplus`, `Lantern Lane` becomes `lantern-lane`. */
function idFrom(name: string, provider: number): string {
  return slug(name.replaceAll('+', 'plus')) ?? `provider-${provider}`
}
