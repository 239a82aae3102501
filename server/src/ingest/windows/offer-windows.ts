import { MAX_TIMESTAMP, type Offer, UNKNOWN_START } from '../../model/offer.ts'
import { mapItems, type Show, showItems } from '../../model/show.ts'

/** The home page of a service in a country; empty if it is not known. */
export type HomePage = (service: string, country: string) => string

/** The show at an instant: offers whose start has come become live, offers that have ended are removed. */
export function applyWindows(show: Show, now: number, homePage: HomePage): Show {
  return mapItems(show, (byCountry) => {
    const current: Record<string, readonly Offer[]> = {}
    for (const country in byCountry) {
      const offers = (byCountry[country] ?? []).flatMap((offer) => applyWindow(offer, country, now, homePage))
      if (offers.length > 0) current[country] = offers
    }
    return current
  })
}

/**
 * The offer at an instant, or `[]` once it has ended. An offer that was announced without a link gets the home page of its
 * service when it starts; without a home page its start becomes unknown, since nobody could open it.
 */
export function applyWindow(offer: Offer, country: string, now: number, homePage: HomePage): Offer | [] {
  if (offer.expiresOn !== undefined && offer.expiresOn <= now) return []
  if (offer.startsOn === undefined || offer.startsOn === UNKNOWN_START || offer.startsOn > now) return offer
  const { startsOn, ...live } = offer
  const link = offer.link === '' ? homePage(offer.service, country) : offer.link
  return link === '' ? { ...offer, startsOn: UNKNOWN_START } : { ...live, link }
}

/** The instants up to now at which an offer of the show starts or ends, in order. */
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
