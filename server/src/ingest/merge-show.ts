import { type Offer, type OffersByCountry, offerGroupKey } from '../model/offer.ts'
import type { Episode, Season, Show } from '../model/show.ts'
import { mergeDetails } from './merge-details.ts'
import { type HomePage, offerAt } from './pass-time.ts'
import {
  inScope,
  type Scope,
  type ShowStatement,
  type StatedEpisode,
  type StatedOffer,
  type StatedOffers,
  statedItems,
} from './statement.ts'

/** What a statement is merged by: who makes it, about which part of the world, and when. */
export interface StatementContext {
  readonly source: string
  readonly scope: Scope
  readonly now: number
  /** Whether offers that have started or ended by now are taken as such; otherwise that is left to the keeper. */
  readonly passTime: boolean
  readonly homePage: HomePage
  /**
   * What of the source's offers is kept though it is not restated: nothing; groups of service, type and addon that
   * are missing as a whole; or every single offer, since one that could not be read may have been it.
   */
  readonly keep: 'nothing' | 'groups' | 'offers'
  /** Told what becomes of the offers that the source held and of those that it states. */
  readonly witness: MergeWitness
}

/** Counts what a merge does to offers. */
export interface MergeWitness {
  /** Offers that the source held within what the statement covers. */
  held(count: number): void
  /** Those of them whose service, type and addon it does not restate, and that go. */
  missing(count: number): void
  /** A stated offer that has already ended. */
  expired(country: string, offer: Offer): void
}

/**
 * A show after a statement about it. What the statement says of the show itself is taken over. Of the offers, those
 * of the same source and within the scope are replaced; all others stay, in their order.
 */
export function mergeShow(
  id: string,
  before: Show | undefined,
  statement: ShowStatement,
  context: StatementContext,
): Show {
  const sources = sourcesOf(statement, context.source)
  const covers = (country: string, offer: Offer) =>
    sources.has(offer.source) &&
    inScope(context.scope, country, offer.service) &&
    statement.countries?.has(country) !== false
  const merge = (old: OffersByCountry | undefined, stated: StatedOffers): OffersByCountry =>
    mergeOffers(old ?? {}, stated, covers, context)
  // An export that does not say who rates was made when nobody kept it: whoever states the offers, then.
  const [, rater = context.source] = sources
  const saidIds = statement.formerIds ?? []
  const formerIds = [...new Set([...(before?.formerIds ?? []), ...saidIds])].filter((former) => former !== id)
  return {
    ...mergeDetails(before, statement, rater),
    id,
    offers: merge(before?.offers, statement.offers),
    ...ifAny('seasons', mergeSeasons(before?.seasons, statement, merge)),
    ...ifAny('formerIds', formerIds.length > 0 ? formerIds : undefined),
  }
}

/** Everybody whose offers the statement restates: the feed's source, and those that its offers name. */
function sourcesOf(statement: ShowStatement, source: string): Set<string> {
  const sources = new Set([source])
  for (const byCountry of statedItems(statement)) {
    for (const offers of Object.values(byCountry)) {
      for (const offer of offers) if (offer.source !== undefined) sources.add(offer.source)
    }
  }
  return sources
}

function ifAny<K extends string, T>(key: K, value: T | undefined): { [key in K]?: T } {
  return value === undefined ? {} : ({ [key]: value } as { [key in K]: T })
}

type MergeOffers = (old: OffersByCountry | undefined, stated: StatedOffers) => OffersByCountry

/**
 * Seasons are known by their place. A statement without seasons says nothing of them; one with fewer than are known
 * drops those that are left without any offer, unless it is partial.
 */
function mergeSeasons(
  before: readonly Season[] | undefined,
  { seasons: stated, showType, ...statement }: ShowStatement,
  merge: MergeOffers,
): Season[] | undefined {
  if (showType === 'movie') return undefined
  const partial = statement.partial === true
  if (stated === undefined) return before === undefined ? undefined : [...before]
  return mergePlaces(before ?? [], stated, partial, (old, said, number) => {
    const kept = partial || said === undefined ? old : undefined
    const episodes = mergeEpisodes(old?.episodes, said === undefined ? [] : said.episodes, partial, merge)
    return {
      title: said?.title ?? kept?.title ?? `Season ${number}`,
      firstAirYear: said?.firstAirYear ?? kept?.firstAirYear ?? 0,
      lastAirYear: said?.lastAirYear ?? kept?.lastAirYear ?? 0,
      offers: merge(old?.offers, said?.offers ?? {}),
      ...ifAny('episodes', episodes),
    }
  })
}

function mergeEpisodes(
  before: readonly Episode[] | undefined,
  stated: readonly StatedEpisode[] | undefined,
  partial: boolean,
  merge: MergeOffers,
): Episode[] | undefined {
  if (stated === undefined) return before === undefined ? undefined : [...before]
  return mergePlaces(before ?? [], stated, partial, (old, said, number) => {
    const kept = partial || said === undefined ? old : undefined
    return {
      title: said?.title ?? kept?.title ?? `Episode ${number}`,
      ...ifAny('overview', said?.overview ?? kept?.overview),
      airYear: said?.airYear ?? kept?.airYear ?? 0,
      offers: merge(old?.offers, said?.offers ?? {}),
    }
  })
}

/**
 * Merges two lists place by place. Places at the end that only the old one has, and that are now empty, go; those that
 * a partial statement does not mention stay, since it does not speak of what there is.
 */
function mergePlaces<Old extends { offers: OffersByCountry }, Said>(
  before: readonly Old[],
  stated: readonly Said[],
  partial: boolean,
  merge: (old: Old | undefined, said: Said | undefined, number: number) => Old,
): Old[] {
  const length = Math.max(before.length, stated.length)
  const merged = Array.from({ length }, (_, i) => merge(before[i], stated[i], i + 1))
  while (!partial && merged.length > stated.length && isEmpty(merged.at(-1) as Old)) merged.pop()
  return merged
}

function isEmpty(item: { offers: OffersByCountry; episodes?: readonly Episode[] }): boolean {
  return Object.keys(item.offers).length === 0 && (item.episodes ?? []).every(isEmpty)
}

function mergeOffers(
  old: OffersByCountry,
  stated: StatedOffers,
  covers: (country: string, offer: Offer) => boolean,
  context: StatementContext,
): OffersByCountry {
  const merged: Record<string, readonly Offer[]> = {}
  for (const country in old) {
    const offers = mergeKnown(country, old[country] as readonly Offer[], stated[country] ?? [], covers, context)
    if (offers.length > 0) merged[country] = offers
  }
  for (const country in stated) {
    if (old[country] !== undefined) continue
    const offers = saidOffers(country, stated[country] as readonly StatedOffer[], NOTHING_CONTINUED, context)
    if (offers.length > 0) merged[country] = offers
  }
  return merged
}

/** The offers of a country in which some are known already. */
function mergeKnown(
  country: string,
  before: readonly Offer[],
  stated: readonly StatedOffer[],
  covers: (country: string, offer: Offer) => boolean,
  context: StatementContext,
): readonly Offer[] {
  const { now, keep, witness } = context
  const replaced = before.filter((offer) => covers(country, offer))
  const continued = continuations(stated, replaced, now)
  const said = saidOffers(country, stated, continued, context)
  const restated = new Set(stated.map(offerGroupKey))
  const goOn = new Set(continued.values())
  const missing = replaced.filter((offer) =>
    keep === 'offers' ? !goOn.has(offer) : !restated.has(offerGroupKey(offer)),
  )
  witness.held(replaced.length)
  if (keep === 'nothing') witness.missing(missing.length)
  // The source keeps its place among the sources of the country.
  const at = before.findIndex((offer) => covers(country, offer))
  const kept = before.filter((offer) => !covers(country, offer))
  const place = at < 0 ? kept.length : before.slice(0, at).filter((offer) => !covers(country, offer)).length
  return [...kept.slice(0, place), ...said, ...(keep === 'nothing' ? [] : missing), ...kept.slice(place)]
}

const NOTHING_CONTINUED: ReadonlyMap<StatedOffer, Offer> = new Map()

/** The stated offers as they are now: with their source, and without those that have ended. */
function saidOffers(
  country: string,
  stated: readonly StatedOffer[],
  continued: ReadonlyMap<StatedOffer, Offer>,
  { source, scope, now, passTime, homePage, witness }: StatementContext,
): Offer[] {
  const said: Offer[] = []
  for (const one of stated) {
    if (!inScope(scope, country, one.service)) continue
    const availableSince = sinceWhen(one, continued.get(one), now)
    const offer: Offer = { ...one, source: one.source ?? source, availableSince }
    const present = passTime ? offerAt(offer, country, now, homePage) : offer
    if (Array.isArray(present)) witness.expired(country, offer)
    else said.push(present)
  }
  return said
}

/** When an offer was first seen: as stated, else when it starts, else as known of the offer that it continues, else now. */
function sinceWhen({ availableSince, startsOn }: StatedOffer, known: Offer | undefined, now: number): number {
  if (availableSince !== undefined) return availableSince
  if (typeof startsOn === 'number' && (known === undefined || startsOn > now)) return startsOn
  // One that was announced for later is there already.
  return Math.min(known?.availableSince ?? now, now)
}

/**
 * Which known offer each stated one continues, if any: the most alike of its group, each continued once. The most
 * alike pairs are found first, so that an offer does not take the place of another one's twin.
 */
function continuations(
  stated: readonly StatedOffer[],
  replaced: readonly Offer[],
  now: number,
): ReadonlyMap<StatedOffer, Offer> {
  const pairs = new Map<StatedOffer, Offer>()
  const taken = new Set<Offer>()
  for (const fits of LIKENESS) {
    for (const offer of stated) {
      if (pairs.has(offer)) continue
      const group = offerGroupKey(offer)
      const known = replaced.find((one) => !taken.has(one) && offerGroupKey(one) === group && fits(offer, one, now))
      if (known === undefined) continue
      pairs.set(offer, known)
      taken.add(known)
    }
  }
  return pairs
}

type Likeness = (offer: StatedOffer, known: Offer, now: number) => boolean

const sameLook: Likeness = (offer, known) => known.link === offer.link && known.quality === offer.quality

const sameTerms: Likeness = (offer, known) =>
  known.price?.amount === offer.price?.amount &&
  known.price?.currency === offer.price?.currency &&
  known.expiresOn === offer.expiresOn

/** Both live, or both announced for the same start; a start that has passed means live. */
const sameStart: Likeness = (offer, known, now) =>
  (typeof offer.startsOn === 'number' && offer.startsOn <= now ? undefined : offer.startsOn) === known.startsOn

const sameSince: Likeness = (offer, known) => known.availableSince === offer.availableSince

/** In what two offers of a group must be alike for the one to continue the other, strictest first. */
const LIKENESS: readonly Likeness[] = [
  (...pair) => sameLook(...pair) && sameTerms(...pair) && sameStart(...pair) && sameSince(...pair),
  (...pair) => sameLook(...pair) && sameTerms(...pair) && sameStart(...pair),
  (...pair) => sameLook(...pair) && sameStart(...pair),
  sameStart,
  sameLook,
]
