import { itemsOf, mapItems } from '../model/item.ts'
import { LATEST_TIMESTAMP, type Offer, UNKNOWN_START } from '../model/offer.ts'
import type { Show } from '../model/show.ts'

/** A show as it is at an instant: announced offers whose start has come are live, offers that have ended are gone. */
export function passTime(show: Show, now: number): Show {
  return mapItems(show, (byCountry) => {
    const passed: Record<string, readonly Offer[]> = {}
    for (const country in byCountry) {
      const offers = (byCountry[country] ?? []).flatMap((offer) => offerAt(offer, now))
      if (offers.length > 0) passed[country] = offers
    }
    return passed
  })
}

/** An offer at an instant, or nothing once it has ended. */
export function offerAt(offer: Offer, now: number): Offer | [] {
  if (offer.expiresOn !== undefined && offer.expiresOn <= now) return []
  if (offer.startsOn === undefined || offer.startsOn === UNKNOWN_START || offer.startsOn > now) return offer
  const { startsOn, ...live } = offer
  return live
}

/** The instants up to now at which something of the show starts or ends, in order. */
export function dueInstants(show: Show, now: number): number[] {
  const instants = new Set<number>()
  mapItems(show, (byCountry) => {
    for (const offers of Object.values(byCountry)) {
      for (const offer of offers) {
        if (typeof offer.startsOn === 'number' && offer.startsOn <= now) instants.add(offer.startsOn)
        if (offer.expiresOn !== undefined && offer.expiresOn <= now) instants.add(offer.expiresOn)
      }
    }
    return byCountry
  })
  return [...instants].sort((a, b) => a - b)
}

/** The first instant after now at which something of the show starts or ends; the latest there is if nothing does. */
export function nextInstant(show: Show, now: number): number {
  let next = LATEST_TIMESTAMP
  for (const [, byCountry] of itemsOf(show)) {
    for (const country in byCountry) {
      for (const { startsOn, expiresOn } of byCountry[country] as readonly Offer[]) {
        if (typeof startsOn === 'number' && startsOn > now && startsOn < next) next = startsOn
        if (expiresOn !== undefined && expiresOn > now && expiresOn < next) next = expiresOn
      }
    }
  }
  return next
}
