import { isCountryCode, normalizeCountryCode } from '../../model/country.ts'
import { isServiceId } from '../../model/service.ts'
import { type Attribution, isSourceName, SOURCE_NAME_RULE, type SourceAttribution } from '../../model/source-ranks.ts'
import type { FeedHeader, Scope } from './feed-record.ts'
import { type Fields, formatValue, isObject } from './fields.ts'
import { parseSourceHistories } from './parse-history.ts'

/** Values from the command line, which override those of the header. */
export interface HeaderOverrides {
  readonly source?: string
  readonly mode?: 'snapshot' | 'delta'
  readonly scope?: Scope
}

/** Parses the header of a feed; undefined, with notices, if it is invalid. */
export function parseFeedHeader(fields: Fields, overrides: HeaderOverrides): FeedHeader | undefined {
  const source = overrides.source ?? parseSource(fields)
  const mode = overrides.mode ?? fields.requiredEnum('mode', ['snapshot', 'delta'] as const)
  const scope = overrides.scope ?? parseScope(fields)
  const count = fields.integer('count', 0, Number.MAX_SAFE_INTEGER)
  if (source === undefined || mode === undefined || scope === undefined) return undefined
  // With an invalid count, nobody could tell whether the feed is complete.
  if (fields.has('count') && count === undefined) return undefined
  const statesChanges = fields.boolean('statesChanges') === true
  const attribution = parseAttribution(fields)
  const attributions = statesChanges ? parseAttributions(fields) : undefined
  const histories = statesChanges ? parseSourceHistories(fields) : undefined
  return {
    kind: 'feed',
    source,
    mode,
    scope,
    ...(statesChanges && { statesChanges }),
    ...(count !== undefined && { count }),
    ...(attribution !== undefined && { attribution }),
    ...(attributions !== undefined && { attributions }),
    ...(histories !== undefined && { histories }),
  }
}

function parseSource(fields: Fields): string | undefined {
  const source = fields.requiredText('source')
  if (source === undefined || isSourceName(source)) return source
  return fields.addNotice('invalid_field', `"source" is ${formatValue(source)}; ${SOURCE_NAME_RULE} is needed`)
}

/** The attribution of a source; invalid entries add a notice and are left out. */
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

/** The attributions of an export, by source. */
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

/** The scope; an invalid one makes the header invalid, since without a scope a snapshot would replace everything. */
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

/** A list of ids; undefined if it is absent, null, with a notice, if it is invalid. */
function parseIds(
  fields: Fields,
  value: unknown,
  path: string,
  isValid: (id: string) => boolean,
): string[] | undefined | null {
  if (value === undefined || value === null) return undefined
  if (Array.isArray(value) && value.every((id) => typeof id === 'string' && isValid(id))) return value as string[]
  fields.addNotice('invalid_field', `"${path}" is ${formatValue(value)}; a list of ids is needed`)
  return null
}
