import type { Mutable } from '../../lib/objects.ts'
import type { Change, FutureChangeType } from '../../model/change.ts'
import { isLive, type Offer, offerGroupKey, UNKNOWN_START } from '../../model/offer.ts'
import { type Item, type Show, showItems } from '../../model/show.ts'

/**
 * What will happen to the offers of a show by the passing of time alone: for each item, country, service, type and
 * addon the earliest end of a live offer (`expiring`) and the earliest start of an announced one (`upcoming`), and
 * whether there is one of either kind without a date.
 */
export function showWindows(show: Show): Change[] {
  if (show.deleted === true) return []
  const windows: Change[] = []
  for (const [item, offers] of showItems(show)) {
    for (const country in offers) {
      const inCountry = offers[country] as readonly Offer[]
      if (inCountry.some((offer) => offerWindow(offer) !== undefined))
        addWindows(windows, show, item, country, inCountry)
    }
  }
  return windows
}

function addWindows(windows: Change[], show: Show, item: Item, country: string, offers: readonly Offer[]): void {
  const earliest = new Map<string, Change>()
  for (const offer of offers) {
    const window = offerWindow(offer)
    if (window === undefined) continue
    const [changeType, timestamp] = window
    const key = `${changeType} ${timestamp === undefined ? 'undated' : 'dated'} ${offerGroupKey(offer)}`
    const known = earliest.get(key)
    if (known !== undefined && (timestamp ?? 0) >= (known.timestamp ?? 0)) continue
    const change: Mutable<Change> = {
      changeType,
      itemType: item.itemType,
      showId: show.id,
      showType: show.showType,
      country,
      service: offer.service,
      offerType: offer.type,
    }
    if (item.season !== undefined) change.season = item.season
    if (item.episode !== undefined) change.episode = item.episode
    if (offer.addon !== undefined) change.addon = offer.addon
    if (timestamp !== undefined) change.timestamp = timestamp
    // The link of an offer that is still to come may be unknown.
    if (offer.link !== '' || isLive(offer)) change.link = offer.link
    earliest.set(key, change)
  }
  windows.push(...earliest.values())
}

function offerWindow(offer: Offer): [FutureChangeType, number | undefined] | undefined {
  if (offer.startsOn === UNKNOWN_START) return ['upcoming', undefined]
  if (offer.startsOn !== undefined) return ['upcoming', offer.startsOn]
  if (offer.expiresOn !== undefined) return ['expiring', offer.expiresOn]
  return offer.imminent === true ? ['expiring', undefined] : undefined
}
