import { EMPTY_IMAGE_SET, SHOW_IMAGE_KINDS, type ShowImageSet } from '../../model/image.ts'
import { type Offer, type OffersByCountry, offerGroupKey } from '../../model/offer.ts'
import {
  averageRating,
  type Episode,
  mapItems,
  type Ratings,
  type Season,
  type Show,
  showItems,
  type Translation,
  withRating,
} from '../../model/show.ts'
import {
  type FeedHeader,
  isInScope,
  type ParsedEpisode,
  type ParsedOffer,
  type ParsedOffers,
  recordOffers,
  type Scope,
  type ShowRecord,
} from '../parse/feed-record.ts'
import { applyWindow, type HomePage } from '../windows/offer-windows.ts'

/** What a statement is merged by: who makes it, about which part of the world, and when. */
export interface MergeContext {
  readonly source: string
  readonly scope: Scope
  readonly now: number
  /** Whether offers that have started or ended by now are taken as such; otherwise that is left to the keeper. */
  readonly appliesWindows: boolean
  readonly homePage: HomePage
  /**
   * What of the source's offers is kept though it is not restated: nothing; groups of service, type and addon that
   * are missing as a whole; or every single offer, since one that could not be read may have been it.
   */
  readonly keepMissing: 'nothing' | 'groups' | 'offers'
  /** Told what becomes of the offers that the source held and of those that it states. */
  readonly witness: MergeObserver
}

/** Counts what a merge does to offers. */
export interface MergeObserver {
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
export function mergeShow(id: string, before: Show | undefined, statement: ShowRecord, context: MergeContext): Show {
  const sources = collectSources(statement, context.source)
  const covers = (country: string, offer: Offer) =>
    sources.has(offer.source) &&
    isInScope(context.scope, country, offer.service) &&
    statement.countries?.has(country) !== false
  const merge = (old: OffersByCountry | undefined, stated: ParsedOffers): OffersByCountry =>
    mergeOffers(old ?? {}, stated, covers, context)
  // An export that does not say who rates was made when nobody kept it: whoever states the offers, then.
  const [, rater = context.source] = sources
  const saidIds = statement.formerIds ?? []
  const formerIds = [...new Set([...(before?.formerIds ?? []), ...saidIds])].filter((former) => former !== id)
  return {
    ...mergeDetails(before, statement, rater),
    id,
    offers: merge(before?.offers, statement.offers),
    ...optional('seasons', mergeSeasons(before?.seasons, statement, merge)),
    ...optional('formerIds', formerIds.length > 0 ? formerIds : undefined),
  }
}

/** Everybody whose offers the statement restates: the feed's source, and those that its offers name. */
function collectSources(statement: ShowRecord, source: string): Set<string> {
  const sources = new Set([source])
  for (const byCountry of recordOffers(statement)) {
    for (const offers of Object.values(byCountry)) {
      for (const offer of offers) if (offer.source !== undefined) sources.add(offer.source)
    }
  }
  return sources
}

function optional<K extends string, T>(key: K, value: T | undefined): { [key in K]?: T } {
  return value === undefined ? {} : ({ [key]: value } as { [key in K]: T })
}

type MergeOffers = (old: OffersByCountry | undefined, stated: ParsedOffers) => OffersByCountry

/**
 * Seasons are known by their place. A statement without seasons says nothing of them; one with fewer than are known
 * drops those that are left without any offer, unless it is partial.
 */
function mergeSeasons(
  before: readonly Season[] | undefined,
  { seasons: stated, showType, ...statement }: ShowRecord,
  merge: MergeOffers,
): Season[] | undefined {
  if (showType === 'movie') return undefined
  const partial = statement.partial === true
  if (stated === undefined) return before === undefined ? undefined : [...before]
  return mergeByPosition(before ?? [], stated, partial, (old, said, number) => {
    const kept = partial || said === undefined ? old : undefined
    const episodes = mergeEpisodes(old?.episodes, said === undefined ? [] : said.episodes, partial, merge)
    return {
      title: said?.title ?? kept?.title ?? `Season ${number}`,
      firstAirYear: said?.firstAirYear ?? kept?.firstAirYear ?? 0,
      lastAirYear: said?.lastAirYear ?? kept?.lastAirYear ?? 0,
      offers: merge(old?.offers, said?.offers ?? {}),
      ...optional('episodes', episodes),
    }
  })
}

function mergeEpisodes(
  before: readonly Episode[] | undefined,
  stated: readonly ParsedEpisode[] | undefined,
  partial: boolean,
  merge: MergeOffers,
): Episode[] | undefined {
  if (stated === undefined) return before === undefined ? undefined : [...before]
  return mergeByPosition(before ?? [], stated, partial, (old, said, number) => {
    const kept = partial || said === undefined ? old : undefined
    return {
      title: said?.title ?? kept?.title ?? `Episode ${number}`,
      ...optional('overview', said?.overview ?? kept?.overview),
      airYear: said?.airYear ?? kept?.airYear ?? 0,
      offers: merge(old?.offers, said?.offers ?? {}),
    }
  })
}

/**
 * Merges two lists place by place. Places at the end that only the old one has, and that are now empty, go; those that
 * a partial statement does not mention stay, since it does not speak of what there is.
 */
function mergeByPosition<Old extends { offers: OffersByCountry }, Said>(
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
  stated: ParsedOffers,
  covers: (country: string, offer: Offer) => boolean,
  context: MergeContext,
): OffersByCountry {
  const merged: Record<string, readonly Offer[]> = {}
  for (const country in old) {
    const offers = mergeCountryOffers(country, old[country] as readonly Offer[], stated[country] ?? [], covers, context)
    if (offers.length > 0) merged[country] = offers
  }
  for (const country in stated) {
    if (old[country] !== undefined) continue
    const offers = resolveOffers(country, stated[country] as readonly ParsedOffer[], NO_CONTINUATIONS, context)
    if (offers.length > 0) merged[country] = offers
  }
  return merged
}

/** The offers of a country in which some are known already. */
function mergeCountryOffers(
  country: string,
  before: readonly Offer[],
  stated: readonly ParsedOffer[],
  covers: (country: string, offer: Offer) => boolean,
  context: MergeContext,
): readonly Offer[] {
  const { now, keepMissing, witness } = context
  const replaced = before.filter((offer) => covers(country, offer))
  const continued = matchContinuations(stated, replaced, now)
  const said = resolveOffers(country, stated, continued, context)
  const restated = new Set(stated.map(offerGroupKey))
  const goOn = new Set(continued.values())
  const missing = replaced.filter((offer) =>
    keepMissing === 'offers' ? !goOn.has(offer) : !restated.has(offerGroupKey(offer)),
  )
  witness.held(replaced.length)
  if (keepMissing === 'nothing') witness.missing(missing.length)
  // The source keeps its place among the sources of the country.
  const at = before.findIndex((offer) => covers(country, offer))
  const kept = before.filter((offer) => !covers(country, offer))
  const place = at < 0 ? kept.length : before.slice(0, at).filter((offer) => !covers(country, offer)).length
  return [...kept.slice(0, place), ...said, ...(keepMissing === 'nothing' ? [] : missing), ...kept.slice(place)]
}

const NO_CONTINUATIONS: ReadonlyMap<ParsedOffer, Offer> = new Map()

/** The stated offers as they are now: with their source, and without those that have ended. */
function resolveOffers(
  country: string,
  stated: readonly ParsedOffer[],
  continued: ReadonlyMap<ParsedOffer, Offer>,
  { source, scope, now, appliesWindows, homePage, witness }: MergeContext,
): Offer[] {
  const said: Offer[] = []
  for (const one of stated) {
    if (!isInScope(scope, country, one.service)) continue
    const availableSince = resolveAvailableSince(one, continued.get(one), now)
    const offer: Offer = { ...one, source: one.source ?? source, availableSince }
    const present = appliesWindows ? applyWindow(offer, country, now, homePage) : offer
    if (Array.isArray(present)) witness.expired(country, offer)
    else said.push(present)
  }
  return said
}

/** When an offer was first seen: as stated, else when it starts, else as known of the offer that it continues, else now. */
function resolveAvailableSince(
  { availableSince, startsOn }: ParsedOffer,
  known: Offer | undefined,
  now: number,
): number {
  if (availableSince !== undefined) return availableSince
  if (typeof startsOn === 'number' && (known === undefined || startsOn > now)) return startsOn
  // One that was announced for later is there already.
  return Math.min(known?.availableSince ?? now, now)
}

/**
 * Which known offer each stated one continues, if any: the most alike of its group, each continued once. The most
 * alike pairs are found first, so that an offer does not take the place of another one's twin.
 */
function matchContinuations(
  stated: readonly ParsedOffer[],
  replaced: readonly Offer[],
  now: number,
): ReadonlyMap<ParsedOffer, Offer> {
  const pairs = new Map<ParsedOffer, Offer>()
  const taken = new Set<Offer>()
  for (const fits of MATCHERS) {
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

type OfferMatcher = (offer: ParsedOffer, known: Offer, now: number) => boolean

const isSameLink: OfferMatcher = (offer, known) => known.link === offer.link && known.quality === offer.quality

const isSamePrice: OfferMatcher = (offer, known) =>
  known.price?.amount === offer.price?.amount &&
  known.price?.currency === offer.price?.currency &&
  known.expiresOn === offer.expiresOn

/** Both live, or both announced for the same start; a start that has passed means live. */
const isSameStart: OfferMatcher = (offer, known, now) =>
  (typeof offer.startsOn === 'number' && offer.startsOn <= now ? undefined : offer.startsOn) === known.startsOn

const isSameSince: OfferMatcher = (offer, known) => known.availableSince === offer.availableSince

/** In what two offers of a group must be alike for the one to continue the other, strictest first. */
const MATCHERS: readonly OfferMatcher[] = [
  (...pair) => isSameLink(...pair) && isSamePrice(...pair) && isSameStart(...pair) && isSameSince(...pair),
  (...pair) => isSameLink(...pair) && isSamePrice(...pair) && isSameStart(...pair),
  (...pair) => isSameLink(...pair) && isSameStart(...pair),
  isSameStart,
  isSameLink,
]

/** What a show says of itself: all but its ids, its offers and its parts. */
type Details = Omit<Show, 'id' | 'offers' | 'seasons' | 'formerIds'>

/**
 * What is known of a show itself after a statement about it. A statement replaces what was known, also by leaving it
 * out; a partial one leaves alone what it does not say.
 */
export function mergeDetails(before: Show | undefined, statement: ShowRecord, source: string): Details {
  const { kind, line, id, isFlawed, digest, countries, offers, seasons, formerIds, partial, ...said } = statement
  const kept = partial === true ? before : undefined
  const originalLanguage = said.originalLanguage ?? before?.originalLanguage
  const ratings = mergeRatings(before?.ratings ?? {}, statement, source)
  return {
    ...(kept !== undefined && optionalDetails(kept)),
    ...said,
    imdbId: said.imdbId !== '' ? said.imdbId : (before?.imdbId ?? ''),
    tmdbId: said.tmdbId !== '' ? said.tmdbId : (before?.tmdbId ?? ''),
    overview: said.overview ?? kept?.overview ?? '',
    imageSet: mergeImages(kept?.imageSet, said.imageSet),
    originalTitle: said.originalTitle ?? kept?.originalTitle ?? said.title,
    ...(originalLanguage !== undefined && { originalLanguage }),
    translations: mergeTranslations(before?.translations ?? {}, said.translations, kept !== undefined),
    genres: said.genres ?? kept?.genres ?? [],
    cast: said.cast ?? kept?.cast ?? [],
    rating: averageRating(ratings),
    ratings,
    popularity: said.popularity ?? before?.popularity ?? {},
  }
}

/** The details that a show may lack, as far as it has them. */
function optionalDetails(show: Show): Partial<Details> {
  const keys = ['year', 'lastAirYear', 'directors', 'creators', 'runtime', 'seasonCount', 'episodeCount'] as const
  return Object.fromEntries(keys.flatMap((key) => (show[key] === undefined ? [] : [[key, show[key]]])))
}

/** Each source has a part of its own, which only it can alter. */
function mergeRatings(before: Ratings, { rating, ratings, partial }: ShowRecord, source: string): Ratings {
  if (ratings !== undefined) return ratings
  if (rating === undefined && partial === true) return before
  return withRating(before, source, rating ?? 0)
}

function mergeImages(kept: ShowImageSet | undefined, said: ShowImageSet | undefined): ShowImageSet {
  if (kept === undefined || said === undefined) return said ?? kept ?? EMPTY_IMAGE_SET
  const isEmpty = (urls: object | undefined) => Object.values(urls ?? {}).every((url) => url === '')
  const kinds = SHOW_IMAGE_KINDS.flatMap(({ kind }) => {
    const urls = isEmpty(said[kind]) ? (kept[kind] ?? said[kind]) : said[kind]
    return urls === undefined ? [] : [[kind, urls]]
  })
  return Object.fromEntries(kinds) as ShowImageSet
}

/** A partial statement adds languages, and may name a title in one without knowing the overview. */
function mergeTranslations(
  before: Show['translations'],
  said: Show['translations'] | undefined,
  partial: boolean,
): Show['translations'] {
  if (said === undefined || !partial) return said ?? before
  const merged: Record<string, Translation> = { ...before }
  for (const [language, text] of Object.entries(said)) {
    merged[language] = { ...before[language], ...text, overview: text.overview || (before[language]?.overview ?? '') }
  }
  return merged
}

/**
 * A show without the source's offers in the scope, and without its rating unless it may have more to say of it; and
 * how many offers it had.
 */
export function removeSource(show: Show, { source, scope }: FeedHeader): { show: Show; removed: number } {
  const { show: without, removed } = removeOffers(show, (country, offer) => {
    return offer.source === source && isInScope(scope, country, offer.service)
  })
  const offered = [...showItems(without)].some(([, byCountry]) =>
    Object.values(byCountry).some((offers) => offers.some((offer) => offer.source === source)),
  )
  const scoped = scope.countries !== undefined || scope.services !== undefined
  if (offered || (scoped && removed === 0)) return { show: without, removed }
  const ratings = withRating(show.ratings, source, 0)
  return { show: { ...without, ratings, rating: averageRating(ratings) }, removed }
}

function removeOffers(show: Show, isGone: (country: string, offer: Offer) => boolean) {
  let removed = 0
  const without = mapItems(show, (byCountry) => {
    const kept: Record<string, readonly Offer[]> = {}
    for (const country in byCountry) {
      const all = byCountry[country] ?? []
      const offers = all.filter((offer) => !isGone(country, offer))
      removed += all.length - offers.length
      if (offers.length > 0) kept[country] = offers
    }
    return kept
  })
  return { show: without, removed }
}
