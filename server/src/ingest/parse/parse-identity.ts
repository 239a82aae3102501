import type { FieldSharers, FieldSources, IdentityDecision, RecordLink, RecordLinks } from '../../model/identity.ts'
import { isImdbId, isShowId, isTmdbId } from '../../model/show.ts'
import { isRankedField, isSourceName } from '../../model/source-ranks.ts'
import { type Fields, formatValue, isObject, type JsonObject } from './fields.ts'

/** Own ids of records may be any text up to this length. */
const MAX_RECORD_ID_CHARS = 300

/** The id of a record within its source; undefined, with a notice, if it is invalid. */
export function parseRecordId(fields: Fields): string | undefined {
  const id = fields.text('recordId')
  if (id === undefined || (id !== '' && id.length <= MAX_RECORD_ID_CHARS)) return id
  return fields.addNotice(
    'ignored_field',
    `"recordId" is ${formatValue(id)}; a text of 1 to ${MAX_RECORD_ID_CHARS} characters is needed`,
  )
}

/** The records that a show is linked to, in an export. */
export function parseRecords(fields: Fields): RecordLinks | undefined {
  const bySource = fields.object('records')
  if (bySource === undefined) return undefined
  const records: Record<string, readonly RecordLink[]> = {}
  for (const [source, list] of Object.entries(bySource)) {
    const links = Array.isArray(list) ? list.filter(isLink) : []
    if (isSourceName(source) && links.length > 0) records[source] = links.map(toLink)
    else fields.addNotice('ignored_field', `"records" holds ${formatValue({ [source]: list })}`)
  }
  return Object.keys(records).length === 0 ? undefined : records
}

function isLink(value: unknown): value is JsonObject & { key: string; by: string } {
  return isObject(value) && typeof value.key === 'string' && value.key !== '' && typeof value.by === 'string'
}

function toLink({ key, by, fields, year }: JsonObject & { key: string; by: string }): RecordLink {
  const isYear = Number.isSafeInteger(year) && (year as number) >= 0
  return {
    key,
    by,
    ...(typeof fields === 'string' && fields !== '' && { fields }),
    ...(isYear && { year: year as number }),
  }
}

/** What an operator decided about a show, in an export. */
export function parseDecisions(fields: Fields): IdentityDecision[] | undefined {
  const list = fields.list('decisions')?.flatMap((value): IdentityDecision[] => {
    const { kind, show, at, split } = isObject(value) ? value : {}
    const isValid = (kind === 'join' || kind === 'part') && typeof show === 'string' && isShowId(show)
    if (isValid && Number.isSafeInteger(at) && (at as number) >= 0) {
      return [{ kind, show, at: at as number, ...(split === true && { split }) }]
    }
    fields.addNotice('ignored_field', `"decisions" holds ${formatValue(value)}; {"kind","show","at"} is needed`)
    return []
  })
  return list === undefined || list.length === 0 ? undefined : list
}

/** The ids of shows and of the works they are, in an export. */
export function parseAnyIds(fields: Fields, name: string): string[] | undefined {
  return fields.textList(name)?.filter((id) => isShowId(id) || isImdbId(id) || isTmdbId(id))
}

/** The source of each field of a show, in an export. */
export function parseFieldSources(fields: Fields): FieldSources | undefined {
  const stated = fields.object('fieldSources')
  if (stated === undefined) return undefined
  const valid = Object.entries(stated).filter(
    ([field, source]) => isRankedField(field) && typeof source === 'string' && isSourceName(source),
  )
  return valid.length === 0 ? undefined : (Object.fromEntries(valid) as FieldSources)
}

/** The other sources that state the same value of a field, in an export. */
export function parseFieldSharers(fields: Fields): FieldSharers | undefined {
  const stated = fields.object('fieldSharers')
  if (stated === undefined) return undefined
  const isNames = (names: unknown): names is string[] =>
    Array.isArray(names) && names.length > 0 && names.every((name) => typeof name === 'string' && isSourceName(name))
  const valid = Object.entries(stated).filter(([field, names]) => isRankedField(field) && isNames(names))
  return valid.length === 0 ? undefined : (Object.fromEntries(valid) as FieldSharers)
}
