import type { Catalog } from '../../catalog/catalog.ts'
import type { Reference } from '../../catalog/storage/reference.ts'
import type { Batch } from '../../catalog/write/batch.ts'
import type { Change } from '../../model/change.ts'
import type { TopList } from '../../model/service.ts'
import { DERIVED_IDS, maxCountedId, type Show, showItems } from '../../model/show.ts'
import type { ImportTally } from '../import-report.ts'
import type { NoticeLog } from '../notice.ts'
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
import { applyDueWindows, type HomePage } from '../rules/offer-windows.ts'
import { hasRolledUp } from '../rules/roll-up.ts'
import { BatchOverlay, type DryRunOverlay } from './batch-overlay.ts'
import { cacheOwnIds, type Identity, identify } from './identify.ts'
import { mergeDuplicates, stripShow } from './merge-duplicates.ts'
import { type MergeObserver, removeSource } from './merge-offers.ts'
import { mergeShow } from './merge-show.ts'

/** What a batch depends on beside its records. */
export interface BatchContext {
  readonly header: FeedHeader
  /** The timestamp of the changes. */
  readonly now: number
  /** Whether offers that the feed lacks are removed. */
  readonly removeMissing: boolean
  readonly homePage: HomePage
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
    this.overlay = new BatchOverlay(cacheOwnIds(context.state.index))
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
      shows.push(after)
      if (header.statesChanges === true) continue
      const current = before && applyDueWindows(before, now, homePage)
      windowChanges.push(...(current?.changes ?? []))
      // The tombstone of a merged show has no changes: its offers are those of the other show.
      if (after.mergedInto !== undefined) continue
      for (const change of diff(current?.show, after, now)) {
        changes.push(before === undefined ? change : this.withFreeTime(change))
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
    const { known, duplicate } = identity
    if (known !== undefined && duplicate !== undefined) this.tombstone(duplicate, known.id)
    const current = known && this.upToDate(known)
    const before =
      current === undefined || duplicate === undefined ? current : mergeDuplicates(current, this.upToDate(duplicate))
    const show = this.merge(id, before, this.withoutForeignIds(record, id, duplicate))
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

  /**
   * A change at the first time from its own on that has none of its kind and place. The time of a change is part of its
   * key: a place that became live, ended and became live again in one second would have one `new` for two.
   */
  private withFreeTime(change: Change): Change {
    if (change.changeType === 'updated') return change
    const { changes } = this.catalog
    const version = this.catalog.version()
    let free = change
    while (changes.has(free, version)) free = { ...free, timestamp: (free.timestamp as number) + 1 }
    return free
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
    tally.held += offers
    if (rolledUp) this.reportRolledUp(line, id)
    this.seenRecords.addUnchanged(id)
  }

  /** Finds the show of a record; in an export by its own id alone, since it was identified before. */
  private identify(record: ShowRecord): Identity {
    if (this.context.header.statesChanges !== true) return identify(record, this.overlay)
    const { id } = record
    const known = id === undefined ? undefined : this.overlay.findById(id)
    return { known: known?.id === id ? known : undefined, id, notices: [] }
  }

  /** The record without ids that belong to another show. */
  private withoutForeignIds(record: ShowRecord, id: string, duplicate: Show | undefined): ShowRecord {
    const isForeign = (one: string) => ![undefined, id, duplicate?.id].includes(this.overlay.findOwnId(one))
    const { imdbId, tmdbId, formerIds } = record
    return {
      ...record,
      imdbId: isForeign(imdbId) ? '' : imdbId,
      tmdbId: isForeign(tmdbId) ? '' : tmdbId,
      ...(formerIds !== undefined && { formerIds: formerIds.filter((former) => !isForeign(former)) }),
    }
  }

  private allocateId(): string {
    const next = this.context.state.highestId + 1
    if (next < DERIVED_IDS.first) return String(next)
    // A feed has used the last id of the range; there are free ones below.
    for (let id = 1; ; id++) if (this.overlay.findOwnId(String(id)) === undefined) return String(id)
  }

  private merge(id: string, before: Show | undefined, record: ShowRecord): Show {
    const { header, now, removeMissing, homePage, tally, notices } = this.context
    const where = { line: record.line, record: id }
    const observer: MergeObserver = {
      held: (count) => {
        tally.held += count
      },
      missing: (count) => {
        tally.missing += count
      },
      expired: (country, { service, expiresOn }) =>
        notices.add('expired_offer', `An option on ${service} in ${country} ended on ${expiresOn}`, where),
    }
    return mergeShow(id, before, record, {
      source: header.source,
      scope: header.scope,
      now,
      appliesWindows: header.statesChanges !== true,
      homePage,
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
    else this.put(duplicate, { ...stripShow(duplicate), deleted: true, mergedInto: into })
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
    this.topLists.set(`${country} ${service} ${showType}`, { country, service, showType, shows: known })
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
