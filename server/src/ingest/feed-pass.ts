import { isDeepStrictEqual } from 'node:util'
import type { Batch } from '../catalog/batch.ts'
import type { Catalog } from '../catalog/catalog.ts'
import { term } from '../catalog/terms.ts'
import type { Change, PastChangeType } from '../model/change.ts'
import { itemsOf, mapItems } from '../model/item.ts'
import type { Offer } from '../model/offer.ts'
import type { Show } from '../model/show.ts'
import type { TopList } from '../model/top-list.ts'
import { diff } from './diff.ts'
import type { FeedLine } from './feed-lines.ts'
import { type FeedRecord, FeedRecords } from './feed-records.ts'
import { catalogIndex, identify } from './identify.ts'
import { noChanges } from './import-report.ts'
import { mergeShow } from './merge-show.ts'
import { NoticeLog } from './notice.ts'
import { PendingShows } from './pending-shows.ts'
import { ReferenceBuilder } from './reference-builder.ts'
import { type FeedHeader, inScope, type RemoveStatement, type ShowStatement, type TopStatement } from './statement.ts'

/** What the operator says beside the feed. */
export interface PassOptions {
  readonly source?: string
  readonly mode?: 'snapshot' | 'delta'
  /** The instant that changes are stamped with. */
  readonly now: number
  /** Whether offers that the feed does not restate are removed. */
  readonly remove: boolean
  /** Commits a batch; a pass that only checks has none. */
  readonly commit: ((batch: Batch) => Promise<unknown>) | undefined
  readonly onProgress?: ((shows: number) => void) | undefined
}

/** One reading of a feed from front to back against a catalog, to check it or to apply it. */
export class FeedPass {
  readonly notices = new NoticeLog()
  header: FeedHeader
  shows = 0
  offers = 0
  created = 0
  altered = 0
  unchanged = 0
  /** Offers of the source that the feed does not restate. */
  missing = 0
  readonly changes = noChanges()
  readonly changesByPlace: Record<string, Record<PastChangeType, number>> = {}
  private readonly catalog: Catalog
  private readonly options: PassOptions
  private readonly reference: ReferenceBuilder
  private readonly records: FeedRecords
  private readonly pending: PendingShows
  private readonly stated = new Set<string>()
  private topLists: TopList[] = []
  private started = false
  private highestId: number

  constructor(catalog: Catalog, options: PassOptions) {
    this.catalog = catalog
    this.options = options
    this.reference = new ReferenceBuilder(catalog.reference())
    this.records = new FeedRecords(this.reference, this.notices)
    this.pending = new PendingShows(catalogIndex(catalog))
    this.header = { kind: 'feed', source: options.source ?? 'default', mode: options.mode ?? 'delta', scope: {} }
    this.highestId = catalog.highestId()
  }

  /** Whether the feed was whole and every part of it could be read. */
  get complete(): boolean {
    const { notices, records, header } = this
    return !records.damaged && !notices.has('truncated_feed') && (header.count ?? 0) <= records.count
  }

  async run(lines: AsyncIterable<FeedLine>): Promise<this> {
    for await (const line of lines) {
      for (const record of this.records.read(line)) {
        this.take(record)
        if (this.pending.full) await this.flush()
      }
    }
    const { count } = this.header
    if (count !== undefined && this.records.count < count) {
      this.notices.add('count_mismatch', `The header declares ${count} records, the feed holds ${this.records.count}`)
    }
    if (this.header.mode === 'snapshot') await this.takeUnstated()
    await this.flush()
    return this
  }

  private take(record: FeedRecord): void {
    switch (record.kind) {
      case 'feed':
        this.takeHeader(record)
        break
      case 'show':
        this.takeShow(record)
        break
      case 'top':
        this.takeTop(record)
        break
      case 'remove':
        this.takeRemove(record)
        break
    }
    this.started = true
  }

  private takeHeader(header: FeedHeader): void {
    if (this.started) {
      this.notices.add('misplaced_header', 'The header comes after other records')
      return
    }
    const { source = header.source, mode = header.mode } = this.options
    this.header = { ...header, source, mode }
  }

  private takeShow(statement: ShowStatement): void {
    this.shows++
    this.options.onProgress?.(this.shows)
    const where = { line: statement.line, record: statement.id ?? statement.title }
    const identity = identify(statement, this.pending)
    for (const { code, message } of identity.notices) this.notices.add(code, message, where)
    const id = identity.id ?? String(this.highestId + 1)
    if (this.stated.has(id)) {
      this.notices.add('duplicate_show', `Show ${id} was stated before in this feed`, where)
      return
    }
    this.stated.add(id)
    this.highestId = Math.max(this.highestId, Number(id))
    this.noteOutOfScope(statement, where)
    const { known } = identity
    const { source, scope } = this.header
    const show = mergeShow(id, known, statement, {
      source,
      scope,
      now: this.options.now,
      keepMissing: !this.options.remove || statement.flawed,
      onMissing: () => this.missing++,
    })
    for (const [, offers] of itemsOf(show)) {
      for (const country in offers) {
        for (const offer of offers[country] ?? []) if (offer.source === source) this.offers++
      }
    }
    if (known === undefined) this.created++
    else if (isDeepStrictEqual(known, show)) {
      this.unchanged++
      return
    } else this.altered++
    this.put(known, show)
  }

  private noteOutOfScope(statement: ShowStatement, where: { line: number; record: string }): void {
    const { scope, source } = this.header
    for (const [country, offers] of Object.entries(statement.offers)) {
      for (const { service } of offers) {
        if (!inScope(scope, country, service)) {
          this.notices.add('out_of_scope', `${service} in ${country} is not what ${source} speaks of here`, where)
        }
      }
    }
  }

  private takeTop({ country, service, showType, shows, line }: TopStatement): void {
    const known = shows.flatMap((id) => {
      const own = this.pending.ownId(id)
      if (own !== undefined) return own
      this.notices.add('unknown_show', `The top list names ${JSON.stringify(id)}, which no show has`, { line })
      return []
    })
    if (isDeepStrictEqual(this.catalog.topList(country, service, showType), known)) return
    this.topLists.push({ country, service, showType, shows: known })
  }

  private takeRemove({ ids, line }: RemoveStatement): void {
    const where = { line, record: ids[0] }
    if (this.header.mode === 'snapshot') {
      this.notices.add('remove_in_snapshot', 'The feed is a snapshot; leave the show out of it instead', where)
      return
    }
    const known = ids.map((id) => this.pending.byId(id)).find((show) => show !== undefined)
    if (known === undefined || known.withdrawn === true) {
      this.notices.add('unknown_show', `No show has the id ${ids.join(' or ')}`, where)
      return
    }
    const stripped = this.withoutOwnOffers(known)
    const others = [...itemsOf(stripped)].some(([, offers]) => Object.keys(offers).length > 0)
    if (!this.options.remove) return
    this.altered++
    this.put(known, others ? stripped : { ...stripped, withdrawn: true })
  }

  /** Removes the source's offers of all shows that a snapshot does not mention. */
  private async takeUnstated(): Promise<void> {
    const docs = this.catalog.docs(term.source(this.header.source), this.catalog.version()).toArray()
    for (const doc of docs) {
      const facts = this.catalog.facts(doc)
      if (facts === undefined || this.stated.has(facts.id)) continue
      const known = this.catalog.show(doc) as Show
      const show = this.withoutOwnOffers(known)
      if (isDeepStrictEqual(known, show) || !this.options.remove) continue
      this.altered++
      this.put(known, show)
      if (this.pending.full) await this.flush()
    }
  }

  private withoutOwnOffers(show: Show): Show {
    const { source, scope } = this.header
    return mapItems(show, (byCountry) => {
      const kept: Record<string, readonly Offer[]> = {}
      for (const country in byCountry) {
        const all = byCountry[country] ?? []
        const offers = all.filter((offer) => offer.source !== source || !inScope(scope, country, offer.service))
        this.missing += all.length - offers.length
        if (offers.length > 0) kept[country] = offers
      }
      return kept
    })
  }

  private put(before: Show | undefined, show: Show): void {
    const changes = diff(before, show, this.options.now)
    for (const change of changes) this.count(change)
    this.pending.add(show, changes)
  }

  private count({ changeType, country, service }: Change): void {
    const type = changeType as PastChangeType
    this.changes[type]++
    const place = `${country} ${service}`
    let counts = this.changesByPlace[place]
    if (counts === undefined) {
      counts = noChanges()
      this.changesByPlace[place] = counts
    }
    counts[type]++
  }

  private async flush(): Promise<void> {
    const { shows, changes } = this.pending.take()
    const reference = this.reference.takeChanged()
    const { topLists } = this
    this.topLists = []
    const { commit, now } = this.options
    if (commit === undefined || (shows.length === 0 && reference === undefined && topLists.length === 0)) return
    await commit({ at: now, shows, changes, ...(reference !== undefined && { reference }), topLists })
  }
}
