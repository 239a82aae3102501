import type { Quality, Show, StreamingOption, StreamingOptionType } from './api-types.ts'

/** Anything with offers: a show, a season or an episode. */
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

/** What a viewer subscribes to. */
export interface ViewerOptions {
  /** Subscriptions of the viewer, as catalogs are written: `netflix`, or `prime.addon.starzaddon` for an addon. */
  subscriptions?: readonly string[] | undefined
}

/**
 * The cheapest offer for a viewer. Free offers and those of the viewer's subscriptions cost nothing. Other subscriptions
 * have no price and are skipped, and so are prices in another currency than the first one. Ties go to the best quality,
 * then to the first offer.
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
    const cost = offerCost(offer, subscriptions, currency)
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

function offerCost(offer: StreamingOption, subscriptions: readonly string[], currency: string | undefined): number {
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

/** What counts as soon. */
export interface SoonOptions {
  /** By default 31 days. */
  days?: number | undefined
  /** By default the present. */
  now?: Date | undefined
}

/** Whether an offer ends within some days. One that expires soon without a known date does. */
export function isLeavingSoon(offer: StreamingOption, { days = 31, now = new Date() }: SoonOptions = {}): boolean {
  if (offer.expiresOn === undefined) return offer.expiresSoon
  return offer.expiresOn * 1000 <= now.getTime() + days * 86_400_000
}

/** Which episode, and where it is to be watched. */
export interface EpisodeChoice {
  /** Number of the season, from 1. */
  season: number
  /** Number of the episode in its season, from 1. */
  episode: number
  country: string
  /** Only on this service. */
  service?: string | undefined
  /** Only offers of this type. */
  type?: StreamingOptionType | undefined
}

/**
 * The link that opens an episode: in the player where the service has such links, else its page. Undefined where there is
 * no such offer. The series must have been requested at granularity `episode`.
 */
export function episodeLink(show: Show, choice: EpisodeChoice): string | undefined {
  const seasons = show.showType === 'series' ? show.seasons : undefined
  const episode = seasons?.[choice.season - 1]?.episodes?.[choice.episode - 1]
  if (episode === undefined) return undefined
  const offer = offersIn(episode, choice.country).find(
    ({ service, type }) =>
      (choice.service === undefined || service.id === choice.service) &&
      (choice.type === undefined || type === choice.type),
  )
  return offer?.videoLink ?? offer?.link
}
