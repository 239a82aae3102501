import { isDeepStrictEqual } from 'node:util'
import type { Batch } from '../catalog/batch.ts'
import type { Catalog } from '../catalog/catalog.ts'
import type { Reference } from '../catalog/reference.ts'
import { itemsOf, mapItems } from '../model/item.ts'
import type { Offer } from '../model/offer.ts'
import type { Show } from '../model/show.ts'
import type { TopList } from '../model/top-list.ts'
import { absorb, emptied } from './absorb.ts'
import { diff } from './diff.ts'
import type { FeedTally } from './feed-tally.ts'
import { catalogIndex, identify } from './identify.ts'
import { mergeShow } from './merge-show.ts'
import type { NoticeLog } from './notice.ts'
import { PendingShows } from './pending-shows.ts'
import {
  type ChangeStatement,
  type FeedHeader,
  inScope,
  type RemoveStatement,
  type ShowStatement,
  type Statement,
  type TopStatement,
} from './statement.ts'

/** What the statements of a feed are taken by. */
export interface Taking {
  readonly header: FeedHeader
  /** The instant that changes are stamped with. */
  readonly now: number
  /** Whether offers that the feed does not restate are removed. */
  readonly remove: boolean
  /** Ids of the shows that the feed has stated so far. */
  readonly stated: Set<string>
  readonly notices: NoticeLog
  readonly tally: FeedTally
}

/** Makes a batch of statements, against the catalog as it is while the batch is made. */
export class BatchMaker {
  private readonly catalog: Catalog
  private readonly taking: Taking
  private readonly pending: PendingShows
  private readonly topLists: TopList[] = []
  private highestId: number

  constructor(catalog: Catalog, taking: Taking) {
    this.catalog = catalog
    this.taking = taking
    this.pending = new PendingShows(catalogIndex(catalog))
    this.highestId = catalog.highestId()
  }

  take(statement: Statement): void {
    if (statement.kind === 'top') this.takeTop(statement)
    else if (statement.kind === 'remove') this.takeRemove(statement)
    else if (statement.kind === 'change') this.takeChange(statement)
    else if (statement.mergedInto !== undefined) this.takeMerged(statement)
    else this.takeShow(statement)
  }

  /** Removes the source's offers of a show that a snapshot does not mention. */
  takeUnstated(doc: number): void {
    const known = this.catalog.show(doc)
    if (known === undefined) return
    const show = this.withoutOwnOffers(known)
    if (!this.taking.remove || isDeepStrictEqual(known, show)) return
    this.taking.tally.altered++
    this.put(known, show)
  }

  /** The batch, or undefined where there is nothing to be done. */
  batch(reference: Reference | undefined): Batch | undefined {
    const { shows, changes } = this.pending
    const { topLists } = this
    if (shows.length + changes.length + topLists.length === 0 && reference === undefined) return undefined
    return { at: this.taking.now, shows, changes, ...(reference !== undefined && { reference }), topLists }
  }

  private takeShow(statement: ShowStatement): void {
    const { stated, notices, tally } = this.taking
    const where = { line: statement.line, record: statement.id ?? statement.title }
    const identity = identify(statement, this.pending)
    for (const { code, message } of identity.notices) notices.add(code, message, where)
    const id = identity.id ?? String(this.highestId + 1)
    if (stated.has(id)) {
      notices.add('duplicate_show', `Show ${id} was stated before in this feed`, where)
      return
    }
    stated.add(id)
    this.highestId = Math.max(this.highestId, Number(id))
    this.noteOutOfScope(statement, where)
    const { known, absorbed } = identity
    if (known !== undefined && absorbed !== undefined) this.giveUp(absorbed, known.id)
    const before = known === undefined || absorbed === undefined ? known : absorb(known, absorbed)
    // A former id that belongs to somebody else by now stays theirs.
    const formerIds = statement.formerIds?.filter((former) => (this.pending.ownId(former) ?? id) === id)
    const show = this.merged(id, before, formerIds === undefined ? statement : { ...statement, formerIds })
    if (known === undefined) tally.created++
    else if (isDeepStrictEqual(known, show)) {
      tally.unchanged++
      return
    } else tally.altered++
    this.put(known, show)
  }

  private merged(id: string, before: Show | undefined, statement: ShowStatement): Show {
    const { header, now, remove, tally } = this.taking
    return mergeShow(id, before, statement, {
      source: header.source,
      scope: header.scope,
      now,
      passTime: header.statesChanges !== true,
      keepMissing: !remove || statement.flawed,
      onMissing: () => tally.missing++,
    })
  }

  /** Takes what is left of a show that was merged into another one: it is told of past changes only. */
  private takeMerged(statement: ShowStatement): void {
    const { id } = statement
    if (id === undefined) return
    const doc = this.catalog.ownDocOf(id)
    const known = doc === undefined ? undefined : this.catalog.show(doc)
    if (known !== undefined && known.mergedInto === undefined) return
    const show = this.merged(id, known, statement)
    if (!isDeepStrictEqual(known, show)) this.pending.add(show, [])
  }

  private takeChange({ change, line }: ChangeStatement): void {
    if (this.pending.has(change.showId) || this.catalog.ownDocOf(change.showId) !== undefined) {
      this.pending.addChanges([change])
      this.taking.tally.countChange(change)
    } else {
      this.taking.notices.add('unknown_show', `A change names show ${change.showId}, which there is not`, { line })
    }
  }

  /** Lets go of a show that turned out to be another one. */
  private giveUp(absorbed: Show, into: string): void {
    this.taking.stated.add(absorbed.id)
    if (this.catalog.docOf(absorbed.id) === undefined) this.pending.drop(absorbed.id)
    else this.pending.add({ ...emptied(absorbed), withdrawn: true, mergedInto: into }, [])
  }

  private noteOutOfScope(statement: ShowStatement, where: { line: number; record: string }): void {
    const { header, notices } = this.taking
    for (const [country, offers] of Object.entries(statement.offers)) {
      for (const { service } of offers) {
        if (inScope(header.scope, country, service)) continue
        notices.add('out_of_scope', `${service} in ${country} is not what ${header.source} speaks of here`, where)
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
    if (isDeepStrictEqual(this.catalog.topList(country, service, showType), known)) return
    this.topLists.push({ country, service, showType, shows: known })
  }

  private takeRemove({ ids, line }: RemoveStatement): void {
    const { header, notices, remove, tally } = this.taking
    const where = { line, record: ids[0] }
    if (header.mode === 'snapshot') {
      notices.add('remove_in_snapshot', 'The feed is a snapshot; leave the show out of it instead', where)
      return
    }
    const known = ids.map((id) => this.pending.byId(id)).find((show) => show !== undefined)
    if (known === undefined || known.withdrawn === true) {
      notices.add('unknown_show', `No show has the id ${ids.join(' or ')}`, where)
      return
    }
    const stripped = this.withoutOwnOffers(known)
    if (!remove) return
    const others = [...itemsOf(stripped)].some(([, offers]) => Object.keys(offers).length > 0)
    tally.altered++
    this.put(known, others ? stripped : { ...stripped, withdrawn: true })
  }

  private withoutOwnOffers(show: Show): Show {
    const { header, tally } = this.taking
    return mapItems(show, (byCountry) => {
      const kept: Record<string, readonly Offer[]> = {}
      for (const country in byCountry) {
        const all = byCountry[country] ?? []
        const offers = all.filter(
          (offer) => offer.source !== header.source || !inScope(header.scope, country, offer.service),
        )
        tally.missing += all.length - offers.length
        if (offers.length > 0) kept[country] = offers
      }
      return kept
    })
  }

  private put(before: Show | undefined, show: Show): void {
    const changes = this.taking.header.statesChanges === true ? [] : diff(before, show, this.taking.now)
    for (const change of changes) this.taking.tally.countChange(change)
    this.pending.add(show, changes)
  }
}
