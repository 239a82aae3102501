import { isSameOffer, type Offer, type OffersByCountry, offerGroupKey, UNKNOWN_START } from '../../model/offer.ts'
import { averageRating, mapItems, type Show, showItems, withRating } from '../../model/show.ts'
import type { SourceRanks } from '../../model/source-ranks.ts'
import { type FeedHeader, isInScope, type ParsedOffer, type ParsedOffers, type Scope } from '../parse/feed-record.ts'
import { applyWindow, type HomePage } from '../rules/offer-windows.ts'
import { withoutFieldSource } from './field-precedence.ts'

/** What a merge depends on beside the show and its record. */
export interface MergeContext {
  readonly source: string
  readonly scope: Scope
  readonly now: number
  /** Whether windows that have started or ended are applied; otherwise the window scheduler does that. */
  readonly appliesWindows: boolean
  readonly homePage: HomePage
  readonly ranks: SourceRanks
  /**
   * Which of the source's offers are kept although the record lacks them: none; those whose group (service, type and
   * addon) is missing as a whole; or each one, since an offer that could not be parsed may be the missing one.
   */
  readonly keepMissing: 'nothing' | 'groups' | 'offers'
  readonly observer: MergeObserver
}

/** Callbacks for the counts and notices of an import. */
export interface MergeObserver {
  /** Offers that the source held within what the record covers. */
  held(count: number): void
  /** Those of them whose group the record lacks, and that are removed. */
  missing(count: number): void
  /** An offer of the record that has already ended. */
  expired(country: string, offer: Offer): void
}

/**
 * Replaces the offers that a record covers by those of the record. All others stay, in their order.
 * @param covers whether the record speaks for a known offer
 */
export function mergeOffers(
  old: OffersByCountry,
  parsed: ParsedOffers,
  covers: (country: string, offer: Offer) => boolean,
  context: MergeContext,
): OffersByCountry {
  const merged: Record<string, readonly Offer[]> = {}
  for (const country in old) {
    const offers = mergeCountryOffers(country, old[country] as readonly Offer[], parsed[country] ?? [], covers, context)
    if (offers.length > 0) merged[country] = offers
  }
  for (const country in parsed) {
    if (old[country] !== undefined) continue
    const offers = resolveOffers(country, parsed[country] as readonly ParsedOffer[], NO_CONTINUATIONS, [], context)
    if (offers.length > 0) merged[country] = offers
  }
  return merged
}

/** Merges the offers of a country in which some are known. */
function mergeCountryOffers(
  country: string,
  before: readonly Offer[],
  parsed: readonly ParsedOffer[],
  covers: (country: string, offer: Offer) => boolean,
  context: MergeContext,
): readonly Offer[] {
  const { now, keepMissing, observer } = context
  const replaced = before.filter((offer) => covers(country, offer))
  const continued = matchContinuations(parsed, replaced, now)
  const kept = before.filter((offer) => !covers(country, offer))
  const resolved = resolveOffers(country, parsed, continued, kept, context)
  const groups = new Set(parsed.map(offerGroupKey))
  const matched = new Set(continued.values())
  const missing = replaced.filter((offer) =>
    keepMissing === 'offers' ? !matched.has(offer) : !groups.has(offerGroupKey(offer)),
  )
  observer.held(replaced.length)
  if (keepMissing === 'nothing') observer.missing(missing.length)
  // The new offers stand where the first replaced one stood, so that the order of sources is stable.
  const first = before.findIndex((offer) => covers(country, offer))
  const index = first < 0 ? kept.length : before.slice(0, first).filter((offer) => !covers(country, offer)).length
  return [...kept.slice(0, index), ...resolved, ...(keepMissing === 'nothing' ? [] : missing), ...kept.slice(index)]
}

const NO_CONTINUATIONS: ReadonlyMap<ParsedOffer, Offer> = new Map()

/**
 * The offers of a record as they are stored: with source and `availableSince`, and without those that have ended.
 * @param others the offers of other sources in the same item and country
 */
function resolveOffers(
  country: string,
  parsed: readonly ParsedOffer[],
  continued: ReadonlyMap<ParsedOffer, Offer>,
  others: readonly Offer[],
  { source, scope, now, appliesWindows, homePage, observer }: MergeContext,
): Offer[] {
  const resolved: Offer[] = []
  for (const one of parsed) {
    if (!isInScope(scope, country, one.service)) continue
    const availableSince = resolveAvailableSince(one, continued.get(one), others, now)
    const offer: Offer = { ...one, source: one.source ?? source, availableSince }
    const current = appliesWindows ? applyWindow(offer, country, now, homePage) : offer
    if (Array.isArray(current)) observer.expired(country, offer)
    else resolved.push(current)
  }
  return resolved
}

/**
 * When an offer became available: as the record says, else its start, else that of the offer it continues, else now; but
 * not later than another source's that states the same offer, so that the two are printed as one.
 */
function resolveAvailableSince(
  offer: ParsedOffer,
  known: Offer | undefined,
  others: readonly Offer[],
  now: number,
): number {
  const { availableSince, startsOn, ...started } = offer
  if (availableSince !== undefined) return availableSince
  const isAnnounced = typeof startsOn === 'number' && startsOn > now
  const current = startsOn === undefined || isAnnounced || startsOn === UNKNOWN_START ? offer : started
  const same = others.find((other) => isSameOffer(other, current))?.availableSince ?? Number.POSITIVE_INFINITY
  if (typeof startsOn === 'number' && (known === undefined || isAnnounced)) return Math.min(startsOn, same)
  // The offer may have been announced for a later time and be live already.
  return Math.min(known?.availableSince ?? now, now, same)
}

/**
 * Matches each offer of a record with the known offer of its group that it continues, each known one at most once. The
 * strictest matcher runs first over all offers, so that no offer takes the exact match of another.
 */
function matchContinuations(
  parsed: readonly ParsedOffer[],
  replaced: readonly Offer[],
  now: number,
): ReadonlyMap<ParsedOffer, Offer> {
  const pairs = new Map<ParsedOffer, Offer>()
  const matched = new Set<Offer>()
  for (const matches of MATCHERS) {
    for (const offer of parsed) {
      if (pairs.has(offer)) continue
      const group = offerGroupKey(offer)
      const known = replaced.find(
        (one) => !matched.has(one) && offerGroupKey(one) === group && matches(offer, one, now),
      )
      if (known === undefined) continue
      pairs.set(offer, known)
      matched.add(known)
    }
  }
  return pairs
}

type OfferMatcher = (offer: ParsedOffer, known: Offer, now: number) => boolean

const isSameLink: OfferMatcher = (offer, known) => known.link === offer.link && known.quality === offer.quality

const isSamePrice: OfferMatcher = (offer, known) =>
  known.price?.amount === offer.price?.amount &&
  known.price?.currency === offer.price?.currency &&
  known.expiresOn === offer.expiresOn

/** Both live, or both announced for the same start; an offer whose start has passed is live. */
const isSameStart: OfferMatcher = (offer, known, now) =>
  (typeof offer.startsOn === 'number' && offer.startsOn <= now ? undefined : offer.startsOn) === known.startsOn

const isSameSince: OfferMatcher = (offer, known) => known.availableSince === offer.availableSince

/** When an offer continues a known one of its group, strictest first. */
const MATCHERS: readonly OfferMatcher[] = [
  (...pair) => isSameLink(...pair) && isSamePrice(...pair) && isSameStart(...pair) && isSameSince(...pair),
  (...pair) => isSameLink(...pair) && isSamePrice(...pair) && isSameStart(...pair),
  (...pair) => isSameLink(...pair) && isSameStart(...pair),
  isSameStart,
  isSameLink,
]

/**
 * Removes a source's offers within its scope from a show, and returns how many. Its rating is removed, too, and its texts
 * are no longer protected, unless it has offers outside the scope, or may have had none within it.
 */
export function removeSource(show: Show, { source, scope }: FeedHeader): { show: Show; removed: number } {
  const { show: without, removed } = removeOffers(show, (country, offer) => {
    return offer.source === source && isInScope(scope, country, offer.service)
  })
  const hasOffers = [...showItems(without)].some(([, byCountry]) =>
    Object.values(byCountry).some((offers) => offers.some((offer) => offer.source === source)),
  )
  const isScoped = scope.countries !== undefined || scope.services !== undefined
  if (hasOffers || (isScoped && removed === 0)) return { show: without, removed }
  const ratings = withRating(show.ratings, source, 0)
  return { show: { ...withoutFieldSource(without, source), ratings, rating: averageRating(ratings) }, removed }
}

/** Removes offers, and counts those that records have stated. */
function removeOffers(show: Show, isGone: (country: string, offer: Offer) => boolean) {
  let removed = 0
  const without = mapItems(show, (byCountry) => {
    const kept: Record<string, readonly Offer[]> = {}
    for (const country in byCountry) {
      const all = byCountry[country] ?? []
      const offers = all.filter((offer) => !isGone(country, offer))
      removed += all.filter((offer) => offer.rolledUp === undefined && isGone(country, offer)).length
      if (offers.length > 0) kept[country] = offers
    }
    return kept
  })
  return { show: without, removed }
}
