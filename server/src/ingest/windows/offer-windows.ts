import { MAX_TIMESTAMP, type Offer, UNKNOWN_START } from '../../model/offer.ts'
import { mapItems, type Show, showItems } from '../../model/show.ts'

/** Where a service can be found in a country, or nothing where that is not known. */
export type HomePage = (service: string, country: string) => string

/** A show as it is at an instant: announced offers whose start has come are live, offers that have ended are gone. */
export function applyWindows(show: Show, now: number, homePage: HomePage): Show {
  return mapItems(show, (byCountry) => {
    const passed: Record<string, readonly Offer[]> = {}
    for (const country in byCountry) {
      const offers = (byCountry[country] ?? []).flatMap((offer) => applyWindow(offer, country, now, homePage))
      if (offers.length > 0) passed[country] = offers
    }
    return passed
  })
}

/**
 * An offer at an instant, or nothing once it has ended. One that was announced without a link leads to its service when it
 * starts; if nobody knows where that is, it cannot be watched and is still to come.
 */
export function applyWindow(offer: Offer, country: string, now: number, homePage: HomePage): Offer | [] {
  if (offer.expiresOn !== undefined && offer.expiresOn <= now) return []
  if (offer.startsOn === undefined || offer.startsOn === UNKNOWN_START || offer.startsOn > now) return offer
  const { startsOn, ...live } = offer
  const link = offer.link === '' ? homePage(offer.service, country) : offer.link
  return link === '' ? { ...offer, startsOn: UNKNOWN_START } : { ...live, link }
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
