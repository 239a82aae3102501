import type { PlaceHistory } from '../../model/history.ts'
import { type RecordLink, sourceLinks, withoutLinks } from '../../model/identity.ts'
import type { OffersByCountry } from '../../model/offer.ts'
import {
  averageRating,
  EMPTY_IMAGE_SET,
  type Episode,
  mapItems,
  type Season,
  type Show,
  showItems,
  withRating,
} from '../../model/show.ts'
import { RANKED_FIELDS, type RankedField } from '../../model/source-ranks.ts'
import { rollUpOffers } from '../rules/roll-up.ts'
import { withoutFieldSource } from './field-precedence.ts'

/** A show without anything that one source has said. */
export interface StrippedShow {
  readonly show: Show
  /** Offers that the source had stated. */
  readonly offers: number
  /** Whether no other source has said anything: the show is a tombstone now. */
  readonly isGone: boolean
  /** Whether details were the source's. Those of other sources were not kept: their next records bring them. */
  readonly hasLostDetails: boolean
}

/**
 * Removes all that a source has said from a show: offers, rating, links of its records, ids that it alone has brought, and
 * the details that come from it. Only a title stays until another source states one, since a show must have one. Returns
 * undefined if the source has said nothing.
 */
export function stripSource(show: Show, source: string): StrippedShow | undefined {
  const owned = ownedFields(show, source)
  const links = sourceLinks(show.records, source)
  const offers = countOffers(show, source)
  const isSharer = Object.values(show.fieldSharers ?? {}).some((names) => names.includes(source))
  const isOwner = Object.values(show.fieldSources ?? {}).includes(source)
  const isRater = Object.hasOwn(show.ratings, source)
  const isSeen = show.history?.some(({ seen }) => seen?.some(([name]) => name === source)) === true
  const isStated = offers.all > 0 || links.length > 0 || isOwner || isSharer || isRater || isSeen
  if (!isStated) return undefined
  const ratings = withRating(show.ratings, source, 0)
  const without = mapItems(withoutProvenance(show, source), (byCountry) => withoutOffers(byCountry, source))
  const rated = { ...without, ratings, rating: averageRating(ratings) }
  if (show.mergedInto !== undefined) return { show: rated, offers: 0, isGone: false, hasLostDetails: false }
  const others = otherSources(rated)
  if (others.size === 0) {
    const isGone = show.deleted !== true
    return { show: { ...rated, deleted: true }, offers: offers.stated, isGone, hasLostDetails: false }
  }
  const detailed = withoutSeasonTexts(withoutDetails(rated, owned), owned.has('seasons'))
  const stripped = rollUpOffers(withoutOwnIds(detailed, links, others))
  return { show: stripped, offers: offers.stated, isGone: false, hasLostDetails: owned.size > 0 }
}

/** The fields that come from a source, and that no other one has stated in the same way. */
function ownedFields({ fieldSources = {}, fieldSharers = {} }: Show, source: string): ReadonlySet<RankedField> {
  return new Set(RANKED_FIELDS.filter((field) => fieldSources[field] === source && fieldSharers[field] === undefined))
}

/** The offers of a source: all, and those that its records have stated. */
function countOffers(show: Show, source: string): { all: number; stated: number } {
  const counts = { all: 0, stated: 0 }
  for (const [, byCountry] of showItems(show)) {
    for (const country in byCountry) {
      for (const offer of byCountry[country] ?? []) {
        if (offer.source !== source) continue
        counts.all++
        if (offer.rolledUp === undefined) counts.stated++
      }
    }
  }
  return counts
}

function withoutProvenance(show: Show, source: string): Show {
  const { records, history, ...rest } = withoutFieldSource(show, source)
  const left = withoutLinks(records, source, () => true)
  const past = history?.map((place) => withoutSeenRuns(place, source))
  return { ...rest, ...(left !== undefined && { records: left }), ...(past !== undefined && { history: past }) }
}

/** The past of a place without old snapshots of a source. When the place was live stays, as in the change log. */
function withoutSeenRuns({ seen, ...place }: PlaceHistory, source: string): PlaceHistory {
  const kept = seen?.filter(([name]) => name !== source) ?? []
  return kept.length === 0 ? place : { ...place, seen: kept }
}

function withoutOffers(byCountry: OffersByCountry, source: string): OffersByCountry {
  const kept = Object.entries(byCountry).flatMap(([country, all]) => {
    const offers = all.filter((offer) => offer.source !== source)
    return offers.length === 0 ? [] : [[country, offers] as const]
  })
  return Object.fromEntries(kept)
}

/** The sources that have said anything about a show. */
function otherSources(show: Show): ReadonlySet<string> {
  const sources = new Set([
    ...Object.keys(show.ratings),
    ...Object.keys(show.records ?? {}),
    ...Object.values(show.fieldSources ?? {}),
  ])
  for (const [, byCountry] of showItems(show)) {
    for (const offers of Object.values(byCountry)) for (const { source } of offers) sources.add(source)
  }
  return sources
}

/** What each detail is without a source that states it; without a value here, it is not there at all. */
const EMPTY_DETAILS = {
  overview: '',
  imageSet: EMPTY_IMAGE_SET,
  translations: {},
  genres: [],
  cast: [],
  popularity: {},
} as const

/** Fields that have rules of their own. */
const SPECIAL_FIELDS: ReadonlySet<string> = new Set(['title', 'originalTitle', 'year', 'seasons'])

function withoutDetails(show: Show, owned: ReadonlySet<RankedField>): Show {
  const cleared: Record<string, unknown> = { ...show }
  for (const field of owned) {
    if (SPECIAL_FIELDS.has(field)) continue
    if (Object.hasOwn(EMPTY_DETAILS, field)) cleared[field] = EMPTY_DETAILS[field as keyof typeof EMPTY_DETAILS]
    else delete cleared[field]
  }
  if (owned.has('originalTitle')) cleared.originalTitle = show.title
  if (owned.has('year')) {
    // The links of the other records have the years that those have stated.
    const years = Object.values(show.records ?? {}).flatMap((links) => links.flatMap(({ year }) => year ?? []))
    if (years[0] === undefined) delete cleared.year
    else cleared.year = years[0]
  }
  return cleared as unknown as Show
}

/** Seasons and episodes whose texts were the source's: without texts, and only as many as offers of others need. */
function withoutSeasonTexts(show: Show, isOwned: boolean): Show {
  const { seasons, ...rest } = show
  if (seasons === undefined) return show
  if (!isOwned) {
    // Another source says how many seasons there are: more were the removed one's.
    const kept = withoutEmptyEnd(seasons, show.seasonCount ?? seasons.length)
    return kept.length === seasons.length ? show : { ...rest, seasons: kept }
  }
  const kept = withoutEmptyEnd(seasons, 0).map(({ offers, episodes = [] }, s): Season => {
    const own = withoutEmptyEnd(episodes, 0)
    return {
      title: `Season ${s + 1}`,
      firstAirYear: 0,
      lastAirYear: 0,
      offers,
      ...(own.length > 0 && {
        episodes: own.map(({ offers }, e) => ({ title: `Episode ${e + 1}`, airYear: 0, offers })),
      }),
    }
  })
  return kept.length === 0 ? rest : { ...rest, seasons: kept }
}

type Part = Pick<Season, 'offers'> & { readonly episodes?: readonly Episode[] }

function withoutEmptyEnd<T extends Part>(parts: readonly T[], minLength: number): readonly T[] {
  let length = parts.length
  while (length > minLength && !hasStatedOffers(parts[length - 1] as T)) length--
  return parts.slice(0, length)
}

function hasStatedOffers({ offers, episodes = [] }: Part): boolean {
  const isStated = Object.values(offers).some((list) => list.some(({ rolledUp }) => rolledUp === undefined))
  return isStated || episodes.some(hasStatedOffers)
}

/** Clears the IMDb and TMDB ids that no record of another source can have brought. */
function withoutOwnIds(show: Show, own: readonly RecordLink[], others: ReadonlySet<string>): Show {
  const isLinked = [...others].every((source) => sourceLinks(show.records, source).length > 0)
  // A source from before there were links may have stated the ids, too.
  if (!isLinked || !own.some(isByOutsideId)) return show
  const links = Object.values(show.records ?? {}).flat()
  if (!links.some(isByOutsideId)) return { ...show, imdbId: '', tmdbId: '' }
  // A record that is linked by its TMDB id has no IMDb id.
  return links.some(({ by }) => by === 'imdb') ? show : { ...show, imdbId: '' }
}

function isByOutsideId({ by }: RecordLink): boolean {
  return by === 'imdb' || by === 'tmdb'
}
