import { isCountryCode, normalizeCountryCode } from '../model/country.ts'
import { SHOW_TYPES } from '../model/show.ts'
import type { FeedLine } from './feed-lines.ts'
import { Fields, isObject, type JsonObject, type Place, shown } from './fields.ts'
import type { NoticeLog } from './notice.ts'
import { readChange } from './read-change.ts'
import { ShowReader } from './read-show.ts'
import type { ReferenceBuilder } from './reference-builder.ts'
import type { FeedHeader, RemoveStatement, Scope, ShowStatement, Statement, TopStatement } from './statement.ts'

/** What a feed says beyond reference data, which goes straight into the reference builder. */
export type FeedRecord = FeedHeader | Statement

/** Turns the lines of a feed into records. What cannot be taken becomes a notice. */
export class FeedRecords {
  /** Whether something could not be read, so that its absence from the feed proves nothing. */
  damaged = false
  /** Records so far, the header not counted. */
  count = 0
  private readonly reference: ReferenceBuilder
  private readonly notices: NoticeLog
  private readonly shows: ShowReader

  constructor(reference: ReferenceBuilder, notices: NoticeLog) {
    this.reference = reference
    this.notices = notices
    this.shows = new ShowReader(reference)
  }

  *read(line: FeedLine): Iterable<FeedRecord> {
    if ('problem' in line) {
      this.damaged = true
      this.notices.add(line.problem, line.detail, { line: line.line })
      return
    }
    let value: unknown
    try {
      value = JSON.parse(line.text)
    } catch (error) {
      this.damaged = true
      this.notices.add('unreadable_line', (error as Error).message, { line: line.line })
      return
    }
    // Whole answers of the API can be fed as they are: a show, a list of shows, a page of a search.
    const values = Array.isArray(value) ? value : isSearchResult(value) ? value.shows : [value]
    for (const one of values) {
      this.count++
      const record = this.readOne(one, line.line)
      if (record !== undefined) yield record
    }
  }

  private readOne(value: unknown, line: number): FeedRecord | undefined {
    const place: Place = { notices: this.notices, line, record: isObject(value) ? nameOf(value) : undefined }
    const fields = new Fields(isObject(value) ? value : {}, place)
    const { kind } = fields.value
    switch (kind) {
      case 'feed':
        this.count--
        return readHeader(fields)
      case 'genre':
        return this.reference.stateGenre(fields) as undefined
      case 'service':
        return this.reference.stateService(fields) as undefined
      case 'country':
        return this.reference.stateCountry(fields) as undefined
      case 'show':
        return this.readShow(fields.value, place, false)
      case 'top':
        return readTop(fields)
      case 'remove':
        return readRemove(fields)
      case 'change':
        return readChange(fields)
      case undefined:
        if (isObject(value) && 'showType' in value) return this.readShow(value, place, true)
    }
    this.damaged = true
    return fields.note(
      'unknown_kind',
      `"kind" is ${shown(kind)}; feed, genre, service, country, show, top, remove or change is needed`,
    )
  }

  private readShow(value: JsonObject, place: Place, bare: boolean): ShowStatement | undefined {
    const show = this.shows.read(value, place, bare)
    if (show === undefined) this.damaged = true
    return show
  }
}

function isSearchResult(value: unknown): value is { shows: unknown[] } {
  return isObject(value) && !('kind' in value) && !('showType' in value) && Array.isArray(value.shows)
}

/** How notices name a record. */
function nameOf(value: JsonObject): string | undefined {
  const name = value.id ?? value.imdbId ?? value.tmdbId ?? value.title ?? value.countryCode
  return typeof name === 'string' && name !== '' ? name.slice(0, 80) : undefined
}

function readHeader(fields: Fields): FeedHeader | undefined {
  const source = fields.requiredText('source')
  const mode = fields.requiredWord('mode', ['snapshot', 'delta'] as const)
  if (source === undefined || mode === undefined) return undefined
  const count = fields.wholeNumber('count', 0, Number.MAX_SAFE_INTEGER)
  const statesChanges = fields.boolean('statesChanges') === true
  return {
    kind: 'feed',
    source,
    mode,
    scope: readScope(fields),
    ...(statesChanges && { statesChanges }),
    ...(count !== undefined && { count }),
  }
}

function readScope(fields: Fields): Scope {
  const scope = fields.inside('scope')
  const countries = scope?.texts('countries')?.map(normalizeCountryCode)
  const services = scope?.texts('services')
  return {
    ...(countries !== undefined && { countries: new Set(countries) }),
    ...(services !== undefined && { services: new Set(services) }),
  }
}

function readTop(fields: Fields): TopStatement | undefined {
  const country = normalizeCountryCode(fields.requiredText('country') ?? '')
  const service = fields.requiredText('service')
  const showType = fields.requiredWord('showType', SHOW_TYPES)
  const shows = fields.texts('shows')
  if (!isCountryCode(country) || service === undefined || showType === undefined) return undefined
  if (shows === undefined) return fields.note('missing_field', '"shows" is missing; a list of show ids is needed')
  return { kind: 'top', line: fields.place.line, country, service, showType, shows }
}

function readRemove(fields: Fields): RemoveStatement | undefined {
  const ids = ['id', 'imdbId', 'tmdbId'].flatMap((name) => fields.text(name) ?? []).filter((id) => id !== '')
  if (ids.length === 0) return fields.note('missing_field', 'An id, an imdbId or a tmdbId is needed')
  return { kind: 'remove', line: fields.place.line, ids }
}
