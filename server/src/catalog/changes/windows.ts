import type { Mutable } from '../../lib/objects.ts'
import type { Change, FutureChangeType } from '../../model/change.ts'
import { isLive, type Offer, offerGroupKey, UNKNOWN_START } from '../../model/offer.ts'
import { type Item, type Show, showItems } from '../../model/show.ts'

/** A change to come of a place: the offer that it is about, and its instant unless that is unknown. */
interface Window {
  readonly changeType: FutureChangeType
  readonly timestamp?: number | undefined
  readonly link: string
  readonly offer: Offer
}

/**
 * The changes to come of a show, at most one for each place: item, country, service, option type and addon. A place that
 * is live and ends is `expiring`, at its end; one that is not live and has an announced offer is `upcoming`, at the
 * earliest start. Time alone then makes exactly one `removed` or `new` of each, at that instant.
 */
export function showWindows(show: Show): Change[] {
  return collectWindows(show, (offers) => {
    const live = offers.filter(isLive)
    const window = live.length > 0 ? findEnd(live, offers) : findStart(offers)
    return window === undefined ? [] : [window]
  })
}

/**
 * The windows that a show has in a catalog that was last written before places were told once: for each place the earliest
 * end and the earliest start, and of each kind one without a timestamp. They are deleted when the show is written again.
 */
export function formerWindows(show: Show): Change[] {
  return collectWindows(show, (offers) => {
    const earliest = new Map<string, Window>()
    for (const offer of offers) {
      const changeType = isLive(offer) ? 'expiring' : 'upcoming'
      const instant = isLive(offer) ? offer.expiresOn : offer.startsOn
      if (instant === undefined && offer.imminent !== true) continue
      const timestamp = instant === UNKNOWN_START ? undefined : instant
      const key = `${changeType} ${timestamp === undefined}`
      if ((earliest.get(key)?.timestamp ?? Number.POSITIVE_INFINITY) <= (timestamp ?? 0)) continue
      if (timestamp === undefined && earliest.has(key)) continue
      earliest.set(key, { changeType, timestamp, link: offer.link, offer })
    }
    return [...earliest.values()]
  })
}

/** The first instant at which an offer of a show starts or ends; undefined if there is none. */
export function findDueInstant(show: Show): number | undefined {
  let due = Number.POSITIVE_INFINITY
  if (show.deleted === true) return undefined
  for (const [, byCountry] of showItems(show)) {
    for (const country in byCountry) {
      for (const { startsOn, expiresOn } of byCountry[country] as readonly Offer[]) {
        if (typeof startsOn === 'number' && startsOn < due) due = startsOn
        if (expiresOn !== undefined && expiresOn < due) due = expiresOn
      }
    }
  }
  return due === Number.POSITIVE_INFINITY ? undefined : due
}

/** The windows of all places of a show. */
function collectWindows(show: Show, findWindows: (offers: readonly Offer[]) => readonly Window[]): Change[] {
  if (show.deleted === true) return []
  const windows: Change[] = []
  for (const [item, byCountry] of showItems(show)) {
    for (const country in byCountry) {
      const offers = byCountry[country] as readonly Offer[]
      if (!offers.some(hasWindow)) continue
      for (const place of groupByPlace(offers)) {
        for (const window of findWindows(place)) windows.push(toChange(show, item, country, window))
      }
    }
  }
  return windows
}

function hasWindow({ startsOn, expiresOn, imminent }: Offer): boolean {
  return startsOn !== undefined || expiresOn !== undefined || imminent === true
}

/** The offers of an item in one country by service, type and addon. */
function groupByPlace(offers: readonly Offer[]): Iterable<readonly Offer[]> {
  if (offers.length === 1) return [offers]
  const places = new Map<string, Offer[]>()
  for (const offer of offers) {
    const key = offerGroupKey(offer)
    const place = places.get(key)
    if (place === undefined) places.set(key, [offer])
    else place.push(offer)
  }
  return places.values()
}

/**
 * The end of a live place: the last end of its live offers, or of an announced one that starts by then and outlasts them.
 * Without a date if one of them ends on an unknown day; undefined if one of them does not end.
 */
function findEnd(live: readonly Offer[], offers: readonly Offer[]): Window | undefined {
  const end = (offer: Offer, timestamp?: number): Window => {
    // An announced offer may have no link yet.
    return { changeType: 'expiring', timestamp, link: offer.link || (live[0] as Offer).link, offer }
  }
  let last = live[0] as Offer
  let undated: Offer | undefined
  for (const offer of live) {
    if (offer.expiresOn === undefined && offer.imminent !== true) return undefined
    if (offer.expiresOn === undefined) undated ??= offer
    else if (offer.expiresOn > (last.expiresOn ?? 0)) last = offer
  }
  if (undated !== undefined) return end(undated)
  const announced = offers.filter(({ startsOn }) => typeof startsOn === 'number')
  for (;;) {
    const lastEnd = last.expiresOn as number
    const next = announced.find(
      ({ startsOn, expiresOn }) => (startsOn as number) <= lastEnd && (expiresOn === undefined || expiresOn > lastEnd),
    )
    if (next === undefined) return end(last, lastEnd)
    if (next.expiresOn === undefined) return next.imminent === true ? end(next) : undefined
    last = next
  }
}

/** The start of a place that is not live: the earliest one with a date, else one without. */
function findStart(offers: readonly Offer[]): Window | undefined {
  let first: Offer | undefined
  for (const offer of offers) {
    if (typeof offer.startsOn !== 'number') first ??= offer
    else if (typeof first?.startsOn !== 'number' || offer.startsOn < first.startsOn) first = offer
  }
  if (first === undefined) return undefined
  const timestamp = typeof first.startsOn === 'number' ? first.startsOn : undefined
  return { changeType: 'upcoming', timestamp, link: first.link, offer: first }
}

function toChange(show: Show, item: Item, country: string, { changeType, timestamp, link, offer }: Window): Change {
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
  if (link !== '' || changeType === 'expiring') change.link = link
  return change
}
