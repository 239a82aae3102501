import type { Catalog } from '../catalog/catalog.ts'
import { findService } from '../catalog/reference.ts'
import { isServiceId } from '../model/service.ts'
import type { ConnectorOption } from './connector.ts'

/** The options of connectors whose format does not say which service it is of. */
export const SERVICE_OPTION: ConnectorOption = {
  value: 'id',
  description: 'id of the service that the feed is of',
  refuse: (id) => (isServiceId(id) ? undefined : 'up to 64 letters, digits, "-" and "_"'),
}

export const SERVICE_NAME_OPTION: ConnectorOption = {
  value: 'name',
  description: 'name of the service, where the catalog does not know it yet',
}

/**
 * A service as the options of a feed name it. One that the catalog knows everywhere is left as it is; any other one
 * becomes known in the countries in which it has options.
 */
export function serviceStatement(catalog: Catalog, id: string, given: { name?: string; homePage?: string }): object {
  const known = findService(catalog.reference(), id)
  if (known?.everywhere !== undefined) return { id }
  const [elsewhere] = Object.values(known?.countries ?? {})
  if (elsewhere !== undefined) {
    const { name, homePage, themeColorCode, imageSet, names } = elsewhere
    return { id, name, homePage, themeColorCode, imageSet, names }
  }
  return { id, name: given.name ?? id.charAt(0).toUpperCase() + id.slice(1), homePage: given.homePage }
}

/** The name by which a service is known to the catalog, if it is. */
export function knownServiceName(catalog: Catalog, id: string): string | undefined {
  const known = findService(catalog.reference(), id)
  return (known?.everywhere ?? Object.values(known?.countries ?? {})[0])?.name
}
