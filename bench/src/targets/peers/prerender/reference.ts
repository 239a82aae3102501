import { apiRequest } from '../../../workloads/api-request.ts'
import type { Marquee } from '../../marquee.ts'

/** Reference data as JSON texts, taken from the API of Marquee. */
export interface Reference {
  /** Response of `/countries/{code}` by country. */
  readonly countries: Readonly<Record<string, string>>
  /** The `service` object of an option, by country and service id. */
  readonly services: Readonly<Record<string, Readonly<Record<string, string>>>>
  /** The `addon` object of an option, by country and `<service id>.<addon id>`. */
  readonly addons: Readonly<Record<string, Readonly<Record<string, string>>>>
  /** Most specific values of `catalogs` by country, such as `prime.rent` and `prime.addon.starz`. */
  readonly catalogs: Readonly<Record<string, readonly string[]>>
  readonly genres: Readonly<Record<string, string>>
}

interface Addon {
  readonly id: string
}

interface Service extends Addon {
  readonly streamingOptionTypes: Readonly<Record<string, boolean>>
  readonly addons: readonly Addon[]
}

/** Reads the reference data from a running service. */
export async function readReference(marquee: Marquee): Promise<Reference> {
  const countries = await marquee.read<{ countryCode: string; services: Service[] }[]>(
    apiRequest('countries', '/countries'),
  )
  const genres = await marquee.read<{ id: string }[]>(apiRequest('countries', '/genres'))
  const byCountry = <T>(of: (services: readonly Service[]) => T) =>
    Object.fromEntries(countries.map(({ countryCode, services }) => [countryCode, of(services)]))
  return {
    countries: Object.fromEntries(countries.map((country) => [country.countryCode, JSON.stringify(country)])),
    services: byCountry((services) =>
      Object.fromEntries(services.map((service) => [service.id, serviceInfo(service)])),
    ),
    addons: byCountry((services) =>
      Object.fromEntries(
        services.flatMap(({ id, addons }) => addons.map((addon) => [`${id}.${addon.id}`, JSON.stringify(addon)])),
      ),
    ),
    catalogs: byCountry((services) =>
      services.flatMap(({ id, addons }) => [
        ...['subscription', 'free', 'rent', 'buy'].map((type) => `${id}.${type}`),
        ...addons.map((addon) => `${id}.addon.${addon.id}`),
      ]),
    ),
    genres: Object.fromEntries(genres.map((genre) => [genre.id, JSON.stringify(genre)])),
  }
}

function serviceInfo({ streamingOptionTypes: _, addons: __, ...info }: Service): string {
  return JSON.stringify(info)
}
