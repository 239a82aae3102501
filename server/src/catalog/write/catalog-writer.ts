import { createHash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { canUseThreads } from '../../lib/threads.ts'
import type { Show } from '../../model/show.ts'
import type { Catalog } from '../catalog.ts'
import { IDENTITY_INDEX_VERSION } from '../identity/identity-index.ts'
import { TextIndexer } from '../index/text-indexer.ts'
import { APPEND, CATALOG_FORMAT, INSERT } from '../storage/environment.ts'
import {
  type Batch,
  type BatchSink,
  CatalogDivergedError,
  type CatalogMark,
  type CommitOptions,
  isLoggable,
} from './batch.ts'
import { WriteBuffer } from './write-buffer.ts'

/** A commit of so many shows frees pages that are worth a commit of their own. */
const LARGE_COMMIT_SHOWS = 1_000

/** Applies batches to a catalog. One process writes at a time; LMDB makes others wait. */
export class CatalogWriter {
  private readonly catalog: Catalog
  private readonly textIndexer: TextIndexer | undefined

  constructor(catalog: Catalog, dataDirectory: string) {
    this.catalog = catalog
    if (canUseThreads()) this.textIndexer = new TextIndexer(dataDirectory)
  }

  /** To be called before the catalog is closed. */
  async close(): Promise<void> {
    await this.textIndexer?.stop()
  }

  /**
   * Applies batches in one transaction, and returns the catalog's version. Documents are written batch by batch, so the
   * next batch is built from what the last one left; changes of terms, columns and the change log are buffered and
   * written at the end. Batches are built within the transaction: nobody else writes meanwhile.
   */
  apply(buildBatches: () => Iterable<Batch>, options: CommitOptions = {}): number {
    const { catalog } = this
    try {
      const { version, showCount } = catalog.transaction(() => {
        const buffer = new WriteBuffer(catalog, this.textIndexer)
        for (const batch of buildBatches()) this.applyBatch(batch, buffer)
        return { version: this.commit(buffer, options), showCount: buffer.showCount }
      })
      if (showCount >= LARGE_COMMIT_SHOWS) catalog.settle()
      return version
    } catch (error) {
      catalog.invalidate()
      throw error
    }
  }

  /**
   * As `apply`, and appends the batches to a log. The catalog's transaction is committed after that of the log, and
   * rolled back if that fails. Until then nothing else in this process may use the catalog.
   */
  async applyAndLog(buildBatches: () => Iterable<Batch>, log: BatchSink): Promise<number> {
    const { catalog } = this
    try {
      const { version, showCount } = await catalog.transaction(async () => {
        const buffer = new WriteBuffer(catalog, this.textIndexer)
        for (const batch of buildBatches()) {
          const docs = this.applyBatch(batch, buffer)
          if (isLoggable(batch)) await log.append(batch, docs)
        }
        const version = this.commit(buffer, { position: log.position })
        if (buffer.batchCount > 0) await log.commit({ ...this.mark(version, buffer), counts: catalog.counts() })
        return { version, showCount: buffer.showCount }
      })
      if (showCount >= LARGE_COMMIT_SHOWS) catalog.settle()
      return version
    } catch (error) {
      catalog.invalidate()
      throw error
    }
  }

  /** Returns the documents of the batch's shows, by id. */
  private applyBatch(batch: Batch, buffer: WriteBuffer): ReadonlyMap<string, number> {
    const { catalog } = this
    buffer.addBatch(batch)
    const docs = new Map<string, number>()
    const { nextDoc } = buffer
    for (const show of batch.shows) docs.set(show.id, this.applyShow(show, buffer))
    for (const change of batch.changes) {
      const doc = docs.get(change.showId) ?? catalog.findOwnDoc(change.showId)
      if (doc === undefined) throw new Error(`A change names show ${change.showId}, which the catalog does not have`)
      buffer.addChange(doc, change)
    }
    for (const list of batch.topLists ?? []) catalog.meta.putTopList(list)
    if (batch.source !== undefined) catalog.meta.putSource(batch.source)
    for (const name of batch.removedSources ?? []) catalog.meta.deleteSource(name)
    for (const record of batch.seen ?? []) {
      const written = docs.get(record.id)
      const doc = written ?? catalog.findOwnDoc(record.id)
      if (written !== undefined) catalog.seenRecords.replace(written, record, written < nextDoc ? INSERT : APPEND)
      else if (doc !== undefined) catalog.seenRecords.add(doc, record)
    }
    return docs
  }

  /** Writes a show, and returns its document. */
  private applyShow(show: Show, buffer: WriteBuffer): number {
    const { catalog } = this
    const known = catalog.findOwnDoc(show.id)
    const old = known === undefined ? undefined : catalog.show(known)
    const doc = known ?? buffer.nextDoc++
    buffer.beginDocument(doc)
    if (known !== undefined) catalog.seenRecords.delete(doc)
    catalog.documents.put(doc, old, show)
    buffer.replaceDocument(doc, old, show)
    if (buffer.maintainsIdentities) catalog.identities.replace(doc, old, show)
    return doc
  }

  /** Writes what was buffered, then the new version and counters. */
  private commit(buffer: WriteBuffer, { position, copyOf, expected }: CommitOptions): number {
    const { catalog } = this
    const { changes, meta } = catalog
    if (buffer.batchCount === 0) return catalog.version()
    // A source record alone makes no new version, so that a daily import of the same snapshot invalidates nothing. Only
    // provenance depends on it, and answers that have it depend on the confirmation hash, too.
    const version = copyOf?.version ?? catalog.version() + (buffer.bumpsVersion ? 1 : 0)
    buffer.flush(version)
    if (buffer.truncateChangesBefore !== undefined) {
      for (const list of changes.listIds()) changes.truncateBefore(list, buffer.truncateChangesBefore, version)
      catalog.journal.truncateBefore(buffer.truncateChangesBefore)
    }
    if (buffer.reference !== undefined) meta.putReference(buffer.reference, version)
    const counts = buffer.counts()
    meta.put('counts', counts)
    meta.put('highestId', buffer.highestId)
    meta.put('nextDoc', buffer.nextDoc)
    meta.put('format', CATALOG_FORMAT)
    if (buffer.maintainsIdentities) meta.put('identityIndex', IDENTITY_INDEX_VERSION)
    if (buffer.altersSources) meta.put('confirmationHash', this.hashConfirmations())
    if (buffer.bumpsVersion) {
      const summary = JSON.stringify([catalog.contentHash(), buffer.at, counts, buffer.changeCount])
      const contentHash = shortHash(summary)
      this.appendToJournal(buffer, version, copyOf?.edition ?? contentHash, copyOf !== undefined)
      meta.put('edition', copyOf?.edition ?? contentHash)
      meta.put('version', version)
    }
    if (position !== undefined) meta.put('position', position)
    if (expected !== undefined) checkMark(expected, this.mark(version, buffer))
    // Caches tell data apart by version. What was read between two flushes of one version is outdated.
    if (buffer.flushCount > 1 || copyOf !== undefined) catalog.invalidate()
    return version
  }

  /**
   * Adds the commit to the journal. The first commit, and the copy of another catalog, become the base from which readers
   * follow: nobody has read an earlier version of them.
   */
  private appendToJournal(buffer: WriteBuffer, version: number, contentHash: string, isCopy: boolean): void {
    const { catalog } = this
    const { at, reference, alteredDocs, loggedChanges } = buffer
    const before = catalog.version()
    const base = { at, altersReference: false, docs: NO_ENTRIES, changes: NO_ENTRIES }
    if (isCopy || before === 0) {
      catalog.journal.append({ ...base, version, contentHash })
      return
    }
    if (catalog.journal.find(before) === undefined) {
      // An older program wrote the last version: the journal begins anew, since it lacks what that one altered.
      catalog.journal.clear()
      catalog.journal.append({ ...base, version: before, contentHash: catalog.contentHash() })
    }
    const altersReference = reference !== undefined
    catalog.journal.append({ version, contentHash, at, altersReference, docs: alteredDocs, changes: loggedChanges })
  }

  /** It follows from the records of the sources, so it is the same on all replicas. A verification reports damaged records. */
  private hashConfirmations(): string {
    const sources = this.catalog.meta.sources(() => {})
    return shortHash(
      JSON.stringify(sources.map(({ name, confirmedAt, confirmations }) => [name, confirmedAt, confirmations])),
    )
  }

  private mark(version: number, { nextDoc }: WriteBuffer): CatalogMark {
    return { version, edition: this.catalog.contentHash(), nextDoc }
  }
}

const NO_ENTRIES: ReadonlyMap<string, never> = new Map<string, never>()

function shortHash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 12)
}

function checkMark(expected: CatalogMark, actual: CatalogMark): void {
  if (isDeepStrictEqual(expected, actual)) return
  const [wanted, got] = [expected, actual].map((mark) => JSON.stringify(mark))
  throw new CatalogDivergedError(`The catalog has ${got} after the commit, its ledger has ${wanted}`)
}
