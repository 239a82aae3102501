import type { Catalog } from '../../catalog/catalog.ts'
import { fold } from '../../catalog/index/analyzer.ts'
import { isObject } from '../../ingest/parse/fields.ts'
import { isServiceId } from '../../model/service.ts'
import type { GivenOptions } from '../framework/connector.ts'
import { buildServiceRecord } from '../framework/options.ts'
import { slugify } from '../records/ids.ts'
import knownServices from '../records/known-services.json' with { type: 'json' }
import type { CsvMapping } from './csv-mapping.ts'

const KNOWN_SERVICES = new Map(Object.entries(knownServices))
const idsByName = new Map([...KNOWN_SERVICES].map(([id, { name }]) => [fold(name), id]))

/** The id of a well-known service by its name. */
export function findKnownService(name: string): string | undefined {
  return idsByName.get(fold(name))
}

/**
 * A function from what a table calls a service to the `service` of an option. A service that the mapping defines is
 * referenced by its id. Any other is described by what the catalog or the list of well-known services has of it.
 */
export function resolveServices(
  { reference = [], linkTemplate }: CsvMapping,
  catalog: Catalog,
  { service: given, serviceName }: GivenOptions,
): (name: string) => unknown {
  const defined = new Set(
    reference.flatMap((record) => (isObject(record) && record.kind === 'service' ? [record.id] : [])),
  )
  const resolved = new Map<string, unknown>()
  const resolve = (name: string): unknown => {
    const id = isServiceId(name) ? name : (findKnownService(name) ?? slugify(name))
    if (id === undefined || defined.has(id)) return id ?? name
    const known = KNOWN_SERVICES.get(id)
    const isGiven = name === given
    const homePage =
      known?.homePage ?? (isGiven && linkTemplate !== undefined ? new URL(linkTemplate).origin : undefined)
    const statedName =
      isGiven && typeof serviceName === 'string' ? serviceName : (known?.name ?? (id === name ? undefined : name))
    return buildServiceRecord(catalog, id, {
      ...(statedName !== undefined && { name: statedName }),
      ...(homePage !== undefined && { homePage }),
    })
  }
  return (name) => {
    if (!resolved.has(name)) resolved.set(name, resolve(name))
    return resolved.get(name)
  }
}
