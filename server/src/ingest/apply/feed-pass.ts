import type { Catalog } from '../../catalog/catalog.ts'
import { term } from '../../catalog/index/terms.ts'
import type { Batch } from '../../catalog/write/batch.ts'
import type { Ledger } from '../../ledger/ledger.ts'
import type { Clock } from '../../lib/clock.ts'
import { NO_RANKS, type SourceRanks } from '../../model/source-ranks.ts'
import { ImportTally, NoticeLog } from '../import-report.ts'
import type { FeedLine } from '../lines/feed-lines.ts'
import { type BufferedLine, FeedParser } from '../parse/feed-parser.ts'
import { type BodyRecord, countOffers, FeedFingerprint, type FeedHeader, type Scope } from '../parse/feed-record.ts'
import { ReferenceBuilder } from '../parse/reference-builder.ts'
import { UnchangedDetector } from '../parse/unchanged-detector.ts'
import { commitDueWindows, findNextDueInstant } from '../window-scheduler.ts'
import { BatchBuilder, type BatchContext, type IdentityState, type PassState } from './batch-builder.ts'
import { CommitPacer } from './commit-pacer.ts'
import { createCatalogIndex, DryRunOverlay } from './show-index.ts'

/** Options of a pass; source, mode and scope override those of the feed's header. */
export interface PassOptions {
  readonly source?: string
  readonly mode?: 'snapshot' | 'delta'
  readonly scope?: Scope
  readonly clock: Clock
  /** Which sources have precedence for descriptive fields. */
  readonly ranks?: SourceRanks | undefined
  /** Whether offers that the feed lacks are removed. */
  readonly removeMissing: boolean
  /** The feed's fingerprint in the dry run before: if it differs now, nothing is removed. */
  readonly expectedFingerprint?: string | undefined
  /** What a dry run before has found out about the identities of the feed. */
  readonly identities?: KnownIdentities | undefined
  /** Where batches are committed; undefined in a dry run. */
  readonly ledger: Ledger | undefined
  readonly onProgress?: ((shows: number) => void) | undefined
  /** Called for every line and every batch; what it throws ends the pass. */
  readonly checkpoint?: (() => void) | undefined
}

/** What is known about the identities of a feed once it was read to its end. */
export type KnownIdentities = Pick<IdentityState, 'stated' | 'reusesIds'>

/** A source whose ids came with this share of other titles, and with this many at least, numbers its records anew. */
const MAX_RENAMED_SHARE = 1 / 5
const MIN_RENAMED = 5

/** Lines per commit, and characters of their text. Large commits write each posting list seldom. */
const MAX_COMMIT_LINES = 20_000
const MAX_COMMIT_SIZE = 48 * 1024 * 1024

/** From this size on, commits are twice as large: each rewrites much of the sorted columns, which cost more by then. */
const LARGE_CATALOG_SHOWS = 250_000

/** Shows and records per batch; a whole batch is in memory at a time. */
const BATCH_SHOWS = 64
const BATCH_RECORDS = 1_000

/** Shows per commit while the offers that a snapshot lacks are removed. */
const REMOVALS_PER_COMMIT = 20_000

/** One pass over a feed from start to end: a dry run that changes nothing, or an import that commits. */
export class FeedPass {
  readonly notices = new NoticeLog()
  readonly tally = new ImportTally()
  header: FeedHeader
  private readonly catalog: Catalog
  private readonly options: PassOptions
  private readonly reference: ReferenceBuilder
  private readonly parser: FeedParser
  private readonly state: PassState
  /** In a dry run, the shows that the batches so far would have written. */
  private readonly overlay: DryRunOverlay
  private readonly pacer: CommitPacer
  private readonly ranks: SourceRanks
  private readonly hasher = new FeedFingerprint()
  private isAltered = false
  private hasStarted = false
  private batchCount = 0
  /**
   * The time of the current commit, and of its changes. It is read within the transaction: windows that another writer has
   * applied since the import began stay applied, and the changes of a show are logged in the order of their times.
   */
  private now: number
  private readonly startedAt: number

  constructor(catalog: Catalog, options: PassOptions) {
    this.catalog = catalog
    this.options = options
    this.reference = new ReferenceBuilder(catalog.reference())
    this.startedAt = options.clock()
    this.now = this.startedAt
    this.pacer = new CommitPacer(catalog, options.clock)
    this.ranks = options.ranks ?? NO_RANKS
    const isDryRun = options.ledger === undefined
    const detector = new UnchangedDetector(catalog, this.reference, () => this.now, this.ranks, isDryRun)
    this.parser = new FeedParser(this.reference, this.notices, detector, options)
    this.overlay = new DryRunOverlay(createCatalogIndex(catalog))
    const { stated, reusesIds = false } = options.identities ?? {}
    const identities = { stated, reusesIds, contested: new Set<string>(), linked: 0, renamed: 0 }
    const highestId = catalog.highestId()
    this.state = { seenIds: new Set(), index: this.overlay, highestId, identities, topLists: new Set() }
    this.header = {
      kind: 'feed',
      source: options.source ?? 'default',
      mode: options.mode ?? 'delta',
      scope: options.scope ?? {},
    }
  }

  /** Whether the pass has stopped at an invalid header. */
  get hasInvalidHeader(): boolean {
    return this.parser.hasInvalidHeader
  }

  /** Whether the input is not a feed: it has no record, and had none in a dry run either. */
  get hasNoRecords(): boolean {
    return !this.parser.hasRecords && this.options.expectedFingerprint === undefined
  }

  /** Keys of the top lists that the feed states. */
  get topLists(): ReadonlySet<string> {
    return this.state.topLists
  }

  /** Whether the feed leads to no batch at all. */
  get isNoOp(): boolean {
    return this.batchCount === 0
  }

  /** Whether the feed was complete and all of it could be parsed; otherwise what it lacks is not removed. */
  get complete(): boolean {
    const { notices, parser, header } = this
    const isWhole = !notices.has('truncated_feed') && !notices.has('misplaced_header')
    const isReadable = parser.hasRecords && !parser.isDamaged && !parser.hasInvalidHeader
    return !this.isAltered && isReadable && isWhole && (header.count ?? 0) <= parser.count
  }

  /** What the pass after this one is to know about the identities of the feed. */
  get identities(): KnownIdentities {
    const { stated, reusesIds } = this.state.identities
    return { stated: stated ?? this.state.seenIds, reusesIds }
  }

  /**
   * What a dry run has found out at its end and should have known from its start; undefined if it would make no
   * difference. That the source reuses its ids comes first: by it, other shows are stated.
   */
  get misjudgedIdentities(): KnownIdentities | undefined {
    const { stated, reusesIds, contested, linked, renamed } = this.state.identities
    const isRenumbered = renamed >= MIN_RENAMED && renamed > linked * MAX_RENAMED_SHARE
    if (isRenumbered && !reusesIds) return { stated: undefined, reusesIds: true }
    if (this.header.mode !== 'snapshot' || stated !== undefined) return undefined
    const { seenIds } = this.state
    return [...contested].some((id) => !seenIds.has(id)) ? { stated: seenIds, reusesIds } : undefined
  }

  get fingerprint(): string {
    return this.hasher.digest()
  }

  async run(lines: AsyncIterable<FeedLine>): Promise<this> {
    let buffered: BufferedLine[] = []
    let size = 0
    let maxSize = this.maxCommitSize()
    for await (const whole of lines) {
      this.options.checkpoint?.()
      const line = this.parser.prepare(whole)
      this.hasher.add(whole, 'digest' in line ? line.digest : undefined)
      buffered.push(line)
      size += 'size' in line ? line.size : 0
      if (buffered.length < MAX_COMMIT_LINES && size < maxSize) continue
      await this.commitLines(buffered)
      if (this.hasInvalidHeader) return this
      buffered = []
      size = 0
      maxSize = this.maxCommitSize()
    }
    await this.commitLines(buffered)
    if (this.hasInvalidHeader) return this
    const { count } = this.header
    if (count !== undefined && this.parser.count < count) {
      this.notices.add('count_mismatch', `The header declares ${count} records, the feed holds ${this.parser.count}`)
    }
    if (this.hasNoRecords) this.notices.add('no_records', 'Not one record of a feed was found; nothing was imported')
    else if (this.header.mode === 'snapshot') await this.removeMissing()
    return this
  }

  private maxCommitSize(): number {
    return this.catalog.nextDoc() < LARGE_CATALOG_SHOWS ? MAX_COMMIT_SIZE : 2 * MAX_COMMIT_SIZE
  }

  private setHeader(header: FeedHeader, line: number): void {
    if (this.hasStarted) {
      this.notices.add('misplaced_header', 'The header comes after other records', { line })
      return
    }
    this.header = header
  }

  private countRecord(record: BodyRecord): void {
    if (record.kind !== 'show' && record.kind !== 'unchanged') return
    this.tally.offers += record.kind === 'show' ? countOffers(record) : record.seen.offers
    this.tally.shows++
    this.options.onProgress?.(this.tally.shows)
  }

  private commitLines(lines: readonly BufferedLine[]): Promise<void> {
    return this.commit(this.buildBatches(lines))
  }

  private *buildBatches(lines: readonly BufferedLine[]): Generator<Batch> {
    let records: BodyRecord[] = []
    let shows = 0
    for (const line of lines) {
      this.options.checkpoint?.()
      for (const record of this.parser.parse(line, this.header)) {
        if (this.hasInvalidHeader) return
        if (record.kind === 'feed') this.setHeader(record, line.line)
        else {
          records.push(record)
          this.countRecord(record)
          if (record.kind === 'show') shows++
        }
        this.hasStarted = true
      }
      if (shows < BATCH_SHOWS && records.length < BATCH_RECORDS) continue
      yield* this.buildBatch(records, (builder, record) => builder.add(record))
      records = []
      shows = 0
    }
    yield* this.buildBatch(records, (builder, record) => builder.add(record))
  }

  /** Removes the source's offers of all shows that the snapshot lacks, unless the feed has changed since the dry run. */
  private async removeMissing(): Promise<void> {
    const { expectedFingerprint = this.fingerprint } = this.options
    this.isAltered = expectedFingerprint !== this.fingerprint
    if (this.isAltered) {
      this.notices.add(
        'feed_altered',
        'The feed has other lines than when it was checked just before; what it lacks is kept',
      )
      return
    }
    const docs = this.catalog.docsWithTerm(term.source(this.header.source), this.catalog.version()).toArray()
    const missing = docs.filter((doc) => !this.state.seenIds.has(this.catalog.documents.ownId(doc) ?? ''))
    for (const chunk of chunks(missing, REMOVALS_PER_COMMIT)) await this.commit(this.buildRemovalBatches(chunk))
  }

  private *buildRemovalBatches(docs: readonly number[]): Generator<Batch> {
    for (const chunk of chunks(docs, BATCH_SHOWS)) {
      this.options.checkpoint?.()
      yield* this.buildBatch(chunk, (builder, doc) => builder.removeMissing(doc))
    }
  }

  /** Builds the batch of some items; yields nothing if they change nothing. */
  private *buildBatch<T>(items: readonly T[], add: (builder: BatchBuilder, item: T) => void): Iterable<Batch> {
    const { header, now, ranks, state, notices, tally } = this
    const { removeMissing } = this.options
    const homePage: BatchContext['homePage'] = (service, country) => this.reference.homePage(service, country)
    const context = { header, now, removeMissing, homePage, ranks, state, notices, tally }
    const builder = new BatchBuilder(this.catalog, context)
    for (const item of items) add(builder, item)
    const batch = builder.build(this.reference.flushChanges())
    if (batch === undefined) return
    this.batchCount++
    yield batch
  }

  /**
   * Commits the batches, in more than one commit if a window comes due meanwhile: due windows are committed in between. A
   * dry run only makes the batches, and keeps what later ones must find.
   */
  private async commit(batches: Generator<Batch>): Promise<void> {
    const { ledger } = this.options
    if (ledger === undefined) {
      this.readClock()
      for (const { shows } of batches) this.overlay.add(shows)
      return
    }
    for (let isDone = false; !isDone; ) {
      this.pacer.begin()
      isDone = await this.commitBatches(ledger, batches)
      this.pacer.end()
      await this.commitDueWindows(ledger)
    }
  }

  /** Commits batches until there are no more, or a window comes due; returns whether that were all. */
  private async commitBatches(ledger: Ledger, batches: Generator<Batch>): Promise<boolean> {
    const { pacer } = this
    const isPaced = () => this.header.statesChanges !== true
    let isDone = false
    const takeBatches = function* () {
      do {
        const next = batches.next()
        if (next.done === true) {
          isDone = true
          return
        }
        pacer.add(next.value)
        yield next.value
      } while (!(isPaced() && pacer.shouldEnd()))
    }
    await ledger.commit(() => {
      this.readClock()
      return takeBatches()
    })
    return isDone
  }

  /** Commits the windows that have come due since the import began. An export leaves those of its shows to the scheduler. */
  private async commitDueWindows(ledger: Ledger): Promise<void> {
    const now = this.options.clock()
    if (this.header.statesChanges === true || findNextDueInstant(this.catalog, this.startedAt) > now) return
    await commitDueWindows(ledger, now)
  }

  private readClock(): void {
    this.now = Math.max(this.now, this.options.clock())
  }
}

function* chunks<T>(list: readonly T[], size: number): Iterable<readonly T[]> {
  for (let start = 0; start < list.length; start += size) yield list.slice(start, start + size)
}
