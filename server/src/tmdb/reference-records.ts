import { findServiceInCountry, type Reference } from '../catalog/reference.ts'
import type { JsonObject } from '../ingest/parse/fields.ts'
import { OFFER_TYPES } from '../model/offer.ts'
import type { ServiceInCountry } from '../model/service.ts'
import { IMAGE_BASE } from './image-addresses.ts'
import type { ListedService, ProviderDirectory } from './provider-directory.ts'

/**
 * A `country` record for each country: its services in TMDB's order, with the logos from its lists. Services that
 * another feed has told more about keep what they have.
 */
export function referenceRecords(
  lists: Readonly<Record<string, readonly JsonObject[]>>,
  directory: ProviderDirectory,
  reference: Reference,
): object[] {
  return Object.entries(lists).map(([countryCode, ofCountry]) => ({
    kind: 'country',
    countryCode,
    services: directory
      .servicesOf(countryCode, ofCountry)
      .map((service) => statement(service, findServiceInCountry(reference, service.id, countryCode))),
  }))
}

function statement(listed: ListedService, known: ServiceInCountry | undefined): object | string {
  if (known === undefined) return listed
  const { lightThemeImage } = known.imageSet
  const ours = lightThemeImage === '' || lightThemeImage.startsWith(IMAGE_BASE)
  if (!ours || listed.imageSet.lightThemeImage === '') return listed.id
  // Stated with its types, a known service takes over what is stated here; so all of them have to be named again.
  const types = OFFER_TYPES.map((type) => [type, known.optionTypes.includes(type)])
  return { id: listed.id, imageSet: listed.imageSet, streamingOptionTypes: Object.fromEntries(types) }
}
