import { ownEntry } from '../../lib/objects.ts'
import type { Country } from '../../model/country.ts'
import type { Genre } from '../../model/genre.ts'
import type { Addon, Service, ServiceInCountry } from '../../model/service.ts'

/** The data that shows refer to: services with their addons, countries and genres, each by id. */
export interface Reference {
  readonly services: Readonly<Record<string, Service>>
  readonly countries: Readonly<Record<string, Country>>
  readonly genres: Readonly<Record<string, Genre>>
}

export const EMPTY_REFERENCE: Reference = { services: {}, countries: {}, genres: {} }

export function findService({ services }: Reference, id: string): Service | undefined {
  return ownEntry(services, id)
}

export function findCountry({ countries }: Reference, code: string): Country | undefined {
  return ownEntry(countries, code)
}

export function findGenre({ genres }: Reference, id: string): Genre | undefined {
  return ownEntry(genres, id)
}

/** The service's entry for a country. */
export function findServiceInCountry(
  reference: Reference,
  service: string,
  country: string,
): ServiceInCountry | undefined {
  const known = findService(reference, service)
  return known && ownEntry(known.countries, country)
}

/** An addon of a service in a country. */
export function findAddonInCountry(
  reference: Reference,
  service: string,
  addon: string,
  country: string,
): Addon | undefined {
  return findServiceInCountry(reference, service, country)?.addons.find(({ id }) => id === addon)
}
