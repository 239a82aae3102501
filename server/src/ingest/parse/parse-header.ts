import { isCountryCode, normalizeCountryCode } from '../../model/country.ts'
import { isServiceId } from '../../model/service.ts'
import { type Attribution, isSourceName, SOURCE_NAME_RULE, type SourceAttribution } from '../../model/source.ts'
import type { FeedHeader, Scope } from './feed-record.ts'
import { type Fields, formatValue, isObject } from './fields.ts'

/** What the operator says beside the feed; it wins over what the header says. */
export interface HeaderOverrides {
  readonly source?: string
  readonly mode?: 'snapshot' | 'delta'
  readonly scope?: Scope
}

/** Reads the header of a feed, or notes why it cannot be used. */
export function parseFeedHeader(fields: Fields, given: HeaderOverrides): FeedHeader | undefined {
  const source = given.source ?? parseSource(fields)
  const mode = given.mode ?? fields.requiredEnum('mode', ['snapshot', 'delta'] as const)
  const scope = given.scope ?? parseScope(fields)
  const count = fields.integer('count', 0, Number.MAX_SAFE_INTEGER)
  if (source === undefined || mode === undefined || scope === undefined) return undefined
  // A count that cannot be read cannot vouch for the feed.
  if (fields.has('count') && count === undefined) return undefined
  const statesChanges = fields.boolean('statesChanges') === true
  const attribution = parseAttribution(fields)
  const attributions = statesChanges ? parseAttributions(fields) : undefined
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

function parseSource(fields: Fields): string | undefined {
  const source = fields.requiredText('source')
  if (source === undefined || isSourceName(source)) return source
  return fields.addNotice('invalid_field', `"source" is ${formatValue(source)}; ${SOURCE_NAME_RULE} is needed`)
}

/** What is to be shown with the data; an entry that cannot be read is noted and left out. */
function parseAttribution(fields: Fields): Attribution[] | undefined {
  return fields.list('attribution')?.flatMap((entry) => {
    const text = isObject(entry) ? entry.text : undefined
    const link = isObject(entry) ? entry.link : undefined
    if (typeof text === 'string' && text !== '' && (link === undefined || isWebAddress(link))) {
      return [{ text, ...(link !== undefined && { link }) }]
    }
    fields.addNotice(
      'ignored_field',
      `"attribution" holds ${formatValue(entry)}; {"text":…,"link"?:"https://…"} is needed`,
    )
    return []
  })
}

/** What an exported feed says of the sources whose offers it holds: their names, and what each wants to be shown. */
function parseAttributions(fields: Fields): SourceAttribution[] | undefined {
  const bySource = fields.nested('attributions')
  return (
    bySource &&
    Object.keys(bySource.value).flatMap((source) => {
      if (!isSourceName(source)) {
        fields.addNotice('ignored_field', `"attributions" names ${formatValue(source)}; ${SOURCE_NAME_RULE} is needed`)
        return []
      }
      const attribution = parseAttribution(fields.withField('attribution', bySource.value[source]))
      return attribution === undefined ? [] : [{ source, attribution }]
    })
  )
}

function isWebAddress(link: unknown): link is string {
  return typeof link === 'string' && /^https?:\/\//.test(link) && URL.canParse(link)
}

/** A scope that cannot be read must not be taken for the whole world. */
function parseScope(fields: Fields): Scope | undefined {
  if (!fields.has('scope')) return {}
  const { scope } = fields.value
  if (!isObject(scope)) {
    return fields.addNotice(
      'invalid_field',
      `"scope" is ${formatValue(scope)}; {"countries":[…],"services":[…]} is needed`,
    )
  }
  const countries = parseIds(fields, scope.countries, 'scope.countries', (code) =>
    isCountryCode(normalizeCountryCode(code)),
  )
  const services = parseIds(fields, scope.services, 'scope.services', isServiceId)
  if (countries === null || services === null) return undefined
  return {
    ...(countries !== undefined && { countries: new Set(countries.map(normalizeCountryCode)) }),
    ...(services !== undefined && { services: new Set(services) }),
  }
}

/** A list of ids, undefined where there is none, or null where it cannot be read. */
function parseIds(
  fields: Fields,
  value: unknown,
  path: string,
  fits: (id: string) => boolean,
): string[] | undefined | null {
  if (value === undefined || value === null) return undefined
  if (Array.isArray(value) && value.every((id) => typeof id === 'string' && fits(id))) return value as string[]
  fields.addNotice('invalid_field', `"${path}" is ${formatValue(value)}; a list of ids is needed`)
  return null
}
