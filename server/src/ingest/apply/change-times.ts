import type { Catalog } from '../../catalog/catalog.ts'
import { type ChangeListId, changeListName } from '../../catalog/changes/stored-change.ts'
import { type Change, PAST_CHANGE_TYPES } from '../../model/change.ts'

/**
 * Gives the changes of a batch their times. Time and place are the key of a change: a place that became live, ended and
 * became live again in one second would have one `new` for two. So the second one gets the next second.
 */
export class ChangeTimes {
  private readonly catalog: Catalog
  private readonly version: number
  /** The times of the newest changes, by list. */
  private readonly newestTimes = new Map<string, number>()

  constructor(catalog: Catalog) {
    this.catalog = catalog
    this.version = catalog.version()
  }

  /**
   * The change at the first time from its own on that has none of its kind and place, and is not before another change
   * of its place: those that got a later time stay in sequence with what happens then.
   */
  withFreeTime(change: Change): Change {
    const { country, itemType, timestamp = 0 } = change
    const kinds = PAST_CHANGE_TYPES.map((changeType) => ({ ...change, changeType }))
    const newest = Math.max(...kinds.map(({ changeType }) => this.newestTime({ country, changeType, itemType })))
    // The clock is ahead of nearly every log.
    if (newest < timestamp) return change
    let time = timestamp
    while (time < newest && kinds.some((kind) => this.isTaken({ ...kind, timestamp: time + 1 }))) time++
    if (this.isTaken({ ...change, timestamp: time })) time++
    return time === timestamp ? change : { ...change, timestamp: time }
  }

  private isTaken(change: Change): boolean {
    return this.catalog.changes.has(change, this.version)
  }

  private newestTime(list: ChangeListId): number {
    const name = changeListName(list)
    let newest = this.newestTimes.get(name)
    if (newest === undefined) {
      newest = this.catalog.changes.newestTime(list, this.version)
      this.newestTimes.set(name, newest)
    }
    return newest
  }
}
