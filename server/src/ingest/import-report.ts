import { type Change, PAST_CHANGE_TYPES, type PastChangeType } from '../model/change.ts'

/** What an import did, or would do after a dry run. */
export interface ImportReport {
  readonly source: string
  readonly mode: 'snapshot' | 'delta'
  /** The time of an old snapshot, from which only history was filled. */
  readonly asOf?: number
  /** Show records in the feed, and the offers in them. */
  readonly shows: number
  readonly offers: number
  /** Shows that were created, changed, or left as they were. */
  readonly created: number
  readonly altered: number
  readonly unchanged: number
  readonly changes: Readonly<Record<PastChangeType, number>>
  /** Changes by country and service, for the summary. */
  readonly changesByPlace: Readonly<Record<string, Readonly<Record<PastChangeType, number>>>>
  readonly notices: Readonly<Partial<Record<NoticeCode, number>>>
  readonly noticeList: readonly Notice[]
  /** Whether the feed was complete and could be parsed; otherwise nothing was removed. */
  readonly complete: boolean
  /** Why the feed was not imported. */
  readonly refused?: Refusal
  /** The catalog's version after the import. */
  readonly version: number
}

/** Why a feed was refused: an invalid header, no record at all, a part of an old snapshot, or too many removals. */
export type Refusal =
  | { readonly reason: 'invalid_header' | 'no_records' | 'incomplete_snapshot' }
  | { readonly reason: 'too_many_removals'; readonly held: number; readonly removed: number }

function zeroChangeCounts(): Record<PastChangeType, number> {
  return Object.fromEntries(PAST_CHANGE_TYPES.map((type) => [type, 0])) as Record<PastChangeType, number>
}

/** The counts of a pass so far. */
export class ImportTally {
  shows = 0
  offers = 0
  created = 0
  altered = 0
  unchanged = 0
  /** Offers that the source held within what the feed covers, and those of them that the feed lacks. */
  held = 0
  missing = 0
  readonly changes = zeroChangeCounts()
  readonly changesByPlace: Record<string, Record<PastChangeType, number>> = {}

  countChange({ changeType, country, service }: Change): void {
    const type = changeType as PastChangeType
    this.changes[type]++
    const place = `${country} ${service}`
    let counts = this.changesByPlace[place]
    if (counts === undefined) {
      counts = zeroChangeCounts()
      this.changesByPlace[place] = counts
    }
    counts[type]++
  }
}

/** An error lost data, a warning changed data, information did neither. */
type Severity = 'error' | 'warning' | 'info'

/** All notice codes, each with its severity and what it means for the import. */
export const NOTICE_CODES = {
  unreadable_line: ['error', 'The line is not JSON, or the row of a table cannot be read; it is skipped.'],
  line_too_long: ['error', 'The line is longer than 10 MB; it is skipped.'],
  invalid_utf8: ['error', 'The line is not UTF-8 text; it is skipped.'],
  truncated_feed: ['error', 'The feed ends in the middle; what was read is kept, nothing is removed.'],
  count_mismatch: ['error', 'The feed holds fewer records than its header declares; nothing is removed.'],
  feed_altered: ['error', 'The feed was altered while it was read; what was read is kept, nothing is removed.'],
  invalid_header: ['error', 'The header of the feed cannot be used; nothing is imported.'],
  no_records: ['error', 'Nothing in the feed is a record; nothing is imported.'],
  unknown_kind: ['error', 'The record is of no known kind; it is skipped.'],
  misplaced_header: ['error', 'A feed header may only be the first record; it is skipped, and nothing is removed.'],
  missing_field: [
    'error',
    'A field that its object cannot do without is missing; the object is skipped: the record, or a service in it.',
  ],
  invalid_field: [
    'error',
    'A field that its object cannot do without is wrong; the object is skipped: the record, or a service in it.',
  ],
  assumed_encoding: ['info', 'The table is not UTF-8 and does not say what it is; it is read in the likely encoding.'],
  ignored_field: ['warning', 'A field is wrong and the record can do without it; the field is left out.'],
  invalid_rating: ['warning', 'The rating is not a whole number from 0 to 100; it counts as unknown.'],
  title_too_long: ['warning', 'The title has more than 300 characters; the rest of it is left out.'],
  missing_images: ['warning', 'The show has no poster; its image addresses are left empty.'],
  unknown_genre: ['warning', 'The genre was neither stated nor is it a standard one; it is left out.'],
  unknown_service: ['error', 'The service is not known in that country; what names it is skipped.'],
  unknown_addon: ['error', 'The addon is not known on that service in that country; the offer is skipped.'],
  invalid_offer: ['error', 'The offer lacks something or has something wrong; it is skipped.'],
  unsafe_link: [
    'error',
    'A link is code or content of its own (javascript:, data: and the like); it is left out, and so is an offer with it.',
  ],
  end_before_start: ['error', 'The offer ends before it starts; it is skipped.'],
  expired_offer: ['info', 'The offer has already ended; it is left out.'],
  rolled_up: ['info', 'A season or an episode has an offer where its series has none; the series gets one, too.'],
  price_not_allowed: ['warning', 'Only rentals and purchases have prices; the price is left out.'],
  unknown_currency: ['warning', 'The currency is none of ISO 4217; the price is left out.'],
  invalid_price: ['warning', 'The price has no plain decimal amount; it is left out.'],
  out_of_scope: ['warning', 'The offer lies outside the scope of its feed; it is left out.'],
  duplicate_show: ['warning', 'The show was stated before in this feed; the later record is skipped.'],
  id_taken: ['warning', 'The id belongs to a different show; the show gets a new one.'],
  ids_disagree: ['warning', 'The IMDb id and the TMDB id belong to different shows; the IMDb id decides.'],
  shows_merged: ['info', 'Two shows turn out to be one; they are merged, and both ids lead to it.'],
  ambiguous_show: ['warning', 'Several known shows fit by title, year and type; it is taken as a new one.'],
  unknown_show: ['warning', 'No show has that id; the entry is left out.'],
  ambiguous_title: ['warning', 'Several shows of the service have that title; the entry of the top list is left out.'],
  incomplete_top_list: [
    'warning',
    'Most titles of the top list are unknown; the others are published, and the message has their ranks.',
  ],
  left_out: ['warning', 'The source says something that the catalog has no place for; it is left out.'],
  unknown_provider: ['info', 'The source names a provider that no table maps; it becomes a service of its own.'],
  remove_in_snapshot: ['error', 'A snapshot removes by leaving out; the record is skipped.'],
  unexpected_change: ['error', 'Only exported feeds state changes; the record is skipped.'],
  removals_withheld: ['warning', 'Parts of the feed could not be read, so nothing that it lacks is removed.'],
  incomplete_snapshot: ['error', 'History is filled only from snapshots that can be read whole; nothing is imported.'],
  too_many_removals: [
    'error',
    'The snapshot would remove more than a fifth of what its source holds; nothing is imported.',
  ],
} as const satisfies Record<string, readonly [Severity, string]>

export type NoticeCode = keyof typeof NOTICE_CODES

/** One problem of a feed. */
export interface Notice {
  readonly code: NoticeCode
  readonly severity: Severity
  /** The line of the feed, from 1; absent if the notice is about the whole feed. */
  readonly line?: number
  /** The id or title of the record, if it could be parsed. */
  readonly record?: string
  /** The heading of the column of a table, if the notice is about its cells. */
  readonly column?: string
  /** How many cells or rows the notice is about, if it is about several. */
  readonly count?: number
  readonly message: string
}

/** Where a notice belongs in a feed. */
export interface NoticePlace {
  readonly line?: number | undefined
  readonly record?: string | undefined
  readonly column?: string | undefined
  readonly count?: number | undefined
}

/** Collects notices: counts all of them, and keeps the first ones of each code. */
export class NoticeLog {
  /** What the notices of each code are about: one thing each, or the cells of a column. */
  readonly counts: Partial<Record<NoticeCode, number>> = {}
  readonly notices: Notice[] = []
  private readonly entries: Partial<Record<NoticeCode, number>> = {}
  /** The number of notices of all codes. */
  total = 0
  private readonly maxPerCode: number

  constructor(maxPerCode = 100) {
    this.maxPerCode = maxPerCode
  }

  add(code: NoticeCode, message: string, { line, record, column, count }: NoticePlace = {}): void {
    this.counts[code] = (this.counts[code] ?? 0) + (count ?? 1)
    const entries = (this.entries[code] ?? 0) + 1
    this.entries[code] = entries
    this.total++
    if (entries > this.maxPerCode) return
    this.notices.push({
      code,
      severity: NOTICE_CODES[code][0],
      ...(line !== undefined && { line }),
      ...(record !== undefined && { record }),
      ...(column !== undefined && { column }),
      ...(count !== undefined && { count }),
      message,
    })
  }

  has(code: NoticeCode): boolean {
    return this.counts[code] !== undefined
  }
}
