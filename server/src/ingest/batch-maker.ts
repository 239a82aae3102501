import type { Catalog } from '../catalog/catalog.ts'
import type { Reference } from '../catalog/reference.ts'
import type { Batch } from '../catalog/write/batch.ts'
import type { Change } from '../model/change.ts'
import type { TopList } from '../model/service.ts'
import { DERIVED_IDS, maxCountedId, type Show, showItems } from '../model/show.ts'
import { absorb, emptied } from './absorb.ts'
import { diff } from './diff.ts'
import type { FeedTally } from './feed-tally.ts'
import { askedOnce, type Identity, identify } from './identify.ts'
import type { ImaginedShows } from './imagined-shows.ts'
import { type MergeWitness, mergeShow } from './merge-show.ts'
import type { NoticeLog } from './notice.ts'
import type { HomePage } from './pass-time.ts'
import { PendingShows } from './pending-shows.ts'
import { sameData } from './same-data.ts'
import {
  type ChangeStatement,
  type FeedHeader,
  inScope,
  type RemoveStatement,
  type RestatedShow,
  type ShowStatement,
  type Statement,
  statedItems,
  type TopStatement,
} from './statement.ts'
import { ToldInBatch } from './told-in-batch.ts'
import { withoutSource } from './without-source.ts'

/** What the statements of a feed are taken by. */
export interface Taking {
  readonly header: FeedHeader
  /** The instant that changes are stamped with. */
  readonly now: number
  /** Whether offers that the feed does not restate are removed. */
  readonly remove: boolean
  readonly homePage: HomePage
  /** What the batches so far have come to. */
  readonly progress: FeedProgress
  readonly notices: NoticeLog
  readonly tally: FeedTally
}

/** What goes on from batch to batch. */
export interface FeedProgress {
  /** Ids of the shows that the feed has stated so far. */
  readonly stated: Set<string>
  /** Where shows are looked up. */
  readonly index: ImaginedShows
  /** The highest show id so far. */
  highestId: number
}

/** Makes a batch of statements, against the catalog as it is while the batch is made. */
export class BatchMaker {
  private readonly catalog: Catalog
  private readonly taking: Taking
  private readonly pending: PendingShows
  private readonly topLists = new Map<string, TopList>()
  private readonly statedChanges: Change[] = []
  private readonly told: ToldInBatch

  constructor(catalog: Catalog, taking: Taking) {
    this.catalog = catalog
    this.taking = taking
    this.pending = new PendingShows(askedOnce(taking.progress.index))
    this.told = new ToldInBatch(taking.now)
  }

  take(statement: Statement): void {
    if (statement.kind === 'top') this.takeTop(statement)
    else if (statement.kind === 'remove') this.takeRemove(statement)
    else if (statement.kind === 'change') this.takeChange(statement)
    else if (statement.kind === 'restated') this.takeRestated(statement)
    else if (statement.mergedInto !== undefined) this.takeMerged(statement)
    else this.takeShow(statement)
  }

  /** Removes what the source has said of a show that a snapshot does not mention: its offers and its rating. */
  takeUnstated(doc: number): void {
    const known = this.catalog.show(doc)
    if (known === undefined) return
    const show = this.withoutOwn(known)
    if (this.taking.remove) this.put(known, show)
  }

  /** The batch, or undefined where there is nothing to be done. */
  batch(reference: Reference | undefined): Batch | undefined {
    const { header, now, tally } = this.taking
    const shows: Show[] = []
    const changes = [...this.statedChanges]
    tally.unchanged += this.told.restated
    for (const { before, after } of this.pending.all()) {
      if (before !== undefined && sameData(before, after)) {
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
      ({ country, service, showType, shows }) => !sameData(this.catalog.topList(country, service, showType), shows),
    )
    const told = this.told.statements()
    const lengths = shows.length + changes.length + topLists.length + told.length
    if (lengths === 0 && reference === undefined) return undefined
    return { at: now, shows, changes, ...(reference !== undefined && { reference }), topLists, told }
  }

  private takeShow(statement: ShowStatement): void {
    const { progress, notices } = this.taking
    const { stated } = progress
    const { total } = notices
    const where = { line: statement.line, record: statement.id ?? statement.title }
    const identity = this.identified(statement)
    for (const { code, message } of identity.notices) notices.add(code, message, where)
    const id = identity.id ?? this.newId()
    if (stated.has(id)) {
      notices.add('duplicate_show', `Show ${id} was stated before in this feed`, where)
      return
    }
    stated.add(id)
    progress.highestId = maxCountedId(progress.highestId, id)
    this.noteOutOfScope(statement, where)
    const { known, absorbed } = identity
    if (known !== undefined && absorbed !== undefined) this.giveUp(absorbed, known.id)
    const before = known === undefined || absorbed === undefined ? known : absorb(known, absorbed)
    const show = this.merged(id, before, this.withoutForeignIds(statement, id, absorbed))
    this.put(known, show)
    if (notices.total === total && this.taking.remove) this.told.remember(statement, show)
  }

  /** Whatever is said of a show otherwise ends what was told of it before. */
  private put(known: Show | undefined, show: Show): void {
    this.pending.put(known, show)
    this.told.forget(show.id)
  }

  private drop(id: string): void {
    this.pending.drop(id)
    this.told.forget(id)
  }

  /** Takes a show that is stated as before, unless something else was said of it since. */
  private takeRestated({ told, read }: RestatedShow): void {
    const { progress, tally } = this.taking
    const { id, offers } = told
    if (progress.stated.has(id) || this.pending.has(id) || progress.index.has(id)) {
      for (const statement of read()) this.take(statement)
      return
    }
    progress.stated.add(id)
    progress.highestId = maxCountedId(progress.highestId, id)
    tally.held += offers
    this.told.restate(id)
  }

  /** Exported shows are known by their own ids alone: they have been recognised before. */
  private identified(statement: ShowStatement): Identity {
    if (this.taking.header.statesChanges !== true) return identify(statement, this.pending)
    const { id } = statement
    const known = id === undefined ? undefined : this.pending.byId(id)
    return { known: known?.id === id ? known : undefined, id, notices: [] }
  }

  /** Ids that belong to another show stay there, whatever a statement says. */
  private withoutForeignIds(statement: ShowStatement, id: string, absorbed: Show | undefined): ShowStatement {
    const isForeign = (one: string) => ![undefined, id, absorbed?.id].includes(this.pending.ownId(one))
    const { imdbId, tmdbId, formerIds } = statement
    return {
      ...statement,
      imdbId: isForeign(imdbId) ? '' : imdbId,
      tmdbId: isForeign(tmdbId) ? '' : tmdbId,
      ...(formerIds !== undefined && { formerIds: formerIds.filter((former) => !isForeign(former)) }),
    }
  }

  private newId(): string {
    const next = this.taking.progress.highestId + 1
    if (next < DERIVED_IDS.first) return String(next)
    // Somebody has taken the very last id; there are free ones below.
    for (let id = 1; ; id++) if (this.pending.ownId(String(id)) === undefined) return String(id)
  }

  private merged(id: string, before: Show | undefined, statement: ShowStatement): Show {
    const { header, now, remove, homePage, tally, notices } = this.taking
    const where = { line: statement.line, record: id }
    const witness: MergeWitness = {
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
      passTime: header.statesChanges !== true,
      homePage,
      keep: statement.flawed ? 'offers' : remove ? 'nothing' : 'groups',
      witness,
    })
  }

  /** Takes what is left of a show that was merged into another one: it is told of past changes only. */
  private takeMerged(statement: ShowStatement): void {
    const { id } = statement
    if (id === undefined) return
    const doc = this.catalog.findOwnDoc(id)
    const known = doc === undefined ? undefined : this.catalog.show(doc)
    if (known !== undefined && known.mergedInto === undefined) return
    this.put(known, this.merged(id, known, statement))
  }

  private takeChange({ change, line }: ChangeStatement): void {
    if (this.catalog.changes.has(change, this.catalog.version())) return
    if (this.pending.has(change.showId) || this.catalog.findOwnDoc(change.showId) !== undefined) {
      this.statedChanges.push(change)
    } else {
      this.taking.notices.add('unknown_show', `A change names show ${change.showId}, which there is not`, { line })
    }
  }

  /** Lets go of a show that turned out to be another one. */
  private giveUp(absorbed: Show, into: string): void {
    this.taking.progress.stated.add(absorbed.id)
    if (this.catalog.findDoc(absorbed.id) === undefined) this.drop(absorbed.id)
    else this.put(absorbed, { ...emptied(absorbed), deleted: true, mergedInto: into })
  }

  private noteOutOfScope(statement: ShowStatement, where: { line: number; record: string }): void {
    const { header, notices } = this.taking
    for (const byCountry of statedItems(statement)) {
      for (const [country, offers] of Object.entries(byCountry)) {
        for (const { service } of offers) {
          if (inScope(header.scope, country, service)) continue
          notices.add('out_of_scope', `${service} in ${country} is not what ${header.source} speaks of here`, where)
        }
      }
    }
  }

  private takeTop({ country, service, showType, shows, line }: TopStatement): void {
    const known = shows.flatMap((id) => {
      const own = this.pending.ownId(id)
      if (own !== undefined) return own
      this.taking.notices.add('unknown_show', `The top list names ${JSON.stringify(id)}, which no show has`, { line })
      return []
    })
    this.topLists.set(`${country} ${service} ${showType}`, { country, service, showType, shows: known })
  }

  private takeRemove({ ids, line }: RemoveStatement): void {
    const { header, notices, remove } = this.taking
    const where = { line, record: ids[0] }
    if (header.mode === 'snapshot') {
      notices.add('remove_in_snapshot', 'The feed is a snapshot; leave the show out of it instead', where)
      return
    }
    const known = ids.map((id) => this.pending.byId(id)).find((show) => show !== undefined)
    if (known === undefined || known.deleted === true) {
      notices.add('unknown_show', `No show has the id ${ids.join(' or ')}`, where)
      return
    }
    const stripped = this.withoutOwn(known)
    if (!remove) return
    const others = [...showItems(stripped)].some(([, offers]) => Object.keys(offers).length > 0)
    this.put(known, others ? stripped : { ...stripped, deleted: true })
  }

  /** A show without what the source has said of it; the offers count as missing from the feed. */
  private withoutOwn(show: Show): Show {
    const { header, tally } = this.taking
    const without = withoutSource(show, header)
    tally.held += without.removed
    tally.missing += without.removed
    return without.show
  }
}
