import { type Change, PAST_CHANGE_TYPES, type PastChangeType } from '../model/change.ts'
import type { Notice, NoticeCode } from './notice.ts'

/** What an import did, or what a check found that it would do. */
export interface ImportReport {
  readonly source: string
  readonly mode: 'snapshot' | 'delta'
  /** Show records read, and offers in them. */
  readonly shows: number
  readonly offers: number
  /** Shows that came, were altered, or were left as they were. */
  readonly created: number
  readonly altered: number
  readonly unchanged: number
  readonly changes: Readonly<Record<PastChangeType, number>>
  /** Changes by country and service, for the summary. */
  readonly changesByPlace: Readonly<Record<string, Readonly<Record<PastChangeType, number>>>>
  readonly notices: Readonly<Partial<Record<NoticeCode, number>>>
  readonly noticeList: readonly Notice[]
  /** Whether the feed was whole and readable; otherwise nothing was removed. */
  readonly complete: boolean
  /** Why the feed was not imported. */
  readonly refused?: Refusal
  /** The catalog's version after the import. */
  readonly version: number
}

/** Why a feed was refused: its header could not be used, it is no feed at all, or it would remove too much of its source. */
export type Refusal =
  | { readonly reason: 'invalid_header' | 'no_records' }
  | { readonly reason: 'too_many_removals'; readonly held: number; readonly removed: number }

export function zeroChangeCounts(): Record<PastChangeType, number> {
  return Object.fromEntries(PAST_CHANGE_TYPES.map((type) => [type, 0])) as Record<PastChangeType, number>
}

/** What a reading of a feed has come to so far. */
export class ImportTally {
  shows = 0
  offers = 0
  created = 0
  altered = 0
  unchanged = 0
  /** Offers that the source held in what the feed covers, and those of them that the feed does not restate. */
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
