import type { Mutable } from '../../lib/objects.ts'
import { normalizeAudios, normalizeSubtitles } from '../../model/language.ts'
import { type Offer, type OffersByCountry, QUALITIES, UNKNOWN_START } from '../../model/offer.ts'
import type { Show } from '../../model/show.ts'

/** The pages of a series and of its seasons at a source, where its record states them. */
export interface PageLinks {
  readonly source: string
  readonly series?: string | undefined
  readonly seasons: readonly (string | undefined)[]
}

/**
 * Makes the offers of a series cover its parts. Where a source has an offer of a season or an episode at a time at which
 * it has none of the series (or of the season) with the same service, type and addon, the series gets one. These offers
 * are derived anew from the parts with each change of the show, so they start and end with them.
 *
 * The result is a normal form: rolling it up again gives the same show. A rolled-up offer keeps its `availableSince` and
 * its own page as long as it is there.
 */
export function rollUpOffers(show: Show, links?: PageLinks): Show {
  const seasons = show.seasons?.map((season, s) => {
    const episodes = (season.episodes ?? []).map(({ offers }) => offers)
    const offers = coverParts(season.offers, episodes, pageLink(links, links?.seasons[s]))
    return offers === season.offers ? season : { ...season, offers }
  })
  const parts = (seasons ?? []).map(({ offers }) => offers)
  const offers = coverParts(show.offers, parts, pageLink(links, links?.series))
  const isSame = offers === show.offers && seasons?.every((season, s) => season === show.seasons?.[s]) !== false
  return isSame ? show : { ...show, offers, ...(seasons !== undefined && { seasons }) }
}

/** Whether a series or a season has offers from its parts where a source states none of it. */
export function hasRolledUp({ offers, seasons = [] }: Show, source: string): boolean {
  const isUnstated = (offer: Offer, _: number, all: readonly Offer[]) =>
    offer.source === source &&
    isRolledUp(offer) &&
    !all.some((other) => !isRolledUp(other) && isSamePlace(other, offer))
  const anyIn = (byCountry: OffersByCountry) => Object.values(byCountry).some((list) => list.some(isUnstated))
  return anyIn(offers) || seasons.some((season) => anyIn(season.offers))
}

/** The page of a series or a season, as a source's record states it. */
type PageLink = { readonly source: string; readonly link: string } | undefined

function pageLink(links: PageLinks | undefined, link: string | undefined): PageLink {
  return links === undefined || link === undefined || link === '' ? undefined : { source: links.source, link }
}

/** The offers of an item with those that its parts make necessary. */
function coverParts(own: OffersByCountry, parts: readonly OffersByCountry[], page: PageLink): OffersByCountry {
  const countries = new Set(Object.keys(own))
  for (const byCountry of parts) for (const country in byCountry) countries.add(country)
  let covered: Record<string, readonly Offer[]> | undefined
  for (const country of countries) {
    const before = own[country] ?? NO_OFFERS
    const after = coverCountry(before, parts, country, page)
    if (after === before) continue
    covered ??= { ...own }
    if (after.length > 0) covered[country] = after
    else delete covered[country]
  }
  return covered ?? own
}

const NO_OFFERS: readonly Offer[] = []

function coverCountry(
  own: readonly Offer[],
  parts: readonly OffersByCountry[],
  country: string,
  page: PageLink,
): readonly Offer[] {
  const stated = own.some(isRolledUp) ? own.filter((offer) => !isRolledUp(offer)) : own
  // Most series have an offer without an end wherever their parts have one: those need no look at times.
  const endless = stated.filter(({ startsOn, expiresOn }) => startsOn === undefined && expiresOn === undefined)
  const groups = new Map<string, Offer[]>()
  for (const byCountry of parts) {
    for (const offer of byCountry[country] ?? NO_OFFERS) {
      if (endless.some((other) => isSamePlace(other, offer))) continue
      const key = `${offer.source} ${offer.service} ${offer.type} ${offer.addon}`
      const group = groups.get(key)
      if (group === undefined) groups.set(key, [offer])
      else group.push(offer)
    }
  }
  const rolledUp = own.filter(isRolledUp)
  if (groups.size === 0 && rolledUp.length === 0) return own
  const added = [...groups.values()].flatMap((group) => {
    const [first] = group as [Offer]
    const same = (offer: Offer) => isSamePlace(offer, first)
    return rollUpGroup(group, stated.filter(same), rolledUp.filter(same), page)
  })
  return [...stated, ...added]
}

function isRolledUp({ rolledUp }: Offer): boolean {
  return rolledUp !== undefined
}

/** Whether two offers of an item and country are of the same source, service, type and addon. */
function isSamePlace(a: Offer, b: Offer): boolean {
  return a.service === b.service && a.type === b.type && a.addon === b.addon && a.source === b.source
}

/**
 * The offers that an item needs for the offers of its parts in one place.
 * @param own the offers that the source states of the item in that place
 * @param before what was rolled up there before
 */
function rollUpGroup(
  parts: readonly Offer[],
  own: readonly Offer[],
  before: readonly Offer[],
  page: PageLink,
): readonly Offer[] {
  const [first] = parts as [Offer]
  const known = page?.source === first.source ? page.link : before.find(({ rolledUp }) => rolledUp === 'page')?.link
  const dated = parts.filter(({ startsOn }) => startsOn !== UNKNOWN_START)
  if (dated.length === 0) {
    const end = latestEnd(parts)
    return own.length > 0 ? [] : [joinOffers(parts, parts, known, { from: UNKNOWN_START, to: end }, before)]
  }
  return findUncovered(dated.map(toSpan), own.flatMap(toSpans)).map((span) => {
    const overlapping = dated.filter((offer) => toSpan(offer).from < span.to && toSpan(offer).to > span.from)
    const active = overlapping.filter((offer) => toSpan(offer).from <= span.from)
    return joinOffers(active, overlapping, known, span, before)
  })
}

/** One offer for the parts that are active when it starts; `overlapping` are all parts during its time. */
function joinOffers(
  active: readonly Offer[],
  overlapping: readonly Offer[],
  page: string | undefined,
  { from, to }: { readonly from: number | typeof UNKNOWN_START; readonly to: number },
  before: readonly Offer[],
): Offer {
  const { source, service, type, addon, link } = active[0] as Offer
  const startsOn = from === Number.NEGATIVE_INFINITY ? undefined : from
  const continued = before.filter((offer) => offer.startsOn === startsOn)
  const quality = QUALITIES.findLast((one) => active.some((offer) => offer.quality === one))
  const offer: Mutable<Offer> = {
    source,
    service,
    type,
    link: page ?? link,
    audios: joinLists(
      active.map(({ audios }) => audios),
      normalizeAudios,
    ),
    subtitles: joinLists(
      active.map(({ subtitles }) => subtitles),
      normalizeSubtitles,
    ),
    // The price of a part is not that of the whole, so there is none.
    availableSince: Math.min(...[...overlapping, ...continued].map(({ availableSince }) => availableSince)),
    rolledUp: page === undefined ? 'part' : 'page',
  }
  if (addon !== undefined) offer.addon = addon
  if (quality !== undefined) offer.quality = quality
  if (startsOn !== undefined) offer.startsOn = startsOn
  if (to !== Number.POSITIVE_INFINITY) offer.expiresOn = to
  else if (overlapping.every(({ expiresOn, imminent }) => expiresOn !== undefined || imminent === true)) {
    offer.imminent = true
  }
  return offer
}

/** The union of lists; most parts share one. */
function joinLists<T>(lists: readonly (readonly T[])[], normalize: (list: readonly T[]) => T[]): readonly T[] {
  const distinct = new Set(lists)
  return distinct.size === 1 ? (lists[0] as readonly T[]) : normalize([...distinct].flat())
}

/** A span of time: from an instant, included, to another, excluded. */
interface Span {
  readonly from: number
  readonly to: number
}

function toSpan({ startsOn, expiresOn }: Offer): Span {
  return {
    from: startsOn === undefined ? Number.NEGATIVE_INFINITY : Number(startsOn),
    to: expiresOn ?? Number.POSITIVE_INFINITY,
  }
}

function toSpans(offer: Offer): Span[] {
  return offer.startsOn === UNKNOWN_START ? [] : [toSpan(offer)]
}

function latestEnd(offers: readonly Offer[]): number {
  return Math.max(...offers.map((offer) => toSpan(offer).to))
}

/** The times in which there is a part and no own offer. */
function findUncovered(parts: readonly Span[], own: readonly Span[]): Span[] {
  let left: Span[] = []
  for (const span of [...parts].sort((a, b) => a.from - b.from || a.to - b.to)) {
    const last = left.at(-1)
    if (last === undefined || span.from > last.to) left.push(span)
    else left[left.length - 1] = { from: last.from, to: Math.max(last.to, span.to) }
  }
  for (const { from, to } of own) {
    left = left.flatMap((span) =>
      [
        { from: span.from, to: Math.min(span.to, from) },
        { from: Math.max(span.from, to), to: span.to },
      ].filter((rest) => rest.from < rest.to),
    )
  }
  return left
}
