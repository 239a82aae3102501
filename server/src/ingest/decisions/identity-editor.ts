import type { Catalog } from '../../catalog/catalog.ts'
import { findServiceInCountry } from '../../catalog/storage/reference.ts'
import type { Batch } from '../../catalog/write/batch.ts'
import { UserError } from '../../lib/errors.ts'
import type { Change } from '../../model/change.ts'
import {
  type IdentityDecision,
  isKeptApart,
  mergeDecisions,
  type RecordLink,
  type RecordLinks,
  sourceLinks,
  withoutLinks,
} from '../../model/identity.ts'
import type { Offer, OffersByCountry } from '../../model/offer.ts'
import { averageRating, DERIVED_IDS, isImdbId, isTmdbId, mapItems, type Ratings, type Show } from '../../model/show.ts'
import { withoutFieldSource } from '../apply/field-precedence.ts'
import { mergeDuplicates, toTombstone } from '../apply/merge-duplicates.ts'
import { diff } from '../rules/diff.ts'
import { applyDueWindows, type HomePage } from '../rules/offer-windows.ts'
import { recordHistory } from '../rules/record-history.ts'
import { rollUpOffers } from '../rules/roll-up.ts'

/** What a decision comes to. */
export interface DecisionResult {
  readonly batch: Batch
  /** The own ids of the two shows. The second one is new if records were split off. */
  readonly shows: readonly [string, string]
  readonly what: 'joined' | 'parted' | 'unjoined' | 'unparted'
}

/**
 * Applies what an operator decides about two shows: that they are one, that they are two, or that an earlier decision no
 * longer holds. Reads the catalog and makes a batch; the caller commits it.
 */
export class IdentityEditor {
  private readonly catalog: Catalog
  private readonly now: number
  private readonly homePage: HomePage

  constructor(catalog: Catalog, now: number) {
    this.catalog = catalog
    this.now = now
    const reference = catalog.reference()
    this.homePage = (service, country) => findServiceInCountry(reference, service, country)?.homePage ?? ''
  }

  /** Makes two shows one. The first one stays; the ids of the other lead to it. */
  join(one: string, other: string): DecisionResult {
    const [show, duplicate] = [this.find(one), this.find(other)]
    if (show.id === duplicate.id) throw new UserError(`${one} and ${other} are one show already: ${describe(show)}`)
    if (show.showType !== duplicate.showType) {
      throw new UserError(`${describe(show)} and ${describe(duplicate)} are of different types and cannot be one show`)
    }
    return this.merge(show, duplicate, 'joined')
  }

  /** Makes sure that two shows are two: shows that were merged, or a show and records that were joined to it. */
  part(one: string, other: string): DecisionResult {
    const show = this.find(one)
    const merged = this.findMerged(show, other)
    if (merged !== undefined) return this.split(show, merged, 'parted')
    const doc = this.catalog.findDoc(other)
    if (doc === undefined) return this.partRecords(show, other)
    const second = this.find(other)
    if (second.id === show.id) throw new UserError(`${one} and ${other} are the same show; ${partHint(show)}`)
    if (isKeptApart(show, second)) throw new UserError(`${describe(show)} and ${describe(second)} are parted already`)
    const decision = { kind: 'part', at: this.now } as const
    const shows = [
      withDecision(show, { ...decision, show: second.id }),
      withDecision(second, { ...decision, show: show.id }),
    ] as const
    return this.result(shows, 'parted', [show, second])
  }

  /** Takes back what was decided about two shows. */
  undo(one: string, other: string): DecisionResult {
    const show = this.find(one)
    const merged = this.findMerged(show, other)
    if (merged !== undefined && findDecision(show, merged)?.kind === 'join') return this.split(show, merged, 'unjoined')
    const second = this.find(other)
    const decision = findDecision(show, second) ?? findDecision(second, show)
    if (decision === undefined) {
      const known = (show.decisions ?? []).map(({ kind, show: id }) => `${kind} ${id}`).join(', ')
      throw new UserError(
        `Nothing was decided about ${one} and ${other}; decided about ${describe(show)}: ${known || 'nothing'}`,
      )
    }
    if (decision.split === true) return this.merge(show, second, 'unparted')
    const shows = [withoutDecision(show, second.id), withoutDecision(second, show.id)] as const
    return this.result(shows, 'unparted', [show, second])
  }

  private merge(show: Show, duplicate: Show, what: 'joined' | 'unparted'): DecisionResult {
    const [current, other] = [this.upToDate(show), this.upToDate(duplicate)]
    const whole = joinShows(current, other)
    const decision = { kind: 'join', show: duplicate.id, at: this.now } as const
    const decided = what === 'joined' ? withDecision(whole, decision) : whole
    return this.result([decided, toTombstone(duplicate, show.id)], what, [show, undefined])
  }

  private split(show: Show, merged: Show, what: 'parted' | 'unjoined'): DecisionResult {
    const parts = restoreShow(this.upToDate(show), merged)
    if (what === 'unjoined') return this.result(parts, what, [show, undefined])
    return this.result(this.keepApart(parts), what, [show, undefined])
  }

  private partRecords(show: Show, reference: string): DecisionResult {
    const links = findRecordLinks(show, reference)
    if (links === undefined) {
      throw new UserError(`"${reference}" is no show, and no record of ${describe(show)}; ${partHint(show)}`)
    }
    const parts = splitRecords(this.upToDate(show), links, this.allocateId())
    if (parts === undefined) throw new UserError(`${describe(show)} has no other record than ${reference}`)
    return this.result(this.keepApart(parts), 'parted', [show, undefined])
  }

  private keepApart([show, other]: readonly [Show, Show]): readonly [Show, Show] {
    const decision = { kind: 'part', at: this.now, split: true } as const
    return [withDecision(show, { ...decision, show: other.id }), withDecision(other, { ...decision, show: show.id })]
  }

  /** The batch of two shows, with the changes that follow for those that are found by queries. */
  private result(
    shows: readonly [Show, Show],
    what: DecisionResult['what'],
    before: readonly [Show, Show | undefined],
  ): DecisionResult {
    const changes: Change[] = []
    const recorded = shows.map((show, i) => {
      if (show.mergedInto !== undefined) return show
      const known = before[i]
      const current = known && applyDueWindows(known, this.now, this.homePage)
      changes.push(...(current?.changes ?? []), ...diff(current?.show, show, this.now))
      return recordHistory(current?.show, show, this.now)
    })
    // A tombstone is written first: its id leads to the other show afterwards.
    const ordered = recorded.sort((a, b) => Number(b.deleted === true) - Number(a.deleted === true))
    return { batch: { at: this.now, shows: ordered, changes }, shows: [shows[0].id, shows[1].id], what }
  }

  private upToDate(show: Show): Show {
    return applyDueWindows(show, this.now, this.homePage).show
  }

  private find(id: string): Show {
    const doc = this.catalog.findDoc(id)
    const show = doc === undefined ? undefined : this.catalog.show(doc)
    if (show === undefined || show.deleted === true) throw new UserError(`There is no show ${id}`)
    return show
  }

  /** The tombstone of a show that was merged into another, directly. */
  private findMerged({ id }: Show, other: string): Show | undefined {
    const doc = this.catalog.findOwnDoc(other)
    const show = doc === undefined ? undefined : this.catalog.show(doc)
    return show?.mergedInto === id ? show : undefined
  }

  private allocateId(): string {
    let next = this.catalog.highestId() + 1
    while (next < DERIVED_IDS.first && this.catalog.findDoc(String(next)) !== undefined) next++
    if (next < DERIVED_IDS.first) return String(next)
    for (let id = 1; ; id++) if (this.catalog.findDoc(String(id)) === undefined) return String(id)
  }
}

function findDecision({ decisions = [] }: Show, { id }: Show): IdentityDecision | undefined {
  return decisions.find(({ show }) => show === id)
}

function describe({ id, title, year }: Show): string {
  return `${id} "${title}"${year === undefined ? '' : ` (${year})`}`
}

function partHint(show: Show): string {
  const records = Object.entries(show.records ?? {}).flatMap(([source, links]) =>
    links.map(({ key }) => `${source}/${key}`),
  )
  return records.length === 0 ? 'it has no records' : `its records are ${records.join(', ')}`
}

/** A show with a decision; it replaces an earlier one about the same show. */
function withDecision(show: Show, decision: IdentityDecision): Show {
  const others = (show.decisions ?? []).filter((one) => one.show !== decision.show)
  return { ...show, decisions: [...others, decision] }
}

/** A show without what was decided about another one. */
function withoutDecision(show: Show, other: string): Show {
  const { decisions = [], ...rest } = show
  const kept = decisions.filter((one) => one.show !== other)
  return kept.length === 0 ? rest : { ...rest, decisions: kept }
}

/** Two shows as one. All ids of the other one lead to it, its IMDb and TMDB ids included. */
function joinShows(show: Show, other: Show): Show {
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
function findRecordLinks({ records = {} }: Show, reference: string): SourceRecords | undefined {
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
function splitRecords(show: Show, { source, links }: SourceRecords, id: string): readonly [Show, Show] | undefined {
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
function restoreShow(show: Show, merged: Show): readonly [Show, Show] {
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
