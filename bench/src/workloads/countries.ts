import type { Marquee } from '../targets/marquee.ts'
import { apiRequest } from './api-request.ts'

/** A country with its services, as the values of the `catalogs` parameter. */
export interface CountryServices {
  readonly code: string
  readonly services: readonly ServiceCatalog[]
}

/** A service of a country with its option types and addons. */
export interface ServiceCatalog {
  readonly id: string
  readonly types: readonly string[]
  readonly addons: readonly string[]
}

/** Weighted most in workloads, in this order. */
const POPULAR = ['us', 'gb', 'de', 'fr']

/** Reads the countries of the catalog from the API, popular ones first. */
export async function readCountries(marquee: Marquee): Promise<CountryServices[]> {
  const response = await marquee.read<CountryResponse[]>(apiRequest('countries', '/countries'))
  const rank = ({ code }: CountryServices) => (POPULAR.includes(code) ? POPULAR.indexOf(code) : POPULAR.length)
  const countries = response.map(({ countryCode, services }) => ({
    code: countryCode,
    services: services.map(({ id, streamingOptionTypes, addons }) => ({
      id,
      types: Object.keys(streamingOptionTypes).filter((type) => streamingOptionTypes[type]),
      addons: addons.map((addon) => addon.id),
    })),
  }))
  return countries.toSorted((a, b) => rank(a) - rank(b))
}

interface CountryResponse {
  readonly countryCode: string
  readonly services: readonly {
    readonly id: string
    readonly streamingOptionTypes: Readonly<Record<string, boolean>>
    readonly addons: readonly { readonly id: string }[]
  }[]
}
