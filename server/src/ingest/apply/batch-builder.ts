import type { Catalog } from '../../catalog/catalog.ts'
import { topListKey } from '../../catalog/storage/meta.ts'
import type { Reference } from '../../catalog/storage/reference.ts'
import type { Batch } from '../../catalog/write/batch.ts'
import type { Change } from '../../model/change.ts'
import { type RecordLink, renameLink, sourceLinks, withLink, withoutLinks } from '../../model/identity.ts'
import type { OffersByCountry } from '../../model/offer.ts'
import type { TopList } from '../../model/service.ts'
import { DERIVED_IDS, isTmdbId, maxCountedId, type Show, showItems } from '../../model/show.ts'
import type { SourceRanks } from '../../model/source-ranks.ts'
import { formatTime } from '../../model/time.ts'
import { RecordKeys } from '../identity/record-keys.ts'
import type { ImportTally, NoticeLog } from '../import-report.ts'
import {
  type BodyRecord,
  type ChangeRecord,
  type FeedHeader,
  isInScope,
  type RemoveRecord,
  recordOffers,
  type ShowRecord,
  type TopListRecord,
  type UnchangedShow,
} from '../parse/feed-record.ts'
import { SeenRecordCollector } from '../parse/unchanged-detector.ts'
import { diff, isDeepEqual } from '../rules/diff.ts'
import { applyDueWindows, ChangeTimes, type HomePage } from '../rules/offer-windows.ts'
import { recordHistory } from '../rules/record-history.ts'
import { hasRolledUp } from '../rules/roll-up.ts'
import { type Identity, identify } from './identify.ts'
import { mergeDuplicates, toTombstone } from './merge-duplicates.ts'
import { type MergeObserver, removeSource } from './merge-offers.ts'
import { mergeShow } from './merge-show.ts'
import { BatchOverlay, cacheShows, type DryRunOverlay } from './show-index.ts'

/** What a batch depends on beside its records. */
export interface BatchContext {
  readonly header: FeedHeader
  /** The timestamp of the changes. */
  readonly now: number
  /** Whether offers that the feed lacks are removed. */
  readonly removeMissing: boolean
  readonly homePage: HomePage
  readonly ranks: SourceRanks
  readonly state: PassState
  readonly notices: NoticeLog
  readonly tally: ImportTally
}

/** The state of a pass, which its batches share. */
export interface PassState {
  /** Ids of the shows that the feed has named so far. */
  readonly seenIds: Set<string>
  /** Where shows are looked up: the catalog, and in a dry run what it would hold by then. */
  readonly index: DryRunOverlay
  /** The highest show id so far. */
  highestId: number
  readonly identities: IdentityState
  /** Keys of the top lists that the feed has stated so far. */
  readonly topLists: Set<string>
}

/** What a pass learns about the identities in its feed, and what a dry run before it has learnt. */
export interface IdentityState {
  /** The shows that the records of a snapshot are about by their ids and keys, if a dry run has found that out. */
  readonly stated: ReadonlySet<string> | undefined
  /** Whether the source gives its ids to other works from feed to feed. */
  readonly reusesIds: boolean
  /** Shows that a record resembles, and that another record of the source is linked to. */
  readonly contested: Set<string>
  /** Records that were found by their key, and those of them whose title is another one now. */
  linked: number
  renamed: number
}

/** Builds a batch of the records of a feed: identifies shows, merges records into them and derives the changes. */
export class BatchBuilder {
  private readonly catalog: Catalog
  private readonly context: BatchContext
  private readonly overlay: BatchOverlay
  private readonly topLists = new Map<string, TopList>()
  /** Changes that an export states. */
  private readonly explicitChanges: Change[] = []
  private readonly seenRecords: SeenRecordCollector

  constructor(catalog: Catalog, context: BatchContext) {
    this.catalog = catalog
    this.context = context
    this.overlay = new BatchOverlay(cacheShows(context.state.index))
    this.seenRecords = new SeenRecordCollector(context.now)
  }

  /** Applies a record to the batch. */
  add(record: BodyRecord): void {
    if (record.kind === 'top') this.addTopList(record)
    else if (record.kind === 'remove') this.removeShow(record)
    else if (record.kind === 'change') this.addChange(record)
    else if (record.kind === 'unchanged') this.addUnchanged(record)
    else if (record.mergedInto !== undefined) this.addMerged(record)
    else this.addShow(record)
  }

  /** Removes the source's offers and rating from a show that a snapshot lacks. */
  removeMissing(doc: number): void {
    const known = this.catalog.show(doc)
    if (known === undefined) return
    const show = this.withoutSource(this.upToDate(known))
    if (this.context.removeMissing) this.put(known, show)
  }

  /** The batch; undefined if it would change nothing. */
  build(reference: Reference | undefined): Batch | undefined {
    const { header, now, tally, homePage } = this.context
    const shows: Show[] = []
    const changes = [...this.explicitChanges]
    const changeTimes = new ChangeTimes(this.catalog)
    /** Of windows that the scheduler has not applied yet: not the feed's doing. */
    const windowChanges: Change[] = []
    tally.unchanged += this.seenRecords.unchangedCount
    for (const { before, after } of this.overlay.updates()) {
      if (before !== undefined && isDeepEqual(before, after)) {
        tally.unchanged++
        continue
      }
      if (before === undefined) tally.created++
      else tally.altered++
      if (header.statesChanges === true) {
        shows.push(after)
        continue
      }
      const current = before && applyDueWindows(before, now, homePage)
      windowChanges.push(...(current?.changes ?? []))
      // The tombstone of a merged show has no changes: its offers are those of the other show.
      if (after.mergedInto !== undefined) {
        shows.push(after)
        continue
      }
      shows.push(recordHistory(current?.show, after, now))
      for (const change of diff(current?.show, after, now)) {
        changes.push(before === undefined ? change : changeTimes.withFreeTime(change))
      }
    }
    for (const change of changes) tally.countChange(change)
    changes.push(...windowChanges)
    const topLists = [...this.topLists.values()].filter(
      ({ country, service, showType, shows }) => !isDeepEqual(this.catalog.topList(country, service, showType), shows),
    )
    const seen = this.seenRecords.records()
    const size = shows.length + changes.length + topLists.length + seen.length
    if (size === 0 && reference === undefined) return undefined
    return { at: now, shows, changes, ...(reference !== undefined && { reference }), topLists, seen }
  }

  private addShow(record: ShowRecord): void {
    const { header, state, notices } = this.context
    const { seenIds } = state
    const { total } = notices
    const where = { line: record.line, record: record.id ?? record.title }
    const identity = this.identify(record)
    for (const { code, message } of identity.notices) notices.add(code, message, where)
    const id = identity.id ?? this.allocateId()
    if (seenIds.has(id)) {
      notices.add('duplicate_show', `Show ${id} was stated before in this feed`, where)
      return
    }
    seenIds.add(id)
    state.highestId = maxCountedId(state.highestId, id)
    this.reportOutOfScope(record, where)
    const { known, duplicate, unlinked } = identity
    if (known !== undefined && duplicate !== undefined) this.tombstone(duplicate, known.id)
    if (unlinked !== undefined && identity.link !== undefined) {
      this.unlink(unlinked, [identity.link.key, identity.formerKey ?? ''])
    }
    const current = known && this.upToDate(known)
    const whole =
      current === undefined || duplicate === undefined ? current : mergeDuplicates(current, this.upToDate(duplicate))
    const before = whole && withTypeOf(record, whole)
    const own = this.withoutForeignIds(record, id, before, duplicate)
    const show = this.linkRecord(this.merge(id, before, own), record, identity)
    this.put(known, show)
    const isClean = notices.total === total
    const rolledUp = header.statesChanges !== true && hasRolledUp(show, header.source)
    if (rolledUp) this.reportRolledUp(record.line, id)
    if (isClean && this.context.removeMissing) this.seenRecords.add(record, show, rolledUp)
  }

  /** The show with all windows applied that have started or ended; an export leaves that to the scheduler. */
  private upToDate(show: Show): Show {
    const { header, now, homePage } = this.context
    return header.statesChanges === true ? show : applyDueWindows(show, now, homePage).show
  }

  private reportRolledUp(line: number, id: string): void {
    this.context.notices.add('rolled_up', 'Options of seasons or episodes were given to the series, too', {
      line,
      record: id,
    })
  }

  /** Puts a show into the batch. Its seen records no longer hold then. */
  private put(known: Show | undefined, show: Show): void {
    this.overlay.put(known, show)
    this.seenRecords.invalidate(show.id)
  }

  private delete(id: string): void {
    this.overlay.delete(id)
    this.seenRecords.invalidate(id)
  }

  /** Counts an unchanged show. Parses its record after all if this pass has written the show before. */
  private addUnchanged({ line, seen, reparse }: UnchangedShow): void {
    const { state, tally } = this.context
    const { id, offers, rolledUp } = seen
    if (state.seenIds.has(id) || this.overlay.has(id) || state.index.has(id)) {
      for (const record of reparse()) this.add(record)
      return
    }
    state.seenIds.add(id)
    state.highestId = maxCountedId(state.highestId, id)
    state.identities.linked++
    tally.held += offers
    if (rolledUp) this.reportRolledUp(line, id)
    this.seenRecords.addUnchanged(id)
  }

  /** Finds the show of a record; in an export by its own id alone, since it was identified before. */
  private identify(record: ShowRecord): Identity {
    const { header, state } = this.context
    const { identities } = state
    if (header.statesChanges !== true) {
      return identify(record, this.overlay, {
        source: header.source,
        keys: new RecordKeys(record),
        reusesIds: identities.reusesIds,
        observe: (what) => identities[what]++,
        isUnclaimed: (show) => this.isUnclaimed(show),
        isStated: ({ id }) => state.seenIds.has(id),
      })
    }
    const { id } = record
    const known = id === undefined ? undefined : this.overlay.findById(id)
    return { known: known?.id === id ? known : undefined, id, notices: [] }
  }

  /** Whether no record of the snapshot is about a show that the source has stated before. */
  private isUnclaimed({ id }: Show): boolean {
    const { header, state } = this.context
    const { stated, contested } = state.identities
    contested.add(id)
    if (stated === undefined || header.mode !== 'snapshot' || stated.has(id) || state.seenIds.has(id)) return false
    // A snapshot of some countries says nothing about a show that its source offers in others.
    const show = this.overlay.findById(id)
    return show !== undefined && [...showItems(show)].every(([, offers]) => isCovered(offers, header))
  }

  /** Adds the record that a show was identified by to its links. */
  private linkRecord(show: Show, record: ShowRecord, { link, formerKey, replacesLinks }: Identity): Show {
    const { source } = this.context.header
    if (link === undefined) return show
    const by = strongestReason(link, show, record)
    const isOther = ({ key }: RecordLink) => key !== link.key
    const renaming = formerKey === undefined ? undefined : { from: formerKey, to: link.key }
    const own = renaming === undefined ? show.records : renameLink(show.records, source, renaming)
    const kept = replacesLinks === true ? withoutLinks(own, source, isOther) : own
    // A partial record without a year, such as one of offers alone, says less about the show than the one before it.
    const isSparse = record.partial === true && record.year === undefined
    const known = isSparse ? sourceLinks(kept, source).find(({ key }) => key === link.key) : undefined
    return { ...show, records: withLink(kept, source, { ...(known ?? link), by }) }
  }

  /** Removes a record, and what the source says by it, from a show that the record is not about. */
  private unlink(show: Show, recordKeys: readonly string[]): void {
    const { header, removeMissing } = this.context
    const { records: _, ...rest } = show
    const records = withoutLinks(show.records, header.source, ({ key }) => recordKeys.includes(key))
    const unlinked = records === undefined ? rest : { ...rest, records }
    const isLast = sourceLinks(records, header.source).length === 0
    this.put(show, isLast && removeMissing ? removeSource(unlinked, header).show : unlinked)
  }

  /** The record without ids that belong to another show, or to one that was merged into this. */
  private withoutForeignIds(
    record: ShowRecord,
    id: string,
    before: Show | undefined,
    duplicate: Show | undefined,
  ): ShowRecord {
    const isForeign = (one: string) =>
      ![undefined, id, duplicate?.id].includes(this.overlay.findOwnId(one)) || before?.formerIds?.includes(one) === true
    const { imdbId, tmdbId, formerIds } = record
    return {
      ...record,
      imdbId: isForeign(imdbId) ? '' : imdbId,
      tmdbId: isForeign(tmdbId) ? '' : tmdbId,
      ...(formerIds !== undefined && { formerIds: formerIds.filter((former) => !isForeign(former)) }),
    }
  }

  private allocateId(): string {
    let next = this.context.state.highestId + 1
    // A show that was merged within one batch has left no document, and its id leads to the other show.
    while (next < DERIVED_IDS.first && this.overlay.findOwnId(String(next)) !== undefined) next++
    if (next < DERIVED_IDS.first) return String(next)
    // A feed has used the last id of the range; there are free ones below.
    for (let id = 1; ; id++) if (this.overlay.findOwnId(String(id)) === undefined) return String(id)
  }

  private merge(id: string, before: Show | undefined, record: ShowRecord): Show {
    const { header, now, removeMissing, homePage, ranks, tally, notices } = this.context
    const where = { line: record.line, record: id }
    const observer: MergeObserver = {
      held: (count) => {
        tally.held += count
      },
      missing: (count) => {
        tally.missing += count
      },
      expired: (country, { service, expiresOn }) =>
        notices.add(
          'expired_offer',
          `An option on ${service} in ${country} ended on ${formatTime(expiresOn ?? now)}`,
          where,
        ),
    }
    return mergeShow(id, before, record, {
      source: header.source,
      scope: header.scope,
      now,
      appliesWindows: header.statesChanges !== true,
      homePage,
      ranks,
      keepMissing: record.isFlawed ? 'offers' : removeMissing ? 'nothing' : 'groups',
      observer,
    })
  }

  /** Adds the tombstone of a merged show, from an export; past changes still name it. */
  private addMerged(record: ShowRecord): void {
    const { id } = record
    if (id === undefined) return
    const doc = this.catalog.findOwnDoc(id)
    const known = doc === undefined ? undefined : this.catalog.show(doc)
    if (known !== undefined && known.mergedInto === undefined) return
    this.put(known, this.merge(id, known, record))
  }

  private addChange({ change, line }: ChangeRecord): void {
    if (this.catalog.changes.has(change, this.catalog.version())) return
    if (this.overlay.has(change.showId) || this.catalog.findOwnDoc(change.showId) !== undefined) {
      this.explicitChanges.push(change)
    } else {
      this.context.notices.add('unknown_show', `A change names show ${change.showId}, which there is not`, { line })
    }
  }

  /** Replaces a duplicate by a tombstone that names the show it was merged into. */
  private tombstone(duplicate: Show, into: string): void {
    this.context.state.seenIds.add(duplicate.id)
    if (this.catalog.findDoc(duplicate.id) === undefined) this.delete(duplicate.id)
    else this.put(duplicate, toTombstone(duplicate, into))
  }

  private reportOutOfScope(record: ShowRecord, where: { line: number; record: string }): void {
    const { header, notices } = this.context
    for (const byCountry of recordOffers(record)) {
      for (const [country, offers] of Object.entries(byCountry)) {
        for (const { service } of offers) {
          if (isInScope(header.scope, country, service)) continue
          notices.add('out_of_scope', `${service} in ${country} is not what ${header.source} speaks of here`, where)
        }
      }
    }
  }

  private addTopList({ country, service, showType, shows, line }: TopListRecord): void {
    const known = shows.flatMap((id) => {
      const own = this.overlay.findOwnId(id)
      if (own !== undefined) return own
      this.context.notices.add('unknown_show', `The top list names ${JSON.stringify(id)}, which no show has`, { line })
      return []
    })
    const key = topListKey({ country, service, showType })
    this.context.state.topLists.add(key)
    this.topLists.set(key, { country, service, showType, shows: known })
  }

  private removeShow({ ids, line }: RemoveRecord): void {
    const { header, notices, removeMissing } = this.context
    const where = { line, record: ids[0] }
    if (header.mode === 'snapshot') {
      notices.add('remove_in_snapshot', 'The feed is a snapshot; leave the show out of it instead', where)
      return
    }
    const known = ids.map((id) => this.overlay.findById(id)).find((show) => show !== undefined)
    if (known === undefined || known.deleted === true) {
      notices.add('unknown_show', `No show has the id ${ids.join(' or ')}`, where)
      return
    }
    const stripped = this.withoutSource(this.upToDate(known))
    if (!removeMissing) return
    const hasOffers = [...showItems(stripped)].some(([, offers]) => Object.keys(offers).length > 0)
    this.put(known, hasOffers ? stripped : { ...stripped, deleted: true })
  }

  /** The show without the source's offers and rating; the offers count as missing from the feed. */
  private withoutSource(show: Show): Show {
    const { header, tally } = this.context
    const without = removeSource(show, header)
    tally.held += without.removed
    tally.missing += without.removed
    return without.show
  }
}

/** What links a record to a show: ids before all else, whichever source came first. */
function strongestReason({ key, by }: RecordLink, show: Show, { imdbId, tmdbId }: ShowRecord): string {
  if (imdbId !== '' && imdbId === show.imdbId) return 'imdb'
  if (tmdbId !== '' && tmdbId === show.tmdbId) return 'tmdb'
  return key === show.id ? 'id' : by
}

/**
 * A show as one of the record's type, if a record of its IMDb id says that it is of another type. TMDB ids are those of a
 * type: the old one still finds the show, as a former id, and is its TMDB id again if the type changes back.
 */
function withTypeOf({ showType, tmdbId: stated }: ShowRecord, show: Show): Show {
  if (show.showType === showType) return show
  const known = [show.tmdbId, ...(show.formerIds ?? [])].filter((id) => id !== '')
  const isStated = stated !== '' && isTmdbId(stated, showType)
  const tmdbId = isStated ? '' : (known.find((id) => isTmdbId(id, showType)) ?? '')
  const { formerIds: _, ...rest } = show
  const formerIds = known.filter((id) => id !== tmdbId)
  return { ...rest, tmdbId, ...(formerIds.length > 0 && { formerIds }) }
}

/** Whether a feed speaks for all offers of its source among these. */
function isCovered(offers: OffersByCountry, { source, scope }: FeedHeader): boolean {
  return Object.entries(offers).every(([country, list]) =>
    list.every((offer) => offer.source !== source || isInScope(scope, country, offer.service)),
  )
}
