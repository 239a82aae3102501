import type { Change, PastChangeType } from '../model/change.ts'
import { noChanges } from './import-report.ts'

/** What a reading of a feed has come to so far. */
export class FeedTally {
  shows = 0
  offers = 0
  created = 0
  altered = 0
  unchanged = 0
  /** Offers that the source held in what the feed covers, and those of them that the feed does not restate. */
  held = 0
  missing = 0
  readonly changes = noChanges()
  readonly changesByPlace: Record<string, Record<PastChangeType, number>> = {}

  countChange({ changeType, country, service }: Change): void {
    const type = changeType as PastChangeType
    this.changes[type]++
    const place = `${country} ${service}`
    let counts = this.changesByPlace[place]
    if (counts === undefined) {
      counts = noChanges()
      this.changesByPlace[place] = counts
    }
    counts[type]++
  }
}
