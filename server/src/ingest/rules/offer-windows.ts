import type { Catalog } from '../../catalog/catalog.ts'
import { type ChangeListId, changeListName } from '../../catalog/changes/stored-change.ts'
import { type Change, PAST_CHANGE_TYPES } from '../../model/change.ts'
import { MAX_TIMESTAMP, type Offer, UNKNOWN_START } from '../../model/offer.ts'
import { mapItems, type Show, showItems } from '../../model/show.ts'
import { diff } from './diff.ts'
import { recordHistory } from './record-history.ts'
import { rollUpOffers } from './roll-up.ts'

/** The home page of a service in a country; empty if it is not known. */
export type HomePage = (service: string, country: string) => string

/**
 * Applies all windows of a show that have started or ended by now, instant by instant, so that each change has the time
 * of its own window. Every writer does this before anything else: the changes are the same whoever comes first.
 */
export function applyDueWindows(show: Show, now: number, homePage: HomePage): { show: Show; changes: Change[] } {
  const changes: Change[] = []
  let current = show
  for (const instant of dueInstants(show, now)) {
    const after = recordHistory(current, applyWindows(current, instant, homePage), instant)
    changes.push(...diff(current, after, instant))
    current = after
  }
  return { show: current, changes }
}

/** The show at an instant: offers whose start has come become live, offers that have ended are removed. */
export function applyWindows(show: Show, now: number, homePage: HomePage): Show {
  const current = mapItems(show, (byCountry) => {
    const current: Record<string, readonly Offer[]> = {}
    for (const country in byCountry) {
      const offers = (byCountry[country] ?? []).flatMap((offer) => applyWindow(offer, country, now, homePage))
      if (offers.length > 0) current[country] = offers
    }
    return current
  })
  return rollUpOffers(current)
}

/**
 * The offer at an instant, or `[]` once it has ended. An offer that is announced without a link gets the home page of its
 * service when it starts. Where there is no home page either, nobody could open it: its start counts as unknown.
 */
export function applyWindow(offer: Offer, country: string, now: number, homePage: HomePage): Offer | [] {
  if (offer.expiresOn !== undefined && offer.expiresOn <= now) return []
  if (offer.startsOn === undefined || offer.startsOn === UNKNOWN_START) return offer
  const link = offer.link === '' ? homePage(offer.service, country) : offer.link
  if (link === '') return { ...offer, startsOn: UNKNOWN_START }
  if (offer.startsOn > now) return offer
  const { startsOn, ...live } = offer
  return { ...live, link }
}

/** The instants up to now at which an offer of the show starts or ends, in order. */
export function dueInstants(show: Show, now: number): number[] {
  const instants = new Set<number>()
  for (const [, byCountry] of showItems(show)) {
    for (const country in byCountry) {
      for (const { startsOn, expiresOn } of byCountry[country] as readonly Offer[]) {
        if (typeof startsOn === 'number' && startsOn <= now) instants.add(startsOn)
        if (expiresOn !== undefined && expiresOn <= now) instants.add(expiresOn)
      }
    }
  }
  return [...instants].sort((a, b) => a - b)
}

/** The first instant after now at which an offer of the show starts or ends; `MAX_TIMESTAMP` if there is none. */
export function nextWindowInstant(show: Show, now: number): number {
  let next = MAX_TIMESTAMP
  for (const [, byCountry] of showItems(show)) {
    for (const country in byCountry) {
      for (const { startsOn, expiresOn } of byCountry[country] as readonly Offer[]) {
        if (typeof startsOn === 'number' && startsOn > now && startsOn < next) next = startsOn
        if (expiresOn !== undefined && expiresOn > now && expiresOn < next) next = expiresOn
      }
    }
  }
  return next
}

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
