import { findServiceInCountry, type Reference } from '../../../catalog/storage/reference.ts'
import type { JsonObject } from '../../../ingest/parse/fields.ts'
import { OFFER_TYPES } from '../../../model/offer.ts'
import type { ServiceInCountry } from '../../../model/service.ts'
import { findServiceName, type ProviderDirectory } from '../../providers/provider-directory.ts'
import type { MappedProvider } from '../../providers/provider-mapping.ts'
import { findProviderById, KNOWN_SERVICES } from '../../providers/provider-table.ts'
import { numberField, objectField, objectListField, textField } from '../../records/json-fields.ts'
import { buildLogoSet, IMAGE_BASE_URL } from './images.ts'

/** The service or addon of a provider of TMDB in a country; undefined if the operator left it out. */
export function findTmdbProvider(
  provider: JsonObject,
  country: string,
  directory: ProviderDirectory,
): MappedProvider | undefined {
  const id = numberField(provider, 'provider_id')
  const name = textField(provider, 'provider_name')
  if (id === undefined || name === undefined) return undefined
  return directory.find(id, name, country, findProviderById(id, name, country))
}

/** A service of a country in TMDB's provider lists. */
interface ListedService {
  readonly id: string
  readonly name: string
  readonly homePage: string
  readonly themeColorCode: string
  readonly imageSet: ReturnType<typeof buildLogoSet>
}

/** The services of a country in TMDB's display order, from the provider lists of movies and series. */
function listServices(
  country: string,
  providerLists: readonly JsonObject[],
  directory: ProviderDirectory,
): ListedService[] {
  const code = country.toUpperCase()
  const providers = providerLists
    .flatMap((list) => objectListField(list, 'results'))
    .map((provider) => ({ provider, priority: displayPriority(provider, code) }))
    .sort((a, b) => a.priority - b.priority)
  const services = new Map<string, ListedService>()
  for (const { provider } of providers) {
    const mapped = findTmdbProvider(provider, country, directory)
    // A channel is skipped, since its logo is not that of its service.
    if (mapped === undefined || mapped.addon !== undefined || services.has(mapped.service)) continue
    services.set(mapped.service, toListedService(mapped, textField(provider, 'logo_path')))
  }
  return [...services.values()]
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
    services: listServices(countryCode, lists, directory).map((service) =>
      toServiceEntry(service, findServiceInCountry(reference, service.id, countryCode)),
    ),
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
