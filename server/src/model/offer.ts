import { isSameTracks, type Locale, type Subtitle } from './language.ts'
import { CHANGE_WINDOW_DAYS, SECONDS_PER_DAY } from './time.ts'

/** The kinds of offer, in the order in which answers list them. */
export const OFFER_TYPES = ['subscription', 'free', 'rent', 'buy', 'addon'] as const
export type OfferType = (typeof OFFER_TYPES)[number]

export const QUALITIES = ['sd', 'hd', 'qhd', 'uhd'] as const
export type Quality = (typeof QUALITIES)[number]

/** The start of an offer that is announced without a date. */
export const UNKNOWN_START = 'unknown'

/** The largest timestamp in answers: the end of the year 9999. */
export const MAX_TIMESTAMP = 253_402_300_799

/**
 * One way to watch an item in one country. It belongs to the source that stated it. An offer with `startsOn` is upcoming;
 * without it, live. Ended offers are deleted.
 */
export interface Offer {
  readonly source: string
  readonly service: string
  readonly type: OfferType
  readonly addon?: string
  readonly link: string
  readonly videoLink?: string
  readonly quality?: Quality
  /** Both normalized: see `normalizeAudios` and `normalizeSubtitles`. */
  readonly audios: readonly Locale[]
  readonly subtitles: readonly Subtitle[]
  readonly price?: Price
  readonly startsOn?: number | typeof UNKNOWN_START
  readonly expiresOn?: number
  /** The offer ends soon, on an unknown date. */
  readonly imminent?: true
  readonly availableSince: number
  /**
   * Set if no record states the offer: a series or a season got it because its parts have one. The value names the link
   * that it has: that of a part, or of the page of the series or season.
   */
  readonly rolledUp?: 'part' | 'page'
}

/** Offers by lower-case country code. A country without offers has no entry. */
export type OffersByCountry = Readonly<Record<string, readonly Offer[]>>

export function isLive(offer: Offer): boolean {
  return offer.startsOn === undefined
}

/** An offer that ends within so many seconds expires soon, as does one that ends on an unknown day, and none without an end. */
export const EXPIRES_SOON_SECONDS = CHANGE_WINDOW_DAYS * SECONDS_PER_DAY

/** The group of offers that a change is about, within one item and country: service, type and addon. */
export function offerGroupKey(offer: Pick<Offer, 'service' | 'type' | 'addon'>): string {
  return offer.addon === undefined ? `${offer.service}.${offer.type}` : `${offer.service}.${offer.type}.${offer.addon}`
}

/** An offer without what differs between two sources that state the same one. */
type StatedOffer = Omit<Offer, 'source' | 'availableSince' | 'rolledUp'>

/** Whether two offers are the same one, whoever states it: equal in all but source and `availableSince`. */
export function isSameOffer(a: StatedOffer, b: StatedOffer): boolean {
  return (
    a.link === b.link &&
    a.service === b.service &&
    a.type === b.type &&
    a.addon === b.addon &&
    a.videoLink === b.videoLink &&
    a.quality === b.quality &&
    a.price?.amount === b.price?.amount &&
    a.price?.currency === b.price?.currency &&
    a.startsOn === b.startsOn &&
    a.expiresOn === b.expiresOn &&
    a.imminent === b.imminent &&
    isSameTracks(a.audios, b.audios) &&
    isSameTracks(a.subtitles, b.subtitles)
  )
}

/**
 * Whether an offer of a list repeats earlier ones of another source. Equal offers of one source all count: only as many
 * are repeats as the other source has stated.
 */
export function isRepeated(
  offers: readonly Offer[],
  index: number,
  isEqual: (a: Offer, b: Offer) => boolean = isSameOffer,
): boolean {
  const offer = offers[index] as Offer
  let own = 0
  let others: Map<string, number> | undefined
  for (let i = 0; i < index; i++) {
    const earlier = offers[i] as Offer
    if (!isEqual(earlier, offer)) continue
    if (earlier.source === offer.source) own++
    else {
      others ??= new Map()
      others.set(earlier.source, (others.get(earlier.source) ?? 0) + 1)
    }
  }
  for (const count of others?.values() ?? []) if (count > own) return true
  return false
}

/** The price of a rental or a purchase. The amount stays text: money is not a floating-point number. */
export interface Price {
  readonly amount: string
  readonly currency: string
}

const currencies: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'))

/** Whether the code is a currency of ISO 4217. */
export function isCurrency(code: string): boolean {
  return currencies.has(code)
}

/** Whether the text is a plain decimal amount, such as `2.99` or `100`. */
export function isAmount(amount: string): boolean {
  return /^\d{1,12}(\.\d{1,4})?$/.test(amount)
}

/** The price as answers print it for people: amount, space, currency code. */
export function formatPrice(price: Price): string {
  return `${price.amount} ${price.currency}`
}
