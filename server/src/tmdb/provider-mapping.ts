import { isObject } from '../ingest/parse/fields.ts'
import { isServiceId } from '../model/service.ts'

/** What a provider of TMDB is in the catalog: a service, or an addon of one. */
export interface MappedProvider {
  readonly service: string
  readonly addon?: string
  /** What the service, or the addon, is called; default: what TMDB calls the provider. */
  readonly name?: string
}

/** The operator's own part of the mapping: provider id to what it is, or to null where it is to be left out. */
export type ProviderMapping = ReadonlyMap<number, MappedProvider | null>

/** Thrown when a mapping cannot be used; the message has a line for each problem. */
export class ProviderMappingError extends Error {
  override readonly name = 'ProviderMappingError'
}

/** Reads a mapping such as `{"9001":{"service":"lantern"},"582":{"service":"prime","addon":"paramountplus"},"3":null}`. */
export function readProviderMapping(value: unknown): ProviderMapping {
  if (!isObject(value)) throw new ProviderMappingError('an object from provider ids to services is needed')
  const problems: string[] = []
  const mapping = new Map<number, MappedProvider | null>()
  for (const [id, to] of Object.entries(value)) {
    const problem = problemOf(id, to)
    if (problem !== undefined) problems.push(problem)
    else mapping.set(Number(id), to as MappedProvider | null)
  }
  if (problems.length > 0) throw new ProviderMappingError(problems.join('\n'))
  return mapping
}

function problemOf(id: string, to: unknown): string | undefined {
  if (!/^\d{1,9}$/.test(id)) return `"${id}" is no provider id; a whole number such as "8" is needed`
  if (to === null) return undefined
  if (!isObject(to)) return `"${id}" is mapped to ${JSON.stringify(to)}; {"service": …} or null is needed`
  const { service, addon, name, ...others } = to
  if (typeof service !== 'string' || !isServiceId(service)) {
    return `"${id}" has the service ${JSON.stringify(service)}; an id such as "netflix" is needed`
  }
  if (addon !== undefined && (typeof addon !== 'string' || !isServiceId(addon))) {
    return `"${id}" has the addon ${JSON.stringify(addon)}; an id such as "paramountplus" is needed`
  }
  if (name !== undefined && (typeof name !== 'string' || name === '')) {
    return `"${id}" has the name ${JSON.stringify(name)}; a text is needed`
  }
  const [unknown] = Object.keys(others)
  return unknown === undefined ? undefined : `"${id}" has "${unknown}"; only service, addon and name are known`
}
