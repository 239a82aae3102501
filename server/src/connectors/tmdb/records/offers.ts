import { isObject, type JsonObject } from '../../../ingest/parse/fields.ts'
import type { OfferType } from '../../../model/offer.ts'
import { objectListField, textField } from '../../records/json-fields.ts'
import { buildLogoSet } from './images.ts'
import { findServiceName, type MappedProvider, type ProviderDirectory } from './provider-directory.ts'

/** TMDB's kinds of offers, in the order in which answers list them. */
const OFFER_KINDS: readonly (readonly [kind: string, type: OfferType])[] = [
  ['flatrate', 'subscription'],
  ['free', 'free'],
  ['ads', 'free'],
  ['rent', 'rent'],
  ['buy', 'buy'],
]

/** An option of a native feed, as far as TMDB knows any. */
interface TmdbOption {
  readonly service: { readonly id: string; readonly name: string }
  readonly type: OfferType
  readonly addon?: object
  readonly link: string
}

/**
 * The offers of a title or a season in the chosen countries, from `watch/providers`. TMDB tells who offers it and how,
 * but neither prices nor deep links: the link leads to its own page about where the title can be watched.
 */
export function buildOffers(
  providers: JsonObject,
  countries: readonly string[],
  directory: ProviderDirectory,
): Record<string, TmdbOption[]> {
  const offers: Record<string, TmdbOption[]> = {}
  for (const country of countries) {
    const there = isObject(providers.results) ? providers.results[country.toUpperCase()] : undefined
    if (!isObject(there)) continue
    const link = textField(there, 'link')
    if (link === undefined) continue
    const options = readOptions(there, link, directory)
    if (options.length > 0) offers[country] = options
  }
  return offers
}

function readOptions(there: JsonObject, link: string, directory: ProviderDirectory): TmdbOption[] {
  // Two providers may be one service, such as a plan with advertisements and one without.
  const options = new Map<string, TmdbOption>()
  for (const [kind, type] of OFFER_KINDS) {
    for (const provider of objectListField(there, kind)) {
      const found = directory.find(provider)
      if (found === undefined) continue
      const option = toOption(found, type, link, textField(provider, 'logo_path'))
      const key = `${found.service} ${option.type} ${option.addon === undefined ? '' : found.addon}`
      if (!options.has(key)) options.set(key, option)
    }
  }
  return [...options.values()]
}

function toOption(found: MappedProvider, type: OfferType, link: string, logo: string | undefined): TmdbOption {
  // The name goes along, since a service that is named with it becomes known with this type of option.
  const service = { id: found.service, name: findServiceName(found) }
  // Whoever rents or sells through a channel does so without a subscription to it.
  if (found.addon === undefined || type === 'rent' || type === 'buy') return { service, type, link }
  const addon = { id: found.addon, name: found.name ?? found.addon, imageSet: buildLogoSet(logo) }
  return { service, type: 'addon', addon, link }
}
