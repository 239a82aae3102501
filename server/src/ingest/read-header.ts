import { isCountryCode, normalizeCountryCode } from '../model/country.ts'
import { isServiceId } from '../model/service.ts'
import { type Attribution, isSourceName, SOURCE_NAME_RULE, type SourceAttribution } from '../model/source.ts'
import { type Fields, isObject, shown } from './fields.ts'
import type { FeedHeader, Scope } from './statement.ts'

/** What the operator says beside the feed; it wins over what the header says. */
export interface GivenHeader {
  readonly source?: string
  readonly mode?: 'snapshot' | 'delta'
  readonly scope?: Scope
}

/** Reads the header of a feed, or notes why it cannot be used. */
export function readFeedHeader(fields: Fields, given: GivenHeader): FeedHeader | undefined {
  const source = given.source ?? readSource(fields)
  const mode = given.mode ?? fields.requiredWord('mode', ['snapshot', 'delta'] as const)
  const scope = given.scope ?? readScope(fields)
  const count = fields.wholeNumber('count', 0, Number.MAX_SAFE_INTEGER)
  if (source === undefined || mode === undefined || scope === undefined) return undefined
  // A count that cannot be read cannot vouch for the feed.
  if (fields.has('count') && count === undefined) return undefined
  const statesChanges = fields.boolean('statesChanges') === true
  const attribution = readAttribution(fields)
  const attributions = statesChanges ? readAttributions(fields) : undefined
  return {
    kind: 'feed',
    source,
    mode,
    scope,
    ...(statesChanges && { statesChanges }),
    ...(count !== undefined && { count }),
    ...(attribution !== undefined && { attribution }),
    ...(attributions !== undefined && { attributions }),
  }
}

function readSource(fields: Fields): string | undefined {
  const source = fields.requiredText('source')
  if (source === undefined || isSourceName(source)) return source
  return fields.note('invalid_field', `"source" is ${shown(source)}; ${SOURCE_NAME_RULE} is needed`)
}

/** What is to be shown with the data; an entry that cannot be read is noted and left out. */
function readAttribution(fields: Fields): Attribution[] | undefined {
  return fields.list('attribution')?.flatMap((entry) => {
    const text = isObject(entry) ? entry.text : undefined
    const link = isObject(entry) ? entry.link : undefined
    if (typeof text === 'string' && text !== '' && (link === undefined || isWebAddress(link))) {
      return [{ text, ...(link !== undefined && { link }) }]
    }
    fields.note('ignored_field', `"attribution" holds ${shown(entry)}; {"text":…,"link"?:"https://…"} is needed`)
    return []
  })
}

/** What an exported feed says of the sources whose offers it holds: their names, and what each wants to be shown. */
function readAttributions(fields: Fields): SourceAttribution[] | undefined {
  const bySource = fields.inside('attributions')
  return (
    bySource &&
    Object.keys(bySource.value).flatMap((source) => {
      if (!isSourceName(source)) {
        fields.note('ignored_field', `"attributions" names ${shown(source)}; ${SOURCE_NAME_RULE} is needed`)
        return []
      }
      const attribution = readAttribution(fields.having('attribution', bySource.value[source]))
      return attribution === undefined ? [] : [{ source, attribution }]
    })
  )
}

function isWebAddress(link: unknown): link is string {
  return typeof link === 'string' && /^https?:\/\//.test(link) && URL.canParse(link)
}

/** A scope that cannot be read must not be taken for the whole world. */
function readScope(fields: Fields): Scope | undefined {
  if (!fields.has('scope')) return {}
  const { scope } = fields.value
  if (!isObject(scope)) {
    return fields.note('invalid_field', `"scope" is ${shown(scope)}; {"countries":[…],"services":[…]} is needed`)
  }
  const countries = readIds(fields, scope.countries, 'scope.countries', (code) =>
    isCountryCode(normalizeCountryCode(code)),
  )
  const services = readIds(fields, scope.services, 'scope.services', isServiceId)
  if (countries === null || services === null) return undefined
  return {
    ...(countries !== undefined && { countries: new Set(countries.map(normalizeCountryCode)) }),
    ...(services !== undefined && { services: new Set(services) }),
  }
}

/** A list of ids, undefined where there is none, or null where it cannot be read. */
function readIds(
  fields: Fields,
  value: unknown,
  path: string,
  fits: (id: string) => boolean,
): string[] | undefined | null {
  if (value === undefined || value === null) return undefined
  if (Array.isArray(value) && value.every((id) => typeof id === 'string' && fits(id))) return value as string[]
  fields.note('invalid_field', `"${path}" is ${shown(value)}; a list of ids is needed`)
  return null
}
