import { isObject, type JsonObject } from '../../../ingest/parse/fields.ts'
import type { OfferType } from '../../../model/offer.ts'
import { findServiceName, type ProviderDirectory } from '../../providers/provider-directory.ts'
import type { MappedProvider } from '../../providers/provider-mapping.ts'
import { objectField, objectListField, textField } from '../../records/json-fields.ts'
import { buildLogoSet } from './images.ts'
import { findTmdbProvider } from './provider-lists.ts'

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
