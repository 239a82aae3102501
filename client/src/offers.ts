import type { Quality, StreamingOption, StreamingOptionType } from './api-types.ts'

/** What can be watched: a show, a season or an episode. */
export interface Watchable {
  streamingOptions: { [countryCode: string]: StreamingOption[] | undefined }
}

/** The offers of a country, in any case of its code; an empty list where there are none. */
export function offersIn(item: Watchable, country: string): StreamingOption[] {
  return item.streamingOptions[country.toLowerCase()] ?? []
}

/** The offers of a country by type; types without offers have an empty list. */
export function offersByType(item: Watchable, country: string): Record<StreamingOptionType, StreamingOption[]> {
  const byType: Record<StreamingOptionType, StreamingOption[]> = {
    subscription: [],
    free: [],
    rent: [],
    buy: [],
    addon: [],
  }
  for (const offer of offersIn(item, country)) byType[offer.type]?.push(offer)
  return byType
}

/** What a viewer has already. */
export interface ViewerOptions {
  /** Subscriptions of the viewer, as catalogs are written: `netflix`, or `prime.addon.starzaddon` for an addon. */
  subscriptions?: readonly string[] | undefined
}

/**
 * The offer that costs a viewer least. What is free, or on a subscription that the viewer has, costs nothing more. Other
 * subscriptions have no price and are passed over. Prices in another currency than the first one cannot be compared and
 * are passed over too. Of equally cheap offers the one of the best quality wins, then the first.
 */
export function cheapestOffer(
  item: Watchable,
  country: string,
  { subscriptions = [] }: ViewerOptions = {},
): StreamingOption | undefined {
  const offers = offersIn(item, country)
  const currency = offers.find(isPriced)?.price?.currency
  let best: StreamingOption | undefined
  let bestCost = Infinity
  for (const offer of offers) {
    const cost = costOf(offer, subscriptions, currency)
    if (cost > bestCost || cost === Infinity) continue
    if (best !== undefined && cost === bestCost && rank(offer.quality) <= rank(best.quality)) continue
    best = offer
    bestCost = cost
  }
  return best
}

function isPriced({ type, price }: StreamingOption): boolean {
  return (type === 'rent' || type === 'buy') && price !== undefined
}

function costOf(offer: StreamingOption, subscriptions: readonly string[], currency: string | undefined): number {
  const { type, service, addon, price } = offer
  if (type === 'free') return 0
  if (isPriced(offer)) return price?.currency === currency ? Number(price?.amount) : Infinity
  const names =
    type === 'subscription' ? [service.id, `${service.id}.subscription`] : [`${service.id}.addon.${addon?.id}`]
  return names.some((name) => subscriptions.includes(name)) ? 0 : Infinity
}

function rank(quality: Quality | undefined): number {
  return quality === undefined ? -1 : ['sd', 'hd', 'qhd', 'uhd'].indexOf(quality)
}

/** When something counts as soon. */
export interface SoonOptions {
  /** By default 31 days. */
  days?: number | undefined
  /** By default the present. */
  now?: Date | undefined
}

/** Whether an offer ends within some days; one that is about to end on a day that is not known does. */
export function isLeavingSoon(offer: StreamingOption, { days = 31, now = new Date() }: SoonOptions = {}): boolean {
  if (offer.expiresOn === undefined) return offer.expiresSoon
  return offer.expiresOn * 1000 <= now.getTime() + days * 86_400_000
}
