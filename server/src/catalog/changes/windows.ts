import type { Mutable } from '../../lib/objects.ts'
import type { Change, FutureChangeType } from '../../model/change.ts'
import { isLive, type Offer, offerGroupKey, UNKNOWN_START } from '../../model/offer.ts'
import { type Item, type Show, showItems } from '../../model/show.ts'

/**
 * The next window boundaries of a show's offers, as changes to come. For each item, country, service, option type and
 * addon: the earliest end of a live offer (`expiring`) and the earliest start of an announced one (`upcoming`), and of
 * each kind one without a timestamp where the date of an offer is unknown.
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
    // The link of an announced offer may be unknown.
    if (offer.link !== '' || isLive(offer)) change.link = offer.link
    earliest.set(key, change)
  }
  windows.push(...earliest.values())
}

/** The boundary that an offer reaches next, with its instant unless that is unknown. */
function offerWindow(offer: Offer): [FutureChangeType, number | undefined] | undefined {
  if (offer.startsOn === UNKNOWN_START) return ['upcoming', undefined]
  if (offer.startsOn !== undefined) return ['upcoming', offer.startsOn]
  if (offer.expiresOn !== undefined) return ['expiring', offer.expiresOn]
  return offer.imminent === true ? ['expiring', undefined] : undefined
}
