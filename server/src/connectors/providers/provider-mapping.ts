import { isObject } from '../../ingest/parse/fields.ts'
import { isAddonId, isServiceId } from '../../model/service.ts'

/** A provider in the catalog: a service, or an addon of one. */
export interface MappedProvider {
  readonly service: string
  readonly addon?: string
  /** The name of the service or addon; by default the API's name of the provider. */
  readonly name?: string
}

/** The operator's mapping, by provider id, or by id and country (`39:gb`). A provider mapped to null is left out. */
export type ProviderMapping = ReadonlyMap<number | string, MappedProvider | null>

/** Thrown for an invalid mapping; the message has a line for each problem. */
class ProviderMappingError extends Error {
  override readonly name = 'ProviderMappingError'
}

/** Parses a mapping: `{"9001":{"service":"lantern"},"582":{"service":"prime","addon":"paramountplus"},"39:it":null}`. */
export function parseProviderMapping(value: unknown): ProviderMapping {
  if (!isObject(value)) throw new ProviderMappingError('an object from provider ids to services is needed')
  const problems: string[] = []
  const mapping = new Map<number | string, MappedProvider | null>()
  for (const [id, provider] of Object.entries(value)) {
    const problem = findMappingProblem(id, provider)
    if (problem !== undefined) problems.push(problem)
    else mapping.set(id.includes(':') ? id.toLowerCase() : Number(id), provider as MappedProvider | null)
  }
  if (problems.length > 0) throw new ProviderMappingError(problems.join('\n'))
  return mapping
}

/** The entries of a mapping in a fixed order, for a key of what records depend on. */
export function sortMapping(mapping: ProviderMapping): readonly unknown[] {
  return [...mapping].sort(([a], [b]) => (String(a) < String(b) ? -1 : 1))
}

function findMappingProblem(id: string, provider: unknown): string | undefined {
  if (!/^\d{1,9}(:[a-z]{2})?$/i.test(id)) {
    return `"${id}" is no provider id; a whole number such as "8" is needed, or one with a country such as "39:gb"`
  }
  if (provider === null) return undefined
  if (!isObject(provider)) return `"${id}" is mapped to ${JSON.stringify(provider)}; {"service": …} or null is needed`
  const { service, addon, name, ...others } = provider
  if (typeof service !== 'string' || !isServiceId(service)) {
    return `"${id}" has the service ${JSON.stringify(service)}; an id such as "netflix" is needed`
  }
  if (addon !== undefined && (typeof addon !== 'string' || !isAddonId(addon))) {
    return `"${id}" has the addon ${JSON.stringify(addon)}; an id such as "paramountplus" is needed`
  }
  if (name !== undefined && (typeof name !== 'string' || name === '')) {
    return `"${id}" has the name ${JSON.stringify(name)}; a text is needed`
  }
  const [unknown] = Object.keys(others)
  return unknown === undefined ? undefined : `"${id}" has "${unknown}"; only service, addon and name are known`
}
