import type { MeteredCache } from '../lib/cache.ts'
import { UserError } from '../lib/errors.ts'
import type { TopList } from '../model/service.ts'
import type { Show, ShowType } from '../model/show.ts'
import { ChangeLog } from './changes/change-log.ts'
import { CommitJournal } from './changes/commit-journal.ts'
import { DocumentStore } from './documents/document-store.ts'
import type { Facts, SortField } from './documents/facts-codec.ts'
import { SeenRecordStore } from './documents/seen-records.ts'
import { foldedTitleCache } from './identity/folded-title.ts'
import { IDENTITY_INDEX_VERSION, IdentityIndex } from './identity/identity-index.ts'
import type { DocSet } from './index/doc-set.ts'
import { Postings } from './index/postings.ts'
import { SpellingIndex } from './index/spelling-index.ts'
import { ColumnCursor } from './sorted/column-cursor.ts'
import { type ColumnStore, createColumnStore, type SortKey } from './sorted/column-store.ts'
import { Dictionary } from './storage/dictionary.ts'
import {
  CATALOG_FORMAT,
  CHECKSUM_FORMAT,
  createReadTransactionCounter,
  type Environment,
  isMigratable,
} from './storage/environment.ts'
import {
  type CatalogCounts,
  type LogPosition,
  MetaStore,
  type SourceRecord,
  type VersionedReference,
} from './storage/meta.ts'
import type { Reference } from './storage/reference.ts'

/** Documents between two flushes while the identity index is built. */
const IDENTITY_FLUSH_DOCS = 50_000

/** Thrown when a data directory holds a catalog in another on-disk format. */
export class CatalogFormatError extends UserError {
  override readonly name = 'CatalogFormatError'

  constructor(format: number) {
    super(
      `The catalog has format ${format}, this program reads format ${CATALOG_FORMAT}. ${
        isMigratable(format)
          ? '`marquee migrate` brings it to the current format; the former one is kept beside it.'
          : 'Use the program that made it; its `marquee export` can be imported into a new data directory.'
      }`,
    )
  }
}

export interface CatalogOptions {
  /** Opens a catalog in a format that can be migrated, too: its documents and changes can be read, its indexes not. */
  readonly allowOlderFormat?: boolean
}

/**
 * The embedded engine: documents, inverted index, sorted columns and change log in one LMDB environment. All reads
 * within one turn of the event loop see one version of the catalog, whatever another process commits meanwhile.
 */
export class Catalog {
  /** The tables themselves: for `catalog/`, and for tests that check them. Other layers use the methods. */
  readonly environment: Environment
  readonly dictionary: Dictionary
  readonly documents: DocumentStore
  readonly postings: Postings
  readonly spellings: SpellingIndex
  readonly columns: ColumnStore
  /** Past changes. */
  readonly changes: ChangeLog
  /** Starts and ends of offers to come, as changes. */
  readonly windows: ChangeLog
  /** What each commit altered, in the order of commits. */
  readonly journal: CommitJournal
  readonly seenRecords: SeenRecordStore
  /** Shows by records and by titles, for imports. */
  readonly identities: IdentityIndex
  readonly meta: MetaStore
  private transactionCounter: (() => number) | undefined

  constructor(environment: Environment, { allowOlderFormat = false }: CatalogOptions = {}) {
    this.environment = environment
    this.meta = new MetaStore(environment)
    const format = this.format()
    const isReadable = format === CATALOG_FORMAT || (allowOlderFormat && isMigratable(format))
    if (!isReadable) throw new CatalogFormatError(format)
    const { columns, columnBlocks, changes, changeBlocks, windows, windowBlocks } = environment
    const { dictionaryNumbers, dictionaryTexts, dictionaryChecksums } = environment
    const hasChecksums = format >= CHECKSUM_FORMAT
    this.dictionary = new Dictionary(dictionaryNumbers, dictionaryTexts, dictionaryChecksums)
    this.documents = new DocumentStore(environment, this.dictionary)
    this.postings = new Postings(environment.postings)
    this.spellings = new SpellingIndex(environment.spellings)
    this.columns = createColumnStore({ directories: columns, blocks: columnBlocks, hasChecksums })
    // Changes are mostly appended and have to be counted, so their lists have no delta blocks.
    this.changes = new ChangeLog({ directories: changes, blocks: changeBlocks, hasChecksums }, this.dictionary, {
      name: 'change',
      maxDeltaEntries: 0,
      growsAtEnd: true,
    })
    this.windows = new ChangeLog({ directories: windows, blocks: windowBlocks, hasChecksums }, this.dictionary, {
      name: 'window',
      maxDeltaEntries: 128,
      growsAtEnd: false,
    })
    this.journal = new CommitJournal(environment.journal, this.changes, this.dictionary)
    this.seenRecords = new SeenRecordStore(environment.seenRecords)
    this.identities = new IdentityIndex(environment)
  }

  /** All caches of this process over the catalog. */
  caches(): readonly MeteredCache[] {
    const parts = [this.dictionary, this.postings, this.columns, this.changes, this.windows]
    return [...parts.flatMap((part) => part.caches()), foldedTitleCache]
  }

  /** The on-disk format; that of this program while the catalog is empty. */
  format(): number {
    return this.meta.get('format') ?? CATALOG_FORMAT
  }

  /** The count of commits that can change an answer, when sources were confirmed apart; 0 while the catalog is empty. */
  version(): number {
    return this.meta.get('version') ?? 0
  }

  /** Identifies the version by what was committed: two catalogs can have the same version number. */
  contentHash(): string {
    return this.meta.get('edition') ?? ''
  }

  /** Identifies when each source was last confirmed, which no version does; empty before the first import. */
  confirmationHash(): string {
    return this.meta.get('confirmationHash') ?? ''
  }

  /** The position in the log of the ledger that the catalog replicates; undefined where it is no replica. */
  logPosition(): LogPosition | undefined {
    return this.meta.get('position')
  }

  /** Sets or, with undefined, clears the log position. */
  setLogPosition(position: LogPosition | undefined): void {
    this.transaction(() => {
      if (position === undefined) this.meta.delete('position')
      else this.meta.put('position', position)
    })
  }

  /** The number of the next new document. Documents are numbered from 0, and numbers are not reused. */
  nextDoc(): number {
    return this.meta.get('nextDoc') ?? 0
  }

  /** The highest show id ever assigned. */
  highestId(): number {
    return this.meta.get('highestId') ?? 0
  }

  counts(): CatalogCounts {
    return this.meta.counts()
  }

  reference(): Reference {
    return this.meta.reference().reference
  }

  /** The reference data, with a number that changes when it does. */
  referenceWithRevision(): VersionedReference {
    return this.meta.reference()
  }

  source(name: string): SourceRecord | undefined {
    return this.meta.source(name)
  }

  sources(): SourceRecord[] {
    return this.meta.sources()
  }

  /** The show ids of an official top list in rank order. */
  topList(country: string, service: string, showType: ShowType): readonly string[] {
    return this.meta.topList(country, service, showType)
  }

  topLists(): TopList[] {
    return this.meta.topLists()
  }

  /** The document with an id: the show's own, its IMDb or its TMDB id. */
  findDoc(id: string): number | undefined {
    return this.documents.findDoc(id)
  }

  /** The document of the show with this very id of its own, even if it was merged into another show. */
  findOwnDoc(id: string): number | undefined {
    return this.documents.findOwnDoc(id)
  }

  /** The documents that have a term. */
  docsWithTerm(term: string, version: number): DocSet {
    return this.postings.get(term, version)
  }

  /** Scans a column, from a key on where one is given. */
  openCursor(column: string, version: number, direction: 'asc' | 'desc', from?: SortKey): ColumnCursor {
    return new ColumnCursor(this.columns, column, version, direction, from)
  }

  /** The fields of a show that sorting and filtering need. */
  facts(doc: number): Facts | undefined {
    return this.documents.facts(doc)
  }

  /** The id of a show, and its value in a sort order. */
  sortValue(doc: number, field: SortField | 'runtime'): { id: number; value: number | string } {
    return this.documents.sortValue(doc, field)
  }

  /** A whole show. */
  show(doc: number): Show | undefined {
    return this.documents.show(doc)
  }

  /** Whether the identity index covers all documents. Catalogs of older programs have none. */
  hasIdentityIndex(): boolean {
    return this.meta.get('identityIndex') === IDENTITY_INDEX_VERSION || this.nextDoc() === 0
  }

  /** Builds the identity index from the documents where it is missing or outdated. */
  buildIdentityIndex(onProgress?: (done: number, total: number) => void): void {
    if (this.hasIdentityIndex()) return
    this.transaction(() => {
      if (this.hasIdentityIndex()) return
      this.identities.clear()
      const total = this.nextDoc()
      for (let doc = 0; doc < total; doc++) {
        const show = this.documents.identityOutline(doc)
        if (show !== undefined) this.identities.replace(doc, undefined, show)
        // Bounds the memory of the buffer.
        if ((doc + 1) % IDENTITY_FLUSH_DOCS === 0) this.identities.flush()
        onProgress?.(doc + 1, total)
      }
      this.identities.flush()
      this.meta.put('identityIndex', IDENTITY_INDEX_VERSION)
    })
  }

  /** Whether the log holds changes that are older than an instant. */
  hasChangesBefore(instant: number): boolean {
    const version = this.version()
    return this.changes.listIds().some((list) => {
      for (const { timestamp } of this.changes.scanAscending(list, version)) return timestamp < instant
      return false
    })
  }

  /** A number for the current read transaction: while it is the same, all reads see the same data. */
  readTransactionId(): number {
    this.transactionCounter ??= createReadTransactionCounter(this.environment)
    return this.transactionCounter()
  }

  /** Runs a write transaction over all tables. One process writes at a time; LMDB makes others wait. */
  transaction<T>(work: () => T): T {
    return this.environment.root.transactionSync(work)
  }

  /**
   * Lets the next commit reuse the pages that the last one freed. LMDB reuses them only when another commit has followed, so a file
   * that grows by large commits would hold the freed pages of two. This is a small one in between.
   */
  settle(): void {
    const { root } = this.environment
    // A snapshot that this process has open would keep the pages, too.
    root.resetReadTxn()
    this.transaction(() => this.meta.put('version', this.version()))
    root.resetReadTxn()
  }

  /** Clears all caches. A transaction that was rolled back may have left its data in them. */
  invalidate(): void {
    this.dictionary.invalidate()
    this.postings.invalidate()
    this.columns.invalidate()
    this.changes.invalidate()
    this.windows.invalidate()
    this.identities.discard()
  }

  /** Closes the environment. */
  close(): Promise<void> {
    return this.environment.root.close()
  }
}
