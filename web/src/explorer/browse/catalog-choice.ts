import type { Genre, Service, StreamingOptionType } from 'marquee-client'
import type { BrowseFilters } from './browse-filters.ts'

/*
 * Selected catalogs, in the notation of the API: `prime` for all of a service, `prime.rent` for one type of offers,
 * `prime.addon.starz` for an addon.
 */

/** Whether any part of a service is selected. */
export function hasService(catalogs: readonly string[], service: string): boolean {
  return catalogs.some((catalog) => catalogService(catalog) === service)
}

/** Selects all of a service, or removes all of its parts. */
export function toggleService(catalogs: readonly string[], service: string): string[] {
  if (!hasService(catalogs, service)) return [...catalogs, service]
  return catalogs.filter((catalog) => catalogService(catalog) !== service)
}

/** Adds or removes a part of a service (`prime.rent`). Without parts, the whole service is selected again. */
export function togglePart(catalogs: readonly string[], part: string): string[] {
  const service = catalogService(part)
  const others = catalogs.filter((catalog) => catalog !== part && catalog !== service)
  if (!catalogs.includes(part)) return [...others, part]
  return hasService(others, service) ? others : [...others, service]
}

/** The name of a part: `prime.rent`, `prime.addon.starz`. */
export function catalogPart(service: string, type: StreamingOptionType, addon?: string): string {
  return [service, type, ...(addon === undefined ? [] : [addon])].join('.')
}

/** The catalogs that exist in the country of these services. */
export function knownCatalogs(catalogs: readonly string[], services: readonly CatalogService[]): string[] {
  return catalogs.filter((catalog) => {
    const [id, type, ...rest] = catalog.split('.')
    // Ids of addons may hold dots.
    const addon = rest.length === 0 ? undefined : rest.join('.')
    const service = services.find((other) => other.id === id)
    if (service === undefined || type === undefined) return service !== undefined
    if (addon !== undefined) return type === 'addon' && service.addons.some((other) => other.id === addon)
    return service.streamingOptionTypes[type as StreamingOptionType] === true
  })
}

/** The filters without catalogs and genres that do not exist, as far as it is known which do. */
export function knownFilters(
  filters: BrowseFilters,
  services: readonly CatalogService[] | undefined,
  genres: readonly Pick<Genre, 'id'>[] | undefined,
): BrowseFilters {
  return {
    ...filters,
    catalogs: services === undefined ? filters.catalogs : knownCatalogs(filters.catalogs, services),
    genres:
      genres === undefined ? filters.genres : filters.genres.filter((genre) => genres.some(({ id }) => id === genre)),
  }
}

/** The fields of a service that define its catalogs. */
type CatalogService = Pick<Service, 'id' | 'streamingOptionTypes'> & { addons: readonly { readonly id: string }[] }

function catalogService(catalog: string): string {
  return catalog.split('.', 1)[0] as string
}
