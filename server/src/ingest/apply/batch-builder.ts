import type { Catalog } from '../../catalog/catalog.ts'
import type { Reference } from '../../catalog/reference.ts'
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
import { SeenRecordCollector } from '../unchanged/seen-records.ts'
import type { HomePage } from '../windows/offer-windows.ts'
import { BatchOverlay, type DryRunOverlay } from './batch-overlay.ts'
import { diff, isDeepEqual } from './diff.ts'
import { cacheOwnIds, type Identity, identify } from './identify.ts'
import { mergeDuplicates, stripShow } from './merge-duplicates.ts'
import { type MergeObserver, mergeShow, removeSource } from './merge-show.ts'

/** What the statements of a feed are taken by. */
export interface BatchContext {
  readonly header: FeedHeader
  /** The instant that changes are stamped with. */
  readonly now: number
  /** Whether offers that the feed does not restate are removed. */
  readonly remove: boolean
  readonly homePage: HomePage
  /** What the batches so far have come to. */
  readonly progress: PassState
  readonly notices: NoticeLog
  readonly tally: ImportTally
}

/** What goes on from batch to batch. */
export interface PassState {
  /** Ids of the shows that the feed has stated so far. */
  readonly seenIds: Set<string>
  /** Where shows are looked up. */
  readonly index: DryRunOverlay
  /** The highest show id so far. */
  highestId: number
}

/** Makes a batch of statements, against the catalog as it is while the batch is made. */
export class BatchBuilder {
  private readonly catalog: Catalog
  private readonly context: BatchContext
  private readonly pending: BatchOverlay
  private readonly topLists = new Map<string, TopList>()
  private readonly explicitChanges: Change[] = []
  private readonly seenRecords: SeenRecordCollector

  constructor(catalog: Catalog, taking: BatchContext) {
    this.catalog = catalog
    this.context = taking
    this.pending = new BatchOverlay(cacheOwnIds(taking.progress.index))
    this.seenRecords = new SeenRecordCollector(taking.now)
  }

  add(statement: BodyRecord): void {
    if (statement.kind === 'top') this.addTopList(statement)
    else if (statement.kind === 'remove') this.removeShow(statement)
    else if (statement.kind === 'change') this.addChange(statement)
    else if (statement.kind === 'restated') this.addUnchanged(statement)
    else if (statement.mergedInto !== undefined) this.addMerged(statement)
    else this.addShow(statement)
  }

  /** Removes what the source has said of a show that a snapshot does not mention: its offers and its rating. */
  removeMissing(doc: number): void {
    const known = this.catalog.show(doc)
    if (known === undefined) return
    const show = this.withoutSource(known)
    if (this.context.remove) this.put(known, show)
  }

  /** The batch, or undefined where there is nothing to be done. */
  build(reference: Reference | undefined): Batch | undefined {
    const { header, now, tally } = this.context
    const shows: Show[] = []
    const changes = [...this.explicitChanges]
    tally.unchanged += this.seenRecords.unchangedCount
    for (const { before, after } of this.pending.updates()) {
      if (before !== undefined && isDeepEqual(before, after)) {
        tally.unchanged++
        continue
      }
      if (before === undefined) tally.created++
      else tally.altered++
      shows.push(after)
      // What is left of a show that was merged has no changes of its own: its offers live on elsewhere.
      if (header.statesChanges === true || after.mergedInto !== undefined) continue
      for (const change of diff(before, after, now)) changes.push(change)
    }
    for (const change of changes) tally.countChange(change)
    const topLists = [...this.topLists.values()].filter(
      ({ country, service, showType, shows }) => !isDeepEqual(this.catalog.topList(country, service, showType), shows),
    )
    const told = this.seenRecords.records()
    const lengths = shows.length + changes.length + topLists.length + told.length
    if (lengths === 0 && reference === undefined) return undefined
    return { at: now, shows, changes, ...(reference !== undefined && { reference }), topLists, told }
  }

  private addShow(statement: ShowRecord): void {
    const { progress, notices } = this.context
    const { seenIds } = progress
    const { total } = notices
    const where = { line: statement.line, record: statement.id ?? statement.title }
    const identity = this.identify(statement)
    for (const { code, message } of identity.notices) notices.add(code, message, where)
    const id = identity.id ?? this.allocateId()
    if (seenIds.has(id)) {
      notices.add('duplicate_show', `Show ${id} was stated before in this feed`, where)
      return
    }
    seenIds.add(id)
    progress.highestId = maxCountedId(progress.highestId, id)
    this.reportOutOfScope(statement, where)
    const { known, absorbed } = identity
    if (known !== undefined && absorbed !== undefined) this.tombstone(absorbed, known.id)
    const before = known === undefined || absorbed === undefined ? known : mergeDuplicates(known, absorbed)
    const show = this.merge(id, before, this.withoutForeignIds(statement, id, absorbed))
    this.put(known, show)
    if (notices.total === total && this.context.remove) this.seenRecords.add(statement, show)
  }

  /** Whatever is said of a show otherwise ends what was told of it before. */
  private put(known: Show | undefined, show: Show): void {
    this.pending.put(known, show)
    this.seenRecords.invalidate(show.id)
  }

  private delete(id: string): void {
    this.pending.delete(id)
    this.seenRecords.invalidate(id)
  }

  /** Takes a show that is stated as before, unless something else was said of it since. */
  private addUnchanged({ told, reparse }: UnchangedShow): void {
    const { progress, tally } = this.context
    const { id, offers } = told
    if (progress.seenIds.has(id) || this.pending.has(id) || progress.index.has(id)) {
      for (const statement of reparse()) this.add(statement)
      return
    }
    progress.seenIds.add(id)
    progress.highestId = maxCountedId(progress.highestId, id)
    tally.held += offers
    this.seenRecords.addUnchanged(id)
  }

  /** Exported shows are known by their own ids alone: they have been recognised before. */
  private identify(statement: ShowRecord): Identity {
    if (this.context.header.statesChanges !== true) return identify(statement, this.pending)
    const { id } = statement
    const known = id === undefined ? undefined : this.pending.findById(id)
    return { known: known?.id === id ? known : undefined, id, notices: [] }
  }

  /** Ids that belong to another show stay there, whatever a statement says. */
  private withoutForeignIds(statement: ShowRecord, id: string, absorbed: Show | undefined): ShowRecord {
    const isForeign = (one: string) => ![undefined, id, absorbed?.id].includes(this.pending.findOwnId(one))
    const { imdbId, tmdbId, formerIds } = statement
    return {
      ...statement,
      imdbId: isForeign(imdbId) ? '' : imdbId,
      tmdbId: isForeign(tmdbId) ? '' : tmdbId,
      ...(formerIds !== undefined && { formerIds: formerIds.filter((former) => !isForeign(former)) }),
    }
  }

  private allocateId(): string {
    const next = this.context.progress.highestId + 1
    if (next < DERIVED_IDS.first) return String(next)
    // Somebody has taken the very last id; there are free ones below.
    for (let id = 1; ; id++) if (this.pending.findOwnId(String(id)) === undefined) return String(id)
  }

  private merge(id: string, before: Show | undefined, statement: ShowRecord): Show {
    const { header, now, remove, homePage, tally, notices } = this.context
    const where = { line: statement.line, record: id }
    const witness: MergeObserver = {
      held: (count) => {
        tally.held += count
      },
      missing: (count) => {
        tally.missing += count
      },
      expired: (country, { service, expiresOn }) =>
        notices.add('expired_offer', `An option on ${service} in ${country} ended on ${expiresOn}`, where),
    }
    return mergeShow(id, before, statement, {
      source: header.source,
      scope: header.scope,
      now,
      appliesWindows: header.statesChanges !== true,
      homePage,
      keepMissing: statement.isFlawed ? 'offers' : remove ? 'nothing' : 'groups',
      witness,
    })
  }

  /** Takes what is left of a show that was merged into another one: it is told of past changes only. */
  private addMerged(statement: ShowRecord): void {
    const { id } = statement
    if (id === undefined) return
    const doc = this.catalog.findOwnDoc(id)
    const known = doc === undefined ? undefined : this.catalog.show(doc)
    if (known !== undefined && known.mergedInto === undefined) return
    this.put(known, this.merge(id, known, statement))
  }

  private addChange({ change, line }: ChangeRecord): void {
    if (this.catalog.changes.has(change, this.catalog.version())) return
    if (this.pending.has(change.showId) || this.catalog.findOwnDoc(change.showId) !== undefined) {
      this.explicitChanges.push(change)
    } else {
      this.context.notices.add('unknown_show', `A change names show ${change.showId}, which there is not`, { line })
    }
  }

  /** Lets go of a show that turned out to be another one. */
  private tombstone(absorbed: Show, into: string): void {
    this.context.progress.seenIds.add(absorbed.id)
    if (this.catalog.findDoc(absorbed.id) === undefined) this.delete(absorbed.id)
    else this.put(absorbed, { ...stripShow(absorbed), deleted: true, mergedInto: into })
  }

  private reportOutOfScope(statement: ShowRecord, where: { line: number; record: string }): void {
    const { header, notices } = this.context
    for (const byCountry of recordOffers(statement)) {
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
      const own = this.pending.findOwnId(id)
      if (own !== undefined) return own
      this.context.notices.add('unknown_show', `The top list names ${JSON.stringify(id)}, which no show has`, { line })
      return []
    })
    this.topLists.set(`${country} ${service} ${showType}`, { country, service, showType, shows: known })
  }

  private removeShow({ ids, line }: RemoveRecord): void {
    const { header, notices, remove } = this.context
    const where = { line, record: ids[0] }
    if (header.mode === 'snapshot') {
      notices.add('remove_in_snapshot', 'The feed is a snapshot; leave the show out of it instead', where)
      return
    }
    const known = ids.map((id) => this.pending.findById(id)).find((show) => show !== undefined)
    if (known === undefined || known.deleted === true) {
      notices.add('unknown_show', `No show has the id ${ids.join(' or ')}`, where)
      return
    }
    const stripped = this.withoutSource(known)
    if (!remove) return
    const others = [...showItems(stripped)].some(([, offers]) => Object.keys(offers).length > 0)
    this.put(known, others ? stripped : { ...stripped, deleted: true })
  }

  /** A show without what the source has said of it; the offers count as missing from the feed. */
  private withoutSource(show: Show): Show {
    const { header, tally } = this.context
    const without = removeSource(show, header)
    tally.held += without.removed
    tally.missing += without.removed
    return without.show
  }
}
