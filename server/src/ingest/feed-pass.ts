import type { Catalog } from '../catalog/catalog.ts'
import { term } from '../catalog/index/terms.ts'
import type { Batch } from '../catalog/write/batch.ts'
import { BatchMaker, type FeedProgress, type Taking } from './batch-maker.ts'
import { FeedFingerprint } from './feed-fingerprint.ts'
import type { FeedLine } from './feed-lines.ts'
import { FeedRecords, type WaitingLine } from './feed-records.ts'
import { FeedTally } from './feed-tally.ts'
import { catalogIndex } from './identify.ts'
import { ImaginedShows } from './imagined-shows.ts'
import { NoticeLog } from './notice.ts'
import { ReferenceBuilder } from './reference-builder.ts'
import { type FeedHeader, offersIn, type Scope, type Statement } from './statement.ts'
import { KnownWordings } from './wording.ts'

/** What the operator says beside the feed. */
export interface PassOptions {
  readonly source?: string
  readonly mode?: 'snapshot' | 'delta'
  readonly scope?: Scope
  /** The instant that changes are stamped with. */
  readonly now: number
  /** Whether offers that the feed does not restate are removed. */
  readonly remove: boolean
  /** The fingerprint that the feed had when it was checked: one that has another by now removes nothing. */
  readonly checked?: string | undefined
  /** Commits the batches that the given function makes; a pass that only checks has none. */
  readonly commit: ((make: () => Iterable<Batch>) => Promise<unknown>) | undefined
  readonly onProgress?: ((shows: number) => void) | undefined
}

/** So much of a feed is read before it is committed at a time: each term is then written seldom. */
const MOST_LINES = 20_000
const MOST_TEXT = 48 * 1024 * 1024

/** From so many shows on, twice as much is: every commit rewrites much of the columns, and the larger they are, the dearer. */
const LARGE_CATALOG = 250_000

/** A batch is made of so few shows or statements, since all of it is in memory at a time. */
const BATCH_SHOWS = 64
const BATCH_STATEMENTS = 1_000

/** Shows that are gone through at a time for what a snapshot does not mention. */
const MOST_UNSTATED = 20_000

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
  private readonly reading = new FeedFingerprint()
  private altered = false
  private started = false
  private batches = 0

  constructor(catalog: Catalog, options: PassOptions) {
    this.catalog = catalog
    this.options = options
    this.reference = new ReferenceBuilder(catalog.reference())
    const wordings = new KnownWordings(catalog, this.reference, options.now)
    this.records = new FeedRecords(this.reference, this.notices, wordings, options)
    this.imagined = new ImaginedShows(catalogIndex(catalog))
    this.progress = { stated: new Set(), index: this.imagined, highestId: catalog.highestId() }
    this.header = {
      kind: 'feed',
      source: options.source ?? 'default',
      mode: options.mode ?? 'delta',
      scope: options.scope ?? {},
    }
  }

  /** Whether the feed had to be given up because of its header. */
  get unusable(): boolean {
    return this.records.unusable
  }

  /** Whether not one record was found in what should be a feed; one that had some when it was checked was altered. */
  get isNoFeed(): boolean {
    return !this.records.recognized && this.options.checked === undefined
  }

  /** Whether nothing at all followed from the feed. */
  get isIdle(): boolean {
    return this.batches === 0
  }

  /** Whether the feed was whole and every part of it could be read. */
  get complete(): boolean {
    const { notices, records, header } = this
    const inOrder = !notices.has('truncated_feed') && !notices.has('misplaced_header')
    const readable = records.recognized && !records.damaged && !records.unusable
    return !this.altered && readable && inOrder && (header.count ?? 0) <= records.count
  }

  get fingerprint(): string {
    return this.reading.digest()
  }

  async run(lines: AsyncIterable<FeedLine>): Promise<this> {
    let read: WaitingLine[] = []
    let size = 0
    let mostText = this.mostText()
    for await (const whole of lines) {
      const line = this.records.prepare(whole)
      this.reading.add(whole, line.wording)
      read.push(line)
      size += 'text' in line ? line.text.length : 0
      if (read.length < MOST_LINES && size < mostText) continue
      await this.take(read)
      if (this.unusable) return this
      this.records.makeRoom()
      read = []
      size = 0
      mostText = this.mostText()
    }
    await this.take(read)
    if (this.unusable) return this
    const { count } = this.header
    if (count !== undefined && this.records.count < count) {
      this.notices.add('count_mismatch', `The header declares ${count} records, the feed holds ${this.records.count}`)
    }
    if (this.isNoFeed) this.notices.add('no_records', 'Not one record of a feed was found; nothing was imported')
    else if (this.header.mode === 'snapshot') await this.takeUnstated()
    return this
  }

  /** How much text may wait for the next commit. */
  private mostText(): number {
    return this.catalog.nextDoc() < LARGE_CATALOG ? MOST_TEXT : 2 * MOST_TEXT
  }

  private takeHeader(header: FeedHeader, line: number): void {
    if (this.started) {
      this.notices.add('misplaced_header', 'The header comes after other records', { line })
      return
    }
    this.header = header
  }

  private count(statement: Statement): void {
    if (statement.kind !== 'show' && statement.kind !== 'restated') return
    this.tally.offers += statement.kind === 'show' ? offersIn(statement) : statement.told.offers
    this.tally.shows++
    this.options.onProgress?.(this.tally.shows)
  }

  private take(lines: readonly WaitingLine[]): Promise<void> {
    return this.commit(() => this.batchesOf(lines))
  }

  private *batchesOf(lines: readonly WaitingLine[]): Iterable<Batch> {
    let statements: Statement[] = []
    let shows = 0
    for (const line of lines) {
      for (const record of this.records.read(line, this.header)) {
        if (this.unusable) return
        if (record.kind === 'feed') this.takeHeader(record, line.line)
        else {
          statements.push(record)
          this.count(record)
          if (record.kind === 'show') shows++
        }
        this.started = true
      }
      if (shows < BATCH_SHOWS && statements.length < BATCH_STATEMENTS) continue
      yield* this.made(statements, (maker, statement) => maker.take(statement))
      statements = []
      shows = 0
    }
    yield* this.made(statements, (maker, statement) => maker.take(statement))
  }

  private async takeUnstated(): Promise<void> {
    const { checked = this.fingerprint } = this.options
    this.altered = checked !== this.fingerprint
    if (this.altered) {
      this.notices.add(
        'feed_altered',
        'The feed has other lines than when it was checked just before; what it lacks is kept',
      )
      return
    }
    const docs = this.catalog.docsWithTerm(term.source(this.header.source), this.catalog.version()).toArray()
    const unstated = docs.filter((doc) => !this.progress.stated.has(this.catalog.facts(doc)?.id ?? ''))
    for (const some of chunks(unstated, MOST_UNSTATED)) await this.commit(() => this.batchesWithout(some))
  }

  private *batchesWithout(docs: readonly number[]): Iterable<Batch> {
    for (const few of chunks(docs, BATCH_SHOWS)) {
      yield* this.made(few, (maker, doc) => maker.takeUnstated(doc))
    }
  }

  private *made<T>(things: readonly T[], take: (maker: BatchMaker, thing: T) => void): Iterable<Batch> {
    const { header, progress, notices, tally } = this
    const { now, remove } = this.options
    const homePage: Taking['homePage'] = (service, country) => this.reference.homePage(service, country)
    const taking: Taking = { header, now, remove, homePage, progress, notices, tally }
    const maker = new BatchMaker(this.catalog, taking)
    for (const thing of things) take(maker, thing)
    const batch = maker.batch(this.reference.takeChanged())
    if (batch === undefined) return
    this.batches++
    yield batch
  }

  /** Commits batches, or, in a pass that only checks, makes them to see what they would be. */
  private async commit(make: () => Iterable<Batch>): Promise<void> {
    const { commit } = this.options
    if (commit !== undefined) await commit(make)
    else for (const { shows } of make()) this.imagined.add(shows)
  }
}

function* chunks<T>(list: readonly T[], size: number): Iterable<readonly T[]> {
  for (let start = 0; start < list.length; start += size) yield list.slice(start, start + size)
}
