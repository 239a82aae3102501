import {
  type IdentityDecision,
  mergeDecisions,
  type RecordLink,
  type RecordLinks,
  sourceLinks,
  withoutLinks,
} from '../../model/identity.ts'
import type { Offer, OffersByCountry } from '../../model/offer.ts'
import { averageRating, isImdbId, isTmdbId, mapItems, type Ratings, type Show } from '../../model/show.ts'
import { withoutFieldSource } from '../apply/field-precedence.ts'
import { mergeDuplicates } from '../apply/merge-duplicates.ts'
import { rollUpOffers } from '../rules/roll-up.ts'

/** A show with a decision; it replaces an earlier one about the same show. */
export function withDecision(show: Show, decision: IdentityDecision): Show {
  const others = (show.decisions ?? []).filter((one) => one.show !== decision.show)
  return { ...show, decisions: [...others, decision] }
}

/** A show without what was decided about another one. */
export function withoutDecision(show: Show, other: string): Show {
  const { decisions = [], ...rest } = show
  const kept = decisions.filter((one) => one.show !== other)
  return kept.length === 0 ? rest : { ...rest, decisions: kept }
}

/** Two shows as one. All ids of the other one lead to it, its IMDb and TMDB ids included. */
export function joinShows(show: Show, other: Show): Show {
  const { decisions: _, ...joined } = mergeDuplicates(show, other)
  const decisions = mergeDecisions(show, other)
  const ids = [other.imdbId, other.tmdbId].filter((id) => id !== '' && id !== joined.imdbId && id !== joined.tmdbId)
  const formerIds = [...new Set([...(joined.formerIds ?? []), ...ids])]
  return rollUpOffers({ ...joined, formerIds, ...(decisions !== undefined && { decisions }) })
}

/** Records of one source that are linked to a show. */
export interface SourceRecords {
  readonly source: string
  readonly links: readonly RecordLink[]
}

/** Finds records of a show by `source/key`, or all of a source by its name. */
export function findRecordLinks({ records = {} }: Show, reference: string): SourceRecords | undefined {
  for (const [source, links] of Object.entries(records)) {
    if (source === reference) return { source, links }
    const link = links.find(({ key }) => `${source}/${key}` === reference)
    if (link !== undefined) return { source, links: [link] }
  }
  return undefined
}

/**
 * Splits records off a show into a new one, which gets what their source says: offers, rating, and details until the
 * source states them anew. Undefined if the show has no other record.
 */
export function splitRecords(
  show: Show,
  { source, links }: SourceRecords,
  id: string,
): readonly [Show, Show] | undefined {
  const isSplit = ({ key }: RecordLink) => links.some((link) => link.key === key)
  const left = withoutLinks(show.records, source, isSplit)
  if (left === undefined) return undefined
  // Of two records of a source, nothing says which offer is whose: the next import of the source will.
  const moved = new Set(sourceLinks(left, source).length === 0 ? [source] : [])
  const takesIds = links.some(isByOutsideId) && !Object.values(left).some((others) => others.some(isByOutsideId))
  const { records: _r, formerIds: _f, decisions: _d, mergedIds: _m, fieldSharers: _s, history: _h, ...details } = show
  const { records: _, ...rest } = show
  const fieldSources = Object.entries(show.fieldSources ?? {}).filter(([, owner]) => owner === source)
  const part = {
    ...details,
    id,
    records: { [source]: links },
    fieldSources: Object.fromEntries(fieldSources),
    ...(!takesIds && NO_OUTSIDE_IDS),
  }
  const kept = { ...withoutFieldSource(rest, source), records: left, ...(takesIds && NO_OUTSIDE_IDS) }
  return [withSources(kept, show, (one) => !moved.has(one)), withSources(part, show, (one) => moved.has(one))]
}

/** Splits a show off again that was merged into another, with the records that it had. */
export function restoreShow(show: Show, merged: Show): readonly [Show, Show] {
  const { deleted: _d, mergedInto: _i, mergedIds = [], ...own } = merged
  const records = own.records ?? {}
  const left = withoutRecords(show.records, records)
  const moved = new Set(Object.keys(records).filter((source) => sourceLinks(left, source).length === 0))
  const imdbId = mergedIds.find(isImdbId) ?? ''
  const tmdbId = mergedIds.find((id) => isTmdbId(id, own.showType)) ?? ''
  const formerIds = mergedIds.filter((id) => id !== imdbId && id !== tmdbId)
  const { records: _r, formerIds: known = [], ...rest } = withoutDecision(show, own.id)
  const keptIds = known.filter((id) => id !== own.id && !mergedIds.includes(id))
  const kept = {
    ...rest,
    // Ids are unique: one that the merged show had came from it.
    imdbId: mergedIds.includes(show.imdbId) ? '' : show.imdbId,
    tmdbId: mergedIds.includes(show.tmdbId) ? '' : show.tmdbId,
    ...(left !== undefined && { records: left }),
    ...(keptIds.length > 0 && { formerIds: keptIds }),
  }
  const restored = {
    ...own,
    imdbId,
    tmdbId,
    ...(formerIds.length > 0 && { formerIds }),
    ...(show.seasons !== undefined && { seasons: show.seasons }),
  }
  return [withSources(kept, show, (one) => !moved.has(one)), withSources(restored, show, (one) => moved.has(one))]
}

const NO_OUTSIDE_IDS = { imdbId: '', tmdbId: '' } as const

function isByOutsideId({ by }: RecordLink): boolean {
  return by === 'imdb' || by === 'tmdb'
}

function withoutRecords(all: RecordLinks | undefined, some: RecordLinks): RecordLinks | undefined {
  let left = all
  for (const [source, links] of Object.entries(some)) {
    left = withoutLinks(left, source, ({ key }) => links.some((link) => link.key === key))
  }
  return left
}

/** A part of a show with those of the show's offers and ratings whose source is its own. */
function withSources(part: Show, whole: Show, isOwn: (source: string) => boolean): Show {
  const { offers, seasons } = mapItems(whole, (byCountry) => filterOffers(byCountry, ({ source }) => isOwn(source)))
  const ratings: Ratings = Object.fromEntries(Object.entries(whole.ratings).filter(([source]) => isOwn(source)))
  const own = { ...part, offers, ...(seasons !== undefined && { seasons }), ratings, rating: averageRating(ratings) }
  return rollUpOffers(own)
}

function filterOffers(byCountry: OffersByCountry, isKept: (offer: Offer) => boolean): OffersByCountry {
  const kept: Record<string, readonly Offer[]> = {}
  for (const country in byCountry) {
    const offers = (byCountry[country] ?? []).filter(isKept)
    if (offers.length > 0) kept[country] = offers
  }
  return kept
}
