import { findServiceInCountry, type Reference } from '../../catalog/storage/reference.ts'
import { isObject, type JsonObject } from '../../ingest/parse/fields.ts'
import { OFFER_TYPES, type OfferType } from '../../model/offer.ts'
import type { ServiceInCountry } from '../../model/service.ts'
import {
  findProviderById,
  findServiceName,
  KNOWN_SERVICES,
  type MappedProvider,
  type ProviderDirectory,
} from '../providers/provider-directory.ts'
import { numberField, objectField, objectListField, textField } from '../records/values.ts'
import { buildLogoSet, IMAGE_BASE_URL } from './images.ts'

/** TMDB's kinds of offers, in the order of the API. */
const OFFER_KINDS: readonly (readonly [kind: string, type: OfferType])[] = [
  ['flatrate', 'subscription'],
  ['free', 'free'],
  ['ads', 'free'],
  ['rent', 'rent'],
  ['buy', 'buy'],
]

/** The part of a native option that TMDB has. */
interface TmdbOption {
  readonly service: { readonly id: string; readonly name: string }
  readonly type: OfferType
  readonly addon?: object
  readonly link: string
}

/**
 * The offers of a title or season in some countries, from `watch/providers`. TMDB has no prices and no deep links: the
 * link leads to its own page on where to watch the title.
 */
export function buildOffers(
  providers: JsonObject,
  countries: readonly string[],
  directory: ProviderDirectory,
): Record<string, TmdbOption[]> {
  const offers: Record<string, TmdbOption[]> = {}
  const results = objectField(providers, 'results')
  for (const country of countries) {
    const result = results[country.toUpperCase()]
    const link = isObject(result) ? textField(result, 'link') : undefined
    if (!isObject(result) || link === undefined) continue
    const options = readOptions(result, link, (provider) => findTmdbProvider(provider, country, directory))
    if (options.length > 0) offers[country] = options
  }
  return offers
}

function readOptions(
  result: JsonObject,
  link: string,
  findProvider: (provider: JsonObject) => MappedProvider | undefined,
): TmdbOption[] {
  // Keyed, because several providers may be one service, such as a plan with advertisements and one without.
  const options = new Map<string, TmdbOption>()
  for (const [kind, type] of OFFER_KINDS) {
    for (const provider of objectListField(result, kind)) {
      const mapped = findProvider(provider)
      if (mapped === undefined) continue
      const option = toOption(mapped, type, link, textField(provider, 'logo_path'))
      const key = `${mapped.service} ${option.type} ${option.addon === undefined ? '' : mapped.addon}`
      if (!options.has(key)) options.set(key, option)
    }
  }
  return [...options.values()]
}

function toOption(provider: MappedProvider, type: OfferType, link: string, logo: string | undefined): TmdbOption {
  // With its name the importer can add the service to a country that does not have it yet.
  const service = { id: provider.service, name: findServiceName(provider) }
  // Renting and buying through a channel needs no subscription to it.
  if (provider.addon === undefined || type === 'rent' || type === 'buy') return { service, type, link }
  const addon = { id: provider.addon, name: provider.name ?? provider.addon, imageSet: buildLogoSet(logo) }
  return { service, type: 'addon', addon, link }
}

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
