import type { Mutable } from '../lib/objects.ts'
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
import { type KnownWordings, type WordedStatement, type Wording, wordingOf } from './wording.ts'

/** What a feed says beyond reference data, which goes straight into the reference builder. */
export type FeedRecord = FeedHeader | Statement

/** A line that waits to be read. */
export type WaitingLine = FeedLine & {
  readonly wording?: Wording | undefined
  /** Whether the catalog was told so before when the line came. */
  readonly isKnown?: boolean
}

type TextLine = Extract<WaitingLine, { readonly text: string }>

/** Turns the lines of a feed into records. What cannot be taken becomes a notice. */
export class FeedRecords {
  /** Whether something could not be read, so that its absence from the feed proves nothing. */
  damaged = false
  /** Whether anything was a record, be it a wrong one; what holds none is no feed. */
  recognized = false
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
  private readonly wordings: KnownWordings

  constructor(reference: ReferenceBuilder, notices: NoticeLog, wordings: KnownWordings, given: GivenHeader) {
    this.wordings = wordings
    this.given = given
    this.reference = reference
    this.notices = notices
    this.shows = new ShowReader(reference, new TrackReader(this.parser))
  }

  /** A line in the form in which it may wait to be read: shortened, unless most likely it need not be read. */
  prepare(line: FeedLine): WaitingLine {
    if (!('text' in line)) return line
    const wording = wordingOf(line.text)
    const isKnown = wording !== undefined && this.wordings.has(wording)
    return { line: line.line, text: isKnown ? line.text : this.parser.shorten(line.text), wording, isKnown }
  }

  /** To be called when no line waits, so that what they share stays bounded. */
  makeRoom(): void {
    this.parser.makeRoom()
  }

  /** The records of a line that has waited, under the header that holds for it. */
  *read(line: WaitingLine, header: FeedHeader): Iterable<FeedRecord> {
    if ('note' in line) {
      this.notices.add(line.note, line.detail, line)
      return
    }
    if ('problem' in line) {
      this.damaged = true
      this.notices.add(line.problem, line.detail, { line: line.line })
      return
    }
    const { wording, isKnown } = line
    const told = !isKnown || wording === undefined || this.exported ? undefined : this.wordings.find(wording, header)
    if (told === undefined) {
      yield* this.readText(line, header)
      return
    }
    this.count++
    this.recognized = true
    yield { kind: 'restated', told, read: () => this.readAgain(line, header) }
  }

  /** The statements of a line that was counted already. */
  private *readAgain(line: TextLine, header: FeedHeader): Iterable<Statement> {
    const { count } = this
    for (const record of this.readText(line, header)) if (record.kind !== 'feed') yield record
    this.count = count
  }

  private *readText(line: TextLine, header: FeedHeader): Iterable<FeedRecord> {
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
    // An answer without shows is one all the same.
    if (values.length === 0) this.recognized = true
    const { total } = this.notices
    const { printed } = this.reference
    for (const one of values) {
      this.count++
      const record = this.readOne(one, line.line)
      if (record === undefined) continue
      const saysMore = this.notices.total > total || this.reference.printed > printed || values.length > 1
      if (record.kind === 'show' && !saysMore) this.addWording(record, line.wording, header)
      yield record
    }
  }

  /** Notes in which words a show was stated, if they cannot mean anything else the next time. */
  private addWording(show: Mutable<ShowStatement>, wording: Wording | undefined, header: FeedHeader): void {
    if (wording === undefined || this.exported || show.countries !== undefined) return
    const worded: WordedStatement = { ...wording, context: this.wordings.context(header) }
    show.worded = worded
  }

  private readOne(value: unknown, line: number): FeedRecord | undefined {
    const place: Place = { notices: this.notices, line, record: isObject(value) ? nameOf(value) : undefined }
    const fields = new Fields(isObject(value) ? value : {}, place)
    const { kind } = fields.value
    const before = this.recognized
    this.recognized = true
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
        if (this.exported) return readChange(fields, this.reference)
        return fields.note('unexpected_change', 'The feed is no export; what it brings makes its changes')
      case undefined:
        if (isObject(value) && 'showType' in value) return this.readShow(value, place, true)
    }
    this.recognized = before
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
