import { type Change, PAST_CHANGE_TYPES, type PastChangeType } from '../model/change.ts'
import type { Notice, NoticeCode } from './notice.ts'

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
