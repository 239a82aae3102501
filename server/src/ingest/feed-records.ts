import { isCountryCode, normalizeCountryCode } from '../model/country.ts'
import { SHOW_TYPES } from '../model/show.ts'
import type { FeedLine } from './feed-lines.ts'
import { Fields, isObject, type JsonObject, type Place, shown } from './fields.ts'
import type { NoticeLog } from './notice.ts'
import { readChange } from './read-change.ts'
import { type GivenHeader, readFeedHeader } from './read-header.ts'
import { ShowReader } from './read-show.ts'
import { TrackReader } from './read-tracks.ts'
import { RecordParser } from './record-parser.ts'
import type { ReferenceBuilder } from './reference-builder.ts'
import type { FeedHeader, RemoveStatement, ShowStatement, Statement, TopStatement } from './statement.ts'

/** What a feed says beyond reference data, which goes straight into the reference builder. */
export type FeedRecord = FeedHeader | Statement

/** Turns the lines of a feed into records. What cannot be taken becomes a notice. */
export class FeedRecords {
  /** Whether something could not be read, so that its absence from the feed proves nothing. */
  damaged = false
  /** Records so far, the header not counted. */
  count = 0
  /** The header could not be used, so nobody knows who says what follows about what. */
  unusable = false
  private exported = false
  private readonly given: GivenHeader
  private readonly reference: ReferenceBuilder
  private readonly notices: NoticeLog
  private readonly parser = new RecordParser()
  private readonly shows: ShowReader

  constructor(reference: ReferenceBuilder, notices: NoticeLog, given: GivenHeader) {
    this.given = given
    this.reference = reference
    this.notices = notices
    this.shows = new ShowReader(reference, new TrackReader(this.parser))
  }

  /** A line in the short form in which it may wait to be read. */
  shorten(line: FeedLine): FeedLine {
    return 'text' in line ? { line: line.line, text: this.parser.shorten(line.text) } : line
  }

  /** To be called when no shortened line waits, so that what they share stays bounded. */
  makeRoom(): void {
    this.parser.makeRoom()
  }

  /** The records of a shortened line. */
  *read(line: FeedLine): Iterable<FeedRecord> {
    if ('note' in line) {
      this.notices.add(line.note, line.detail, line)
      return
    }
    if ('problem' in line) {
      this.damaged = true
      this.notices.add(line.problem, line.detail, { line: line.line })
      return
    }
    let value: unknown
    try {
      value = this.parser.parse(line.text)
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
        return this.readHeader(fields)
      case 'genre':
        return this.reference.stateGenre(fields) as undefined
      case 'service':
        return this.reference.stateService(fields) as undefined
      case 'country':
        return this.reference.stateCountry(fields) as undefined
      case 'show':
        return this.readShow(fields.value, place, false)
      case 'top':
        return this.readTop(fields)
      case 'remove':
        return readRemove(fields)
      case 'change':
        if (this.exported) return readChange(fields)
        return fields.note('unexpected_change', 'The feed is no export; what it brings makes its changes')
      case undefined:
        if (isObject(value) && 'showType' in value) return this.readShow(value, place, true)
    }
    this.damaged = true
    return fields.note(
      'unknown_kind',
      `"kind" is ${shown(kind)}; feed, genre, service, country, show, top, remove or change is needed`,
    )
  }

  private readHeader(fields: Fields): FeedHeader | undefined {
    const header = readFeedHeader(fields, this.given)
    if (header !== undefined) {
      this.exported = header.statesChanges === true
      return header
    }
    this.unusable = true
    return fields.note('invalid_header', 'Nobody knows who says what the feed holds, or what it speaks of')
  }

  private readTop(fields: Fields): TopStatement | undefined {
    const stated = fields.requiredText('country')
    const service = fields.requiredText('service')
    const showType = fields.requiredWord('showType', SHOW_TYPES)
    const shows = fields.texts('shows')
    if (stated === undefined || service === undefined || showType === undefined) return undefined
    if (shows === undefined) return fields.note('missing_field', '"shows" is missing; a list of show ids is needed')
    const country = normalizeCountryCode(stated)
    if (!isCountryCode(country)) {
      return fields.note('invalid_field', `"country" is ${shown(stated)}; two letters are needed`)
    }
    if (!this.reference.useService(service, country)) {
      return fields.note('unknown_service', `The service ${shown(service)} is not known in ${country}`)
    }
    return { kind: 'top', line: fields.place.line, country, service, showType, shows }
  }

  private readShow(value: JsonObject, place: Place, bare: boolean): ShowStatement | undefined {
    const show = this.shows.read(value, place, { bare, exported: this.exported })
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

function readRemove(fields: Fields): RemoveStatement | undefined {
  const ids = ['id', 'imdbId', 'tmdbId'].flatMap((name) => fields.text(name) ?? []).filter((id) => id !== '')
  if (ids.length === 0) return fields.note('missing_field', 'An id, an imdbId or a tmdbId is needed')
  return { kind: 'remove', line: fields.place.line, ids }
}
