import type { SeenRecord } from '../../catalog/documents/seen-records.ts'
import type { Mutable } from '../../lib/objects.ts'
import { isCountryCode, normalizeCountryCode } from '../../model/country.ts'
import { SHOW_TYPES } from '../../model/show.ts'
import type { NoticeLog } from '../import-report.ts'
import type { FeedLine, TextLine } from '../lines/feed-lines.ts'
import { digestLine, type LineDigest } from '../lines/line-digest.ts'
import { LineShortener, NO_LISTS, type TrackLists } from '../lines/track-lists.ts'
import type { BodyRecord, FeedHeader, FeedRecord, RemoveRecord, ShowRecord, TopListRecord } from './feed-record.ts'
import { Fields, formatValue, isObject, type JsonObject, type RecordLocation } from './fields.ts'
import { JsonParser } from './json-parser.ts'
import { parseChange } from './parse-change.ts'
import { type HeaderOverrides, parseFeedHeader } from './parse-header.ts'
import { TrackParser } from './parse-offer.ts'
import type { ReferenceBuilder } from './reference-builder.ts'
import { ShowParser } from './show-parser.ts'
import type { UnchangedDetector } from './unchanged-detector.ts'

/** A line that is buffered until enough lines for a commit are there. */
export type BufferedLine = Exclude<FeedLine, TextLine> | BufferedText

/** A buffered line with some text. */
interface BufferedText {
  readonly line: number
  /** Has the text, which may be shortened. */
  readonly source: Pick<TextLine, 'text'>
  /** The lists that were cut out of it. */
  readonly lists: TrackLists
  /** The memory that it takes, about. */
  readonly size: number
  readonly digest: LineDigest | undefined
  /** What the catalog had seen of the line when it was buffered. */
  readonly seen: SeenRecord | undefined
}

/** Parses the lines of a feed into records. What cannot be parsed becomes a notice. */
export class FeedParser {
  /** Whether a line or record could not be parsed, so that what the feed lacks is not a removal. */
  isDamaged = false
  /** Whether there was any record, if only an invalid one; otherwise the input is not a feed. */
  hasRecords = false
  /** Records so far, without the header. */
  count = 0
  /** Whether the header is invalid, so that source and scope of the feed are unknown. */
  hasInvalidHeader = false
  private isExport = false
  private readonly overrides: HeaderOverrides
  private readonly reference: ReferenceBuilder
  private readonly notices: NoticeLog
  private readonly shortener = new LineShortener()
  private readonly json = new JsonParser()
  private readonly showParser: ShowParser
  private readonly detector: UnchangedDetector

  constructor(
    reference: ReferenceBuilder,
    notices: NoticeLog,
    detector: UnchangedDetector,
    overrides: HeaderOverrides,
  ) {
    this.detector = detector
    this.overrides = overrides
    this.reference = reference
    this.notices = notices
    this.showParser = new ShowParser(reference, new TrackParser(this.json))
  }

  /** Makes a line ready for the buffer: digests it and, unless it was seen before, replaces its track lists. */
  prepare(whole: FeedLine): BufferedLine {
    if (!('text' in whole)) return whole
    const { line, prepared, bytes } = whole
    const digest = prepared === undefined ? digestLine(whole) : prepared.digest
    const seen = digest && this.detector.findSeen(digest)
    if (seen !== undefined) {
      const size = prepared?.size ?? bytes?.length ?? whole.text.length
      return { line, source: whole, lists: NO_LISTS, size, digest, seen }
    }
    const shortened = prepared === undefined ? this.shortener.shorten(whole.text) : prepared.shorten()
    return { line, source: shortened, lists: shortened.lists, size: shortened.length, digest, seen }
  }

  /** Parses the records of a buffered line, under the header of the feed. */
  *parse(line: BufferedLine, header: FeedHeader): Iterable<FeedRecord> {
    if ('note' in line) {
      this.notices.add(line.note, line.detail, line)
      return
    }
    if ('problem' in line) {
      this.isDamaged = true
      this.notices.add(line.problem, line.detail, line)
      return
    }
    const seen = this.isExport ? undefined : this.detector.findUnchanged(line, header)
    if (seen === undefined) {
      yield* this.parseText(line, header)
      return
    }
    this.count++
    this.hasRecords = true
    yield { kind: 'unchanged', line: line.line, seen, reparse: () => this.reparse(line, header) }
  }

  /** Parses a line whose record was already counted as unchanged. */
  private *reparse(line: BufferedText, header: FeedHeader): Iterable<BodyRecord> {
    const { count } = this
    for (const record of this.parseText(line, header)) if (record.kind !== 'feed') yield record
    this.count = count
  }

  private *parseText(line: BufferedText, header: FeedHeader): Iterable<FeedRecord> {
    let value: unknown
    try {
      value = this.json.parse({ text: line.source.text, lists: line.lists })
    } catch (error) {
      this.isDamaged = true
      this.notices.add('unreadable_line', (error as Error).message, { line: line.line })
      return
    }
    // Response bodies of the API are valid feeds: a show, a list of shows, a page of a search.
    const values = Array.isArray(value) ? value : isSearchResult(value) ? value.shows : [value]
    // An empty response is a valid feed, too.
    if (values.length === 0) this.hasRecords = true
    const { total } = this.notices
    const { embeddedCount } = this.reference
    for (const one of values) {
      this.count++
      const record = this.parseRecord(one, line.line)
      if (record === undefined) continue
      const hasOtherEffects =
        this.notices.total > total || this.reference.embeddedCount > embeddedCount || values.length > 1
      if (record.kind === 'show' && !hasOtherEffects) this.attachDigest(record, line.digest, header)
      yield record
    }
  }

  /** Adds the digest to a show record, unless its result depends on more than line and context. */
  private attachDigest(show: Mutable<ShowRecord>, digest: LineDigest | undefined, header: FeedHeader): void {
    if (digest === undefined || this.isExport || show.countries !== undefined) return
    show.digest = { ...digest, context: this.detector.contextDigest(header) }
  }

  private parseRecord(value: unknown, line: number): FeedRecord | undefined {
    const location: RecordLocation = {
      notices: this.notices,
      line,
      record: isObject(value) ? recordName(value) : undefined,
    }
    const fields = new Fields(isObject(value) ? value : {}, location)
    const { kind } = fields.value
    const hadRecords = this.hasRecords
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
        return this.parseShow(fields.value, location, false)
      case 'top':
        return this.parseTopList(fields)
      case 'remove':
        return parseRemove(fields)
      case 'change':
        if (this.isExport) return parseChange(fields, this.reference)
        return fields.addNotice(
          'unexpected_change',
          'The feed is not an export; its changes are derived from its shows',
        )
      case undefined:
        if (isObject(value) && 'showType' in value) return this.parseShow(value, location, true)
    }
    this.hasRecords = hadRecords
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
    return fields.addNotice('invalid_header', 'The source, the mode or the scope of the feed is not known')
  }

  private parseTopList(fields: Fields): TopListRecord | undefined {
    const code = fields.requiredText('country')
    const service = fields.requiredText('service')
    const showType = fields.requiredEnum('showType', SHOW_TYPES)
    const shows = fields.textList('shows')
    if (code === undefined || service === undefined || showType === undefined) return undefined
    if (shows === undefined) {
      return fields.addNotice('missing_field', '"shows" is missing; a list of show ids is needed')
    }
    const country = normalizeCountryCode(code)
    if (!isCountryCode(country)) {
      return fields.addNotice('invalid_field', `"country" is ${formatValue(code)}; two letters are needed`)
    }
    if (!this.reference.ensureService(service, country)) {
      return fields.addNotice('unknown_service', `The service ${formatValue(service)} is not known in ${country}`)
    }
    return { kind: 'top', line: fields.location.line, country, service, showType, shows }
  }

  private parseShow(value: JsonObject, location: RecordLocation, isBare: boolean): ShowRecord | undefined {
    const show = this.showParser.parse(value, location, { isBare, isExport: this.isExport })
    if (show === undefined) this.isDamaged = true
    return show
  }
}

function isSearchResult(value: unknown): value is { shows: unknown[] } {
  return isObject(value) && !('kind' in value) && !('showType' in value) && Array.isArray(value.shows)
}

/** The name of a record in notices. */
function recordName(value: JsonObject): string | undefined {
  const name = value.id ?? value.imdbId ?? value.tmdbId ?? value.title ?? value.countryCode
  return typeof name === 'string' && name !== '' ? name.slice(0, 80) : undefined
}

function parseRemove(fields: Fields): RemoveRecord | undefined {
  const ids = ['id', 'imdbId', 'tmdbId'].flatMap((name) => fields.text(name) ?? []).filter((id) => id !== '')
  if (ids.length === 0) return fields.addNotice('missing_field', 'An id, an imdbId or a tmdbId is needed')
  return { kind: 'remove', line: fields.location.line, ids }
}
