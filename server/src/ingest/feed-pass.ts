import type { Batch } from '../catalog/batch.ts'
import type { Catalog } from '../catalog/catalog.ts'
import { term } from '../catalog/terms.ts'
import { BatchMaker, type FeedProgress, type Taking } from './batch-maker.ts'
import type { FeedLine } from './feed-lines.ts'
import { FeedRecords } from './feed-records.ts'
import { FeedTally } from './feed-tally.ts'
import { catalogIndex } from './identify.ts'
import { ImaginedShows } from './imagined-shows.ts'
import { NoticeLog } from './notice.ts'
import { ReferenceBuilder } from './reference-builder.ts'
import { type FeedHeader, type ShowStatement, type Statement, statedItems } from './statement.ts'

/** What the operator says beside the feed. */
export interface PassOptions {
  readonly source?: string
  readonly mode?: 'snapshot' | 'delta'
  /** The instant that changes are stamped with. */
  readonly now: number
  /** Whether offers that the feed does not restate are removed. */
  readonly remove: boolean
  /** Commits the batch that the given function makes; a pass that only checks has none. */
  readonly commit: ((make: () => Batch | undefined) => Promise<unknown>) | undefined
  readonly onProgress?: ((shows: number) => void) | undefined
}

/** A batch is made of so many shows or offers: memory stays bounded, and each term is written seldom. */
const MOST_SHOWS = 20_000
const MOST_STATEMENTS = 100_000
const MOST_OFFERS = 300_000

/** One reading of a feed from front to back against a catalog, to check it or to apply it. */
export class FeedPass {
  readonly notices = new NoticeLog()
  readonly tally = new FeedTally()
  header: FeedHeader
  private readonly catalog: Catalog
  private readonly options: PassOptions
  private readonly reference: ReferenceBuilder
  private readonly records: FeedRecords
  private readonly progress: FeedProgress
  /** Where a pass that only checks keeps the shows that the batches before would have brought. */
  private readonly imagined: ImaginedShows
  private queue: Statement[] = []
  private queuedShows = 0
  private queuedOffers = 0
  private started = false

  constructor(catalog: Catalog, options: PassOptions) {
    this.catalog = catalog
    this.options = options
    this.reference = new ReferenceBuilder(catalog.reference())
    this.records = new FeedRecords(this.reference, this.notices, options)
    this.imagined = new ImaginedShows(catalogIndex(catalog))
    this.progress = { stated: new Set(), index: this.imagined, highestId: catalog.highestId() }
    this.header = { kind: 'feed', source: options.source ?? 'default', mode: options.mode ?? 'delta', scope: {} }
  }

  /** Whether the feed had to be given up because of its header. */
  get unusable(): boolean {
    return this.records.unusable
  }

  /** Whether the feed was whole and every part of it could be read. */
  get complete(): boolean {
    const { notices, records, header } = this
    const inOrder = !notices.has('truncated_feed') && !notices.has('misplaced_header')
    return !records.damaged && !records.unusable && inOrder && (header.count ?? 0) <= records.count
  }

  async run(lines: AsyncIterable<FeedLine>): Promise<this> {
    for await (const line of lines) {
      for (const record of this.records.read(line)) {
        if (this.unusable) return this
        if (record.kind === 'feed') this.takeHeader(record, line.line)
        else this.enqueue(record)
        this.started = true
        if (this.queuedShows >= MOST_SHOWS || this.queue.length >= MOST_STATEMENTS || this.queuedOffers >= MOST_OFFERS)
          await this.flush()
      }
    }
    if (this.unusable) return this
    await this.flush()
    const { count } = this.header
    if (count !== undefined && this.records.count < count) {
      this.notices.add('count_mismatch', `The header declares ${count} records, the feed holds ${this.records.count}`)
    }
    if (this.header.mode === 'snapshot') await this.takeUnstated()
    return this
  }

  private takeHeader(header: FeedHeader, line: number): void {
    if (this.started) {
      this.notices.add('misplaced_header', 'The header comes after other records', { line })
      return
    }
    this.header = header
  }

  private enqueue(statement: Statement): void {
    this.queue.push(statement)
    if (statement.kind !== 'show') return
    const offers = offersIn(statement)
    this.queuedShows++
    this.queuedOffers += offers
    this.tally.offers += offers
    this.tally.shows++
    this.options.onProgress?.(this.tally.shows)
  }

  private flush(): Promise<void> {
    const { queue } = this
    this.queue = []
    this.queuedShows = 0
    this.queuedOffers = 0
    return this.make((maker) => {
      for (const statement of queue) maker.take(statement)
    })
  }

  private async takeUnstated(): Promise<void> {
    const docs = this.catalog.docs(term.source(this.header.source), this.catalog.version()).toArray()
    const unstated = docs.filter((doc) => !this.progress.stated.has(this.catalog.facts(doc)?.id ?? ''))
    for (let start = 0; start < unstated.length; start += MOST_SHOWS) {
      await this.make((maker) => {
        for (const doc of unstated.slice(start, start + MOST_SHOWS)) maker.takeUnstated(doc)
      })
    }
  }

  /** Makes a batch and commits it, or, in a pass that only checks, makes it to see what it would be. */
  private async make(fill: (maker: BatchMaker) => void): Promise<void> {
    const { header, progress, notices, tally } = this
    const { now, remove, commit } = this.options
    const taking: Taking = { header, now, remove, progress, notices, tally }
    const make = () => {
      const maker = new BatchMaker(this.catalog, taking)
      fill(maker)
      return maker.batch(this.reference.takeChanged())
    }
    if (commit === undefined) this.imagined.add(make()?.shows ?? [])
    else await commit(make)
  }
}

function offersIn(statement: ShowStatement): number {
  let sum = 0
  for (const byCountry of statedItems(statement)) {
    for (const country in byCountry) sum += byCountry[country]?.length ?? 0
  }
  return sum
}
