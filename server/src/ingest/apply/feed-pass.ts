import type { Catalog } from '../../catalog/catalog.ts'
import { term } from '../../catalog/index/terms.ts'
import type { Batch } from '../../catalog/write/batch.ts'
import { ImportTally } from '../import-report.ts'
import { NoticeLog } from '../notice.ts'
import type { FeedLine } from '../parse/feed-lines.ts'
import { type BufferedLine, FeedParser } from '../parse/feed-parser.ts'
import { type BodyRecord, countOffers, type FeedHeader, type Scope } from '../parse/feed-record.ts'
import { ReferenceBuilder } from '../parse/reference-builder.ts'
import { FeedFingerprint, UnchangedDetector } from '../unchanged/line-digest.ts'
import { BatchBuilder, type BatchContext, type PassState } from './batch-builder.ts'
import { DryRunOverlay } from './batch-overlay.ts'
import { createCatalogIndex } from './identify.ts'

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
const MAX_COMMIT_LINES = 20_000
const MAX_COMMIT_CHARS = 48 * 1024 * 1024

/** From so many shows on, twice as much is: every commit rewrites much of the columns, and the larger they are, the dearer. */
const LARGE_CATALOG_SHOWS = 250_000

/** A batch is made of so few shows or statements, since all of it is in memory at a time. */
const BATCH_SHOWS = 64
const BATCH_RECORDS = 1_000

/** Shows that are gone through at a time for what a snapshot does not mention. */
const REMOVALS_PER_COMMIT = 20_000

/** One reading of a feed from front to back against a catalog, to check it or to apply it. */
export class FeedPass {
  readonly notices = new NoticeLog()
  readonly tally = new ImportTally()
  header: FeedHeader
  private readonly catalog: Catalog
  private readonly options: PassOptions
  private readonly reference: ReferenceBuilder
  private readonly parser: FeedParser
  private readonly progress: PassState
  /** Where a pass that only checks keeps the shows that the batches before would have brought. */
  private readonly overlay: DryRunOverlay
  private readonly hasher = new FeedFingerprint()
  private isAltered = false
  private started = false
  private batchCount = 0

  constructor(catalog: Catalog, options: PassOptions) {
    this.catalog = catalog
    this.options = options
    this.reference = new ReferenceBuilder(catalog.reference())
    const wordings = new UnchangedDetector(catalog, this.reference, options.now)
    this.parser = new FeedParser(this.reference, this.notices, wordings, options)
    this.overlay = new DryRunOverlay(createCatalogIndex(catalog))
    this.progress = { seenIds: new Set(), index: this.overlay, highestId: catalog.highestId() }
    this.header = {
      kind: 'feed',
      source: options.source ?? 'default',
      mode: options.mode ?? 'delta',
      scope: options.scope ?? {},
    }
  }

  /** Whether the feed had to be given up because of its header. */
  get hasInvalidHeader(): boolean {
    return this.parser.hasInvalidHeader
  }

  /** Whether not one record was found in what should be a feed; one that had some when it was checked was altered. */
  get hasNoRecords(): boolean {
    return !this.parser.hasRecords && this.options.checked === undefined
  }

  /** Whether nothing at all followed from the feed. */
  get isNoOp(): boolean {
    return this.batchCount === 0
  }

  /** Whether the feed was whole and every part of it could be read. */
  get complete(): boolean {
    const { notices, parser, header } = this
    const inOrder = !notices.has('truncated_feed') && !notices.has('misplaced_header')
    const readable = parser.hasRecords && !parser.isDamaged && !parser.hasInvalidHeader
    return !this.isAltered && readable && inOrder && (header.count ?? 0) <= parser.count
  }

  get fingerprint(): string {
    return this.hasher.digest()
  }

  async run(lines: AsyncIterable<FeedLine>): Promise<this> {
    let read: BufferedLine[] = []
    let size = 0
    let maxCommitChars = this.mostText()
    for await (const whole of lines) {
      const line = this.parser.prepare(whole)
      this.hasher.add(whole, line.wording)
      read.push(line)
      size += 'text' in line ? line.text.length : 0
      if (read.length < MAX_COMMIT_LINES && size < maxCommitChars) continue
      await this.commitLines(read)
      if (this.hasInvalidHeader) return this
      this.parser.evictLists()
      read = []
      size = 0
      maxCommitChars = this.mostText()
    }
    await this.commitLines(read)
    if (this.hasInvalidHeader) return this
    const { count } = this.header
    if (count !== undefined && this.parser.count < count) {
      this.notices.add('count_mismatch', `The header declares ${count} records, the feed holds ${this.parser.count}`)
    }
    if (this.hasNoRecords) this.notices.add('no_records', 'Not one record of a feed was found; nothing was imported')
    else if (this.header.mode === 'snapshot') await this.removeMissing()
    return this
  }

  /** How much text may wait for the next commit. */
  private mostText(): number {
    return this.catalog.nextDoc() < LARGE_CATALOG_SHOWS ? MAX_COMMIT_CHARS : 2 * MAX_COMMIT_CHARS
  }

  private setHeader(header: FeedHeader, line: number): void {
    if (this.started) {
      this.notices.add('misplaced_header', 'The header comes after other records', { line })
      return
    }
    this.header = header
  }

  private countRecord(statement: BodyRecord): void {
    if (statement.kind !== 'show' && statement.kind !== 'restated') return
    this.tally.offers += statement.kind === 'show' ? countOffers(statement) : statement.told.offers
    this.tally.shows++
    this.options.onProgress?.(this.tally.shows)
  }

  private commitLines(lines: readonly BufferedLine[]): Promise<void> {
    return this.commit(() => this.buildBatches(lines))
  }

  private *buildBatches(lines: readonly BufferedLine[]): Iterable<Batch> {
    let statements: BodyRecord[] = []
    let shows = 0
    for (const line of lines) {
      for (const record of this.parser.parse(line, this.header)) {
        if (this.hasInvalidHeader) return
        if (record.kind === 'feed') this.setHeader(record, line.line)
        else {
          statements.push(record)
          this.countRecord(record)
          if (record.kind === 'show') shows++
        }
        this.started = true
      }
      if (shows < BATCH_SHOWS && statements.length < BATCH_RECORDS) continue
      yield* this.buildBatch(statements, (maker, statement) => maker.add(statement))
      statements = []
      shows = 0
    }
    yield* this.buildBatch(statements, (maker, statement) => maker.add(statement))
  }

  private async removeMissing(): Promise<void> {
    const { checked = this.fingerprint } = this.options
    this.isAltered = checked !== this.fingerprint
    if (this.isAltered) {
      this.notices.add(
        'feed_altered',
        'The feed has other lines than when it was checked just before; what it lacks is kept',
      )
      return
    }
    const docs = this.catalog.docsWithTerm(term.source(this.header.source), this.catalog.version()).toArray()
    const unstated = docs.filter((doc) => !this.progress.seenIds.has(this.catalog.facts(doc)?.id ?? ''))
    for (const some of chunks(unstated, REMOVALS_PER_COMMIT)) await this.commit(() => this.buildRemovalBatches(some))
  }

  private *buildRemovalBatches(docs: readonly number[]): Iterable<Batch> {
    for (const few of chunks(docs, BATCH_SHOWS)) {
      yield* this.buildBatch(few, (maker, doc) => maker.removeMissing(doc))
    }
  }

  private *buildBatch<T>(things: readonly T[], take: (maker: BatchBuilder, thing: T) => void): Iterable<Batch> {
    const { header, progress, notices, tally } = this
    const { now, remove } = this.options
    const homePage: BatchContext['homePage'] = (service, country) => this.reference.homePage(service, country)
    const taking: BatchContext = { header, now, remove, homePage, progress, notices, tally }
    const maker = new BatchBuilder(this.catalog, taking)
    for (const thing of things) take(maker, thing)
    const batch = maker.build(this.reference.flushChanges())
    if (batch === undefined) return
    this.batchCount++
    yield batch
  }

  /** Commits batches, or, in a pass that only checks, makes them to see what they would be. */
  private async commit(make: () => Iterable<Batch>): Promise<void> {
    const { commit } = this.options
    if (commit !== undefined) await commit(make)
    else for (const { shows } of make()) this.overlay.add(shows)
  }
}

function* chunks<T>(list: readonly T[], size: number): Iterable<readonly T[]> {
  for (let start = 0; start < list.length; start += size) yield list.slice(start, start + size)
}
