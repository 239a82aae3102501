import type { Service, StreamingOptionType } from 'marquee-client'

/*
 * Catalogs are chosen as the API writes them: `prime` for all of a service, `prime.rent` for one way to watch,
 * `prime.addon.starz` for an addon. Here a choice is made service by service.
 */

/** Whether anything of a service is chosen. */
export function hasService(catalogs: readonly string[], service: string): boolean {
  return catalogs.some((catalog) => catalogService(catalog) === service)
}

/** Chooses all of a service, or drops whatever was chosen of it. */
export function toggleService(catalogs: readonly string[], service: string): string[] {
  if (!hasService(catalogs, service)) return [...catalogs, service]
  return catalogs.filter((catalog) => catalogService(catalog) !== service)
}

/** Chooses or drops a part of a service (`prime.rent`). With no part left, all of it is chosen again. */
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

/** Those catalogs that exist where the viewer is. */
export function knownCatalogs(catalogs: readonly string[], services: readonly CatalogService[]): string[] {
  return catalogs.filter((catalog) => {
    const [id, type, addon] = catalog.split('.')
    const service = services.find((other) => other.id === id)
    if (service === undefined || type === undefined) return service !== undefined
    if (addon !== undefined) return type === 'addon' && service.addons.some((other) => other.id === addon)
    return service.streamingOptionTypes[type as StreamingOptionType] === true
  })
}

/** What has to be known of a service to tell its catalogs. */
type CatalogService = Pick<Service, 'id' | 'streamingOptionTypes'> & { addons: readonly { readonly id: string }[] }

function catalogService(catalog: string): string {
  return catalog.split('.', 1)[0] as string
}
