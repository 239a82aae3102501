import { ask } from '../ask.ts'
import type { Marquee } from '../marquee.ts'

/** A country with all that `catalogs` can name in it. */
export interface Place {
  readonly country: string
  readonly services: readonly PlaceService[]
}

/** A service of a country, most popular first. */
export interface PlaceService {
  readonly id: string
  readonly types: readonly string[]
  readonly addons: readonly string[]
}

/** Countries from the most popular on, as everybody would name them; others come after. */
const POPULAR = ['us', 'gb', 'de', 'fr']

/** The countries of the catalog, popular ones first, as the service itself describes them. */
export async function readPlaces(marquee: Marquee): Promise<Place[]> {
  const countries = await marquee.read<CountryAnswer[]>(ask('countries', '/countries'))
  const rank = ({ country }: Place) => (POPULAR.includes(country) ? POPULAR.indexOf(country) : POPULAR.length)
  const places = countries.map(({ countryCode, services }) => ({
    country: countryCode,
    services: services.map(({ id, streamingOptionTypes, addons }) => ({
      id,
      types: Object.keys(streamingOptionTypes).filter((type) => streamingOptionTypes[type]),
      addons: addons.map((addon) => addon.id),
    })),
  }))
  return places.toSorted((a, b) => rank(a) - rank(b))
}

interface CountryAnswer {
  readonly countryCode: string
  readonly services: readonly {
    readonly id: string
    readonly streamingOptionTypes: Readonly<Record<string, boolean>>
    readonly addons: readonly { readonly id: string }[]
  }[]
}
