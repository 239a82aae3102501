import type { Mutable } from '../../lib/objects.ts'
import { isCountryCode, normalizeCountryCode } from '../../model/country.ts'
import { SHOW_TYPES } from '../../model/show.ts'
import type { NoticeLog } from '../notice.ts'
import { digestLine, type LineDigest, type RecordDigest, type UnchangedDetector } from '../unchanged/line-digest.ts'
import type { FeedLine } from './feed-lines.ts'
import type { BodyRecord, FeedHeader, RemoveRecord, ShowRecord, TopListRecord } from './feed-record.ts'
import { Fields, formatValue, isObject, type JsonObject, type RecordLocation } from './fields.ts'
import { JsonParser } from './json-parser.ts'
import { parseChange } from './parse-change.ts'
import { type HeaderOverrides, parseFeedHeader } from './parse-header.ts'
import { TrackParser } from './parse-offer.ts'
import type { ReferenceBuilder } from './reference-builder.ts'
import { ShowParser } from './show-parser.ts'

/** What a feed says beyond reference data, which goes straight into the reference builder. */
export type FeedRecord = FeedHeader | BodyRecord

/** A line that waits to be read. */
export type BufferedLine = FeedLine & {
  readonly wording?: LineDigest | undefined
  /** Whether the catalog was told so before when the line came. */
  readonly isKnown?: boolean
}

type TextLine = Extract<BufferedLine, { readonly text: string }>

/** Turns the lines of a feed into records. What cannot be taken becomes a notice. */
export class FeedParser {
  /** Whether something could not be read, so that its absence from the feed proves nothing. */
  isDamaged = false
  /** Whether anything was a record, be it a wrong one; what holds none is no feed. */
  hasRecords = false
  /** Records so far, the header not counted. */
  count = 0
  /** The header could not be used, so nobody knows who says what follows about what. */
  hasInvalidHeader = false
  private isExport = false
  private readonly overrides: HeaderOverrides
  private readonly reference: ReferenceBuilder
  private readonly notices: NoticeLog
  private readonly json = new JsonParser()
  private readonly showParser: ShowParser
  private readonly detector: UnchangedDetector

  constructor(reference: ReferenceBuilder, notices: NoticeLog, wordings: UnchangedDetector, given: HeaderOverrides) {
    this.detector = wordings
    this.overrides = given
    this.reference = reference
    this.notices = notices
    this.showParser = new ShowParser(reference, new TrackParser(this.json))
  }

  /** A line in the form in which it may wait to be read: shortened, unless most likely it need not be read. */
  prepare(line: FeedLine): BufferedLine {
    if (!('text' in line)) return line
    const wording = digestLine(line.text)
    const isKnown = wording !== undefined && this.detector.isSeen(wording)
    return { line: line.line, text: isKnown ? line.text : this.json.shorten(line.text), wording, isKnown }
  }

  /** To be called when no line waits, so that what they share stays bounded. */
  evictLists(): void {
    this.json.evictLists()
  }

  /** The records of a line that has waited, under the header that holds for it. */
  *parse(line: BufferedLine, header: FeedHeader): Iterable<FeedRecord> {
    if ('note' in line) {
      this.notices.add(line.note, line.detail, line)
      return
    }
    if ('problem' in line) {
      this.isDamaged = true
      this.notices.add(line.problem, line.detail, { line: line.line })
      return
    }
    const { wording, isKnown } = line
    const told =
      !isKnown || wording === undefined || this.isExport ? undefined : this.detector.findUnchanged(wording, header)
    if (told === undefined) {
      yield* this.parseText(line, header)
      return
    }
    this.count++
    this.hasRecords = true
    yield { kind: 'restated', told, reparse: () => this.reparse(line, header) }
  }

  /** The statements of a line that was counted already. */
  private *reparse(line: TextLine, header: FeedHeader): Iterable<BodyRecord> {
    const { count } = this
    for (const record of this.parseText(line, header)) if (record.kind !== 'feed') yield record
    this.count = count
  }

  private *parseText(line: TextLine, header: FeedHeader): Iterable<FeedRecord> {
    let value: unknown
    try {
      value = this.json.parse(line.text)
    } catch (error) {
      this.isDamaged = true
      this.notices.add('unreadable_line', (error as Error).message, { line: line.line })
      return
    }
    // Whole answers of the API can be fed as they are: a show, a list of shows, a page of a search.
    const values = Array.isArray(value) ? value : isSearchResult(value) ? value.shows : [value]
    // An answer without shows is one all the same.
    if (values.length === 0) this.hasRecords = true
    const { total } = this.notices
    const { embeddedCount } = this.reference
    for (const one of values) {
      this.count++
      const record = this.parseRecord(one, line.line)
      if (record === undefined) continue
      const saysMore = this.notices.total > total || this.reference.embeddedCount > embeddedCount || values.length > 1
      if (record.kind === 'show' && !saysMore) this.attachDigest(record, line.wording, header)
      yield record
    }
  }

  /** Notes in which words a show was stated, if they cannot mean anything else the next time. */
  private attachDigest(show: Mutable<ShowRecord>, wording: LineDigest | undefined, header: FeedHeader): void {
    if (wording === undefined || this.isExport || show.countries !== undefined) return
    const worded: RecordDigest = { ...wording, context: this.detector.context(header) }
    show.digest = worded
  }

  private parseRecord(value: unknown, line: number): FeedRecord | undefined {
    const place: RecordLocation = {
      notices: this.notices,
      line,
      record: isObject(value) ? recordName(value) : undefined,
    }
    const fields = new Fields(isObject(value) ? value : {}, place)
    const { kind } = fields.value
    const before = this.hasRecords
    this.hasRecords = true
    switch (kind) {
      case 'feed':
        this.count--
        return this.parseHeader(fields)
      case 'genre':
        return this.reference.applyGenre(fields) as undefined
      case 'service':
        return this.reference.applyService(fields) as undefined
      case 'country':
        return this.reference.applyCountry(fields) as undefined
      case 'show':
        return this.parseShow(fields.value, place, false)
      case 'top':
        return this.parseTopList(fields)
      case 'remove':
        return parseRemove(fields)
      case 'change':
        if (this.isExport) return parseChange(fields, this.reference)
        return fields.addNotice('unexpected_change', 'The feed is no export; what it brings makes its changes')
      case undefined:
        if (isObject(value) && 'showType' in value) return this.parseShow(value, place, true)
    }
    this.hasRecords = before
    this.isDamaged = true
    return fields.addNotice(
      'unknown_kind',
      `"kind" is ${formatValue(kind)}; feed, genre, service, country, show, top, remove or change is needed`,
    )
  }

  private parseHeader(fields: Fields): FeedHeader | undefined {
    const header = parseFeedHeader(fields, this.overrides)
    if (header !== undefined) {
      this.isExport = header.statesChanges === true
      return header
    }
    this.hasInvalidHeader = true
    return fields.addNotice('invalid_header', 'Nobody knows who says what the feed holds, or what it speaks of')
  }

  private parseTopList(fields: Fields): TopListRecord | undefined {
    const stated = fields.requiredText('country')
    const service = fields.requiredText('service')
    const showType = fields.requiredEnum('showType', SHOW_TYPES)
    const shows = fields.textList('shows')
    if (stated === undefined || service === undefined || showType === undefined) return undefined
    if (shows === undefined)
      return fields.addNotice('missing_field', '"shows" is missing; a list of show ids is needed')
    const country = normalizeCountryCode(stated)
    if (!isCountryCode(country)) {
      return fields.addNotice('invalid_field', `"country" is ${formatValue(stated)}; two letters are needed`)
    }
    if (!this.reference.ensureService(service, country)) {
      return fields.addNotice('unknown_service', `The service ${formatValue(service)} is not known in ${country}`)
    }
    return { kind: 'top', line: fields.location.line, country, service, showType, shows }
  }

  private parseShow(value: JsonObject, place: RecordLocation, bare: boolean): ShowRecord | undefined {
    const show = this.showParser.parse(value, place, { bare, exported: this.isExport })
    if (show === undefined) this.isDamaged = true
    return show
  }
}

function isSearchResult(value: unknown): value is { shows: unknown[] } {
  return isObject(value) && !('kind' in value) && !('showType' in value) && Array.isArray(value.shows)
}

/** How notices name a record. */
function recordName(value: JsonObject): string | undefined {
  const name = value.id ?? value.imdbId ?? value.tmdbId ?? value.title ?? value.countryCode
  return typeof name === 'string' && name !== '' ? name.slice(0, 80) : undefined
}

function parseRemove(fields: Fields): RemoveRecord | undefined {
  const ids = ['id', 'imdbId', 'tmdbId'].flatMap((name) => fields.text(name) ?? []).filter((id) => id !== '')
  if (ids.length === 0) return fields.addNotice('missing_field', 'An id, an imdbId or a tmdbId is needed')
  return { kind: 'remove', line: fields.location.line, ids }
}
