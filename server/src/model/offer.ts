import type { Locale, Subtitle } from './language.ts'
import { CHANGE_WINDOW_DAYS, SECONDS_PER_DAY } from './time.ts'

/** The ways in which a service lets a show be watched. */
export const OFFER_TYPES = ['subscription', 'free', 'rent', 'buy', 'addon'] as const
export type OfferType = (typeof OFFER_TYPES)[number]

export const QUALITIES = ['sd', 'hd', 'qhd', 'uhd'] as const
export type Quality = (typeof QUALITIES)[number]

/** The start of an offer that is announced without a date. */
export const UNKNOWN_START = 'unknown'

/** The latest timestamp that answers carry; beyond it dates stop meaning anything. */
export const MAX_TIMESTAMP = 253_402_300_799

/**
 * One way to watch an item in one country. It belongs to the source that stated it. While `startsOn` is there the
 * offer is upcoming; without it the offer is live. An offer that has ended is no longer kept.
 */
export interface Offer {
  readonly source: string
  readonly service: string
  readonly type: OfferType
  readonly addon?: string
  readonly link: string
  readonly videoLink?: string
  readonly quality?: Quality
  /** Both as `normalizeAudios` and `normalizeSubtitles` leave them. */
  readonly audios: readonly Locale[]
  readonly subtitles: readonly Subtitle[]
  readonly price?: Price
  readonly startsOn?: number | typeof UNKNOWN_START
  readonly expiresOn?: number
  /** The offer is about to end on a day that nobody knows. */
  readonly imminent?: true
  readonly availableSince: number
}

/** Offers by lower-case country code. A country without offers has no entry. */
export type OffersByCountry = Readonly<Record<string, readonly Offer[]>>

export function isLive(offer: Offer): boolean {
  return offer.startsOn === undefined
}

/**
 * The instant from which an offer counts as expiring soon: always for one that ends on an unknown day, never for one
 * without an end, else a fixed window before its end.
 */
export function expiresSoonFrom(imminent: boolean, expiresOn: number | undefined): number {
  if (imminent) return Number.NEGATIVE_INFINITY
  return expiresOn === undefined ? Number.POSITIVE_INFINITY : expiresOn - CHANGE_WINDOW_DAYS * SECONDS_PER_DAY
}

/** What a change is about: one item in one country, by service, type and addon. */
export function offerGroupKey(offer: Pick<Offer, 'service' | 'type' | 'addon'>): string {
  return offer.addon === undefined ? `${offer.service}.${offer.type}` : `${offer.service}.${offer.type}.${offer.addon}`
}

/** What a rental or a purchase costs. Amounts stay text: money is not a floating-point number. */
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

/** The price as answers print it for people: amount, a space, the currency's code. */
export function formatPrice(price: Price): string {
  return `${price.amount} ${price.currency}`
}
